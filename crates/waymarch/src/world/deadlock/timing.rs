//! When units step: which ones still make a step, and which ones follow others around corners.

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Fixed, Tick};
use crate::world::deadlock::plan::DeadlockScratch;
use crate::world::units::columns::Units;
use crate::world::units::unit_type::UnitTypes;
use crate::world::units::zone_step::ZoneStep;

/// A unit within 0.25 cells of the middle of its cell has made its step.
const THERE: u64 = FINE_CELL as u64 / 4;
/// A unit follows another one around a corner when that one has gone at least 1/16 of a cell: it may have been off the middle before.
const LEAST_ROOM: i64 = FINE_CELL as i64 / 16;
/// √2 in 1024ths, rounded up.
const SQRT_2: i64 = 1449;
/// No unit waits for units that need more than 200 ticks for a cell.
const SLOWEST_CELL: u32 = 200;

/// When the next step of a zone is planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Beat {
    /// Whether all units have made their last step.
    pub(super) is_over: bool,
    /// The most ticks from one plan to the next.
    pub(super) longest: u32,
}

impl DeadlockScratch {
    /// Finds the collected units that still make their last step. Returns when the next step may be planned: all units have made their last step, or have had time for it.
    pub(super) fn find_late(&mut self, units: &Units, types: &UnitTypes, now: Tick) -> Beat {
        let Self { units: list, late, .. } = self;
        late.clear();
        late.extend(list.iter().map(|&index| is_under_way(units, types, index as usize, now)));
        let slowest = list.iter().map(|&index| cell_ticks(units, types, index as usize)).max().unwrap_or(0);
        Beat { is_over: late.iter().all(|&late| !late), longest: slowest + slowest / 2 }
    }

    /// Decides which of the collected units wait until the unit before them has made room. A unit follows at once if both go in the same direction. At a
    /// corner it would press the other unit against the wall. A unit waits at most a second, so that a ring of units gets on.
    pub(super) fn follow_leaders(&mut self, units: &mut Units, types: &UnitTypes, now: Tick) {
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
                let radii = [index, other].map(|unit| radius(units, types, unit as usize));
                !straight && !has_made_room(units, other as usize, leader, radii)
            });
            let late = now >= own.since + patience;
            let waits = waits && !late && own.from != own.to;
            let overdue = now >= own.since + longest_step(units, types, index as usize) && own.from != own.to;
            units.step[index as usize] = Some(ZoneStep { waits, overdue, ..own });
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
///
/// Two bodies that turn a corner one behind the other, both at the same speed, come as near to each other as 1/√2 of the way between them. So the second one sets out
/// when the first has gone √2 times the sum of their radii, less the cell between them.
fn has_made_room(units: &Units, index: usize, step: ZoneStep, radii: [i64; 2]) -> bool {
    let middle = Fine::centre(step.from).plus(units.shift(units.body.kind[index]));
    let offset = units.middle(index).minus(middle);
    let (dx, dy) = (step.to.x - step.from.x, step.to.y - step.from.y);
    let gone = i64::from(dx) * i64::from(offset.x) + i64::from(dy) * i64::from(offset.y);
    let room = (((radii[0] + radii[1]) * SQRT_2) >> 10) - i64::from(FINE_CELL);
    !step.waits && gone >= room.max(LEAST_ROOM)
}

fn radius(units: &Units, types: &UnitTypes, index: usize) -> i64 {
    types.get(units.body.kind[index]).map_or(0, |kind| kind.radius.to_fine_i64())
}

/// Whether a unit still makes the step that it was told to make.
fn is_under_way(units: &Units, types: &UnitTypes, index: usize, now: Tick) -> bool {
    let Some(step) = units.step[index].filter(|step| step.from != step.to) else { return false };
    now < step.since + longest_step(units, types, index) && !has_stepped(units, index)
}

/// The ticks that a unit has for a step: 3 times as many as it needs for a cell, and a second.
fn longest_step(units: &Units, types: &UnitTypes, index: usize) -> u32 {
    3 * cell_ticks(units, types, index) + u32::from(units.body.crowd.ticks_per_second())
}

/// The ticks that a unit needs for a cell, at most [`SLOWEST_CELL`].
fn cell_ticks(units: &Units, types: &UnitTypes, index: usize) -> u32 {
    let speed = types.get(units.body.kind[index]).map_or(1, |kind| units.speed(index, kind).raw().max(1));
    (Fixed::ONE.raw() / speed).unsigned_abs().min(SLOWEST_CELL)
}
