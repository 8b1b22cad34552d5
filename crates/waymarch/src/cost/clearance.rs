//! Clearance: how big a square is free from each cell.

use alloc::vec;
use alloc::vec::Vec;

use super::field::CostField;
use super::rules::IMPASSABLE;
use crate::base::{CellPos, CellRect, GridSize};

/// Derived: for each cell the side of the largest free square whose north-west corner it is, up to a cap.
///
/// One cell's change is felt at most `cap - 1` cells to the north and west, which is what makes the update local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clearance {
    grid: GridSize,
    cap: u8,
    side: Vec<u8>,
}

impl Clearance {
    pub(super) fn new(field: &CostField, cap: u8) -> Self {
        let grid = field.grid();
        let (width, padding) = (grid.width() as usize, field.padding());
        let mut side = vec![0_u8; grid.cells()];
        // How many open cells lie one below the other, up to the cap; nothing is open past the edge.
        let mut depth = vec![0_u8; width + usize::from(cap)];
        let mut least = vec![0_u8; width];
        for y in (0..grid.height() as i32).rev() {
            let start = padding.pad(CellPos::new(0, y)).index();
            for (depth, &cost) in depth.iter_mut().zip(&field.padded()[start..start + width]) {
                *depth = if cost == IMPASSABLE { 0 } else { (*depth + 1).min(cap) };
            }
            // A square of a side fits where so many columns side by side are as deep.
            let row = &mut side[y as usize * width..][..width];
            least.copy_from_slice(&depth[..width]);
            for (shift, wanted) in (1..=cap).enumerate() {
                for ((side, least), &depth) in row.iter_mut().zip(&mut least).zip(&depth[shift..]) {
                    *least = (*least).min(depth);
                    *side += u8::from(*least >= wanted);
                }
            }
        }
        Self { grid, cap, side }
    }

    /// The largest side it tells apart.
    #[must_use]
    pub fn cap(&self) -> u8 {
        self.cap
    }

    /// The side of the largest free square whose north-west corner is `at`; 0 when `at` is closed or off the map.
    #[inline]
    #[must_use]
    pub fn at(&self, at: CellPos) -> u8 {
        self.grid.id(at).map_or(0, |id| self.side[id.index()])
    }

    /// All cells, row by row.
    #[must_use]
    pub fn sides(&self) -> &[u8] {
        &self.side
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.side.len()
    }

    /// Recomputes what a change of passability within `changed` can affect.
    pub(super) fn update(&mut self, field: &CostField, changed: CellRect) {
        let reach = i32::from(self.cap) - 1;
        let area = changed.grow(reach, 0).intersect(self.grid.rect());
        let width = self.grid.width() as usize;
        let (cost, padding) = (field.padded(), field.padding());
        for y in (area.y0..area.y1).rev() {
            let mut pad = padding.pad(CellPos::new(area.x1 - 1, y)).index();
            let mut at = y as usize * width + area.x1 as usize - 1;
            let has_south = (y as u32) + 1 < self.grid.height();
            for x in (area.x0..area.x1).rev() {
                self.side[at] = if cost[pad] == IMPASSABLE {
                    0
                } else if !has_south || x as usize + 1 == width {
                    1
                } else {
                    let (east, south) = (self.side[at + 1], self.side[at + width]);
                    let diagonal = self.side[at + width + 1];
                    (east.min(south).min(diagonal) + 1).min(self.cap)
                };
                at = at.wrapping_sub(1);
                pad -= 1;
            }
        }
    }
}
