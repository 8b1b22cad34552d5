use proptest::prelude::*;

use super::{Angle, Fixed, Vec2};
use crate::base::cell;

fn raw(x: i32, y: i32) -> Vec2 {
    Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

const ENDS: [i32; 5] = [i32::MIN, -1, 0, 1, i32::MAX];

fn any_part() -> impl Strategy<Value = i32> {
    prop_oneof![any::<i32>(), -2000..2000_i32, prop::sample::select(&ENDS[..])]
}

fn any_vec() -> impl Strategy<Value = Vec2> {
    (any_part(), any_part()).prop_map(|(x, y)| raw(x, y))
}

/// Whether `root` is the square root of `square`, rounded down.
fn is_floor_root(root: u128, square: u128) -> bool {
    root * root <= square && square < (root + 1) * (root + 1)
}

fn wide(v: Vec2) -> (i128, i128) {
    (i128::from(v.x.raw()), i128::from(v.y.raw()))
}

#[test]
fn sums_saturate_per_component() {
    let most = Vec2::new(Fixed::MAX, Fixed::MIN);
    assert_eq!(most + raw(1, -1), most);
    assert_eq!(most - raw(-1, 1), most);
    assert_eq!(-raw(i32::MIN, 5), raw(i32::MAX, -5));
    assert_eq!(most * Fixed::from_cells(2), most);
    assert_eq!(raw(i32::MIN, i32::MIN).perp(), raw(i32::MAX, i32::MIN));
    let mut v = raw(1, 2);
    v += raw(10, 20);
    v -= raw(1, 1);
    assert_eq!(v, raw(10, 21));
}

#[test]
fn products_and_lengths_hold_at_the_ends_of_the_range() {
    let parts = ENDS;
    for (ax, ay) in parts.iter().flat_map(|&x| parts.map(|y| (x, y))) {
        for (bx, by) in parts.iter().flat_map(|&x| parts.map(|y| (x, y))) {
            let (a, b) = (raw(ax, ay), raw(bx, by));
            let ((ax, ay), (bx, by)) = (wide(a), wide(b));
            assert_eq!(i128::from(a.dot(b)), (ax * bx + ay * by).min(i128::from(i64::MAX)));
            assert_eq!(i128::from(a.cross(b)), ax * by - ay * bx);
            let square = (ax - bx).pow(2) + (ay - by).pow(2);
            assert_eq!(i128::from(a.distance_squared(b)), square.min(i128::from(u64::MAX)));
        }
        let (a, corner) = (raw(ax, ay), raw(i32::MIN, i32::MIN));
        assert!(a.length() >= Fixed::ZERO && a.distance(corner) >= Fixed::ZERO);
    }
    assert_eq!(raw(i32::MIN, i32::MIN).length(), Fixed::MAX);
}

#[test]
fn clockwise_is_positive() {
    let (east, south) = (Vec2::from_cells(1, 0), Vec2::from_cells(0, 1));
    assert_eq!(east.perp(), south);
    assert_eq!(east.cross(south), 1 << 20);
    assert_eq!(east.dot(east), 1 << 20);
    assert_eq!(east.dot(south), 0);
    assert_eq!(south.angle(), Angle::QUARTER);
    assert_eq!(Vec2::from_angle(Angle::QUARTER), south);
}

#[test]
fn cells_and_points_convert_into_each_other() {
    let centre = cell(3, -2).centre();
    assert_eq!(centre, raw(3584, -1536));
    assert_eq!(centre.to_string(), "(3.5, -1.5)");
    assert_eq!(centre.cell(), cell(3, -2));
    assert_eq!(raw(-1, 1024).cell(), cell(-1, 1));
}

#[test]
fn the_zero_vector_has_no_direction() {
    assert_eq!(Vec2::ZERO.normalise(), None);
    assert_eq!(Vec2::ZERO.with_length(Fixed::ONE), Vec2::ZERO);
    assert_eq!(Vec2::ZERO.clamp_length(Fixed::ONE), Vec2::ZERO);
    assert_eq!(Vec2::ZERO.angle(), Angle::ZERO);
    assert!(Vec2::ZERO.is_zero() && !raw(0, 1).is_zero());
    assert_eq!(raw(5, 5).clamp_length(Fixed::MIN), Vec2::ZERO);
}

proptest! {
    #[test]
    fn lengths_are_the_exact_root_rounded_down(a in any_vec(), b in any_vec()) {
        let ((ax, ay), (bx, by)) = (wide(a), wide(b));
        let square = (ax * ax + ay * ay) as u128;
        prop_assert_eq!(u128::from(a.length_squared()), square);
        if a.length() < Fixed::MAX {
            prop_assert!(is_floor_root(a.length().raw() as u128, square));
        }
        if a.distance(b) < Fixed::MAX {
            prop_assert!(is_floor_root(a.distance(b).raw() as u128, ((ax - bx).pow(2) + (ay - by).pow(2)) as u128));
        }
        prop_assert_eq!(a.distance(b), b.distance(a));
    }

    #[test]
    fn a_clamped_vector_is_never_too_long_and_not_shorter_than_necessary(v in any_vec(), longest in any_part()) {
        let limit = i64::from(longest.max(0)) as u64;
        let clamped = v.clamp_length(Fixed::from_raw(longest));
        prop_assert!(clamped.length_squared() <= limit * limit);
        if v.length_squared() <= limit * limit {
            prop_assert_eq!(clamped, v);
        } else {
            prop_assert!(u64::from(clamped.length().raw().unsigned_abs()) + 3 >= limit);
        }
    }

    #[test]
    fn changing_the_length_keeps_or_reverses_the_direction(v in any_vec(), length in any_part()) {
        let length = Fixed::from_raw(length);
        let (x, y) = (v.x.raw(), v.y.raw());
        prop_assume!(x != i32::MIN && y != i32::MIN && length != Fixed::MIN);
        let long = v.with_length(length);
        prop_assert_eq!(v.with_length(-length), -long);
        prop_assert_eq!((-v).with_length(length), -long);
        prop_assert!(long.x.signum() * x.signum() * length.signum() >= 0);
        if !v.is_zero() {
            prop_assert!((long.length().raw() - length.abs().raw()).abs() <= 1);
        }
    }

    #[test]
    fn quarter_turns_are_exact_and_turns_are_symmetric(v in any_vec(), angle in any::<u16>().prop_map(Angle)) {
        prop_assume!(v.x != Fixed::MIN && v.y != Fixed::MIN);
        prop_assert_eq!(v.rotate(Angle::ZERO), v);
        prop_assert_eq!(v.rotate(Angle::QUARTER), v.perp());
        prop_assert_eq!(v.rotate(Angle::HALF), -v);
        // Halved, so that nothing saturates: `i32::MIN` has no positive counterpart.
        let v = raw(v.x.raw() / 2, v.y.raw() / 2);
        prop_assert_eq!((-v).rotate(angle), -v.rotate(angle));
    }
}
