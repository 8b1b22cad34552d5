//! When and how closely two units pass each other.

use crate::avoid::neighbours::UnitState;
use crate::avoid::orca::Encounter;
use crate::base::WideVec;

/// How two units pass each other if both keep their velocities.
pub(super) struct ClosestApproach {
    /// Ticks until they are nearest to each other, at least 0.
    pub(super) ticks: i64,
    /// Whether the gap between them is then smaller than the margin.
    pub(super) too_close: bool,
    /// The side to which the unit should go: 1 is right, -1 is left.
    pub(super) side: i8,
}

/// How `me` passes `other` if its velocity is `v`. `None` if they do not approach each other.
pub(super) fn closest_approach(
    me: &UnitState,
    other: &UnitState,
    v: WideVec,
    margin: i64,
) -> Option<ClosestApproach> {
    let encounter = Encounter::between(me, other, 1);
    let approach = v.minus(other.vel.wide());
    let (along, square) = (encounter.offset.dot(approach), approach.length_squared());
    if along <= 0 || square == 0 {
        return None;
    }
    // In 256ths of a tick. Offsets are below 2^23 and velocities below 2^20, so the products fit.
    let ticks = (along << 8) / square;
    let ticks = ticks.min(1 << 20);
    let nearest = encounter.offset.times(256).minus(approach.times(ticks)).div_round(256);
    let distance = encounter.radii + margin;
    let turn = approach.cross(nearest);
    let lower = me.id.min(other.id);
    // If the other unit passes on the right, go left. If the units would meet head-on, the lower id decides for both.
    let side = match turn {
        1.. => -1,
        0 => 1 - 2 * (lower & 1) as i8,
        _ => 1,
    };
    Some(ClosestApproach {
        ticks: ticks >> 8,
        too_close: nearest.length_squared() < distance * distance,
        side,
    })
}
