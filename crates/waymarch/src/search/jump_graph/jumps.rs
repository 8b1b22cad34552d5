//! The jump points that are one jump away from a cell, which the lists of successors are made of.

use crate::base::{CellPos, Dir8, RowColBits};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::search::jps::JumpPlanes;
use crate::search::jps::turns::{TURNS, around};

/// A jump point found from some cell, by an optional diagonal and then a straight run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The jump point.
    pub(super) to: CellPos,
    /// The straight direction by which it is reached: 0 north, 1 east, 2 south, 3 west.
    pub(super) by: u8,
    /// The length of the route; a straight step counts 1024. On the largest map it is under 2^24.
    pub(super) cost: u32,
}

/// Jumps from `at` in `dir` and calls `found` with every jump point, the one with the nearest turn first. The first step must be legal if `dir` is
/// diagonal. Returns the number of legal steps along a diagonal; 0 for straight directions and without planes for the diagonals.
#[inline]
pub(super) fn each_jump(planes: &JumpPlanes, at: CellPos, dir: Dir8, found: impl FnMut(Jump)) -> u32 {
    match dir {
        Dir8::N => straight::<0>(planes, at, 0, found),
        Dir8::E => straight::<1>(planes, at, 0, found),
        Dir8::S => straight::<2>(planes, at, 0, found),
        Dir8::W => straight::<3>(planes, at, 0, found),
        Dir8::NE => diagonal::<0, 0, 1>(planes, at, dir, found),
        Dir8::SE => diagonal::<1, 2, 1>(planes, at, dir, found),
        Dir8::SW => diagonal::<2, 2, 3>(planes, at, dir, found),
        Dir8::NW => diagonal::<3, 0, 3>(planes, at, dir, found),
    }
}

#[inline]
fn straight<const BY: usize>(
    planes: &JumpPlanes,
    at: CellPos,
    so_far: u32,
    mut found: impl FnMut(Jump),
) -> u32 {
    let stop = planes.stops.jump::<BY>(at);
    if !stop.closed {
        let dir = Dir8::STRAIGHT[BY];
        let to = at.offset(dir.dx() * stop.steps as i32, dir.dy() * stop.steps as i32);
        found(Jump { to, by: BY as u8, cost: so_far + stop.steps * STRAIGHT });
    }
    0
}

#[inline]
fn diagonal<const DIR: usize, const UP_DOWN: usize, const SIDEWAYS: usize>(
    planes: &JumpPlanes,
    from: CellPos,
    dir: Dir8,
    mut found: impl FnMut(Jump),
) -> u32 {
    let Some(diagonals) = &planes.diagonals else { return 0 };
    diagonals.walk::<DIR>(from, |steps, [sideways, up_down]| {
        let at = from.offset(dir.dx() * steps as i32, dir.dy() * steps as i32);
        if sideways {
            straight::<SIDEWAYS>(planes, at, steps * DIAGONAL, &mut found);
        }
        if up_down {
            straight::<UP_DOWN>(planes, at, steps * DIAGONAL, &mut found);
        }
    })
}

/// The number of legal steps from `at`, an open cell, in the diagonal direction `dir`.
pub(super) fn clear_steps(planes: &JumpPlanes, closed: &RowColBits, at: CellPos, dir: Dir8) -> u32 {
    if [dir, dir.turn(1), dir.turn(-1)].into_iter().any(|dir| closed.get(at.step(dir))) {
        return 0;
    }
    let Some(diagonals) = &planes.diagonals else { return 0 };
    match dir {
        Dir8::NE => diagonals.walk::<0>(at, |_, _| ()),
        Dir8::SE => diagonals.walk::<1>(at, |_, _| ()),
        Dir8::SW => diagonals.walk::<2>(at, |_, _| ()),
        _ => diagonals.walk::<3>(at, |_, _| ()),
    }
}

/// The directions beside straight direction number `by`, which is under 4, as bits.
const fn aside(by: usize) -> u8 {
    (1 | 1 << 4) << (2 * (by + 1) % 4)
}

/// Whether straight jumps in `dir` stop at `at`, an open cell on the map.
pub(super) fn stops_at(closed: &RowColBits, at: CellPos, dir: Dir8) -> bool {
    let by = usize::from(dir.index() / 2);
    TURNS[by][around(closed, at)] & aside(by) != 0
}

/// How a cell can be a node. `came_by` has the straight directions by which it is reached as a jump point (bit 0 north
/// to bit 3 west). `onward` has the directions to follow for each of them (bit = number of the direction).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Turns {
    pub(super) came_by: u8,
    pub(super) onward: [u8; 4],
}

impl Turns {
    /// The turns of a cell. A jump point whose previous cell is closed does not count, because no step leads to it.
    #[inline]
    pub(super) fn of(closed: &RowColBits, at: CellPos) -> Self {
        // Bit 4 of the nine bits is the middle. A closed cell is no node, and neither is a cell with nothing closed around it.
        const BEHIND: [usize; 4] = [7, 3, 1, 5];
        let around = around(closed, at);
        let mut turns = Self::default();
        if around == 0 || around & 1 << 4 != 0 {
            return turns;
        }
        for by in 0..4 {
            let dirs = TURNS[by][around];
            if dirs & aside(by) != 0 && around >> BEHIND[by] & 1 == 0 {
                turns.came_by |= 1 << by;
                turns.onward[by] = dirs;
            }
        }
        turns
    }

    /// All directions that searches follow from the cell, however it was reached.
    #[inline]
    pub(super) fn all(self) -> u8 {
        self.onward.iter().fold(0, |all, dirs| all | dirs)
    }
}
