//! Building a cost field row by row.

use alloc::vec;
use alloc::vec::Vec;

use super::field::CostField;
use crate::base::{CellPos, GridSize, RowColBits, SizeClass};
use crate::cost::padding::Padding;
use crate::cost::rules::IMPASSABLE;

/// A field under construction. Rows are added from north to south. The costs of a row are counted while it is in the processor's cache.
///
/// Costs about one instruction per cell where neighbours cost the same, and touches the field's memory once.
pub(in crate::cost) struct FieldRows {
    field: CostField,
    next: u32,
    counts: Counts,
}

impl FieldRows {
    pub(in crate::cost) fn new(grid: GridSize, size: SizeClass) -> Self {
        let padding = Padding::new(grid);
        let mut cost = Vec::with_capacity(padding.len());
        cost.resize(padding.stride() as usize + 1, IMPASSABLE);
        let (closed, histogram) = (RowColBits::new(grid), vec![0; 256]);
        let field = CostField { grid, size, padding, cost, closed, histogram };
        Self { field, next: 0, counts: [[0; 256]; 4] }
    }

    /// Adds the next row. It has as many cells as the map is wide.
    pub(in crate::cost) fn push(&mut self, row: &[u8]) {
        let CostField { cost, closed, .. } = &mut self.field;
        cost.extend_from_slice(row);
        cost.push(IMPASSABLE);
        closed.fill_row(self.next, |words| {
            for (word, costs) in words.iter_mut().zip(row.chunks(64)) {
                *word = count(costs, &mut self.counts);
            }
        });
        self.next += 1;
    }

    /// The field, after all rows were added.
    pub(in crate::cost) fn finish(mut self) -> CostField {
        let CostField { cost, closed, padding, grid, histogram, .. } = &mut self.field;
        debug_assert_eq!(self.next, grid.height());
        for counts in &self.counts {
            histogram.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        cost.resize(padding.len(), IMPASSABLE);
        closed.rebuild_columns();
        self.field
    }
}

/// How often each cost occurs, counted in four arrays in turn. Neighbours mostly cost the same, and adding to one counter many times in a
/// row is slow.
type Counts = [[u32; 256]; 4];

/// The value 1 in each of 8 bytes: multiplying by it copies a byte to all 8.
const EVERY_BYTE: u64 = u64::MAX / 0xff;

/// Counts up to 64 costs. Returns a bit for each: set where closed.
fn count(costs: &[u8], counts: &mut Counts) -> u64 {
    let mut bits = 0;
    let eights = costs.chunks_exact(8);
    let rest = eights.remainder();
    for (at, eight) in eights.enumerate() {
        let (all, first) = (u64::from_le_bytes(eight.try_into().unwrap_or_default()), eight[0]);
        let closed = if all == u64::from(first) * EVERY_BYTE {
            counts[0][usize::from(first)] += 8;
            if first == IMPASSABLE { 0xff } else { 0 }
        } else {
            for fours in eight.chunks_exact(4) {
                for (counts, &cost) in counts.iter_mut().zip(fours) {
                    counts[usize::from(cost)] += 1;
                }
            }
            closed_of_eight(all)
        };
        bits |= closed << (8 * at);
    }
    for (at, &cost) in rest.iter().enumerate() {
        counts[0][usize::from(cost)] += 1;
        bits |= u64::from(cost == IMPASSABLE) << (costs.len() - rest.len() + at);
    }
    bits
}

/// A bit for each of 8 costs: set where it is 255, the only value with all bits set.
fn closed_of_eight(costs: u64) -> u64 {
    let low_bits = EVERY_BYTE * 0x7f;
    // The top bit of a byte stays only if it was set and adding 1 to the other 7 bits carries into it. They carry only
    // if all are set.
    let closed = costs & ((costs & low_bits) + EVERY_BYTE) & !low_bits;
    // Gather the top bits in order: the multiplication shifts each to its position in the topmost byte.
    (closed >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl CostField {
    /// The field for a bigger size, made from the field for size one.
    pub(in crate::cost) fn covering(single: &Self, size: SizeClass) -> Self {
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
            // The highest cost of each column of the square, then of each run of columns.
            let single_row = |y: i32| {
                let start = single.padding.pad(CellPos::new(0, y)).index();
                &single.cost[start..start + width]
            };
            column.copy_from_slice(single_row(y - back));
            (y - back + 1..=y + ahead).for_each(|y| raise(&mut column, single_row(y)));
            let (inner, first) = (back as usize..width - ahead as usize, width + 1 - side);
            row[inner.clone()].copy_from_slice(&column[..first]);
            (1..side).for_each(|shift| raise(&mut row[inner.clone()], &column[shift..]));
            // The row before may have left costs at the edges.
            row[..inner.start].fill(IMPASSABLE);
            row[inner.end..].fill(IMPASSABLE);
            rows.push(&row);
        }
        rows.finish()
    }
}

/// Raises each value of `of` to the value at the same index of `to`, if that is greater.
fn raise(of: &mut [u8], to: &[u8]) {
    for (value, &other) in of.iter_mut().zip(to) {
        *value = (*value).max(other);
    }
}
