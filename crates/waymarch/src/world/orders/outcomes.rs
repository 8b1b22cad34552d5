//! How orders end: the unit arrives, its request is refused, it gives up, or another order replaces its orders.

use crate::avoid::Stance;
use crate::base::Fixed;
use crate::service::{PathId, PathReason, PathStatus};
use crate::world::events::{EventKind, GiveUp};
use crate::world::groups::leaving::Lost;
use crate::world::orders::execute::Turn;
use crate::world::orders::order::Order;
use crate::world::orders::parts::OrderParts;
use crate::world::orders::target::Around;
use crate::world::units::condition::{Ending, Outcome};
use crate::world::units::membership::Branch;
use crate::world::units::order_progress::{OrderProgress, Phase};
use crate::world::units::progress_monitor::{JitterKey, Rung};
use crate::world::units::unit::UnitId;

impl OrderParts<'_> {
    /// Handles a refused request. The unit sends one event, then goes as near as possible, then gives up.
    pub(crate) fn handle_refusal(&mut self, index: usize, id: UnitId, reason: PathReason) -> Turn {
        if let Ending::Leaves(outcome, _) = self.units.conditions.ending(index) {
            return self.end_order(index, id, outcome);
        }
        if let Some(turn) = self.rejoin_main_route(index) {
            return turn;
        }
        if let Some(membership) = self.units.membership(index) {
            self.units.set_membership(index, None);
            self.groups.drop_slot(membership.group, index);
            // The unit's slot cannot be reached; the goal of the order may be reachable.
            self.units.progress[index].phase = Phase::Asking;
            return Turn::Again;
        }
        let told = self.units.progress[index].short.is_some();
        if !told {
            self.events.add(id, EventKind::Blocked(reason));
            self.units.progress[index].short = Some(reason);
        }
        let escalates = self.service.nav().config().get().repath_escalation;
        let nearer = matches!(reason.status(), PathStatus::Unreachable(_)) && escalates;
        let endless = self.order_of(index).is_some_and(Order::is_endless);
        let stuck = &mut self.units.monitor[index];
        // A follower that has already sent its events and waited stands as near as possible.
        let again = told && stuck.told && endless;
        if nearer && !again && stuck.rung != Rung::Nearest {
            stuck.rung = Rung::Nearest;
            self.units.progress[index].phase = Phase::Asking;
            return Turn::Again;
        }
        self.give_up(index, id, GiveUp::NoRoute(self.units.progress[index].short.unwrap_or(reason)))
    }

    /// Sends a unit that no detour leads around back to the main route. `None` if the unit avoids nothing.
    pub(crate) fn rejoin_main_route(&mut self, index: usize) -> Option<Turn> {
        if self.groups.avoided_by(self.units.membership(index)).is_empty() {
            return None;
        }
        let membership = self.units.membership_mut(index)?;
        let group = self.groups.list.get(membership.group)?;
        membership.route.switch_to(Branch::Main, group.rejoin_gate());
        self.units.monitor[index].remeasure();
        self.units.progress[index].phase = Phase::Asking;
        Some(Turn::Again)
    }

    /// Handles a unit at the end of its route.
    pub(crate) fn arrive(&mut self, index: usize, id: UnitId) {
        if self.units.progress[index].short.is_some() && self.view().waits_for_fresh(index) {
            return; // A route that reaches the goal may still be found.
        }
        let status = self.service.status(self.units.progress[index].path);
        let is_open = status.is_some_and(|status| !status.is_settled());
        if is_open && self.units.membership(index).is_none() && !self.view().ends_inside(index) {
            return; // The unit is at the end of an interim route, and waits for its route.
        }
        if let Ending::Leaves(outcome, _) = self.units.conditions.ending(index) {
            self.end_order(index, id, outcome);
            return;
        }
        let order = self.order_of(index);
        match (order, self.view().shortfall(index)) {
            (Some(Order::Around { how: Around::Dock { .. }, .. }), None) => self.dock(index, id),
            (Some(order), None) if order.is_endless() => {
                if matches!(order, Order::Around { .. }) {
                    self.events.add(id, EventKind::InPlace);
                }
                self.stand_by(index);
            }
            (_, Some(reason)) => {
                self.give_up(index, id, GiveUp::Nearest(reason));
            }
            (Some(Order::Patrol(stops)), None) => {
                let (leg, last) = (self.units.progress[index].leg, last_leg(stops.len()));
                self.events.add(id, EventKind::ReachedStop(leg));
                self.drop_routes(index);
                self.units.set_membership(index, None);
                let progress = &mut self.units.progress[index];
                (progress.leg, progress.phase) = (if leg >= last { 0 } else { leg + 1 }, Phase::Asking);
                self.units.reset_monitor(index);
            }
            (_, None) => {
                self.end_order(index, id, Outcome::Arrived);
            }
        }
    }

    /// Gives up an order. An order that can end is over. A patrol or endless order waits for the next attempt, each time twice as long.
    pub(crate) fn give_up(&mut self, index: usize, id: UnitId, why: GiveUp) -> Turn {
        if let Ending::Leaves(outcome, _) = self.units.conditions.ending(index) {
            return self.end_order(index, id, outcome);
        }
        let order = self.order_of(index);
        let stops = match order {
            Some(Order::Patrol(stops)) => Some(stops.len()),
            Some(order) if order.is_endless() && why != GiveUp::TargetGone => None,
            _ => return self.end_order(index, id, Outcome::GaveUp(why)),
        };
        let key = self.jitter(id);
        let (progress, stuck) = (&mut self.units.progress[index], &mut self.units.monitor[index]);
        // A stuck unit sends the event each time; other reasons are sent once until the unit makes progress.
        if !stuck.told || matches!(why, GiveUp::Stuck { .. }) {
            stuck.told = true;
            self.events.add(id, EventKind::GaveUp(why));
        }
        if let Some(stops) = stops {
            progress.leg = if progress.leg >= last_leg(stops) { 0 } else { progress.leg + 1 };
            progress.short = None;
        }
        progress.phase = Phase::Waiting;
        stuck.back_off(key, self.service.nav().config().get());
        stuck.remeasure();
        (stuck.rung, stuck.clock) = (Rung::Ground, 0);
        self.stop(index);
        Turn::Done
    }

    /// Lets a unit wait where it is: it is near enough to its target. A unit that follows or guards says so when it comes to stand.
    pub(crate) fn stand_by(&mut self, index: usize) -> Turn {
        let comes_near = self.units.progress[index].phase != Phase::Waiting;
        let keeps_near = matches!(
            self.order_of(index),
            Some(Order::Follow { .. } | Order::FollowGroup { .. } | Order::Guard { .. })
        );
        if let Some(id) = self.units.id_at(index).filter(|_| comes_near && keeps_near) {
            self.events.add(id, EventKind::InPlace);
        }
        let progress = &mut self.units.progress[index];
        // Past failures do not count any more.
        (progress.phase, progress.short) = (Phase::Waiting, None);
        self.units.reset_monitor(index);
        self.stop(index);
        Turn::Done
    }

    /// Ends an order that cannot be carried out at all, without an event. This is a safeguard: [`OrderBook`](super::order_book::OrderBook) holds no such
    /// order.
    pub(crate) fn drop_order(&mut self, index: usize) -> Turn {
        self.finish(index);
        Turn::Again
    }

    /// Ends the present order.
    pub(crate) fn finish(&mut self, index: usize) {
        self.stop(index);
        if let Some(order) = self.units.body.queue[index].0.pop_front() {
            self.orders.release(order);
        }
        self.units.progress[index] = OrderProgress::default();
        self.units.conditions.set_ending(index, Ending::None);
        let place = self.units.place(index);
        if self.units.body.crowd.pace(place) != Fixed::ONE {
            self.units.body.crowd.set_pace(place, Fixed::ONE);
        }
        self.units.reset_monitor(index);
    }

    /// Handles a unit in its slot at a dock. In the first slot it has arrived; in any other slot it waits in the queue.
    fn dock(&mut self, index: usize, id: UnitId) {
        let membership = self.units.membership(index);
        let group = membership.and_then(|membership| self.groups.list.get_mut(membership.group));
        if let (Some(membership), Some(group)) = (membership, group) {
            if membership.slot != group.first {
                self.events.add(id, EventKind::InPlace);
                self.stand_by(index);
                return;
            }
            group.berth = id;
        }
        self.events.add(id, EventKind::Arrived);
        self.finish(index);
    }

    /// Ends all orders of a unit.
    pub(crate) fn clear_orders(&mut self, index: usize) {
        self.groups.note_leaving(self.units, index, Lost::Order);
        while !self.units.body.queue[index].0.is_empty() {
            self.finish(index);
        }
        self.stop(index);
    }

    /// Stops a unit and drops its routes.
    pub(crate) fn stop(&mut self, index: usize) {
        self.drop_routes(index);
        // A unit that avoidance has brought to rest keeps its home position.
        if !matches!(self.units.stance(index), Stance::Idle | Stance::Returning) {
            self.units.body.crowd.stop(self.units.place(index));
        }
    }

    /// Cancels the routes of a unit.
    pub(crate) fn drop_routes(&mut self, index: usize) {
        let progress = &mut self.units.progress[index];
        self.service.cancel(progress.path);
        self.service.cancel(progress.fresh);
        (progress.path, progress.fresh, progress.escape) = (PathId::DEAD, PathId::DEAD, None);
        self.units.rejoin(index);
    }

    /// The key of the random number that spreads the attempts of units over ticks.
    pub(crate) fn jitter(&self, unit: UnitId) -> JitterKey {
        JitterKey { seed: self.seed, now: self.service.nav().now(), unit }
    }
}

/// The number of the last leg of a patrol. A patrol with one stop has two legs: the stop, and where the patrol began.
fn last_leg(stops: usize) -> u16 {
    stops.saturating_sub(1).max(1) as u16
}
