//! Encounters and the linear program together.

use super::constraints::CERTAIN;
use super::*;
use crate::avoid::half_plane::HalfPlane;
use crate::avoid::neighbours::UnitState;
use crate::base::{Purpose, Rng, Tick, UNIT_BITS, WideVec, root, round_unit};

fn solve(half_planes: &[HalfPlane], limit: i64, preferred: WideVec) -> WideVec {
    let me = UnitState::default();
    let mut all = Constraints::new(&me, &[], preferred, 1);
    half_planes.iter().for_each(|&half_plane| all.push(half_plane));
    super::solve(&mut all, limit, preferred)
}

fn encounter(offset: (i64, i64), approach: (i64, i64)) -> Encounter {
    Encounter {
        offset: WideVec::new(offset.0, offset.1),
        approach: WideVec::new(approach.0, approach.1),
        radii: 52_429,
        horizon: 30,
        separation: 1,
        tie_direction: WideVec::new(1 << UNIT_BITS, 0),
    }
}

/// Whether two units that approach at `v` come closer than their radii within the horizon.
fn collides(encounter: &Encounter, v: WideVec) -> bool {
    (1..=encounter.horizon * 16).any(|t| {
        let at = encounter.offset.times(16).minus(v.times(t));
        at.length_squared() < (encounter.radii - 40) * (encounter.radii - 40) * 256
    })
}

#[test]
fn a_unit_that_makes_the_whole_correction_does_not_collide() {
    for offset in [(90_000, 10_000), (-60_000, 70_000), (0, -150_000), (54_000, 0), (200_000, 30)] {
        for approach in [(6_000, 100), (-6_000, 4_000), (0, 0), (100, -6_500), (3_000, 3_000)] {
            let encounter = encounter(offset, approach);
            let own = encounter.approach;
            let half_plane = encounter.half_plane(own, Share::ALL);
            let v = solve(&[half_plane], 60_000, own);
            assert!(!collides(&encounter, v), "{offset:?} {approach:?} -> {v:?}");
            // A velocity that does not collide is not changed.
            if !collides(&encounter, own) && half_plane.violation(own) <= 0 {
                assert_eq!(v, own);
            }
        }
    }
}

#[test]
fn velocities_reported_clear_are_inside_and_many_are_reported() {
    let mut random = Rng::keyed(8, Tick::ZERO, 0, Purpose(8));
    let mut reported = [0; 2];
    for _ in 0..60_000 {
        let mut part = |most: i32| i64::from(random.below(2 * most as u32 + 1) as i32 - most);
        let own = WideVec::new(part(7_000), part(7_000));
        let other = WideVec::new(part(7_000), part(7_000));
        let approach = own.minus(other);
        let mut encounter = encounter((part(160_000), part(160_000)), (approach.x, approach.y));
        let found = own.plus(WideVec::new(part(3_000), part(3_000)).div_round(1 + part(20).abs()));
        let share = [Share::QUARTER, Share::HALF, Share::THREE_QUARTERS, Share::ALL]
            [part(100).unsigned_abs() as usize % 4];
        encounter.horizon = 1 + part(35).abs();
        let off = (found.minus(own).length_squared() as u64).isqrt() as i64 + 4;
        let clear = encounter.is_clear(off, share);
        reported[usize::from(clear)] += 1;
        let outside = encounter.half_plane(own, share).violation(found);
        assert!(!clear || outside <= 3 << UNIT_BITS, "{encounter:?} {own:?} {found:?} {share:?} {outside}");
    }
    assert!(reported[1] > 20_000 && reported[0] > 5_000, "{reported:?}");
}

/// The half-plane of a leader slows a unit down as soon as it is violated by any amount, and a clear leader is left out.
#[test]
fn velocities_certainly_clear_are_inside_without_any_tolerance() {
    let mut random = Rng::keyed(9, Tick::ZERO, 0, Purpose(8));
    let (mut clear, mut close) = (0, 0);
    for _ in 0..200_000 {
        let mut part = |most: i32| i64::from(random.below(2 * most as u32 + 1) as i32 - most);
        let own = WideVec::new(part(7_000), part(7_000));
        let approach = own.minus(WideVec::new(part(7_000), part(7_000)));
        let mut encounter = encounter((part(120_000), part(120_000)), (approach.x, approach.y));
        encounter.horizon = 1 + part(35).abs();
        let half_plane = encounter.half_plane(own, Share::ALL);
        // Towards the boundary, up to 40 steps before or beyond it.
        let far = round_unit(-half_plane.violation(own)) + part(40);
        let found = own.plus(WideVec::new(half_plane.dir().y, -half_plane.dir().x).along(far));
        let outside = half_plane.violation(found);
        if encounter.is_clear(root(found.minus(own).length_squared()) + CERTAIN, Share::ALL) {
            assert!(outside <= 0, "{encounter:?} {own:?} {found:?} {outside}");
            clear += 1;
            close += i32::from(outside > -(12 << UNIT_BITS));
        }
    }
    assert!(clear > 20_000 && close > 1_000, "{clear} {close}");
}

#[test]
fn two_half_shares_avoid_the_collision() {
    let mine = encounter((100_000, 300), (9_000, 0));
    let theirs = Encounter { offset: mine.offset.negative(), approach: mine.approach.negative(), ..mine };
    let (my_v, their_v) = (WideVec::new(4_500, 0), WideVec::new(-4_500, 0));
    let v = solve(&[mine.half_plane(my_v, Share::HALF)], 60_000, my_v);
    let w = solve(&[theirs.half_plane(their_v, Share::HALF)], 60_000, their_v);
    assert!(!collides(&mine, v.minus(w)), "{v:?} {w:?}");
    assert!(v.y.signum() == -w.y.signum() && v.y != 0, "they pass on opposite sides: {v:?} {w:?}");
}

#[test]
fn units_at_the_same_point_separate() {
    let half_plane = encounter((0, 0), (0, 0)).half_plane(WideVec::ZERO, Share::HALF);
    let v = solve(&[half_plane], 60_000, WideVec::ZERO);
    assert!(v.x > 20_000, "{v:?}");
}
