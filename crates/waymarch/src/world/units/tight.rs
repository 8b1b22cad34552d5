//! Tight ground: where units cannot walk around each other.

use crate::base::{CellPos, Dir8};
use crate::cost::CostField;

/// Ground is looked at up to 3 cells to each side.
const LOOK: i32 = 3;

/// The number of open cells side by side at a cell, from north to south or from west to east, whichever is smaller. At most 3 cells on each side are counted.
pub(crate) fn open_width(field: &CostField, at: CellPos) -> i32 {
    let open = |dir: Dir8| {
        let ahead = (1..=LOOK).map(|far| CellPos::new(at.x + far * dir.dx(), at.y + far * dir.dy()));
        ahead.take_while(|&cell| field.is_passable(cell)).count() as i32
    };
    let width = |dir: Dir8| 1 + open(dir) + open(dir.opposite());
    width(Dir8::N).min(width(Dir8::E))
}
