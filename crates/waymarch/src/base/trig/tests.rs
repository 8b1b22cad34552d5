use proptest::prelude::*;

use super::{Angle, Dir8, Fixed};
use crate::base::trig_tables::{ATAN, SINE};

fn all() -> impl Iterator<Item = Angle> {
    (0..=u16::MAX).map(Angle)
}

#[test]
fn tables_are_exact_at_both_ends_and_increase() {
    assert_eq!((SINE[0], SINE[256]), (0, 1 << 30));
    assert_eq!(SINE[128], 759_250_125, "the square root of 1/2");
    assert_eq!((ATAN[0], ATAN[256]), (0, 8192 << 16));
    assert!(SINE.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(ATAN.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn symmetries_are_exact_for_every_angle() {
    for a in all() {
        assert_eq!((-a).sin(), -a.sin());
        assert_eq!((-a).cos(), a.cos());
        assert_eq!((-a).sin_16(), -a.sin_16());
        assert_eq!((-a).cos_16(), a.cos_16());
        assert_eq!((Angle::HALF - a).sin_16(), a.sin_16());
        assert_eq!((Angle::HALF + a).sin_16(), -a.sin_16());
        assert_eq!((Angle::QUARTER - a).sin_16(), a.cos_16());
        assert_eq!((Angle::QUARTER - a).sin(), a.cos());
        assert_eq!((a + Angle::QUARTER).cos(), -a.sin());
    }
}

#[test]
fn the_sine_increases_in_the_first_quarter_and_is_exact_at_its_ends() {
    for a in 0..1 << 14 {
        assert!(Angle(a).sin_16() <= Angle(a + 1).sin_16());
        assert!(Angle(a).sin() <= Angle(a + 1).sin());
    }
    assert_eq!((Angle::ZERO.sin_16(), Angle::QUARTER.sin_16()), (0, 65_536));
    assert_eq!((Angle::ZERO.sin(), Angle::QUARTER.sin()), (Fixed::ZERO, Fixed::ONE));
    assert_eq!(Angle(1 << 13).sin_16(), Angle(1 << 13).cos_16());
}

#[test]
fn the_angle_of_a_direction_is_exact_both_ways() {
    for dir in Dir8::ALL {
        let angle = Angle::from(dir);
        assert_eq!(angle.nearest_dir(), dir);
        for scale in [1, 7, 1024, 1 << 30, i32::MAX] {
            assert_eq!(Angle::atan2(dir.dy() * scale, dir.dx() * scale), angle);
        }
        // A sixteenth of a turn on each side belongs to the direction. The border belongs to the next direction clockwise.
        assert_eq!((angle - Angle(4096)).nearest_dir(), dir);
        assert_eq!((angle - Angle(4097)).nearest_dir(), dir.turn(-1));
        assert_eq!((angle + Angle(4095)).nearest_dir(), dir);
        assert_eq!((angle + Angle(4096)).nearest_dir(), dir.turn(1));
        assert_eq!(angle.cos().signum(), dir.dx());
        assert_eq!(angle.sin().signum(), dir.dy());
    }
}

#[test]
fn atan2_is_defined_at_the_ends_of_the_range() {
    let (min, max) = (i32::MIN, i32::MAX);
    assert_eq!(Angle::atan2(0, 0), Angle::ZERO);
    assert_eq!(Angle::atan2(0, min), Angle::HALF);
    assert_eq!(Angle::atan2(min, 0), -Angle::QUARTER);
    assert_eq!(Angle::atan2(min, min), Angle::from(Dir8::NW));
    assert_eq!(Angle::atan2(max, max), Angle::from(Dir8::SE));
    assert_eq!(Angle::atan2(max, min), Angle::from(Dir8::SW), "rounded to the nearest");
    assert_eq!(Angle::atan2(1, min), Angle::HALF);
    assert_eq!(Angle::atan2(-1, max), Angle::ZERO);
}

#[test]
fn turning_reaches_the_target_and_never_overshoots() {
    for from in (0..=u16::MAX).step_by(257).map(Angle) {
        for to in (0..=u16::MAX).step_by(263).map(Angle) {
            let needed = from.turn_to(to).unsigned_abs();
            for most in [0, 1, 500, needed.saturating_sub(1), needed, u16::MAX] {
                let turned = from.turn_towards(to, most);
                assert_eq!(turned.turn_to(to).unsigned_abs(), needed.saturating_sub(most));
                assert_eq!(from.turn_to(turned).unsigned_abs(), needed.min(most));
            }
        }
    }
    let about = Angle(10).turn_towards(Angle(10) + Angle::HALF, 100);
    assert_eq!(about, Angle(110), "half a turn goes clockwise");
}

#[test]
fn degrees_are_rounded_to_the_nearest_angle() {
    assert_eq!(Angle::from_degrees(90), Angle::QUARTER);
    assert_eq!(Angle::from_degrees(-90), -Angle::QUARTER);
    assert_eq!(Angle::from_degrees(360 * 5 + 45), Angle::EIGHTH);
    assert_eq!(Angle::from_degrees(1), Angle(182));
    assert_eq!(Angle::from_degrees(359), Angle(65_354));
    assert_eq!(Angle::from_degrees(i32::MIN), Angle::from_degrees(i32::MIN + 360));
}

proptest! {
    /// A mirrored vector has the mirrored angle.
    #[test]
    fn atan2_mirrors(x in any::<i32>(), y in any::<i32>()) {
        // `i32::MIN` has no mirror image. A vector on an axis is its own mirror image.
        prop_assume!(x != i32::MIN && y != i32::MIN && x != 0 && y != 0);
        let angle = Angle::atan2(y, x);
        prop_assert_eq!(Angle::atan2(-y, x), -angle);
        prop_assert_eq!(Angle::atan2(y, -x), Angle::HALF - angle);
        prop_assert_eq!(Angle::atan2(-y, -x), Angle::HALF + angle);
        prop_assert_eq!(Angle::atan2(x, y), Angle::QUARTER - angle);
    }
}
