//! The rule of legal steps: a unit never enters a closed cell, and never makes an illegal step from cell to cell.

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{CellPos, Dir8, Vec2};
use crate::cost::{CostField, StepRule};

/// The middle of a cell.
#[inline]
pub(crate) fn middle_of(at: CellPos) -> Vec2 {
    at.centre()
}

/// Where a unit that avoidance moved from `from` to `to` may be; usually `to`.
///
/// If the step from cell to cell is not legal, the unit slides along one axis, the longer one first. If neither is legal, it goes to the edge
/// of its cell. A unit on closed ground may go to any cell beside its own, so that it can get out.
#[must_use]
pub(crate) fn walk(field: &CostField, rule: StepRule, from: Fine, to: Fine) -> Fine {
    let here = from.cell();
    // A unit moves at most one cell along each axis in a tick.
    let within =
        |to: i32, from: i32| to.clamp(from.saturating_sub(FINE_CELL), from.saturating_add(FINE_CELL));
    let to = Fine::new(within(to.x, from.x), within(to.y, from.y));
    if to.cell() == here || may_go(field, rule, here, to.cell()) {
        return to;
    }
    let (along_x, along_y) = (Fine::new(to.x, from.y), Fine::new(from.x, to.y));
    let x_first = to.x.abs_diff(from.x) >= to.y.abs_diff(from.y);
    for slid in if x_first { [along_x, along_y] } else { [along_y, along_x] } {
        if slid != from && may_go(field, rule, here, slid.cell()) {
            return slid;
        }
    }
    let edge = |at: i32, cell: i32| {
        let low = i64::from(cell) * i64::from(FINE_CELL);
        // Coordinates of cells on a map fit i32 in fine units.
        i64::from(at).clamp(low, low + i64::from(FINE_CELL) - 1) as i32
    };
    Fine::new(edge(to.x, here.x), edge(to.y, here.y))
}

/// Whether a unit may go from one cell of the map to another in a tick. `to` is the same cell or a neighbour.
fn may_go(field: &CostField, rule: StepRule, from: CellPos, to: CellPos) -> bool {
    if from == to {
        return true;
    }
    if !field.grid().contains(to) {
        return false;
    }
    let dir = Dir8::from_delta(to.x - from.x, to.y - from.y);
    !field.is_passable(from) || dir.is_some_and(|dir| legal_steps(field, rule, from) >> dir.index() & 1 == 1)
}

/// The legal steps from a cell, bit = direction number.
fn legal_steps(field: &CostField, rule: StepRule, at: CellPos) -> u8 {
    let open = Dir8::ALL
        .iter()
        .filter(|&&dir| field.is_passable(at.step(dir)))
        .fold(0_usize, |bits, dir| bits | 1 << dir.index());
    rule.table()[open & 255]
}
