//! Legs that cross, uncrossed where it costs next to nothing.

use super::likeness::Point;
use super::metrics::cross;
use crate::avoid::Fine;

/// Passes over all pairs at most.
const PASSES: usize = 3;
/// Uncrossing may lengthen the squared legs of all by one part in so many.
const SHARE: i64 = 400;

/// Exchanges the places of members whose legs cross. `legs` says where a member's leg to a place begins and ends; `members` and `places` are the
/// same as points, for what it costs.
///
/// Why: the least sum of squared legs has ties, as for two who stand behind each other and go to two places abreast, and near ties; there the
/// assignment without crossings is the better one. An exchange makes the sum of plain lengths smaller, so it is not undone.
pub(super) fn uncross(
    members: &[Point],
    places: &[Point],
    mates: &mut [u32],
    leg: impl Fn(usize, u32) -> (Fine, Fine),
) {
    let cost = |member: usize, place: u32| i64::from(members[member].leg(places[place as usize]));
    let total: i64 = mates.iter().enumerate().map(|(member, &place)| cost(member, place)).sum();
    let mut allowed = total / SHARE;
    for _ in 0..PASSES {
        let mut exchanged = 0_u32;
        for one in 0..mates.len() {
            for other in one + 1..mates.len() {
                let (a, b) = (mates[one], mates[other]);
                if cross(&leg(one, a), &leg(other, b)) {
                    let more = cost(one, b) + cost(other, a) - cost(one, a) - cost(other, b);
                    if more <= allowed {
                        mates.swap(one, other);
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
