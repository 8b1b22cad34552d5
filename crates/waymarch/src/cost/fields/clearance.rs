//! Clearance: how big a free square is at each cell.

use alloc::vec::Vec;

use super::field::CostField;
use crate::base::CellPos;

/// For each cell, the side of the largest free square with this cell as its north-west corner, up to a cap.
///
/// It stores nothing: each answer is read from the passability bits, one word per row of the square. Searches do not need it, because each
/// size has its own cost field. A stored byte per cell and locomotor would take half a gigabyte on the largest map.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(1, 1), cell(12, 12), Tick::ZERO)?;
/// let clearance = layer.clearance(LocomotorId(0)).unwrap();
/// assert_eq!(clearance.cap(), 3, "the largest size in use");
/// assert_eq!([9, 10, 11, 12].map(|at| clearance.at(cell(at, at))), [3, 2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clearance<'a> {
    /// The field for units of one cell.
    field: &'a CostField,
    cap: u8,
}

impl<'a> Clearance<'a> {
    pub(in crate::cost) fn new(field: &'a CostField, cap: u8) -> Self {
        Self { field, cap }
    }

    /// The largest side that it reports.
    #[must_use]
    pub fn cap(self) -> u8 {
        self.cap
    }

    /// The side of the largest free square with `at` as its north-west corner; 0 if `at` is closed or off the map.
    #[must_use]
    pub fn at(self, at: CellPos) -> u8 {
        let grid = self.field.grid();
        if !grid.contains(at) {
            return 0;
        }
        let (x, y, rows) = (at.x as u32, at.y as u32, self.field.closed_bits().rows());
        // How many cells from `at` eastwards are open in all rows so far. Cells past the map's edge are not open.
        let mut open = u32::from(self.cap);
        for below in 0..u32::from(self.cap) {
            if y + below < grid.height() {
                open = open.min(rows.word_from(y + below, x).trailing_zeros());
            } else {
                open = 0;
            }
            if open <= below {
                return below as u8;
            }
        }
        self.cap
    }

    /// [`Clearance::at`] of all cells, row by row.
    #[must_use]
    pub fn sides(self) -> Vec<u8> {
        self.field.grid().rect().cells().map(|at| self.at(at)).collect()
    }
}
