//! Where each cell's list begins, for maps on most of whose cells nothing stands.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, GridSize};

/// Cells per side of a tile, as a power of two.
const TILE_BITS: u32 = 3;
const TILE_SIDE: u32 = 1 << TILE_BITS;
const CELLS_PER_TILE: usize = 1 << (2 * TILE_BITS);

/// The places of one tile's cells, row by row.
type Page = [u32; CELLS_PER_TILE];

/// Derived: a number for every cell, 0 unless it was set; memory only for tiles of 8×8 cells where one was.
///
/// A cell costs a sixteenth of a byte, and four more where anything ever stood in its tile. Reading takes two looks.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    grid: GridSize,
    columns: u32,
    /// By tile: one more than its page; 0 for a tile without. Empty until the first is needed.
    tiles: Vec<u32>,
    pages: Vec<Page>,
}

impl Heads {
    /// All zeros; takes no memory.
    pub(super) fn new(grid: GridSize) -> Self {
        Self { grid, columns: grid.width().div_ceil(TILE_SIDE), tiles: Vec::new(), pages: Vec::new() }
    }

    /// Sets all to zero.
    pub(super) fn clear(&mut self) {
        self.tiles.fill(0);
        self.pages.clear();
    }

    /// The number of a cell; 0 off the map.
    #[inline]
    pub(super) fn get(&self, at: CellPos) -> u32 {
        if !self.grid.contains(at) {
            return 0;
        }
        match self.tiles.get(self.tile(at)) {
            None | Some(0) => 0,
            Some(&page) => self.pages[page as usize - 1][place(at)],
        }
    }

    /// The number of a cell, to be set; none off the map.
    pub(super) fn slot(&mut self, at: CellPos) -> Option<&mut u32> {
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
    pub(super) fn memory_bytes(&self) -> usize {
        self.tiles.len() * size_of::<u32>() + self.pages.capacity() * size_of::<Page>()
    }

    #[inline]
    fn tile(&self, at: CellPos) -> usize {
        ((at.y as u32 >> TILE_BITS) * self.columns + (at.x as u32 >> TILE_BITS)) as usize
    }
}

/// A cell's place in its tile.
#[inline]
fn place(at: CellPos) -> usize {
    ((at.y as u32 & (TILE_SIDE - 1)) << TILE_BITS | at.x as u32 & (TILE_SIDE - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn every_cell_keeps_its_own_number_at_the_edges_too() {
        let grid = GridSize::new(21, 11).unwrap();
        let mut heads = Heads::new(grid);
        let mine = |at: CellPos| (at.y * 21 + at.x) as u32 % 5;
        for at in grid.rect().cells().filter(|&at| mine(at) != 0) {
            *heads.slot(at).unwrap() = mine(at);
        }
        grid.rect().cells().for_each(|at| assert_eq!(heads.get(at), mine(at), "{at}"));
        for off in [cell(21, 0), cell(-1, 3), cell(0, 11)] {
            assert_eq!((heads.get(off), heads.slot(off)), (0, None));
        }
        heads.clear();
        assert!(grid.rect().cells().all(|at| heads.get(at) == 0));
    }
}
