//! A smoothed path: points to go straight between.

use alloc::vec::Vec;

use super::sight::{FINE, LineCost, Sight};
use crate::base::{Agent, CellPos, GridSize, WorldPos};
use crate::query::Cost;

/// Why a route cannot be smoothed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmoothError {
    /// A locomotor or size for which there is no cost field.
    #[error("no costs for locomotor number {} at size {}", .0.locomotor.0, .0.size)]
    UnknownAgent(Agent),
    /// A cell of the route is not on the map.
    #[error("cell {at} is not on a map of {size}")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The route is not open to this unit (any more): it needs a new one.
    #[error("the route is closed to this unit between {from} and {to}")]
    Closed {
        /// Where the closed piece starts.
        from: CellPos,
        /// Where it ends.
        to: CellPos,
    },
}

/// A way by the points where it turns, straight lines in between; memory is reused from one to the next.
///
/// A point is where the unit's own cell has its middle when it stands on a cell. Units of an even size reach half a cell
/// further east and south of it than north and west, as they do on the grid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmoothPath {
    /// Start, turning points and end; the start alone when it is the end, none for an empty route.
    pub points: Vec<WorldPos>,
    /// What it costs: in each cell the length inside times the cell's cost, rounded up at the end.
    ///
    /// A [`Route`](super::super::Route) is charged by steps, each at the cost of the cell it enters, so the two are not to be
    /// compared; compare with the route smoothed by [`Smoothing::None`](crate::query::Smoothing::None).
    pub cost: Cost,
    /// Its length on the ground in 1024ths of a cell, rounded down at the end.
    pub length: u64,
}

impl SmoothPath {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self { points: Vec::new(), cost: Cost::ZERO, length: 0 }
    }

    /// Forgets the path, keeps the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.cost = Cost::ZERO;
        self.length = 0;
    }

    /// Works out cost and length from the points.
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
