//! Units without progress: they request another route, one rung of the ladder (`Rung`) at a time, and give up in the end.

use crate::avoid::{Avoidance, Delay};
use crate::base::{FINE_BITS, Fine, Fixed};
use crate::cost::CostLayer;
use crate::world::events::{GiveUp, RouteChange};
use crate::world::orders::execute::pull_towards_escape;
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::membership::{RouteProgress, Visibility};
use crate::world::units::no_progress::{BlockedApproach, NoProgress, Slow};
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::progress_monitor::{JitterKey, Remedy};
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitTypes;
use crate::world::units::wait_for::WaitFor;

/// A unit that is slow and comes no nearer for 120 seconds gives up, or starts again if a unit near it can make way.
const GIVE_UP_AFTER_SECONDS: u32 = 120;

/// A unit that is 0.5 cells farther from its goal than before on this route has been pushed back.
const PUSHED_BACK: u32 = 512;

/// Checks the progress of every unit under way, in the order of unit indices.
pub(crate) fn unstick_units(parts: &mut OrderParts<'_>, avoidance: &Avoidance, occupancy: &Occupancy) {
    for index in 0..parts.units.column_len() {
        let Some(id) = parts.units.id_at(index) else { continue };
        if parts.units.progress[index].phase == Phase::Going {
            parts.check_progress(index, id, avoidance.delay(parts.units.place(index)), occupancy);
        }
    }
}

impl OrderParts<'_> {
    fn check_progress(&mut self, index: usize, id: UnitId, delay: Delay, occupancy: &Occupancy) {
        let Self { service, types, units, seed, .. } = self;
        let (config, now) = (service.nav().config().get(), service.nav().now());
        let (place, at) = (units.place(index), units.at(index));
        let pace = units.body.crowd.pace(place);
        let speed = expected_speed(units, types, service.nav().layer(), index);
        let progress = &units.progress[index];
        // A unit with pace 0 grants right of way. A unit in a deadlock zone steps when it is told to. A unit before a reserved passage waits. A unit that waits for a route may stand.
        let waits = pace == Fixed::ZERO
            || units.step[index].is_some()
            || units.waits[index].is_some()
            || service.status(progress.path).is_some_and(|status| !status.is_settled())
            || service.status(progress.fresh).is_some();
        if waits {
            units.monitor[index].rest(at);
            if units.waits[index].is_some() {
                // A unit that lets others pass walks back and comes again, which is no loop.
                units.progress[index].no_progress = NoProgress::default();
            }
            return;
        }
        let is_lost =
            |route: &RouteProgress| route.visibility() == Visibility::Lost && !route.was_lost_here();
        let lost = units.membership(index).is_some_and(|membership| is_lost(&membership.route));
        if lost && now >= units.monitor[index].retry {
            if let Some(membership) = units.membership_mut(index) {
                membership.route.note_lost();
            }
            units.monitor[index].retry = now + config.repath_cooldown;
            self.request_again(index, RouteChange::Stuck);
            return;
        }
        // Half of the expected speed, rounded up. Compared as squares, which needs no root.
        let half = u64::from(speed.raw().unsigned_abs()).div_ceil(2) << (FINE_BITS - Fixed::BITS);
        let went = units.body.crowd.velocities()[place].distance_squared(Fine::ZERO);
        let walks = went >= half.saturating_mul(half);
        // In a queue, or behind settled units, one tick in four counts. For the first unit of a queue every tick counts, and usually that is enough. But
        // the first unit may head in the other direction.
        let queues = matches!(delay, Delay::Queue | Delay::Settled) && !now.is_multiple_of(4);
        let slow = if !queues && !walks { Slow::Yes } else { Slow::No };
        let left = units.body.crowd.guide_of(place).left;
        let limit = GIVE_UP_AFTER_SECONDS * config.ticks_per_second;
        let (progress, monitor) = (&mut units.progress[index], &mut units.monitor[index]);
        // A unit that others push back walks, but does not get on.
        let is_pushed_back = left > progress.approach.left.saturating_add(PUSHED_BACK);
        monitor.stalled = if walks && !is_pushed_back { 0 } else { monitor.stalled.saturating_add(1) };
        let too_long = progress.no_progress.note(left, slow) >= limit;
        monitor.notice(at, speed, delay, &progress.approach, config);
        // A unit that walks in loops is not slow, but it does not arrive.
        if walks && progress.no_progress.loops.walk(at, speed.raw().unsigned_abs(), delay) {
            monitor.still = monitor.still.max(config.stuck_threshold);
        }
        let gives_up = too_long || progress.no_progress.loops.is_enough();
        let remedy = monitor.remedy(now, delay, config);
        match if gives_up { Remedy::GiveUp } else { remedy } {
            Remedy::None => {}
            Remedy::Ask => {
                monitor.cool_down(JitterKey { seed: *seed, now, unit: id }, config);
                progress.approach = BlockedApproach::default();
                match progress.escape {
                    // Requests from closed ground are refused, so the unit is moved instead.
                    Some(out) => pull_towards_escape(units, index, out),
                    None => self.request_again(index, RouteChange::Stuck),
                }
            }
            Remedy::GiveUp => {
                let wait_for =
                    WaitFor { service: self.service, types: self.types, units: self.units, occupancy };
                // A unit near it can still make way or move on: start again.
                if wait_for.is_among_movable(index) && self.units.monitor[index].defer(at, 4) {
                    self.units.progress[index].no_progress = NoProgress::default();
                    self.request_again(index, RouteChange::Stuck);
                    return;
                }
                self.give_up(index, id, GiveUp::Stuck);
            }
        }
    }
}

/// The speed of a unit that nothing hinders: its type's speed, at its group's pace, on the ground it stands on.
fn expected_speed(units: &Units, types: &UnitTypes, layer: &CostLayer, index: usize) -> Fixed {
    let pace = units.body.crowd.pace(units.place(index));
    let kind = types.get(units.body.kind[index]);
    let ground = kind.map_or(Fixed::ONE, |kind| layer.pace(units.cell(index), kind.agent.locomotor));
    let speed = kind.map(|kind| kind.speed).unwrap_or_default();
    speed.saturating_mul(pace).saturating_mul(ground)
}
