//! Making a cost field from nothing, a row of cells at a time.

use alloc::vec;
use alloc::vec::Vec;

use super::field::{CostField, Padding};
use super::rules::IMPASSABLE;
use crate::base::{CellPos, GridSize, RowColBits, SizeClass};

/// A field in the making: rows are added from north to south, each looked at while it is at hand.
///
/// Costs about one instruction per cell where neighbours cost the same, and touches the field's memory once.
pub(super) struct FieldRows {
    field: CostField,
    next: u32,
}

impl FieldRows {
    pub(super) fn new(grid: GridSize, size: SizeClass) -> Self {
        let padding = Padding::new(grid);
        let mut cost = Vec::with_capacity(padding.len());
        cost.resize(padding.stride() as usize + 1, IMPASSABLE);
        let (closed, histogram) = (RowColBits::new(grid), vec![0; 256]);
        Self { field: CostField { grid, size, padding, cost, closed, histogram }, next: 0 }
    }

    /// Adds the next row, of as many cells as the map is wide.
    pub(super) fn push(&mut self, row: &[u8]) {
        let CostField { cost, closed, histogram, .. } = &mut self.field;
        cost.extend_from_slice(row);
        cost.push(IMPASSABLE);
        closed.fill_row(self.next, |words| {
            for (word, costs) in words.iter_mut().zip(row.chunks(64)) {
                *word = count(costs, histogram);
            }
        });
        self.next += 1;
    }

    /// The field, once all its rows were added.
    pub(super) fn finish(mut self) -> CostField {
        let CostField { cost, closed, padding, grid, .. } = &mut self.field;
        debug_assert_eq!(self.next, grid.height());
        cost.resize(padding.len(), IMPASSABLE);
        closed.turn_rows();
        self.field
    }
}

/// Counts up to 64 costs; a bit for each says whether it is closed.
fn count(costs: &[u8], histogram: &mut [u32]) -> u64 {
    if let Some(cost) = same(costs) {
        histogram[usize::from(cost)] += costs.len() as u32;
        return if cost == IMPASSABLE { u64::MAX } else { 0 };
    }
    let mut bits = 0;
    for (at, eight) in costs.chunks(8).enumerate() {
        let closed = if let Some(cost) = same(eight) {
            histogram[usize::from(cost)] += eight.len() as u32;
            if cost == IMPASSABLE { 0xff } else { 0 }
        } else {
            let mut closed = 0;
            for (bit, &cost) in eight.iter().enumerate() {
                histogram[usize::from(cost)] += 1;
                closed |= u64::from(cost == IMPASSABLE) << bit;
            }
            closed
        };
        bits |= closed << (8 * at);
    }
    bits
}

/// The one cost that all of these are; none if they differ.
fn same(costs: &[u8]) -> Option<u8> {
    let first = *costs.first()?;
    let differ = costs.iter().fold(0, |differ, cost| differ | (cost ^ first));
    (differ == 0).then_some(first)
}

impl CostField {
    /// The field for a bigger size, from the one for size one.
    pub(super) fn covering(single: &Self, size: SizeClass) -> Self {
        let grid = single.grid;
        let (width, side) = (grid.width() as usize, usize::from(size.side()));
        let (back, ahead) = (size.reach_north_west(), size.reach_south_east());
        let mut rows = FieldRows::new(grid, size);
        let (mut column, mut row) = (vec![0; width], vec![IMPASSABLE; width]);
        for y in 0..grid.height() as i32 {
            if y < back || y + ahead >= grid.height() as i32 || width < side {
                row.fill(IMPASSABLE);
                rows.push(&row);
                continue;
            }
            // The dearest of each column of the square, then of each run of columns.
            let single_row = |y: i32| {
                let start = single.padding.pad(CellPos::new(0, y)).index();
                &single.cost[start..start + width]
            };
            column.copy_from_slice(single_row(y - back));
            (y - back + 1..=y + ahead).for_each(|y| raise(&mut column, single_row(y)));
            let (inner, first) = (back as usize..width - ahead as usize, width + 1 - side);
            row[inner.clone()].copy_from_slice(&column[..first]);
            (1..side).for_each(|shift| raise(&mut row[inner.clone()], &column[shift..]));
            // A row without room for the unit may have left its costs at the edges.
            row[..inner.start].fill(IMPASSABLE);
            row[inner.end..].fill(IMPASSABLE);
            rows.push(&row);
        }
        rows.finish()
    }
}

/// Each of `of` raised to the value beside it.
fn raise(of: &mut [u8], to: &[u8]) {
    for (value, &other) in of.iter_mut().zip(to) {
        *value = (*value).max(other);
    }
}
