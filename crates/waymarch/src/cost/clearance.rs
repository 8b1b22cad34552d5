//! Clearance: how big a square is free from each cell.

use alloc::vec::Vec;

use super::field::CostField;
use crate::base::CellPos;

/// For each cell the side of the largest free square whose north-west corner it is, up to a cap.
///
/// Nothing is kept for it: a cell's answer is read from the packed passability, a word for each row of the square. No search asks for it,
/// since every size has costs of its own, and a byte for every cell and locomotor is half a gigabyte on the largest map.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(1, 1), cell(12, 12), Tick::ZERO)?;
/// let clearance = layer.clearance(LocomotorId(0)).unwrap();
/// assert_eq!(clearance.cap(), 3, "the largest size in use");
/// assert_eq!([9, 10, 11, 12].map(|at| clearance.at(cell(at, at))), [3, 2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clearance<'a> {
    /// For units of one cell.
    field: &'a CostField,
    cap: u8,
}

impl<'a> Clearance<'a> {
    pub(super) fn new(field: &'a CostField, cap: u8) -> Self {
        Self { field, cap }
    }

    /// The largest side it tells apart.
    #[must_use]
    pub fn cap(self) -> u8 {
        self.cap
    }

    /// The side of the largest free square whose north-west corner is `at`; 0 when `at` is closed or off the map.
    #[must_use]
    pub fn at(self, at: CellPos) -> u8 {
        let grid = self.field.grid();
        if !grid.contains(at) {
            return 0;
        }
        let (x, y, rows) = (at.x as u32, at.y as u32, self.field.closed_bits().rows());
        // How many cells in a row are open in all rows so far; past the edge nothing is.
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

    /// All cells, row by row.
    #[must_use]
    pub fn sides(self) -> Vec<u8> {
        self.field.grid().rect().cells().map(|at| self.at(at)).collect()
    }
}
