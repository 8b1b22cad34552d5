//! How orders end: by arriving, by being refused, by giving up, or because there are others.

use super::carry_out::Turn;
use super::errand::{Errand, Phase, Vain};
use super::events::{EventKind, GiveUp};
use super::orders::Order;
use super::service::{PathId, PathReason, PathStatus};
use super::simulation::World;
use super::stuck::{JitterKey, Rung};
use super::target::Around;
use super::units::UnitId;
use crate::avoid::Stance;
use crate::base::Fixed;

impl World {
    /// There is no way: says so once, then goes as near as can be, then gives up.
    pub(super) fn refused(&mut self, slot: usize, id: UnitId, reason: PathReason) -> Turn {
        if let Some(turn) = self.recall(slot) {
            return turn;
        }
        if let Some(post) = self.units.post[slot].take() {
            if let Some(group) = self.groups.list.get_mut(post.group) {
                group.posts.retain(|(unit, _)| *unit as usize != slot);
            }
            // Its place in the group has become no place; the group's goal may be one yet.
            self.units.errand[slot].phase = Phase::Asking;
            return Turn::Again;
        }
        let told = self.units.errand[slot].short.is_some();
        if !told {
            self.events.add(id, EventKind::Blocked(reason));
            self.units.errand[slot].short = Some(reason);
        }
        let escalates = self.service.nav().config().get().repath_escalation;
        let nearer = matches!(reason.status(), PathStatus::Unreachable(_)) && escalates;
        let stuck = &mut self.units.stuck[slot];
        // A follower that was told and has waited stands as near as can be already.
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let again = told && stuck.told && order.is_some_and(Order::is_endless);
        if nearer && !again && stuck.rung != Rung::Nearest {
            stuck.rung = Rung::Nearest;
            self.units.errand[slot].phase = Phase::Asking;
            return Turn::Again;
        }
        self.give_up(slot, id, GiveUp::NoWay(self.units.errand[slot].short.unwrap_or(reason)))
    }

    /// The unit is where its way ends.
    pub(super) fn arrive(&mut self, slot: usize, id: UnitId) {
        if self.units.errand[slot].short.is_some() && self.waits_for_fresh(slot) {
            return; // A better way may be found yet.
        }
        let status = self.service.status(self.units.errand[slot].path);
        let is_open = status.is_some_and(|status| !status.is_settled());
        if is_open && self.units.post[slot].is_none() && !self.ends_inside(slot) {
            return; // It is where it was to wait for its way.
        }
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        match (order, self.falls_short(slot)) {
            (Some(Order::Around { how: Around::Dock { .. }, .. }), None) => self.dock(slot, id),
            (Some(order), None) if order.is_endless() => {
                if matches!(order, Order::Around { .. }) {
                    self.events.add(id, EventKind::InPlace);
                }
                self.stand_by(slot);
            }
            (_, Some(reason)) => {
                self.give_up(slot, id, GiveUp::Nearest(reason));
            }
            (Some(Order::Patrol(stops)), None) => {
                let (leg, last) = (self.units.errand[slot].leg, last_leg(stops.len()));
                self.events.add(id, EventKind::ReachedStop(leg));
                self.drop_routes(slot);
                self.units.post[slot] = None;
                let errand = &mut self.units.errand[slot];
                (errand.leg, errand.phase) = (if leg >= last { 0 } else { leg + 1 }, Phase::Asking);
                errand.vain = Vain::default();
                self.reset_stuck(slot);
            }
            (_, None) => {
                self.events.add(id, EventKind::Arrived);
                self.finish(slot);
            }
        }
    }

    /// An order that ends is over; one that does not waits, each time longer.
    pub(super) fn give_up(&mut self, slot: usize, id: UnitId, why: GiveUp) -> Turn {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let stops = match order {
            Some(Order::Patrol(stops)) => Some(stops.len()),
            Some(order) if order.is_endless() && why != GiveUp::TargetGone => None,
            _ => {
                self.leaves_group(slot, Lost::Order);
                self.events.add(id, EventKind::GaveUp(why));
                self.finish(slot);
                return Turn::Again;
            }
        };
        let key = self.jitter(id);
        let (errand, stuck) = (&mut self.units.errand[slot], &mut self.units.stuck[slot]);
        // Attempts to get past others are no telling.
        if !stuck.told || why == GiveUp::Stuck {
            stuck.told = true;
            self.events.add(id, EventKind::GaveUp(why));
        }
        if let Some(stops) = stops {
            errand.leg = if errand.leg >= last_leg(stops) { 0 } else { errand.leg + 1 };
            errand.short = None;
        }
        (errand.phase, errand.vain) = (Phase::Waiting, Vain::default());
        stuck.back_off(key, self.service.nav().config().get());
        (stuck.rung, stuck.still) = (Rung::Ground, 0);
        self.stop(slot);
        Turn::Done
    }

    /// Near enough to whom it follows.
    pub(super) fn stand_by(&mut self, slot: usize) -> Turn {
        let errand = &mut self.units.errand[slot];
        // Whatever it took to get here is done with.
        (errand.phase, errand.short, errand.vain) = (Phase::Waiting, None, Vain::default());
        self.reset_stuck(slot);
        self.stop(slot);
        Turn::Done
    }

    /// An order that cannot be carried out at all; none is written down.
    pub(super) fn drop_order(&mut self, slot: usize) -> Turn {
        self.finish(slot);
        Turn::Again
    }

    /// The present order is over.
    pub(super) fn finish(&mut self, slot: usize) {
        self.stop(slot);
        if let Some(order) = self.units.queue[slot].0.pop_front() {
            self.orders.let_go(order);
        }
        self.units.errand[slot] = Errand::default();
        let place = self.units.place(slot);
        if self.units.crowd.pace(place) != Fixed::ONE {
            self.units.crowd.set_pace(place, Fixed::ONE);
        }
        self.reset_stuck(slot);
    }

    /// A unit has come to its place at a dock: it has arrived if that is the one that counts, and waits in the line otherwise.
    fn dock(&mut self, slot: usize, id: UnitId) {
        let post = self.units.post[slot];
        let group = post.and_then(|post| self.groups.list.get_mut(post.group));
        if let (Some(post), Some(group)) = (post, group) {
            if post.slot != group.first {
                self.events.add(id, EventKind::InPlace);
                self.stand_by(slot);
                return;
            }
            group.berth = id;
        }
        self.events.add(id, EventKind::Arrived);
        self.finish(slot);
    }

    /// All orders are over.
    pub(super) fn clear_orders(&mut self, slot: usize) {
        self.leaves_group(slot, Lost::Order);
        while !self.units.queue[slot].0.is_empty() {
            self.finish(slot);
        }
        self.stop(slot);
    }

    /// Comes to a stop, without a route.
    pub(super) fn stop(&mut self, slot: usize) {
        self.drop_routes(slot);
        // Who has come to rest at its goal by itself knows better where it belongs.
        if !matches!(self.units.stance(slot), Stance::Idle | Stance::Returning) {
            self.units.crowd.stop(self.units.place(slot));
        }
    }

    pub(super) fn drop_routes(&mut self, slot: usize) {
        let errand = &mut self.units.errand[slot];
        self.service.cancel(errand.path);
        self.service.cancel(errand.fresh);
        (errand.path, errand.fresh, errand.escape) = (PathId::DEAD, PathId::DEAD, None);
        errand.rejoin();
    }

    /// All is well with a unit, from here on.
    pub(super) fn reset_stuck(&mut self, slot: usize) {
        let at = self.units.at(slot);
        self.units.stuck[slot].reset(at);
    }

    pub(super) fn jitter(&self, unit: UnitId) -> JitterKey {
        JitterKey { seed: self.seed, now: self.service.nav().now(), unit }
    }
}

/// What a group loses a unit's part in it by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// The unit has another order, or none.
    Order,
    /// The unit is gone.
    Unit,
}

/// A patrol with one stop goes between that and where it began.
fn last_leg(stops: usize) -> u16 {
    stops.saturating_sub(1).max(1) as u16
}
