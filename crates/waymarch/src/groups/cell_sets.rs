//! Two sets of cells: the walkable cells around a formation, and the cells that a search has seen.

use alloc::vec::Vec;

use crate::base::{CellPos, Scratch, poison_list};

/// A rectangle with more than 131,072 cells is not searched: all its cells count as walkable.
const MOST_WALKED: u64 = 1 << 17;

/// Scratch: the cells of a rectangle that can be walked to without leaving it, or all cells of the map.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkableCells {
    low: CellPos,
    wide: u32,
    high: u32,
    /// Row by row. Empty if all cells of the map are in the set.
    marks: Vec<u8>,
}

impl WalkableCells {
    /// Makes this the set of all cells.
    pub(super) fn set_all(&mut self) {
        self.marks.clear();
    }

    /// Makes this an empty set within the rectangle between two corners. Returns false if the rectangle has more than [`MOST_WALKED`]
    /// cells: then all cells are in the set.
    pub(super) fn begin(&mut self, low: CellPos, high: CellPos) -> bool {
        self.marks.clear();
        (self.low, self.wide, self.high) = (low, high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1);
        let cells = u64::from(self.wide) * u64::from(self.high);
        if cells > MOST_WALKED {
            return false;
        }
        self.marks.resize(cells as usize, 0);
        true
    }

    #[inline]
    fn index(&self, at: CellPos) -> Option<usize> {
        let (x, y) = (at.x.wrapping_sub(self.low.x) as u32, at.y.wrapping_sub(self.low.y) as u32);
        // Computed only inside: for a cell outside the product can exceed 32 bits.
        (x < self.wide && y < self.high).then(|| y as usize * self.wide as usize + x as usize)
    }

    #[inline]
    pub(super) fn contains(&self, at: CellPos) -> bool {
        self.marks.is_empty() || self.index(at).is_some_and(|index| self.marks[index] != 0)
    }

    /// Whether a cell is in the rectangle and not in the set.
    #[inline]
    pub(super) fn is_new(&self, at: CellPos) -> bool {
        self.index(at).is_some_and(|index| self.marks[index] == 0)
    }

    /// Adds a cell of the rectangle. Ignores other cells.
    #[inline]
    pub(super) fn insert(&mut self, at: CellPos) {
        if let Some(index) = self.index(at) {
            self.marks[index] = 1;
        }
    }
}

/// Scratch: a hash set of cells that grows as needed.
#[derive(Clone, Debug, Default)]
pub(super) struct CellSet {
    /// Cells, each with the generation in which it was added. Entries of older generations are free.
    table: Vec<(u32, CellPos)>,
    generation: u32,
    len: usize,
}

impl CellSet {
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.iter_mut().for_each(|entry| entry.0 = 0);
            self.generation = 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The index of a cell's entry, or of the free entry where it belongs.
    fn find(&self, at: CellPos) -> usize {
        let key = (at.x as u32 as u64) << 32 | at.y as u32 as u64;
        let mask = self.table.len() - 1;
        let mut index = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.table[index].0 == self.generation && self.table[index].1 != at {
            index = (index + 1) & mask;
        }
        index
    }

    /// Adds a cell. Returns whether it was not in the set.
    pub(super) fn insert(&mut self, at: CellPos) -> bool {
        if 2 * (self.len + 1) > self.table.len() {
            self.grow();
        }
        let index = self.find(at);
        if self.table[index].0 == self.generation {
            return false;
        }
        self.table[index] = (self.generation, at);
        self.len += 1;
        true
    }

    fn grow(&mut self) {
        let bigger = alloc::vec![(0, CellPos::new(0, 0)); (self.table.len() * 2).max(1024)];
        let before = core::mem::replace(&mut self.table, bigger);
        let generation = core::mem::replace(&mut self.generation, 1);
        for (_, at) in before.into_iter().filter(|entry| entry.0 == generation) {
            let index = self.find(at);
            self.table[index] = (1, at);
        }
    }
}

impl Scratch for WalkableCells {
    /// The memory depends on the formation, which is not known ahead.
    type Demand = ();

    fn poison(&mut self) {
        (self.low, self.wide, self.high) = (CellPos::new(-7, 7), 7, 7);
        poison_list(&mut self.marks, 1);
    }

    fn reserve(&mut self, (): ()) {}
}

impl Scratch for CellSet {
    /// The memory depends on the ground, which is not known ahead.
    type Demand = ();

    fn poison(&mut self) {
        // Half of the entries stay free. So a caller that forgets to clear the set finds rubbish, and does not search without end.
        let rubbish = (self.generation, CellPos::new(7, 7));
        self.table.iter_mut().step_by(2).for_each(|entry| *entry = rubbish);
        self.len = 7;
    }

    fn reserve(&mut self, (): ()) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells north-west of the rectangle have offsets near 2^32. Their product once overflowed on 32-bit machines.
    #[test]
    fn cells_outside_of_the_rectangle_are_in_no_set_on_any_machine() {
        let mut cells = WalkableCells::default();
        assert!(cells.begin(CellPos::new(10, 20), CellPos::new(40, 50)));
        for at in [CellPos::new(9, 19), CellPos::new(41, 51), CellPos::new(-5, 30), CellPos::new(30, -5)] {
            cells.insert(at);
            assert!(!cells.contains(at) && !cells.is_new(at), "{at}");
        }
        cells.insert(CellPos::new(40, 50));
        assert!(cells.contains(CellPos::new(40, 50)) && cells.is_new(CellPos::new(10, 20)));
    }
}
