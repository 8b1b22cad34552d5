//! Grids of bits that are read 64 cells at a time.

use alloc::vec;
use alloc::vec::Vec;

use super::cell::{CellPos, GridSize};

mod row_col;

pub use row_col::RowColBits;

/// One bit per cell; rows are whole 64-bit words, with a margin of clear words and rows on all four sides.
///
/// The margin is a sentinel: whoever scans a row of set bits meets a clear one at the map's edge without
/// checking for it. Invariant: all bits that are not cells, in the margin and behind a row's last cell, are
/// clear. Off the grid reads as clear, everywhere. The `x`-th cell of a row is bit `x % 64` of its word `x /
/// 64`, low bit west.
///
/// ```
/// use waymarch::base::{BitGrid, GridSize, cell};
/// let mut walls = BitGrid::new(GridSize::new(100, 50)?);
/// assert!(walls.set(cell(70, 3)), "changed");
/// assert!(walls.get(cell(70, 3)));
/// assert_eq!(walls.row_word(1, 3), 1 << 6);
/// assert_eq!(walls.bits_from(cell(69, 3)), 0b10);
/// assert!(!walls.get(cell(-1, 0)), "nothing is set off the grid");
/// # Ok::<(), waymarch::base::SizeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitGrid {
    size: GridSize,
    /// Words to a row, with the margin of one on either side.
    stride: usize,
    words: Vec<u64>,
}

impl BitGrid {
    /// All clear. About an eighth of a byte per cell.
    #[must_use]
    pub fn new(size: GridSize) -> Self {
        let stride = size.width().div_ceil(64) as usize + 2;
        Self { size, stride, words: vec![0; stride * (size.height() as usize + 2)] }
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

    /// Its size in cells.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// Whether the bit of `pos` is set; never off the grid.
    #[inline]
    #[must_use]
    pub fn get(&self, pos: CellPos) -> bool {
        self.size.contains(pos) && self.words[self.word_at(pos)] >> (pos.x as u32 % 64) & 1 == 1
    }

    /// Sets the bit of `pos`; says whether it changed.
    ///
    /// # Panics
    /// Off the grid.
    #[inline]
    pub fn set(&mut self, pos: CellPos) -> bool {
        let (word, bit) = self.bit_at(pos);
        let changed = *word & bit == 0;
        *word |= bit;
        changed
    }

    /// Clears the bit of `pos`; says whether it changed.
    ///
    /// # Panics
    /// Off the grid.
    #[inline]
    pub fn unset(&mut self, pos: CellPos) -> bool {
        let (word, bit) = self.bit_at(pos);
        let changed = *word & bit != 0;
        *word &= !bit;
        changed
    }

    /// Clears every bit.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many bits are set.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The cells `64 * word ..` of row `y`, low bit west; clear off the grid.
    #[inline]
    #[must_use]
    pub fn row_word(&self, word: i32, y: i32) -> u64 {
        let (column, row) = (i64::from(word) + 1, i64::from(y) + 1);
        if column < 0 || row < 0 || column >= self.stride as i64 {
            return 0;
        }
        // Below 8194 · 130 when on the grid; a huge `y` is beyond the end, not wrapped.
        let index = row * self.stride as i64 + column;
        usize::try_from(index).ok().and_then(|index| self.words.get(index)).copied().unwrap_or(0)
    }

    /// The 64 cells from `pos` eastwards, low bit first; clear off the grid.
    #[inline]
    #[must_use]
    pub fn bits_from(&self, pos: CellPos) -> u64 {
        let (word, shift) = (pos.x >> 6, pos.x & 63);
        let low = self.row_word(word, pos.y) >> shift;
        // Shifted in two steps, because a word cannot be shifted by 64. The next word of the last is off the
        // grid.
        let high = self.row_word(word.saturating_add(1), pos.y) << 1 << (63 - shift);
        low | high
    }

    /// How many cells in a row are set, going east from `pos` and counting it: 0 if `pos` is clear or off the
    /// grid.
    ///
    /// Reads 64 cells at a time.
    #[inline]
    #[must_use]
    pub fn run_east(&self, pos: CellPos) -> u32 {
        if !self.size.contains(pos) {
            return 0;
        }
        let mut at = self.word_at(pos);
        let shift = pos.x as u32 % 64;
        let mut run = (self.words[at] >> shift).trailing_ones();
        if run < 64 - shift {
            return run;
        }
        // The margin on the right is clear, so this ends within the row.
        loop {
            at += 1;
            let ones = self.words[at].trailing_ones();
            run += ones;
            if ones < 64 {
                return run;
            }
        }
    }

    /// How many cells in a row are set, going west from `pos` and counting it: 0 if `pos` is clear or off the
    /// grid.
    ///
    /// Reads 64 cells at a time.
    #[inline]
    #[must_use]
    pub fn run_west(&self, pos: CellPos) -> u32 {
        if !self.size.contains(pos) {
            return 0;
        }
        let mut at = self.word_at(pos);
        let bits = pos.x as u32 % 64 + 1;
        let mut run = (self.words[at] << (64 - bits)).leading_ones();
        if run < bits {
            return run;
        }
        // The margin on the left is clear, so this ends within the row.
        loop {
            at -= 1;
            let ones = self.words[at].leading_ones();
            run += ones;
            if ones < 64 {
                return run;
            }
        }
    }

    /// Where the word of a cell on the grid lies.
    #[inline]
    fn word_at(&self, pos: CellPos) -> usize {
        (pos.y as usize + 1) * self.stride + pos.x as usize / 64 + 1
    }

    #[inline]
    fn bit_at(&mut self, pos: CellPos) -> (&mut u64, u64) {
        assert!(self.size.contains(pos), "{pos} is not on a grid of {}", self.size);
        let at = self.word_at(pos);
        (&mut self.words[at], 1 << (pos.x as u32 % 64))
    }
}

#[cfg(test)]
mod tests;
