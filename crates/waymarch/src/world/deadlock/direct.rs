//! Makes, grows and ends deadlock zones, and has their steps planned.

use crate::base::Tick;
use crate::world::deadlock::plan::{DeadlockScratch, MOST_UNITS, Outcome};
use crate::world::deadlock::zone::Zones;
use crate::world::events::{GiveUp, RouteChange};
use crate::world::orders::parts::OrderParts;
use crate::world::units::motion::UnitMotion;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::unit::UnitId;
use crate::world::units::wait_for::{WaitFor, WaitForScratch};
use crate::world::units::zone_step::fits_zone;

/// Steps are planned at most every 2 ticks.
const LEAST_BEAT: u32 = 2;
/// Priorities change every 40 seconds, and the swap rule is used in every other epoch. So units that make the same steps again and again get out of that.
const EPOCH_SECONDS: u64 = 40;
/// A zone ends after 4 epochs in which no unit reached its goal or left.
const MOST_EPOCHS: u64 = 4;
/// A zone ends after 6 plans in a row in which every unit with a goal got nearer to it, and no other unit moved.
const CALM_PLANS: u32 = 6;
/// A zone grows by 8 cells on each side after 8 plans in a row in which no unit stepped.
const FROZEN_PLANS: u32 = 8;
/// A zone that cannot grow ends after 240 plans in a row in which no unit stepped: about 24 seconds.
const HOPELESS_PLANS: u32 = 240;
/// Every 5 seconds, a zone with a unit that other units wall in grows.
const WALLED_IN_SECONDS: u64 = 5;
/// In a zone that cannot grow, 5 seconds count 4 attempts for such a unit, or 12 if it stays in one place: then it gives up after 30 seconds.
const WALLED_IN_ATTEMPTS: u16 = 4;
/// A zone grows by 8 cells on each side.
const GROWTH: i32 = 8;
/// In a tick, distances to targets are computed for at most 524,288 cells, shared by all zones. In a zone of 128×128 cells that is 32 targets. Units with lower
/// priority get no target until priorities change.
const MOST_DISTANCES: usize = 1 << 19;

/// Why a zone ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ZoneEnd {
    /// It has more units than are planned together.
    Full,
    /// Its units get on by themselves.
    Calm,
    /// No plan helps: units that do not make way block the others.
    Hopeless,
}

/// Adds zones for the deadlocks that exist now. Call it every few ticks.
pub(crate) fn find_zones(wait_for: WaitFor<'_>, zones: &mut Zones, now: Tick, scratch: &mut WaitForScratch) {
    wait_for.find_deadlocks(scratch);
    scratch.found.iter().for_each(|&area| zones.add(area, now));
}

/// Plans the next steps in each zone, and ends zones.
pub(crate) fn direct_zones(
    parts: &mut OrderParts<'_>,
    zones: &mut Zones,
    occupancy: &Occupancy,
    scratch: &mut DeadlockScratch,
) {
    let now = parts.service.nav().now();
    let per_second = u64::from(parts.service.nav().config().get().ticks_per_second);
    let mut grown = None;
    for number in (0..zones.list.len()).rev() {
        let mut zone = zones.list[number];
        scratch.collect(parts.units, occupancy, zone.area);
        if scratch.units.len() > MOST_UNITS {
            scratch.units.iter().for_each(|&index| release(parts, occupancy, index as usize, ZoneEnd::Full));
            zones.list.remove(number);
            continue;
        }
        let beat = scratch.find_late(parts.units, parts.types, now);
        let least = if beat.is_over { LEAST_BEAT } else { beat.longest };
        if now >= zone.planned + least {
            let before = core::mem::replace(&mut zone.planned, now);
            let epoch = now.0.saturating_sub(zone.since.0) / (EPOCH_SECONDS * per_second);
            let most = MOST_DISTANCES / zones.list.len();
            let outcome = scratch.plan(parts, zone.area, epoch, most);
            if scratch.any_reached {
                zone.reached = now;
            }
            zone.calm = if outcome == Outcome::Calm { zone.calm.saturating_add(1) } else { 0 };
            zone.frozen = if outcome == Outcome::Frozen { zone.frozen.saturating_add(1) } else { 0 };
            zones.list[number] = zone;
            let grid = parts.service.nav().layer().grid().rect();
            let larger = zone.area.grow(GROWTH, GROWTH).intersect(grid);
            let grows = larger != zone.area && fits_zone(larger);
            let hopeless = zone.frozen >= HOPELESS_PLANS && !grows
                || now.0.saturating_sub(zone.reached.0) >= MOST_EPOCHS * EPOCH_SECONDS * per_second;
            if zone.calm >= CALM_PLANS || hopeless {
                let end = if hopeless { ZoneEnd::Hopeless } else { ZoneEnd::Calm };
                scratch.units.iter().for_each(|&index| release(parts, occupancy, index as usize, end));
                zones.list.remove(number);
                continue;
            }
            let often = WALLED_IN_SECONDS * per_second;
            let cut_off = scratch.any_cut_off && before.0 / often != now.0 / often;
            if grows && (cut_off || zone.frozen >= FROZEN_PLANS) {
                // The way out may lie outside.
                zones.list[number].frozen = 0;
                grown = Some(larger);
            } else if cut_off {
                scratch
                    .walled_in
                    .iter()
                    .for_each(|&index| charge_walled_in(parts, occupancy, index as usize));
            }
        }
        scratch.follow_leaders(parts.units, parts.types, now);
    }
    if let Some(area) = grown {
        zones.add(area, now);
    }
    release_outsiders(parts, occupancy, zones);
}

/// Releases units whose cell is in no zone.
fn release_outsiders(parts: &mut OrderParts<'_>, occupancy: &Occupancy, zones: &Zones) {
    for index in 0..parts.units.column_len() {
        if parts.units.step[index].is_none() {
            continue;
        }
        let at = parts.units.cell(index);
        if !zones.list.iter().any(|zone| zone.area.contains(at)) {
            release(parts, occupancy, index, ZoneEnd::Calm);
        }
    }
}

/// Ends the control of a unit. A unit under way goes on along its route, and asks for another one if it was pushed off it. A unit at rest rests here.
///
/// A unit under way that gets into one zone after the other without progress gives up in the end.
fn release(parts: &mut OrderParts<'_>, occupancy: &Occupancy, index: usize, end: ZoneEnd) {
    let Some(id) = parts.units.id_at(index) else { return };
    if parts.units.step[index].take().is_none() {
        return;
    }
    let at = parts.units.at(index);
    let weight = match end {
        ZoneEnd::Full => 0,
        ZoneEnd::Calm => 1,
        ZoneEnd::Hopeless => 8,
    };
    // The unit was pushed back and forth, which says nothing about its route.
    if !parts.units.monitor[index].start_over(at, weight) && parts.units.progress[index].phase == Phase::Going
    {
        give_up(parts, occupancy, index, id);
        return;
    }
    match parts.units.progress[index].phase {
        Phase::Going if parts.units.progress[index].escape.is_none() => {
            if !parts.service.follows_flow(parts.units.progress[index].path) {
                parts.request_again(index, RouteChange::Crowd);
            }
        }
        _ => {
            let place = parts.units.place(index);
            parts.units.body.crowd.stop(place);
        }
    }
}

/// Counts attempts of a unit that other units wall in, and lets it give up after the last.
fn charge_walled_in(parts: &mut OrderParts<'_>, occupancy: &Occupancy, index: usize) {
    let Some(id) = parts.units.id_at(index) else { return };
    let at = parts.units.at(index);
    if !parts.units.monitor[index].start_over(at, WALLED_IN_ATTEMPTS) {
        give_up(parts, occupancy, index, id);
    }
}

/// Lets a unit give up that could not be helped in a zone.
fn give_up(parts: &mut OrderParts<'_>, occupancy: &Occupancy, index: usize, id: UnitId) {
    let wait_for = WaitFor { service: parts.service, types: parts.types, units: parts.units, occupancy };
    let by = wait_for.nearest_keeper(index).and_then(|other| parts.units.id_at(other));
    parts.give_up(index, id, GiveUp::Stuck { state: UnitMotion::Yielding, by });
}
