//! How the diagonals of a map are laid out as lines.

use crate::base::{CellPos, GridSize};

/// Diagonals as lines: one line per column, one place per row. It gives the line of a cell, for rising and for falling diagonals.
///
/// A diagonal that leaves the map on the left or right continues on the same line, as if it came in on the other side. So every cell has a
/// place and no place is unused. Scans never cross the seam, because the step over the edge is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DiagonalLines {
    width: u32,
    /// The height of the map, rounded up to a multiple of its width.
    rounded_height: u32,
}

impl DiagonalLines {
    pub(super) fn new(grid: GridSize) -> Self {
        Self { width: grid.width(), rounded_height: grid.height().next_multiple_of(grid.width()) }
    }

    /// The line of a cell for diagonal direction `DIR`: 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(super) fn line<const DIR: usize>(self, at: CellPos) -> i32 {
        let (x, y) = (at.x as u32, at.y as u32);
        let mut line = if DIR % 2 == 0 { x + y } else { x + (self.rounded_height - y) };
        if line >= self.width {
            line -= self.width;
            if line >= self.width {
                // Only on maps that are higher than wide.
                line %= self.width;
            }
        }
        line as i32
    }
}
