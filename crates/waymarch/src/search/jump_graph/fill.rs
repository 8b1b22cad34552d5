//! Making the lists of successors from the planes, and finding the lists that an edit affects.

use alloc::vec::Vec;
use core::ops::Range;

use super::cells::{JumpCells, Lists, NO_CELL};
use super::jumps::{Turns, clear_steps, each_jump, stops_at};
use super::pool::Edge;
use crate::base::{CellPos, CellRect, Dir8, RowColBits};
use crate::search::jps::JumpPlanes;

/// The diagonal directions, in the order of [`Record::clear`](super::cells::Record::clear).
pub(super) const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

/// Scratch of making the lists of one cell.
#[derive(Clone, Debug, Default)]
pub(super) struct CellScratch {
    /// The successors, by the direction in which the cell is left.
    by_direction: Vec<Edge>,
    lists: Lists,
}

/// Scratch of making and updating lists.
#[derive(Clone, Debug, Default)]
pub(super) struct ListScratch {
    pub(super) cell: CellScratch,
    /// Numbers of the cells whose lists must be made again.
    touched: Vec<u32>,
}

impl ListScratch {
    /// Forgets the last edit.
    pub(super) fn begin(&mut self) {
        self.touched.clear();
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let edges = self.cell.by_direction.capacity() + self.cell.lists.edges.capacity();
        edges * size_of::<Edge>() + self.touched.capacity() * 4
    }
}

/// Makes the lists of a jump cell: by direction (straight directions first, then diagonals, both clockwise), then by
/// distance.
pub(super) fn fill(
    cells: &mut JumpCells,
    planes: &JumpPlanes,
    closed: &RowColBits,
    number: u32,
    work: &mut CellScratch,
) {
    let CellScratch { by_direction, lists } = work;
    let at = cells.record(number).at();
    let turns = Turns::of(closed, at);
    let leaves_by = turns.all();
    lists.clear = [0; 4];
    by_direction.clear();
    let mut runs: [Range<usize>; 8] = Default::default();
    for dir in Dir8::ALL {
        if leaves_by >> dir.index() & 1 == 0 {
            continue;
        }
        let begin = by_direction.len();
        let clear = each_jump(planes, at, dir, |jump| {
            let to = cells.number(jump.to);
            debug_assert_ne!(to, NO_CELL, "a jump ended at {}, which is no jump cell", jump.to);
            by_direction.push(Edge { to: to << 2 | u32::from(jump.by), cost: jump.cost });
        });
        runs[usize::from(dir.index())] = begin..by_direction.len();
        if dir.is_diagonal() {
            // At most 8192, the longest side of a map.
            lists.clear[usize::from(dir.index() / 2)] = clear as u16;
        }
    }
    lists.edges.clear();
    for (onward, end) in turns.onward.into_iter().zip(&mut lists.ends) {
        for dir in Dir8::STRAIGHT.into_iter().chain(DIAGONALS) {
            if onward >> dir.index() & 1 != 0 {
                lists.edges.extend_from_slice(&by_direction[runs[usize::from(dir.index())].clone()]);
            }
        }
        *end = lists.edges.len() as u32;
    }
    cells.write(number, lists, turns.came_by, leaves_by);
}

/// Adds to the touched cells all jump cells with a scan that reads a cell of `area`. Uses the planes and bits from before the edit. The
/// lists of other cells do not depend on the edit.
pub(super) fn collect(
    cells: &JumpCells,
    planes: &JumpPlanes,
    closed: &RowColBits,
    area: CellRect,
    work: &mut ListScratch,
) {
    let (graph, touched) = (Before { cells, planes, closed }, &mut work.touched);
    for at in area.cells() {
        let number = cells.number(at);
        if number != NO_CELL {
            touched.push(number);
        }
        if closed.get(at) {
            continue;
        }
        for dir in DIAGONALS {
            graph.coming_along(at, dir, touched);
        }
    }
    for dir in Dir8::STRAIGHT {
        let back = dir.opposite();
        let edge = match dir {
            Dir8::N => CellRect { y0: area.y1 - 1, ..area },
            Dir8::E => CellRect { x1: area.x0 + 1, ..area },
            Dir8::S => CellRect { y1: area.y0 + 1, ..area },
            _ => CellRect { x0: area.x1 - 1, ..area },
        };
        for entry in edge.cells() {
            let mut at = entry.step(back);
            while !closed.get(at) {
                let number = cells.number(at);
                if number != NO_CELL && cells.upkeep(number).leaves_by >> dir.index() & 1 != 0 {
                    touched.push(number);
                }
                graph.coming_along(at, dir.turn(1), touched);
                graph.coming_along(at, dir.turn(-1), touched);
                // A jump from farther back ends here.
                if stops_at(closed, at, dir) {
                    break;
                }
                at = at.step(back);
            }
        }
    }
}

/// The graph as it was before an edit.
struct Before<'a> {
    cells: &'a JumpCells,
    planes: &'a JumpPlanes,
    closed: &'a RowColBits,
}

impl Before<'_> {
    /// Adds the jump cells that come to `at`, an open cell, along diagonal `dir`.
    fn coming_along(&self, at: CellPos, dir: Dir8, touched: &mut Vec<u32>) {
        let Self { cells, planes, closed } = self;
        let (back, quarter) = (dir.opposite(), usize::from(dir.index() / 2));
        let mut limit = None;
        cells.each_on_diagonal(at, back, |steps| {
            let limit = *limit.get_or_insert_with(|| clear_steps(planes, closed, at, back));
            if steps > limit {
                return false;
            }
            let from = at.offset(back.dx() * steps as i32, back.dy() * steps as i32);
            let number = cells.number(from);
            if cells.record(number).clear[quarter] > 0 {
                touched.push(number);
            }
            true
        });
    }
}

/// Updates which cells of `area` are jump cells. New ones count as touched.
pub(super) fn renew_cells(
    cells: &mut JumpCells,
    closed: &RowColBits,
    area: CellRect,
    work: &mut ListScratch,
) {
    for at in area.cells() {
        let is_node = Turns::of(closed, at).came_by != 0;
        if is_node && cells.number(at) == NO_CELL {
            let number = cells.add(at);
            work.touched.push(number);
        } else if !is_node && cells.number(at) != NO_CELL {
            cells.remove(at);
        }
    }
}

/// Makes the lists of all touched cells again, from the present `closed` and `planes`.
pub(super) fn refill(
    cells: &mut JumpCells,
    planes: &JumpPlanes,
    closed: &RowColBits,
    work: &mut ListScratch,
) {
    let ListScratch { cell, touched } = work;
    touched.sort_unstable();
    touched.dedup();
    for &number in &*touched {
        // The number of a removed cell may be unused.
        if cells.is_used(number) {
            fill(cells, planes, closed, number, cell);
        }
    }
}
