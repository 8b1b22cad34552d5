//! One bit per cell, laid out along both diagonals, to find set bits on a diagonal 64 cells at a time.

use crate::base::{BitLines, CellPos, Dir8, GridSize};

/// One bit per cell that can be scanned along the diagonals.
///
/// A diagonal that leaves the map on one side continues as if it came in on the other, so no bit is unused. A scan does not notice the
/// seam; its caller must know where the map ends.
#[derive(Clone, Debug)]
pub(super) struct DiagonalBits {
    grid: GridSize,
    /// From south-west to north-east.
    rising: BitLines,
    /// From north-west to south-east.
    falling: BitLines,
}

impl DiagonalBits {
    pub(super) fn new(grid: GridSize) -> Self {
        let lines = BitLines::new(grid.width(), grid.height());
        Self { grid, rising: lines.clone(), falling: lines }
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "the value of a bit is a bool")]
    pub(super) fn set(&mut self, at: CellPos, value: bool) {
        let (rising, falling) = (self.line(at, 1), self.line(at, -1));
        self.rising.set(rising, at.y as u32, value);
        self.falling.set(falling, at.y as u32, value);
    }

    /// The line of a cell on the map: its column plus (1) or minus (−1) its row, modulo the width.
    #[inline]
    fn line(&self, at: CellPos, slant: i32) -> u32 {
        (at.x + slant * at.y).rem_euclid(self.grid.width() as i32) as u32
    }

    /// Calls `found` with the number of steps to each set cell from `at` in the diagonal direction `dir`, nearest first, at least up to the
    /// seam. Stops when `found` returns `false`.
    pub(super) fn each(&self, at: CellPos, dir: Dir8, mut found: impl FnMut(u32) -> bool) {
        let rises = matches!(dir, Dir8::NE | Dir8::SW);
        let (lines, line) =
            if rises { (&self.rising, self.line(at, 1)) } else { (&self.falling, self.line(at, -1)) };
        if dir.dy() > 0 {
            let mut place = lines.next_set(line, at.y as u32 + 1);
            while place < lines.length() && found(place - at.y as u32) {
                place = lines.next_set(line, place + 1);
            }
        } else {
            let mut place = lines.previous_set(line, at.y - 1);
            while place >= 0 && found((at.y - place) as u32) {
                place = lines.previous_set(line, place - 1);
            }
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.rising.memory_bytes() + self.falling.memory_bytes()
    }
}
