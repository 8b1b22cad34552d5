//! Tables of costs that are found when they are first needed.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use super::distances::NO_ROUTE;

/// A table of costs that are found when they are first needed.
///
/// Several threads may fill it through a shared reference: all write the same numbers.
#[derive(Debug, Default)]
pub(in crate::sectors) struct Table {
    rows: usize,
    columns: usize,
    /// Row by row: the cost plus one; 0 where it is not filled yet.
    costs: Vec<AtomicU32>,
}

impl Table {
    /// Makes it a square table of `side` rows, none of them filled.
    pub(in crate::sectors) fn reset(&mut self, side: usize) {
        self.reset_to(side, side);
    }

    /// Reserves memory for a square table of `side` rows.
    pub(in crate::sectors) fn reserve(&mut self, side: usize) {
        self.costs.reserve_exact((side * side).saturating_sub(self.costs.len()));
    }

    /// Makes it a table of `rows` and `columns`, none of them filled.
    pub(in crate::sectors) fn reset_to(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.costs.clear();
        self.costs.resize_with(rows * columns, AtomicU32::default);
    }

    /// The costs of a row; `None` if it is not filled yet.
    #[inline]
    pub(in crate::sectors) fn row(&self, row: usize) -> Option<impl Iterator<Item = u32>> {
        let row = self.costs.get(row * self.columns..(row + 1) * self.columns)?;
        // The last entry is written last, and is visible only after the others.
        let filled = row.last()?.load(Ordering::Acquire) != 0;
        filled.then(|| row.iter().map(|cost| cost.load(Ordering::Relaxed).wrapping_sub(1)))
    }

    /// Fills a row.
    pub(in crate::sectors) fn fill_row(&self, row: usize, costs: impl Iterator<Item = u32>) {
        self.costs[row * self.columns..(row + 1) * self.columns].iter().zip(costs).for_each(put);
    }

    /// Fills a column. Rows can be read when the last column is filled.
    pub(in crate::sectors) fn fill_column(&self, column: usize, costs: impl Iterator<Item = u32>) {
        self.costs.iter().skip(column).step_by(self.columns).zip(costs).for_each(put);
    }

    /// Whether all rows that both have filled are equal.
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

/// Writes a cost to its slot. `NO_ROUTE` plus one would be 0, so it is stored as the number below, which no cost reaches.
fn put((slot, cost): (&AtomicU32, u32)) {
    slot.store(cost.min(NO_ROUTE - 1) + 1, Ordering::Release);
}

/// What [`Table::row`] gives where there is no route: 2^32 − 2.
pub(in crate::sectors) const NO_ROUTE_IN_ROW: u32 = NO_ROUTE - 1;

impl Clone for Table {
    /// Copies the filled rows. Another thread may be filling others.
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
