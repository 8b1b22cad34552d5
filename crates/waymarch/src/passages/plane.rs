//! Bits and labels of cells.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, GridSize};

/// Derived: one bit per cell, by rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BitPlane {
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitPlane {
    pub(super) fn new(grid: GridSize) -> Self {
        let words_per_row = grid.width().div_ceil(64) as usize;
        Self { words_per_row, words: vec![0; words_per_row * grid.height() as usize] }
    }

    /// The bit of a cell on the map.
    pub(super) fn get(&self, at: CellPos) -> bool {
        let word = self.words[at.y as usize * self.words_per_row + at.x as usize / 64];
        word >> (at.x % 64) & 1 != 0
    }

    /// Sets `count` bits of a row from column `x` on. Returns which of them changed.
    pub(super) fn put(&mut self, (x, y): (i32, i32), count: i32, bits: u64) -> u64 {
        let mask = u64::MAX >> (64 - count);
        let (word, shift) = (y as usize * self.words_per_row + x as usize / 64, x as u32 % 64);
        let low = &mut self.words[word];
        let mut changed = (*low ^ bits << shift) & mask << shift;
        *low ^= changed;
        changed >>= shift;
        if shift + count as u32 > 64 {
            let high = &mut self.words[word + 1];
            let rest = (*high ^ bits >> (64 - shift)) & mask >> (64 - shift);
            *high ^= rest;
            changed |= rest << (64 - shift);
        }
        changed
    }

    /// The cells of an area whose bit is set, row by row.
    pub(super) fn set_in(&self, area: CellRect) -> impl Iterator<Item = CellPos> + '_ {
        (area.y0..area.y1).flat_map(move |y| {
            let row = y as usize * self.words_per_row;
            let words = area.x0 / 64..(area.x1 + 63) / 64;
            words.flat_map(move |number| {
                let first = number * 64;
                let mut left = self.words[row + number as usize];
                core::iter::from_fn(move || {
                    while left != 0 {
                        let x = first + left.trailing_zeros() as i32;
                        left &= left - 1;
                        if x >= area.x0 && x < area.x1 {
                            return Some(CellPos::new(x, y));
                        }
                    }
                    None
                })
            })
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.len() * 8
    }
}

/// Labels are kept in blocks of 32×32 cells. A block without labels takes 8 bytes.
const BLOCK: i32 = 32;

/// Derived: a number per cell; 0 for most.
#[derive(Clone, Debug)]
pub(super) struct LabelPlane {
    columns: i32,
    blocks: Vec<Option<Box<[u32; (BLOCK * BLOCK) as usize]>>>,
}

impl LabelPlane {
    pub(super) fn new(grid: GridSize) -> Self {
        let blocks = |side: u32| side.div_ceil(BLOCK as u32);
        let columns = blocks(grid.width());
        Self { columns: columns as i32, blocks: vec![None; (columns * blocks(grid.height())) as usize] }
    }

    fn place(&self, at: CellPos) -> (usize, usize) {
        let block = at.y / BLOCK * self.columns + at.x / BLOCK;
        (block as usize, (at.y % BLOCK * BLOCK + at.x % BLOCK) as usize)
    }

    /// The label of a cell on the map.
    pub(super) fn get(&self, at: CellPos) -> u32 {
        let (block, place) = self.place(at);
        self.blocks[block].as_ref().map_or(0, |labels| labels[place])
    }

    /// Labels a cell on the map.
    pub(super) fn set(&mut self, at: CellPos, label: u32) {
        let (block, place) = self.place(at);
        let block = &mut self.blocks[block];
        if label == 0 && block.is_none() {
            return;
        }
        block.get_or_insert_with(|| Box::new([0; (BLOCK * BLOCK) as usize]))[place] = label;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let filled = self.blocks.iter().flatten().count();
        self.blocks.len() * 8 + filled * (BLOCK * BLOCK * 4) as usize
    }
}
