//! What is wrong with a goal.

use crate::base::{CellRect, Fixed, GridSize};

/// The most shapes in one goal: 4096. A search checks every cell it looks at against each shape.
pub const MAX_SHAPES: usize = 4096;

/// Why a goal is not valid. `shape` counts from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoalError {
    /// A list without shapes.
    #[error("the goal is a list without shapes")]
    Empty,
    /// A list with too many shapes.
    #[error("the goal has {0} shapes, more than {MAX_SHAPES}")]
    TooMany(usize),
    /// A rectangle without cells.
    #[error("shape {shape} of the goal is a rectangle without cells: columns {}..{}, rows {}..{}", rect.x0, rect.x1, rect.y0, rect.y1)]
    EmptyRect {
        /// Which shape.
        shape: u32,
        /// The rectangle.
        rect: CellRect,
    },
    /// A radius under 0.
    #[error("shape {shape} of the goal has the radius {radius}, which is under 0")]
    NegativeRadius {
        /// Which shape.
        shape: u32,
        /// The radius.
        radius: Fixed,
    },
    /// A ring whose inner radius is greater than its outer radius.
    #[error(
        "shape {shape} of the goal is a ring with inner radius {inner}, which is greater than its outer radius {outer}"
    )]
    InnerAboveOuter {
        /// Which shape.
        shape: u32,
        /// The inner radius.
        inner: Fixed,
        /// The outer radius.
        outer: Fixed,
    },
    /// A shape to enter that has no cell on the map.
    #[error("shape {shape} of the goal is not on a map of {size}")]
    OffMap {
        /// Which shape.
        shape: u32,
        /// The map's size.
        size: GridSize,
    },
    /// A shape to leave that covers the whole map.
    #[error("shape {shape} of the goal covers the whole map of {size}, so no unit can leave it")]
    WholeMap {
        /// Which shape.
        shape: u32,
        /// The map's size.
        size: GridSize,
    },
}
