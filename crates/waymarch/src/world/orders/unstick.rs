//! Units without progress: they request another route, one rung of the ladder (`Rung`) at a time, and give up in the end.

use alloc::vec::Vec;

use crate::avoid::Avoidance;
use crate::base::{CellRect, FINE_BITS, Fine, Fixed};
use crate::cost::CostLayer;
use crate::world::events::{GiveUp, RouteChange};
use crate::world::orders::execute::pull_towards_escape;
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::condition::Ending;
use crate::world::units::membership::{RouteProgress, Visibility};
use crate::world::units::motion::{Observed, Pause};
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::progress_monitor::{Remedy, Step};
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitTypes;
use crate::world::units::wait_for::WaitFor;

/// What the checks of progress read.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) avoidance: &'a Avoidance,
    pub(crate) occupancy: &'a Occupancy,
}

/// Notes the state of every unit, and checks the progress of units under way, in the order of unit indices. On return, `deadlocks` has the areas around units
/// that have tried all routes, with a unit at rest before them, although other units could make way: steps are to be planned together there.
pub(crate) fn unstick_units(
    parts: &mut OrderParts<'_>,
    around: Surroundings<'_>,
    deadlocks: &mut Vec<CellRect>,
) {
    deadlocks.clear();
    for index in 0..parts.units.column_len() {
        if let Some(id) = parts.units.id_at(index) {
            parts.check_progress((index, id), around, deadlocks);
        }
    }
}

impl OrderParts<'_> {
    fn check_progress(
        &mut self,
        (index, id): (usize, UnitId),
        Surroundings { avoidance, occupancy }: Surroundings<'_>,
        deadlocks: &mut Vec<CellRect>,
    ) {
        let pause = self.pause(index);
        if pause != Pause::None {
            self.note_pause(index, pause);
            return;
        }
        let Self { service, types, units, .. } = self;
        let (config, now) = (service.nav().config().get(), service.nav().now());
        let delay = avoidance.delay(units.place(index));
        let speed = expected_speed(units, types, service.nav().layer(), index);
        let is_lost =
            |route: &RouteProgress| route.visibility() == Visibility::Lost && !route.was_lost_here();
        let observed = Observed {
            pause,
            is_trapped: units.progress[index].escape.is_some(),
            leads_back: units.membership(index).is_some_and(|membership| is_lost(&membership.route)),
            walks: walks(units, index, speed),
            delay,
        };
        let step =
            Step { at: units.at(index), left: remaining(units, index), speed, walks: observed.walks, delay };
        let (leads_back, monitor) = (observed.leads_back, &mut units.monitor[index]);
        monitor.state = observed.classify();
        if leads_back && now >= monitor.retry {
            monitor.retry = now + config.repath_cooldown;
            if let Some(membership) = units.membership_mut(index) {
                membership.route.note_lost();
            }
            self.request_again(index, RouteChange::Stuck);
            return;
        }
        monitor.notice(monitor.state, &step, config);
        match monitor.remedy(step.at, now, config) {
            Remedy::None => {}
            Remedy::Ask => self.try_again(index, id),
            Remedy::Exhausted => {
                let mut monitor = *monitor;
                let wait_for = WaitFor { service, types, units, occupancy };
                // Nothing helps a unit that cannot walk.
                let leaves = units.conditions.ending(index) != Ending::None;
                let goes_on = !leaves
                    && speed > Fixed::ZERO
                    && monitor.starts_again(step.at, || wait_for.is_among_movable(index));
                let blocker = wait_for.blocker(index);
                // A blocker that is under way has a remedy of its own.
                let stays = blocker.is_none_or(|other| units.progress[other].phase != Phase::Going);
                if goes_on && stays {
                    let both = [index as u32, blocker.unwrap_or(index) as u32];
                    deadlocks.extend(wait_for.area_around(&both));
                }
                let by = blocker.and_then(|other| units.id_at(other));
                units.monitor[index] = monitor;
                match goes_on {
                    true => self.try_again(index, id),
                    false => {
                        self.give_up(index, id, GiveUp::Stuck { state: monitor.state, by });
                    }
                }
            }
        }
    }

    /// Why a unit may stand without being stuck.
    fn pause(&self, index: usize) -> Pause {
        let Self { service, units, .. } = self;
        let progress = &units.progress[index];
        let waits_for_route = || {
            service.status(progress.path).is_some_and(|status| !status.is_settled())
                || service.status(progress.fresh).is_some()
        };
        if units.step[index].is_some() {
            Pause::ZoneStep
        } else if matches!(units.conditions.ending(index), Ending::Due(_)) {
            Pause::Rest
        } else if progress.phase == Phase::Waiting && units.monitor[index].told {
            Pause::GaveUp
        } else if progress.phase != Phase::Going || units.is_paused(index) {
            Pause::Rest
        } else if units.waits[index].is_some() {
            Pause::Passage
        } else if units.grants_right_of_way(index) {
            Pause::RightOfWay
        } else if waits_for_route() {
            Pause::Route
        } else {
            Pause::None
        }
    }

    fn note_pause(&mut self, index: usize, pause: Pause) {
        let at = self.units.at(index);
        let monitor = &mut self.units.monitor[index];
        monitor.state = Observed::pausing(pause).classify();
        match pause {
            Pause::Rest | Pause::GaveUp => {}
            Pause::Passage => {
                // A unit that lets others pass walks back and comes again, which is no loop. The clock goes on afterwards, so that it does not wait again and again.
                monitor.let_pass();
            }
            _ => monitor.rest(at),
        }
    }

    /// Requests another route on the unit's rung. A unit on closed ground is moved instead: its requests are refused.
    fn try_again(&mut self, index: usize, id: UnitId) {
        let key = self.jitter(id);
        self.units.monitor[index].cool_down(key, self.service.nav().config().get());
        match self.units.progress[index].escape {
            Some(out) => pull_towards_escape(self.units, index, out),
            None => self.request_again(index, RouteChange::Stuck),
        }
    }
}

/// The remaining distance of a unit, in 1024ths of a cell. In a line before a passage it is not known: there the distance that others see is that to the passage.
fn remaining(units: &Units, index: usize) -> u32 {
    match units.lines[index] {
        Some(_) => units.monitor[index].left,
        None => units.body.crowd.guide_of(units.place(index)).left,
    }
}

/// Whether a unit moves, at half its expected speed or more.
fn walks(units: &Units, index: usize, speed: Fixed) -> bool {
    // Half of the expected speed, rounded up. Compared as squares, which needs no root.
    let half = u64::from(speed.raw().unsigned_abs()).div_ceil(2) << (FINE_BITS - Fixed::BITS);
    let went = units.body.crowd.velocities()[units.place(index)].distance_squared(Fine::ZERO);
    went > 0 && went >= half.saturating_mul(half)
}

/// The speed of a unit that nothing hinders: its own speed, at its group's pace, on the ground it stands on.
fn expected_speed(units: &Units, types: &UnitTypes, layer: &CostLayer, index: usize) -> Fixed {
    let pace = units.body.crowd.pace(units.place(index));
    let kind = types.get(units.body.kind[index]);
    let ground = kind.map_or(Fixed::ONE, |kind| layer.pace(units.cell(index), kind.agent.locomotor));
    let Some(kind) = kind else { return Fixed::ZERO };
    let there = units.speed(index, kind).saturating_mul(pace).saturating_mul(ground);
    // Haste and fast ground together give 3 times the type's speed at most.
    there.min(Fixed::from_raw(3 * kind.speed.raw()))
}
