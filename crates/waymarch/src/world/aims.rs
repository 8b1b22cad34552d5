//! Where orders lead at present, and whether a way leads there.

use super::errand::Phase;
use super::orders::Order;
use super::repost::is_at;
use super::simulation::World;
use super::standing::near;
use super::target::{Around, Whereabouts};
use super::units::{coarse, less};
use crate::avoid::Fine;
use crate::base::{CellPos, Fixed, WorldPos};
use crate::query::{Goal, Shape};

/// A follower that stands waits until its target is this much farther away than it may be.
const SLACK: Fixed = Fixed::ONE;

/// Where an order leads at present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Into the goal that it names.
    Named,
    /// So near to where it leads now.
    Within(Fixed),
    /// Whom it follows is near enough.
    Near,
    /// Whom it follows is gone.
    Gone,
}

impl World {
    /// Where the unit's order leads it now, and the middle of that.
    pub(super) fn aim(&self, slot: usize) -> Option<(Aim, CellPos)> {
        let errand = &self.units.errand[slot];
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order))?;
        Some(match order {
            Order::Move(goal) | Order::AttackMove { goal, .. } => (Aim::Named, middle_of_goal(goal)),
            Order::Form { at, .. } => (Aim::Within(Fixed::ZERO), *at),
            Order::Scatter { .. } => (Aim::Within(Fixed::ZERO), errand.home),
            Order::FollowGroup { units, distance } => {
                let Some(other) = self.lead_of(units) else { return Some((Aim::Gone, errand.target)) };
                self.aim_at(slot, self.units.middle(other), self.units.cell(other), *distance, *distance)
            }
            Order::Guard { target, leash } => {
                let Some(there) = self.whereabouts(target) else { return Some((Aim::Gone, errand.target)) };
                let reach = |part: Fixed| part.saturating_add(there.radius).max(Fixed::ONE);
                let (most, near) = (reach(*leash), reach(Fixed::from_raw(leash.raw() / 2)));
                self.aim_at(slot, there.middle, there.middle.cell(), near, most)
            }
            Order::Around { target, how } => {
                let Some(there) = self.whereabouts(target) else { return Some((Aim::Gone, errand.target)) };
                self.aim_around(slot, &there, how)
            }
            Order::Patrol(stops) => {
                let stop = stops.get(usize::from(errand.leg)).copied().unwrap_or(errand.home);
                (Aim::Within(Fixed::ZERO), stop)
            }
            Order::Follow { target, distance } => {
                let Some(other) = self.units.slot(*target) else { return Some((Aim::Gone, errand.target)) };
                self.aim_at(slot, self.units.middle(other), self.units.cell(other), *distance, *distance)
            }
            Order::Stop | Order::Hold => return None,
        })
    }

    /// To come within `near` of something at a point, and to go on standing while it is no further away than `most` and a little.
    pub(super) fn aim_at(
        &self,
        slot: usize,
        middle: Fine,
        at: CellPos,
        near: Fixed,
        most: Fixed,
    ) -> (Aim, CellPos) {
        let moving = matches!(self.units.errand[slot].phase, Phase::Going | Phase::Asking);
        let far = if moving { near } else { most.saturating_add(SLACK) };
        let apart = coarse(self.units.middle(slot)).distance(coarse(middle));
        (if apart <= far { Aim::Near } else { Aim::Within(near) }, at)
    }

    /// To its slot around something; without one, as near as slots would be.
    pub(super) fn aim_around(&self, slot: usize, there: &Whereabouts, how: &Around) -> (Aim, CellPos) {
        let Some(post) = &self.units.post[slot] else {
            return (Aim::Within(near(there, how)), there.middle.cell());
        };
        let at = less(post.slot, self.units.shift(self.units.kind[slot])).cell();
        let quarters = if matches!(how, Around::Dock { .. }) { 1 } else { 4 };
        let waits = self.units.errand[slot].phase == Phase::Waiting;
        let stays = waits && is_at(self.units.middle(slot), post.slot, quarters);
        (if stays { Aim::Near } else { Aim::Within(Fixed::ZERO) }, at)
    }

    /// The goal to ask for; `None` if there is nothing to ask for.
    pub(super) fn goal(&self, slot: usize, aim: Aim, target: CellPos) -> Option<Goal> {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order))?;
        if let (Some(post), Aim::Named | Aim::Within(Fixed::ZERO)) = (&self.units.post[slot], aim) {
            let shift = self.units.shift(self.units.kind[slot]);
            return Some(Goal::point(less(post.slot, shift).cell()));
        }
        match (aim, order) {
            (Aim::Named, Order::Move(goal) | Order::AttackMove { goal, .. }) => Some(goal.clone()),
            (Aim::Within(distance), _) if distance == Fixed::ZERO => Some(Goal::point(target)),
            (Aim::Within(distance), _) => Some(Goal::circle(target, distance)),
            _ => None,
        }
    }

    /// Whether a unit's way ends where its order wants it: it may have asked for less.
    pub(super) fn ends_inside(&self, slot: usize) -> bool {
        let errand = &self.units.errand[slot];
        let Some(end) = self.service.end(errand.path).map(WorldPos::cell) else { return false };
        match self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order)) {
            Some(Order::Move(goal) | Order::AttackMove { goal, .. }) => goal.contains(end),
            Some(Order::Follow { distance, .. } | Order::FollowGroup { distance, .. })
                if *distance > Fixed::ZERO =>
            {
                true
            }
            Some(Order::Guard { .. } | Order::Around { .. }) => true,
            Some(
                Order::Follow { .. }
                | Order::FollowGroup { .. }
                | Order::Patrol(_)
                | Order::Form { .. }
                | Order::Scatter { .. },
            ) => end == errand.target,
            Some(Order::Stop | Order::Hold) | None => false,
        }
    }

    /// Whether only a way to the very cell would do, and none leads there.
    pub(super) fn is_cut_off(&self, slot: usize, target: CellPos) -> bool {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let exact = match order {
            Some(Order::Follow { distance, .. } | Order::FollowGroup { distance, .. }) => {
                *distance < Fixed::ONE
            }
            Some(Order::Patrol(_)) => true,
            _ => false,
        };
        exact && !self.can_reach(slot, target)
    }

    /// Whether a unit would surely be given a way if it asked for one: a look at tables.
    pub(super) fn would_be_led(&self, slot: usize) -> bool {
        let target = self.units.errand[slot].target;
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let inside = match order {
            Some(Order::Move(goal) | Order::AttackMove { goal, .. }) => goal.contains(target),
            Some(Order::Stop | Order::Hold) | None => false,
            Some(_) => true,
        };
        inside && self.can_reach(slot, target)
    }

    fn can_reach(&self, slot: usize, target: CellPos) -> bool {
        let (nav, here) = (self.service.nav(), self.units.cell(slot));
        let leads = |agent| nav.reachable(here, target, agent) && nav.layer().can_stop(target, agent);
        self.types.get(self.units.kind[slot]).is_some_and(|kind| leads(kind.agent))
    }
}

/// A cell that stands for a goal.
pub(super) fn middle_of_goal(goal: &Goal) -> CellPos {
    match goal.shapes().first() {
        Some(Shape::Point(at)) => *at,
        Some(Shape::Circle { centre, .. } | Shape::Ring { centre, .. }) => *centre,
        Some(Shape::Rect(rect)) => {
            let half = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
            rect.nearest(CellPos::new(half(rect.x0, rect.x1), half(rect.y0, rect.y1)))
        }
        None => CellPos::default(),
    }
}
