//! Why a route cannot be smoothed.

use crate::base::{Agent, CellPos, GridSize};

/// Why a route cannot be smoothed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmoothError {
    /// The map has no cost field for this locomotor and size.
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
    /// The route is not open to this unit, or not any more. The unit needs a new route.
    #[error("the route is closed to this unit between {from} and {to}")]
    Closed {
        /// Where the closed piece starts.
        from: CellPos,
        /// Where it ends.
        to: CellPos,
    },
}
