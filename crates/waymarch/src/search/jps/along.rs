//! Steps in a direction that is known at compile time. Straight directions 0 to 3 are north, east, south and west. Diagonal directions 0 to
//! 3 are north-east, south-east, south-west and north-west.

use crate::base::CellPos;

/// The column step of a diagonal direction.
pub(super) const fn dx(quarter: usize) -> i32 {
    if quarter < 2 { 1 } else { -1 }
}

/// The row step of a diagonal direction.
pub(super) const fn dy(quarter: usize) -> i32 {
    if quarter == 1 || quarter == 2 { 1 } else { -1 }
}

/// Whether a diagonal leads to higher rows.
pub(super) const fn is_south(quarter: usize) -> bool {
    dy(quarter) > 0
}

/// The cell `steps` straight steps from `at`.
#[inline(always)]
pub(super) const fn along<const DIR: usize>(at: CellPos, steps: u32) -> CellPos {
    let steps = steps as i32;
    match DIR {
        0 => CellPos::new(at.x, at.y - steps),
        1 => CellPos::new(at.x + steps, at.y),
        2 => CellPos::new(at.x, at.y + steps),
        _ => CellPos::new(at.x - steps, at.y),
    }
}

/// The cell `steps` diagonal steps from `at`.
#[inline(always)]
pub(super) const fn across<const DIR: usize>(at: CellPos, steps: u32) -> CellPos {
    CellPos::new(at.x + dx(DIR) * steps as i32, at.y + dy(DIR) * steps as i32)
}
