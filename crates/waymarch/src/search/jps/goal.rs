//! The goal of a search: its cell, and how far it is seen along its row and its column.

use super::along::{dx, dy};
use crate::base::{CellPos, Dir8, RowColBits};
use crate::cost::{DIAGONAL, STRAIGHT};

/// Scratch: the goal of one search. Planes do not know the goal. So a search checks once per node whether a straight
/// jump from it finds the goal. Once per diagonal it checks the same for the cells of the diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) at: CellPos,
    /// The number of open cells in a row to its north, east, south and west.
    clear: [u32; 4],
}

impl Goal {
    pub(super) fn new(closed: &RowColBits, at: CellPos) -> Self {
        Self { at, clear: Dir8::STRAIGHT.map(|dir| closed.clear_run(at, dir)) }
    }

    /// The length of the straight route from `from`; `None` if there is none.
    #[inline(always)]
    pub(super) fn straight_from(&self, from: CellPos) -> Option<u64> {
        let (right, down) = (self.at.x - from.x, self.at.y - from.y);
        if right != 0 && down != 0 {
            return None;
        }
        // The route enters the goal from the opposite side.
        let side = if right > 0 {
            3
        } else if right < 0 {
            1
        } else if down > 0 {
            0
        } else {
            2
        };
        let steps = right.unsigned_abs() + down.unsigned_abs();
        (steps <= self.clear[side]).then(|| u64::from(steps * STRAIGHT))
    }

    /// The length of the route from `from` that takes at least 1 and at most `steps` diagonal steps and then goes straight; `None` if there is
    /// none. `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(super) fn diagonally_from<const DIR: usize>(&self, from: CellPos, steps: u32) -> Option<u64> {
        let (sideways, up_down) = ((self.at.x - from.x) * dx(DIR), (self.at.y - from.y) * dy(DIR));
        let turn = sideways.min(up_down);
        if turn <= 0 || turn as u32 > steps {
            return None;
        }
        // The route enters the goal from the side of the diagonal.
        let clear = if sideways > up_down {
            self.clear[if dx(DIR) > 0 { 3 } else { 1 }]
        } else {
            self.clear[if dy(DIR) > 0 { 0 } else { 2 }]
        };
        let rest = sideways.abs_diff(up_down);
        (rest <= clear).then(|| u64::from(turn as u32 * DIAGONAL + rest * STRAIGHT))
    }
}
