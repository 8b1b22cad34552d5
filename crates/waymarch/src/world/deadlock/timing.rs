//! When units step: which ones still make a step, and which ones follow others around corners.

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{CellPos, Fixed, Tick};
use crate::world::deadlock::plan::DeadlockScratch;
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::zone_step::ZoneStep;

/// A unit within 0.25 cells of the middle of its cell has made its step.
const THERE: u64 = FINE_CELL as u64 / 4;
/// Units 1 cell in diameter keep clear of each other at a corner if the second one sets out when the first has gone (√2 - 1) cells, here 27/64.
const ROOM_AT_CORNER: u64 = FINE_CELL as u64 * 27 / 64;
/// No unit waits for units that need more than 200 ticks for a cell.
const SLOWEST_CELL: u32 = 200;
/// A unit that has waited for units near it for 2 seconds keeps them from their next step.
const PATIENCE_SECONDS: u16 = 2;
/// A unit at most 2 cells from a unit under way, in both directions, waits for it: the step of one may change the step of the other.
const NEAR_STEP: i32 = 2;

impl DeadlockScratch {
    /// Finds the collected units that still make their last step, and the units near them: these wait, because their steps may depend on it. Units near one that
    /// has waited for long do not set out either, so that its turn comes.
    pub(super) fn find_late(&mut self, parts: &OrderParts<'_>, now: Tick) {
        let Self { units: list, under_way, impatient, late, .. } = self;
        let cell = |index: u32| parts.units.cell(index as usize);
        under_way.clear();
        under_way.extend(
            list.iter().filter(|&&index| is_under_way(parts, index as usize, now)).map(|&index| cell(index)),
        );
        under_way.sort_unstable_by_key(|at| (at.y, at.x));
        late.clear();
        late.extend(list.iter().map(|&index| is_near(under_way, cell(index))));
        let patience = PATIENCE_SECONDS * parts.units.body.crowd.ticks_per_second();
        let has_waited = |index: u32| {
            let since = parts.units.step[index as usize].map(|step| step.since);
            since.is_some_and(|since| now >= since + u32::from(patience))
        };
        impatient.clear();
        impatient.extend(
            list.iter()
                .zip(&*late)
                .filter(|&(&index, &late)| late && has_waited(index))
                .map(|(&index, _)| cell(index)),
        );
        impatient.sort_unstable_by_key(|at| (at.y, at.x));
        for (late, &index) in late.iter_mut().zip(list.iter()) {
            *late |= is_near(impatient, cell(index));
        }
    }

    /// Decides which of the collected units wait until the unit before them has made room. A unit follows at once if both go in the same direction. At a
    /// corner it would press the other unit against the wall. A unit waits at most a second, so that a ring of units gets on.
    pub(super) fn follow_leaders(&mut self, units: &mut Units, now: Tick) {
        let Self { units: list, origins, .. } = self;
        origins.clear();
        let step = |index: u32| units.step[index as usize];
        origins.extend(list.iter().filter_map(|&index| Some((step(index)?.from, index))));
        origins.sort_unstable();
        let patience = u32::from(units.body.crowd.ticks_per_second());
        for &index in list.iter() {
            let Some(own) = units.step[index as usize] else { continue };
            let first = origins.partition_point(|&(from, _)| from < own.to);
            let here = origins[first..].iter().take_while(|&&(from, _)| from == own.to);
            let waits = here.clone().any(|&(_, other)| {
                let Some(leader) = units.step[other as usize].filter(|_| other != index) else {
                    return false;
                };
                let straight = leader.to.x - leader.from.x == own.to.x - own.from.x
                    && leader.to.y - leader.from.y == own.to.y - own.from.y;
                !straight && !has_made_room(units, other as usize, leader.from)
            });
            let late = now >= own.since + patience;
            units.step[index as usize] =
                Some(ZoneStep { waits: waits && !late && own.from != own.to, ..own });
        }
    }
}

/// Whether a unit has reached the cell that it was told to step to.
fn has_stepped(units: &Units, index: usize) -> bool {
    let Some(step) = units.step[index] else { return true };
    let to = Fine::centre(step.to).plus(units.shift(units.body.kind[index]));
    units.middle(index).distance_squared(to) < THERE * THERE
}

/// Whether a unit has gone so far from the middle of its cell that another one can follow it around a corner.
fn has_made_room(units: &Units, index: usize, from: CellPos) -> bool {
    let middle = Fine::centre(from).plus(units.shift(units.body.kind[index]));
    units.middle(index).distance_squared(middle) >= ROOM_AT_CORNER * ROOM_AT_CORNER
}

/// Whether a unit still makes the step that it was told to make. It has 3 times as long as it needs for a cell, and a second.
fn is_under_way(parts: &OrderParts<'_>, index: usize, now: Tick) -> bool {
    let Some(step) = parts.units.step[index] else { return false };
    let speed = parts.type_of(index).map_or(1, |kind| kind.speed.raw().max(1));
    let cell_ticks = (Fixed::ONE.raw() / speed).unsigned_abs().min(SLOWEST_CELL);
    let longest = 3 * cell_ticks + u32::from(parts.units.body.crowd.ticks_per_second());
    now < step.since + longest && !has_stepped(parts.units, index)
}

/// Whether one of the cells, which are sorted row by row, is at most [`NEAR_STEP`] from a cell.
fn is_near(cells: &[CellPos], at: CellPos) -> bool {
    (-NEAR_STEP..=NEAR_STEP).any(|dy| {
        let first = cells.partition_point(|other| (other.y, other.x) < (at.y + dy, at.x - NEAR_STEP));
        cells.get(first).is_some_and(|other| other.y == at.y + dy && other.x <= at.x + NEAR_STEP)
    })
}
