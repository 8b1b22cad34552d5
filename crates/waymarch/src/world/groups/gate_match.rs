//! Whether gates of two routes lie at the same place.

use crate::base::FINE_CELL;
use crate::groups::{RouteGate, WIDEST_GATE};

/// Gates more than half the widest gate and one cell apart are never at the same place.
pub(crate) const MEET_WITHIN: i32 = (WIDEST_GATE / 2) as i32 + FINE_CELL;

/// Whether two gates lie at the same place and are crossed in opposite directions.
pub(crate) fn meets(one: &RouteGate, other: &RouteGate) -> bool {
    dot(one, other) < 0 && is_same_place(one, other)
}

/// Whether two gates lie at the same place and are crossed in the same direction.
pub(crate) fn is_same_gate(one: &RouteGate, other: &RouteGate) -> bool {
    dot(one, other) > 0 && is_same_place(one, other)
}

fn dot(one: &RouteGate, other: &RouteGate) -> i32 {
    i32::from(one.ahead.0) * i32::from(other.ahead.0) + i32::from(one.ahead.1) * i32::from(other.ahead.1)
}

fn is_same_place(one: &RouteGate, other: &RouteGate) -> bool {
    let apart = one.taut.distance_squared(other.taut);
    let within = |width: i64| {
        let reach = (width / 2 + i64::from(FINE_CELL)) as u64;
        apart < reach * reach
    };
    // The first check is cheap and excludes most gates. The second one needs two square roots.
    within(WIDEST_GATE) && within(one.width().min(other.width()))
}
