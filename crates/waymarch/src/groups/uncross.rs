//! Exchanges slots of members whose legs cross, where that costs almost nothing.

use super::metrics::cross;
use super::points::Point;
use crate::avoid::Fine;

/// At most 3 passes over all pairs.
const PASSES: usize = 3;
/// Exchanges may raise the sum of squared distances by 1/400.
const SHARE: i64 = 400;

/// Exchanges slots of members whose legs cross. `leg` returns the start and end of a member's leg to a slot. `members` and `slots` are the
/// same positions as points, to compute costs.
///
/// The least sum of squared distances has ties, for example for two members behind each other and two slots side by side. Then the
/// assignment without crossings is better. An exchange shortens the sum of lengths, so it is not undone.
pub(super) fn uncross(
    members: &[Point],
    slots: &[Point],
    assigned: &mut [u32],
    leg: impl Fn(usize, u32) -> (Fine, Fine),
) {
    let cost = |member: usize, slot: u32| i64::from(members[member].distance_squared(slots[slot as usize]));
    let total: i64 = assigned.iter().enumerate().map(|(member, &slot)| cost(member, slot)).sum();
    let mut allowed = total / SHARE;
    for _ in 0..PASSES {
        let mut exchanged = 0_u32;
        for one in 0..assigned.len() {
            let mut own = leg(one, assigned[one]);
            for other in one + 1..assigned.len() {
                let (a, b) = (assigned[one], assigned[other]);
                if cross(&own, &leg(other, b)) {
                    let more = cost(one, b) + cost(other, a) - cost(one, a) - cost(other, b);
                    if more <= allowed {
                        assigned.swap(one, other);
                        own = leg(one, assigned[one]);
                        allowed -= more;
                        exchanged += 1;
                    }
                }
            }
        }
        if exchanged == 0 {
            return;
        }
    }
}
