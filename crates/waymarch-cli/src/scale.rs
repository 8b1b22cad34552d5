//! The engine's fixed-point numbers in cells, as floats for reports.

use waymarch::base::Fine;

/// Engine lengths and positions count 1,024ths of a cell.
const FIXED_PER_CELL: f64 = 1024.0;
/// Fine positions count 65,536ths of a cell.
const FINE_PER_CELL: f64 = 65_536.0;

/// A fixed-point length in cells.
pub(crate) fn fixed_cells(raw: i32) -> f64 {
    f64::from(raw) / FIXED_PER_CELL
}

/// A route length, which counts 1,024ths of a cell, in cells.
pub(crate) fn length_cells(length: u64) -> f64 {
    length as f64 / FIXED_PER_CELL
}

/// A distance between fine positions in cells.
pub(crate) fn fine_cells(distance: u64) -> f64 {
    distance as f64 / FINE_PER_CELL
}

/// A fine position in cells.
pub(crate) fn fine_position(at: Fine) -> [f64; 2] {
    [at.x, at.y].map(|part| f64::from(part) / FINE_PER_CELL)
}
