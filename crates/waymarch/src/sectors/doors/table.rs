//! Costs between doors, found when they are first asked for.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use super::inside::NO_WAY;

/// A table of costs that are found when they are first asked for.
///
/// Filled through a shared reference, by several threads at once if need be: whoever fills it writes the same numbers.
#[derive(Debug, Default)]
pub(in crate::sectors) struct Table {
    rows: usize,
    columns: usize,
    /// Row by row, each one more than the cost; 0 where it is not filled yet.
    costs: Vec<AtomicU32>,
}

impl Table {
    /// Makes it a square one of `side` rows, none of them filled.
    pub(in crate::sectors) fn reset(&mut self, side: usize) {
        self.reset_to(side, side);
    }

    /// Room for a square one of `side` rows.
    pub(in crate::sectors) fn make_room(&mut self, side: usize) {
        self.costs.reserve_exact((side * side).saturating_sub(self.costs.len()));
    }

    /// Makes it one of `rows` and `columns`, none of them filled.
    pub(in crate::sectors) fn reset_to(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.costs.clear();
        self.costs.resize_with(rows * columns, AtomicU32::default);
    }

    /// The costs of a row, unless it has to be filled first.
    #[inline]
    pub(in crate::sectors) fn row(&self, row: usize) -> Option<impl Iterator<Item = u32>> {
        let row = self.costs.get(row * self.columns..(row + 1) * self.columns)?;
        // The last is written last, and seen only after the others.
        let filled = row.last()?.load(Ordering::Acquire) != 0;
        filled.then(|| row.iter().map(|cost| cost.load(Ordering::Relaxed).wrapping_sub(1)))
    }

    /// Fills a row.
    pub(in crate::sectors) fn fill_row(&self, row: usize, costs: impl Iterator<Item = u32>) {
        self.costs[row * self.columns..(row + 1) * self.columns].iter().zip(costs).for_each(put);
    }

    /// Fills a column; rows can be read when the last one is filled.
    pub(in crate::sectors) fn fill_column(&self, column: usize, costs: impl Iterator<Item = u32>) {
        self.costs.iter().skip(column).step_by(self.columns).zip(costs).for_each(put);
    }

    /// Whether all rows that both have filled are the same.
    pub(in crate::sectors) fn agrees_with(&self, other: &Self) -> bool {
        let same = |row: usize| match (self.row(row), other.row(row)) {
            (Some(a), Some(b)) => a.eq(b),
            _ => true,
        };
        (self.rows, self.columns) == (other.rows, other.columns) && (0..self.rows).all(same)
    }

    pub(in crate::sectors) fn memory_bytes(&self) -> usize {
        self.costs.capacity() * size_of::<AtomicU32>()
    }
}

/// Writes a cost to its slot. No way is 2^32 - 1 and would become 0; it is kept as the number below, which no cost can be.
fn put((slot, cost): (&AtomicU32, u32)) {
    slot.store(cost.min(NO_WAY - 1) + 1, Ordering::Release);
}

/// What [`Table::row`] gives where there is no way.
pub(in crate::sectors) const NO_WAY_IN_ROW: u32 = NO_WAY - 1;

impl Clone for Table {
    /// Copies the rows that are filled; another thread may be filling others just now.
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.reset_to(self.rows, self.columns);
        for row in 0..self.rows {
            if let Some(costs) = self.row(row) {
                copy.fill_row(row, costs);
            }
        }
        copy
    }
}
