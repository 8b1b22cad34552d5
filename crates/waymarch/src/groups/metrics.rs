//! How well a group keeps together and in form, for benchmarks, simulations and tests.

use super::member::{centroid, offset};
use crate::avoid::Fine;

/// How far members are from the middle of their group, in 65,536ths of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cohesion {
    /// On average.
    pub mean: u64,
    /// The furthest.
    pub most: u64,
}

/// How far members are from their middle; zeroes for nobody.
#[must_use]
pub fn cohesion(at: &[Fine]) -> Cohesion {
    let middle = centroid(at.iter().copied());
    let far = |at: &Fine| at.distance_squared(middle).isqrt();
    let sum: u64 = at.iter().map(far).sum();
    let most = at.iter().map(far).max().unwrap_or(0);
    Cohesion { mean: sum / (at.len() as u64).max(1), most }
}

/// How far members are from where the formation has them, whatever way the whole has to go: the root of the mean square, in
/// 65,536ths of a cell. Of lists of different lengths the longer one's rest is left out.
#[must_use]
pub fn formation_error(at: &[Fine], slots: &[Fine]) -> u64 {
    let count = at.len().min(slots.len());
    if count == 0 {
        return 0;
    }
    let (here, there) = (centroid(at[..count].iter().copied()), centroid(slots[..count].iter().copied()));
    let way = offset(here, there);
    let sum: u128 = at[..count]
        .iter()
        .zip(slots)
        .map(|(&at, &slot)| {
            let (x, y) = offset(at, slot);
            let (x, y) = (u128::from((x - way.0).unsigned_abs()), u128::from((y - way.1).unsigned_abs()));
            x * x + y * y
        })
        .sum();
    (sum / count as u128).isqrt() as u64
}

/// How long a group took to arrive, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ArrivalSpread {
    /// From the first to the last.
    pub whole: u64,
    /// Of the middle nine tenths.
    pub most: u64,
}

/// Over which time members arrived, from the tick of each; sorts them.
#[must_use]
pub fn arrival_spread(ticks: &mut [u64]) -> ArrivalSpread {
    ticks.sort_unstable();
    let (Some(first), Some(last)) = (ticks.first(), ticks.last()) else { return ArrivalSpread::default() };
    let cut = ticks.len() / 20;
    let most = ticks[ticks.len() - 1 - cut] - ticks[cut];
    ArrivalSpread { whole: last - first, most }
}

/// How many pairs of legs cross, each from a member to its slot. Legs that touch at an end, or lie on one line, do not. Costs a look at all pairs.
#[must_use]
pub fn crossings(legs: &[(Fine, Fine)]) -> u64 {
    let mut count = 0;
    for (number, a) in legs.iter().enumerate() {
        count += legs[number + 1..].iter().filter(|b| cross(a, b)).count() as u64;
    }
    count
}

/// Whether two legs cross, each from one point to another.
pub(super) fn cross(a: &(Fine, Fine), b: &(Fine, Fine)) -> bool {
    // Most pairs are apart on one axis.
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
