//! One tick's movement of one unit over the ground: never into a closed cell, never by an illegal step.

use crate::base::{CellPos, Dir8, Fixed, Vec2};
use crate::cost::{CostField, StepRule};

/// The cell a point lies in.
#[inline]
pub(super) fn cell_of(at: Vec2) -> CellPos {
    CellPos::new(at.x.floor_cells(), at.y.floor_cells())
}

/// The middle of a cell.
#[inline]
pub(super) fn middle_of(at: CellPos) -> Vec2 {
    Vec2::from(at.centre())
}

/// Where a unit at `from` is after it tried to go `by`, at most a cell on each axis.
///
/// From cell to cell only legal steps are taken. If the way is closed, the unit slides along what is in its way: as far as one axis allows,
/// the longer one first, otherwise up to the edge of its cell. A unit on closed ground, which was closed under it, may go
/// anywhere on the map: it has to get out.
#[must_use]
pub(super) fn walk(field: &CostField, rule: StepRule, from: Vec2, by: Vec2) -> Vec2 {
    let within = |part: Fixed| Fixed::from_raw(part.raw().clamp(-Fixed::ONE.raw(), Fixed::ONE.raw()));
    let by = Vec2::new(within(by.x), within(by.y));
    let here = cell_of(from);
    if !field.grid().contains(here) {
        return from;
    }
    let to = from + by;
    if may_go(field, rule, here, cell_of(to)) {
        return to;
    }
    let (along_x, along_y) = (Vec2::new(to.x, from.y), Vec2::new(from.x, to.y));
    let order = if by.x.abs() >= by.y.abs() { [along_x, along_y] } else { [along_y, along_x] };
    for slid in order {
        if slid != from && may_go(field, rule, here, cell_of(slid)) {
            return slid;
        }
    }
    let edge = |at: Fixed, cell: i32| {
        let low = Fixed::from_cells(cell);
        Fixed::from_raw(at.raw().clamp(low.raw(), low.raw() + Fixed::ONE.raw() - 1))
    };
    Vec2::new(edge(to.x, here.x), edge(to.y, here.y))
}

/// Whether a unit may go from one cell of the map to the same or one beside it.
fn may_go(field: &CostField, rule: StepRule, from: CellPos, to: CellPos) -> bool {
    let Some(dir) = Dir8::from_delta(to.x - from.x, to.y - from.y) else { return true };
    if !field.grid().contains(to) {
        return false;
    }
    !field.is_passable(from) || legal_steps(field, rule, from) >> dir.index() & 1 == 1
}

/// The legal steps from a cell, bit = direction number.
fn legal_steps(field: &CostField, rule: StepRule, at: CellPos) -> u8 {
    let open = Dir8::ALL
        .iter()
        .filter(|&&dir| field.is_passable(at.step(dir)))
        .fold(0_usize, |bits, dir| bits | 1 << dir.index());
    rule.table()[open & 255]
}
