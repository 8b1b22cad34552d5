//! A number per cell, for maps where most cells have none.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, GridSize};

/// A tile has 2^3 cells per side.
const TILE_BITS: u32 = 3;
/// 8 cells per side of a tile.
const TILE_SIDE: u32 = 1 << TILE_BITS;
/// 64 cells per tile.
const CELLS_PER_TILE: usize = 1 << (2 * TILE_BITS);

/// The numbers of one tile's cells, row by row.
type Page = [u32; CELLS_PER_TILE];

/// Derived: a number for every cell, 0 unless it was set. It has memory only for tiles of 8×8 cells in which a number was ever set.
///
/// A cell costs 1/16 byte, and 4 bytes more in a tile with memory. Reading takes two lookups.
#[derive(Clone, Debug)]
pub(in crate::cost) struct SparseGrid {
    grid: GridSize,
    columns: u32,
    /// By tile: the index of its page plus one; 0 for a tile without memory. Empty until the first page is needed.
    tiles: Vec<u32>,
    pages: Vec<Page>,
}

impl SparseGrid {
    /// All zeros. Takes no memory.
    pub(in crate::cost) fn new(grid: GridSize) -> Self {
        Self { grid, columns: grid.width().div_ceil(TILE_SIDE), tiles: Vec::new(), pages: Vec::new() }
    }

    /// Sets all numbers to zero.
    pub(in crate::cost) fn clear(&mut self) {
        self.tiles.fill(0);
        self.pages.clear();
    }

    /// The number of a cell; 0 off the map.
    #[inline]
    pub(in crate::cost) fn get(&self, at: CellPos) -> u32 {
        if !self.grid.contains(at) {
            return 0;
        }
        match self.tiles.get(self.tile(at)) {
            None | Some(0) => 0,
            Some(&page) => self.pages[page as usize - 1][place(at)],
        }
    }

    /// The number of a cell, to be set; `None` off the map.
    pub(in crate::cost) fn slot(&mut self, at: CellPos) -> Option<&mut u32> {
        if !self.grid.contains(at) {
            return None;
        }
        if self.tiles.is_empty() {
            self.tiles = vec![0; (self.columns * self.grid.height().div_ceil(TILE_SIDE)) as usize];
        }
        let tile = self.tile(at);
        if self.tiles[tile] == 0 {
            self.pages.push([0; CELLS_PER_TILE]);
            self.tiles[tile] = self.pages.len() as u32;
        }
        Some(&mut self.pages[self.tiles[tile] as usize - 1][place(at)])
    }

    /// Bytes held.
    pub(in crate::cost) fn memory_bytes(&self) -> usize {
        self.tiles.len() * size_of::<u32>() + self.pages.capacity() * size_of::<Page>()
    }

    #[inline]
    fn tile(&self, at: CellPos) -> usize {
        ((at.y as u32 >> TILE_BITS) * self.columns + (at.x as u32 >> TILE_BITS)) as usize
    }
}

/// The index of a cell within its tile.
#[inline]
fn place(at: CellPos) -> usize {
    ((at.y as u32 & (TILE_SIDE - 1)) << TILE_BITS | at.x as u32 & (TILE_SIDE - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn every_cell_keeps_its_own_number_even_at_the_edges() {
        let grid = GridSize::new(21, 11).unwrap();
        let mut numbers = SparseGrid::new(grid);
        let mine = |at: CellPos| (at.y * 21 + at.x) as u32 % 5;
        for at in grid.rect().cells().filter(|&at| mine(at) != 0) {
            *numbers.slot(at).unwrap() = mine(at);
        }
        grid.rect().cells().for_each(|at| assert_eq!(numbers.get(at), mine(at), "{at}"));
        for off in [cell(21, 0), cell(-1, 3), cell(0, 11)] {
            assert_eq!((numbers.get(off), numbers.slot(off)), (0, None));
        }
        numbers.clear();
        assert!(grid.rect().cells().all(|at| numbers.get(at) == 0));
    }
}
