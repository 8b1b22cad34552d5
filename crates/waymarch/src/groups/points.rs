//! Members and slots as points with small coordinates, for assignments.

use alloc::vec::Vec;

/// Coordinates are below 2^12: their products fit 32 bits.
pub(super) const LIMIT: i64 = 1 << 12;

/// A point relative to the mean of its set, in a unit in which all coordinates are below 2^12.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    /// The squared distance to another point.
    #[inline]
    pub(super) fn distance_squared(self, to: Self) -> i32 {
        let (x, y) = (self.x - to.x, self.y - to.y);
        x * x + y * y
    }
}

/// Writes members and slots as points on one scale. Members much farther out than any slot are moved inwards: they still get a slot on
/// their side, and all others keep their precision.
pub(super) fn write_points(
    members: impl Iterator<Item = (i64, i64)> + Clone,
    slots: impl Iterator<Item = (i64, i64)> + Clone,
    members_out: &mut Vec<Point>,
    slots_out: &mut Vec<Point>,
) {
    let reach = |points: &mut dyn Iterator<Item = (i64, i64)>| {
        points.map(|(x, y)| x.abs().max(y.abs())).max().unwrap_or(0)
    };
    // At most 32 times the reach of the slots, and at least 32 cells.
    let limit = reach(&mut slots.clone()).max(1 << 16).saturating_mul(32);
    let most = reach(&mut members.clone()).min(limit).max(reach(&mut slots.clone()));
    let mut shift = 0;
    while most >> shift >= LIMIT {
        shift += 1;
    }
    let scaled = |(x, y): (i64, i64)| {
        let part = |part: i64| (part.clamp(-most, most) >> shift) as i32;
        Point { x: part(x), y: part(y) }
    };
    members_out.clear();
    members_out.extend(members.map(scaled));
    slots_out.clear();
    slots_out.extend(slots.map(scaled));
}
