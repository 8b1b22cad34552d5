//! A smoothed path: points with straight lines between them.

use alloc::vec::Vec;

use super::sight::{FINE, LineCost, Sight};
use crate::base::Vec2;
use crate::query::Cost;

/// A path: the points where it turns, with straight lines in between. Reuse it from route to route to reuse its memory.
///
/// A point is the middle of the unit's own cell. A unit of an even size reaches one cell farther to the east and south
/// of it than to the north and west, as on the grid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmoothPath {
    /// Start, turning points and end. The start alone if it is the end; no points for an empty route.
    pub points: Vec<Vec2>,
    /// The cost: the sum over all cells of the length inside the cell times its cost, rounded up at the end.
    ///
    /// A [`Route`](super::super::Route) counts steps, each at the cost of the cell it enters. So do not compare the two costs. Compare with the
    /// route smoothed by [`Smoothing::None`](crate::query::Smoothing::None).
    pub cost: Cost,
    /// The length in 1024ths of a cell, rounded down at the end.
    pub length: u64,
}

impl SmoothPath {
    /// An empty path.
    #[must_use]
    pub const fn new() -> Self {
        Self { points: Vec::new(), cost: Cost::ZERO, length: 0 }
    }

    /// Empties the path and keeps the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.cost = Cost::ZERO;
        self.length = 0;
    }

    /// Computes cost and length from the points.
    pub(super) fn measure(&mut self, sight: &Sight<'_>) {
        let mut sum = LineCost::default();
        for pair in self.points.windows(2) {
            let leg = sight.line_cost(pair[0], pair[1]);
            sum.high += leg.high;
            sum.length += leg.length;
        }
        self.cost = Cost(sum.high.div_ceil(1 << FINE));
        self.length = sum.length >> FINE;
    }
}
