//! The same bits by rows and by columns.

use super::BitGrid;
use crate::base::{CellPos, GridSize};

/// One bit per cell, kept twice, by rows and by columns, so that runs in all four directions are read 64
/// cells at a time.
///
/// Invariant: the columns are the rows, transposed. A change costs two bits, memory a quarter of a byte per
/// cell.
///
/// ```
/// use waymarch::base::{GridSize, RowColBits, cell};
/// let mut open = RowColBits::from_fn(GridSize::new(200, 100)?, |_| true);
/// open.unset(cell(150, 40));
/// assert_eq!(open.run_east(cell(0, 40)), 150);
/// assert_eq!(open.run_west(cell(199, 40)), 49);
/// assert_eq!(open.run_south(cell(150, 41)), 59);
/// assert_eq!(open.run_north(cell(150, 40)), 0, "a clear cell starts no run");
/// # Ok::<(), waymarch::base::SizeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowColBits {
    rows: BitGrid,
    cols: BitGrid,
}

#[inline]
const fn transposed(pos: CellPos) -> CellPos {
    CellPos { x: pos.y, y: pos.x }
}

impl RowColBits {
    /// All clear.
    #[must_use]
    pub fn new(size: GridSize) -> Self {
        Self { rows: BitGrid::new(size), cols: BitGrid::new(size.transposed()) }
    }

    /// The bits are what `is_set` says of each cell, asked row by row.
    #[must_use]
    pub fn from_fn(size: GridSize, mut is_set: impl FnMut(CellPos) -> bool) -> Self {
        let mut grid = Self::new(size);
        for pos in size.rect().cells() {
            if is_set(pos) {
                grid.set(pos);
            }
        }
        grid
    }

    /// The bits by rows.
    #[inline]
    #[must_use]
    pub const fn rows(&self) -> &BitGrid {
        &self.rows
    }

    /// The bits by columns: cell (x, y) is at (y, x).
    #[inline]
    #[must_use]
    pub const fn cols(&self) -> &BitGrid {
        &self.cols
    }

    /// Its size in cells.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.rows.size()
    }

    /// Whether the bit of `pos` is set; never off the grid.
    #[inline]
    #[must_use]
    pub fn get(&self, pos: CellPos) -> bool {
        self.rows.get(pos)
    }

    /// Sets the bit of `pos`; says whether it changed.
    ///
    /// # Panics
    /// Off the grid.
    #[inline]
    pub fn set(&mut self, pos: CellPos) -> bool {
        self.cols.set(transposed(pos));
        self.rows.set(pos)
    }

    /// Clears the bit of `pos`; says whether it changed.
    ///
    /// # Panics
    /// Off the grid.
    #[inline]
    pub fn unset(&mut self, pos: CellPos) -> bool {
        self.cols.unset(transposed(pos));
        self.rows.unset(pos)
    }

    /// Clears every bit.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.cols.clear();
    }

    /// How many cells in a row are set, going north from `pos` and counting it.
    #[inline]
    #[must_use]
    pub fn run_north(&self, pos: CellPos) -> u32 {
        self.cols.run_west(transposed(pos))
    }

    /// How many cells in a row are set, going east from `pos` and counting it.
    #[inline]
    #[must_use]
    pub fn run_east(&self, pos: CellPos) -> u32 {
        self.rows.run_east(pos)
    }

    /// How many cells in a row are set, going south from `pos` and counting it.
    #[inline]
    #[must_use]
    pub fn run_south(&self, pos: CellPos) -> u32 {
        self.cols.run_east(transposed(pos))
    }

    /// How many cells in a row are set, going west from `pos` and counting it.
    #[inline]
    #[must_use]
    pub fn run_west(&self, pos: CellPos) -> u32 {
        self.rows.run_west(pos)
    }
}
