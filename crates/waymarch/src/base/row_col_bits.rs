//! One bit per cell, scanned along rows and columns.

use super::bit_lines::BitLines;
use super::cell::{CellPos, GridSize};
use super::dir::Dir8;

/// One bit per cell, stored by rows and by columns, so that scans in all four directions test 64 cells at a time.
///
/// Cells off the map count as set, which ends every scan.
///
/// ```
/// use waymarch::base::{cell, Dir8, GridSize, RowColBits};
/// let mut walls = RowColBits::new(GridSize::new(100, 100)?);
/// walls.set(cell(70, 5), true);
/// assert_eq!(walls.clear_run(cell(3, 5), Dir8::E), 66); // 66 clear cells lie between
/// assert_eq!(walls.clear_run(cell(3, 5), Dir8::N), 5); // the edge of the map
/// # Ok::<(), waymarch::base::SizeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowColBits {
    grid: GridSize,
    rows: BitLines,
    columns: BitLines,
}

impl RowColBits {
    /// A map of this size with all bits clear.
    #[must_use]
    pub fn new(grid: GridSize) -> Self {
        Self {
            grid,
            rows: BitLines::new(grid.height(), grid.width()),
            columns: BitLines::new(grid.width(), grid.height()),
        }
    }

    /// The size of the map.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.grid
    }

    /// The bit of a cell; set off the map.
    #[inline]
    #[must_use]
    pub fn get(&self, at: CellPos) -> bool {
        !self.grid.contains(at) || self.rows.get(at.y as u32, at.x)
    }

    /// Whether all bits of the rectangle between two corners, both included, are clear. False if a corner is off the map. Cost:
    /// one or two words per row for narrow rectangles.
    #[inline]
    #[must_use]
    pub fn is_clear(&self, low: CellPos, high: CellPos) -> bool {
        self.grid.contains(low)
            && self.grid.contains(high)
            && (low.x > high.x
                || low.y > high.y
                || self.rows.is_block_clear([low.y as u32, high.y as u32], [low.x as u32, high.x as u32]))
    }

    /// Sets or clears the bit of a cell. Does nothing off the map.
    #[inline]
    #[expect(clippy::fn_params_excessive_bools, reason = "the value of a bit is a bool")]
    pub fn set(&mut self, at: CellPos, value: bool) {
        if self.grid.contains(at) {
            self.rows.set(at.y as u32, at.x as u32, value);
            self.columns.set(at.x as u32, at.y as u32, value);
        }
    }

    /// The bits by rows: line `y`, place `x`.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &BitLines {
        &self.rows
    }

    /// The bits by columns: line `x`, place `y`.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> &BitLines {
        &self.columns
    }

    /// The number of clear cells after `at` in a straight direction, up to a set cell or the edge of the map.
    ///
    /// 0 for diagonal directions, and if `at` is off the map.
    #[inline]
    #[must_use]
    pub fn clear_run(&self, at: CellPos, dir: Dir8) -> u32 {
        if !self.grid.contains(at) {
            return 0;
        }
        let (x, y) = (at.x as u32, at.y as u32);
        match dir {
            Dir8::E => self.rows.next_set(y, x + 1) - x - 1,
            Dir8::W => (at.x - 1 - self.rows.previous_set(y, at.x - 1)) as u32,
            Dir8::S => self.columns.next_set(x, y + 1) - y - 1,
            Dir8::N => (at.y - 1 - self.columns.previous_set(x, at.y - 1)) as u32,
            Dir8::NE | Dir8::SE | Dir8::SW | Dir8::NW => 0,
        }
    }

    /// Writes the whole map: `row` writes the words of row `y`. Bit 0 of word 0 is column 0. Bits past the width are ignored.
    pub fn fill(&mut self, mut row: impl FnMut(u32, &mut [u64])) {
        for y in 0..self.grid.height() {
            self.fill_row(y, |words| row(y, words));
        }
        self.rebuild_columns();
    }

    /// Writes row `y` only. The columns are wrong until [`RowColBits::rebuild_columns`] is called.
    pub(crate) fn fill_row(&mut self, y: u32, write: impl FnOnce(&mut [u64])) {
        let words = self.grid.width().div_ceil(64) as usize;
        write(&mut self.rows.line_mut(y)[1..=words]);
        self.rows.seal(y);
    }

    /// Rebuilds the columns from the rows, by transposing blocks of 64×64 bits.
    pub(crate) fn rebuild_columns(&mut self) {
        let words = self.grid.width().div_ceil(64);
        let mut block = [0; 64];
        for block_y in 0..self.grid.height().div_ceil(64) {
            let rows = 64.min(self.grid.height() - block_y * 64);
            for block_x in 0..words {
                let columns = 64.min(self.grid.width() - block_x * 64);
                block.fill(u64::MAX);
                for y in 0..rows {
                    block[y as usize] = self.rows.line(block_y * 64 + y)[block_x as usize + 1];
                }
                // Large areas of a map are all open or all closed. Such blocks need no transposing.
                let differ = block.iter().fold(0, |differ, word| differ | (word ^ block[0]));
                if differ != 0 || block[0].wrapping_add(1) > 1 {
                    transpose(&mut block);
                }
                for x in 0..columns {
                    self.columns.line_mut(block_x * 64 + x)[block_y as usize + 1] = block[x as usize];
                }
            }
        }
        for x in 0..self.grid.width() {
            self.columns.seal(x);
        }
    }

    /// The memory used, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.rows.memory_bytes() + self.columns.memory_bytes()
    }
}

/// Transposes 64×64 bits: bit `x` of word `y` becomes bit `y` of word `x`.
fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut at = 0;
        while at < 64 {
            for low in at..at + width {
                let high = low + width;
                let swap = (block[low] >> width ^ block[high]) & mask;
                block[low] ^= swap << width;
                block[high] ^= swap;
            }
            at += 2 * width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

    use super::RowColBits;
    use crate::base::{CellPos, Dir8, GridSize};

    fn grids() -> impl Strategy<Value = (GridSize, Vec<bool>)> {
        (1_u32..140, 1_u32..140, any::<u64>(), 1_u64..40).prop_map(|(width, height, seed, sparse)| {
            let grid = GridSize::new(width, height).expect("legal");
            let mut state = seed;
            let bits = (0..grid.cells()).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % sparse == 0
            });
            (grid, bits.collect())
        })
    }

    proptest! {
        #[test]
        fn a_rectangle_is_clear_when_each_of_its_cells_is_clear(
            (grid, bits) in grids(),
            (x, y, wide, high) in (-3..140_i32, -3..140_i32, -1..70_i32, -1..5_i32),
        ) {
            let mut all = RowColBits::new(grid);
            grid.rect().cells().zip(&bits).for_each(|(at, &bit)| all.set(at, bit));
            let (low, last) = (CellPos::new(x, y), CellPos::new(x + wide, y + high));
            let mut cells = (y..=last.y).flat_map(|y| (x..=last.x).map(move |x| CellPos::new(x, y)));
            let expected = grid.contains(low) && grid.contains(last) && cells.all(|at| !all.get(at));
            prop_assert_eq!(all.is_clear(low, last), expected);
        }

        #[test]
        fn scans_agree_with_walking_cell_by_cell((grid, bits) in grids()) {
            let mut one_by_one = RowColBits::new(grid);
            for (at, &bit) in grid.rect().cells().zip(&bits) {
                one_by_one.set(at, bit);
            }
            let mut at_once = RowColBits::new(grid);
            at_once.fill(|y, words| {
                // Bits past the width must be ignored.
                words.fill(u64::MAX);
                for x in 0..grid.width() {
                    if !bits[(y * grid.width() + x) as usize] {
                        words[(x >> 6) as usize] &= !(1 << (x & 63));
                    }
                }
            });
            prop_assert_eq!(&one_by_one, &at_once);
            for at in grid.rect().cells() {
                for dir in Dir8::STRAIGHT {
                    let mut run = 0;
                    let mut next = at.step(dir);
                    while !one_by_one.get(next) {
                        run += 1;
                        next = next.step(dir);
                    }
                    prop_assert_eq!(one_by_one.clear_run(at, dir), run);
                }
                let (x, y) = (at.x as u32, at.y as u32);
                let around = |dx| u32::from(one_by_one.get(at.offset(dx, 0)));
                prop_assert_eq!(one_by_one.rows().three(y, x), around(-1) | around(0) << 1 | around(1) << 2);
                let nine = (0..9).map(|bit| u32::from(one_by_one.get(at.offset(bit % 3 - 1, bit / 3 - 1))) << bit);
                prop_assert_eq!(one_by_one.rows().three_by_three(y, x), nine.sum::<u32>());
            }
            prop_assert_eq!(one_by_one.get(CellPos::new(-1, 0)), true);
        }
    }
}
