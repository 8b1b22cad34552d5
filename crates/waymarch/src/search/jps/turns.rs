//! Which directions a search follows from a node: natural and forced neighbours, by the 3×3 cells around it.

use crate::base::{CellPos, Dir8, RowColBits};

/// The row of [`TURNS`] for a start, from which every legal direction is followed: row 4. Rows 0 to 3 are for nodes reached by a straight
/// jump to the north, east, south and west.
pub(in crate::search) const FROM_START: usize = 4;

/// The directions to follow, by how the node was reached and by the 3×3 cells around it (bit `3·row + column`, set where closed).
pub(in crate::search) static TURNS: [[u8; 512]; 5] = turns();

const fn turns() -> [[u8; 512]; 5] {
    let mut table = [[0; 512]; 5];
    let mut came_by = 0;
    while came_by < 5 {
        let mut around = 0;
        while around < 512 {
            table[came_by][around] =
                if came_by == FROM_START { legal(around) } else { onward(around, came_by as u8 * 2) };
            around += 1;
        }
        came_by += 1;
    }
    table
}

const fn open(around: usize, dx: i32, dy: i32) -> bool {
    around >> ((dy + 1) * 3 + dx + 1) & 1 == 0
}

const fn open_to(around: usize, dir: Dir8) -> bool {
    open(around, dir.dx(), dir.dy())
}

/// The directions of legal steps from the middle, without cutting corners.
const fn legal(around: usize) -> u8 {
    let mut dirs = 0;
    let mut index = 0;
    while index < 8 {
        let dir = Dir8::from_index(index);
        let clear = !dir.is_diagonal() || (open_to(around, dir.turn(1)) && open_to(around, dir.turn(-1)));
        if open_to(around, dir) && clear {
            dirs |= 1 << index;
        }
        index += 1;
    }
    dirs
}

/// The directions to follow after a straight jump: straight on, and to each side that opens here.
const fn onward(around: usize, ahead: u8) -> u8 {
    let ahead = Dir8::from_index(ahead);
    let mut wanted = 1 << ahead.index();
    let mut side = -1;
    while side <= 1 {
        let beside = ahead.turn(2 * side);
        let behind = open(around, beside.dx() - ahead.dx(), beside.dy() - ahead.dy());
        if !behind && open_to(around, beside) {
            wanted |= 1 << beside.index() | 1 << ahead.turn(side).index();
        }
        side += 2;
    }
    wanted & legal(around)
}

/// The 3×3 cells around a cell on the map, as an index of [`TURNS`].
#[inline]
pub(in crate::search) fn around(closed: &RowColBits, at: CellPos) -> usize {
    closed.rows().three_by_three(at.y as u32, at.x as u32) as usize
}
