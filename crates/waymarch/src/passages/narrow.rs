//! Which cells are narrow: a unit fits, but no free square of two units' width holds it.

use alloc::vec::Vec;

use crate::base::CellRect;
use crate::cost::CostField;

/// Scratch: bit rows of a strip of the map, at most 62 cells wide.
#[derive(Clone, Debug, Default)]
pub(super) struct StripScratch {
    /// Per row: set where a free square of two units' width has its north-west corner.
    free: Vec<u64>,
}

/// A strip of cells to look at. It is at most [`Strip::width`] cells wide.
pub(super) struct Strip<'a> {
    /// Costs for units of one cell.
    pub(super) single: &'a CostField,
    /// Costs for units of the size that is asked about.
    pub(super) own: &'a CostField,
    pub(super) area: CellRect,
}

impl Strip<'_> {
    /// How many cells wide a strip for units of `side` cells may be: a word has 64 bits, and the widest square reaches `3 × side − 1` cells farther.
    pub(super) fn width(side: u8) -> i32 {
        65 - 3 * i32::from(side)
    }

    /// Calls `row` for each row with the row's number, its open cells and its narrow cells. Bit 0 is the strip's first column.
    pub(super) fn scan(&self, scratch: &mut StripScratch, mut row: impl FnMut(i32, u64, u64)) {
        let (side, back) = (i32::from(self.own.size().side()), self.own.size().reach_north_west());
        let area = self.area;
        let columns = area.x1 - area.x0;
        debug_assert!((1..=Self::width(self.own.size().side())).contains(&columns));
        // Squares that hold the unit at (x, y) have their north-west corner in x − back − side ..= x − back, and alike in y.
        let (west, north) = (area.x0 - back - side, area.y0 - back - side);
        let rows = (area.y1 - area.y0 + side) as usize;
        let free = &mut scratch.free;
        free.clear();
        free.resize(rows + 2 * side as usize - 1, 0);
        for (y, bits) in (north..).zip(free.iter_mut()) {
            let open = !closed_from(self.single, y, west);
            *bits = (0..2 * side).fold(u64::MAX, |all, shift| all & open >> shift);
        }
        for at in 0..rows {
            free[at] = free[at..at + 2 * side as usize].iter().fold(u64::MAX, |all, bits| all & bits);
            // A square that begins up to `side` columns farther west holds the unit too.
            free[at] = (0..=side).fold(0, |any, shift| any | free[at] >> shift);
        }
        let inside = u64::MAX >> (64 - columns);
        for (y, first) in (area.y0..area.y1).zip(0..) {
            let wide = free[first..=first + side as usize].iter().fold(0, |any, bits| any | bits);
            let open = !closed_from(self.own, y, area.x0) & inside;
            row(y, open, open & !wide);
        }
    }
}

/// The closed bits of 64 cells of a row, beginning at column `x`. Cells off the map are closed.
fn closed_from(field: &CostField, y: i32, x: i32) -> u64 {
    let grid = field.grid();
    if y < 0 || y >= grid.height() as i32 || x >= grid.width() as i32 || x <= -64 {
        return u64::MAX;
    }
    let rows = field.closed_bits().rows();
    let line = y as u32;
    let word = |from: i32| {
        let bits = rows.word_from(line, from as u32);
        // The word may reach beyond the row's padding.
        let left = grid.width() as i32 - from;
        if left < 64 { bits | u64::MAX << left } else { bits }
    };
    if x < 0 { word(0) << -x | u64::MAX >> (64 + x) } else { word(x) }
}
