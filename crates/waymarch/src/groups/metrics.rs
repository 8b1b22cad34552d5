//! How well a group keeps together and in formation, for benchmarks, simulations and tests.

use super::geometry::{centroid, offset};
use crate::avoid::Fine;

/// The distances of members from their group's centre, in 65,536ths of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cohesion {
    /// The mean.
    pub mean: u64,
    /// The largest.
    pub most: u64,
}

/// The distances of members from their centre. Zeroes for no members.
#[must_use]
pub fn cohesion(at: &[Fine]) -> Cohesion {
    let middle = centroid(at.iter().copied());
    let far = |at: &Fine| at.distance_squared(middle).isqrt();
    let sum: u64 = at.iter().map(far).sum();
    let most = at.iter().map(far).max().unwrap_or(0);
    Cohesion { mean: sum / (at.len() as u64).max(1), most }
}

/// How far members are out of formation: the root mean square distance to their slots, after both sets are moved to the same centre, in
/// 65,536ths of a cell. The rest of a longer list is left out.
#[must_use]
pub fn formation_error(at: &[Fine], slots: &[Fine]) -> u64 {
    let count = at.len().min(slots.len());
    if count == 0 {
        return 0;
    }
    let (here, there) = (centroid(at[..count].iter().copied()), centroid(slots[..count].iter().copied()));
    let shift = offset(here, there);
    let sum: u128 = at[..count]
        .iter()
        .zip(slots)
        .map(|(&at, &slot)| {
            let (x, y) = offset(at, slot);
            let (x, y) = (u128::from((x - shift.0).unsigned_abs()), u128::from((y - shift.1).unsigned_abs()));
            x * x + y * y
        })
        .sum();
    (sum / count as u128).isqrt() as u64
}

/// How far apart the arrivals of a group are, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ArrivalSpread {
    /// From the first arrival to the last.
    pub whole: u64,
    /// The same without the first and the last twentieth.
    pub most: u64,
}

/// How far apart arrivals are, given the tick of each. Sorts `ticks`.
#[must_use]
pub fn arrival_spread(ticks: &mut [u64]) -> ArrivalSpread {
    ticks.sort_unstable();
    let (Some(first), Some(last)) = (ticks.first(), ticks.last()) else { return ArrivalSpread::default() };
    let cut = ticks.len() / 20;
    let most = ticks[ticks.len() - 1 - cut] - ticks[cut];
    ArrivalSpread { whole: last - first, most }
}

/// The number of pairs of legs that cross, each from a member to its slot. Legs that touch at an end, or lie on one line, do not cross.
/// Costs a test of every pair.
#[must_use]
pub fn crossings(legs: &[(Fine, Fine)]) -> u64 {
    let mut count = 0;
    for (number, a) in legs.iter().enumerate() {
        count += legs[number + 1..].iter().filter(|b| cross(a, b)).count() as u64;
    }
    count
}

/// Whether two legs cross.
pub(super) fn cross(a: &(Fine, Fine), b: &(Fine, Fine)) -> bool {
    // Most pairs do not overlap on one of the axes.
    let apart = |a0: i32, a1: i32, b0: i32, b1: i32| a0.max(a1) < b0.min(b1) || b0.max(b1) < a0.min(a1);
    if apart(a.0.x, a.1.x, b.0.x, b.1.x) || apart(a.0.y, a.1.y, b.0.y, b.1.y) {
        return false;
    }
    let side = |from: Fine, to: Fine, of: Fine| {
        let ((x, y), (dx, dy)) = (offset(from, to), offset(from, of));
        (i128::from(x) * i128::from(dy) - i128::from(y) * i128::from(dx)).signum()
    };
    side(a.0, a.1, b.0) * side(a.0, a.1, b.1) < 0 && side(b.0, b.1, a.0) * side(b.0, b.1, a.1) < 0
}
