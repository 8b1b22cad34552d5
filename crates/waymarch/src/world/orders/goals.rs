//! The present goal of an order, and whether a route leads to it.

use crate::avoid::Fine;
use crate::base::{CellPos, FINE_CELL, Fixed, Vec2};
use crate::query::{Goal, Shape};
use crate::world::orders::order::Order;
use crate::world::orders::parts::OrderView;
use crate::world::orders::target::{Around, Whereabouts, near};
use crate::world::units::condition::Ending;
use crate::world::units::order_progress::Phase;

/// A follower that stands sets out again when its target is 1 cell farther away than the ordered distance.
const SLACK: Fixed = Fixed::ONE;

/// The kind of goal that an order has at present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The goal that the order names.
    Named,
    /// A circle of this radius around the target.
    Within(Fixed),
    /// The unit is near enough to the target.
    Near,
    /// The target does not exist any more.
    Gone,
}

impl OrderView<'_> {
    /// The present goal of a unit's order, and its middle cell.
    pub(crate) fn aim(&self, index: usize) -> Option<(Aim, CellPos)> {
        let progress = &self.units.progress[index];
        let order = self.order_of(index)?;
        if let Ending::Leaves(_, to) = self.units.conditions.ending(index) {
            return Some((Aim::Within(Fixed::ZERO), to));
        }
        Some(match order {
            Order::Move(goal) | Order::AttackMove { goal, .. } => (Aim::Named, middle_of_goal(goal)),
            Order::Form { at, .. } => (Aim::Within(Fixed::ZERO), *at),
            Order::Scatter { .. } => (Aim::Within(Fixed::ZERO), progress.home),
            Order::FollowGroup { units, distance } => {
                let Some(other) = self.lead_of(units) else { return Some((Aim::Gone, progress.target)) };
                self.aim_at(index, self.units.middle(other), self.units.cell(other), *distance, *distance)
            }
            Order::Guard { target, leash } => {
                let Some(there) = self.whereabouts(target) else { return Some((Aim::Gone, progress.target)) };
                let reach = |part: Fixed| part.saturating_add(there.radius).max(Fixed::ONE);
                let (most, near) = (reach(*leash), reach(Fixed::from_raw(leash.raw() / 2)));
                self.aim_at(index, there.middle, there.middle.cell(), near, most)
            }
            Order::Around { target, how } => {
                let Some(there) = self.whereabouts(target) else { return Some((Aim::Gone, progress.target)) };
                self.aim_around(index, &there, how)
            }
            Order::Patrol(stops) => {
                let stop = stops.get(usize::from(progress.leg)).copied().unwrap_or(progress.home);
                (Aim::Within(Fixed::ZERO), stop)
            }
            Order::Follow { target, distance } => {
                let Some(other) = self.units.index_of(*target) else {
                    return Some((Aim::Gone, progress.target));
                };
                self.aim_at(index, self.units.middle(other), self.units.cell(other), *distance, *distance)
            }
            Order::Stop | Order::Hold => return None,
        })
    }

    /// The goal of coming within `near` of a target. A unit that stands stays while the target is within `most` plus [`SLACK`].
    pub(crate) fn aim_at(
        &self,
        index: usize,
        middle: Fine,
        at: CellPos,
        near: Fixed,
        most: Fixed,
    ) -> (Aim, CellPos) {
        let moving = matches!(self.units.progress[index].phase, Phase::Going | Phase::Asking);
        let far = if moving { near } else { most.saturating_add(SLACK) };
        let apart = self.units.middle(index).floor().distance(middle.floor());
        (if apart <= far { Aim::Near } else { Aim::Within(near) }, at)
    }

    /// The goal of reaching the unit's slot around a target. A unit without a slot goes as near as slots would be.
    pub(crate) fn aim_around(&self, index: usize, there: &Whereabouts, how: &Around) -> (Aim, CellPos) {
        let Some(membership) = self.units.membership(index) else {
            return (Aim::Within(near(there, how)), there.middle.cell());
        };
        let at = membership.slot.minus(self.units.shift(self.units.body.kind[index])).cell();
        let quarters = if matches!(how, Around::Dock { .. }) { 1 } else { 4 };
        let waits = self.units.progress[index].phase == Phase::Waiting;
        let stays = waits && is_at(self.units.middle(index), membership.slot, quarters);
        (if stays { Aim::Near } else { Aim::Within(Fixed::ZERO) }, at)
    }

    /// The goal of the unit's next request; `None` if it needs no route.
    pub(crate) fn goal(&self, index: usize, aim: Aim, target: CellPos) -> Option<Goal> {
        if matches!(self.units.conditions.ending(index), Ending::Leaves(..)) {
            return Some(Goal::point(target));
        }
        let order = self.order_of(index)?;
        if let (Some(membership), Aim::Named | Aim::Within(Fixed::ZERO)) = (self.units.membership(index), aim)
        {
            let shift = self.units.shift(self.units.body.kind[index]);
            return Some(Goal::point(membership.slot.minus(shift).cell()));
        }
        match (aim, order) {
            (Aim::Named, Order::Move(goal) | Order::AttackMove { goal, .. }) => Some(goal.clone()),
            (Aim::Within(distance), _) if distance == Fixed::ZERO => Some(Goal::point(target)),
            (Aim::Within(distance), _) => Some(Goal::circle(target, distance)),
            _ => None,
        }
    }

    /// Whether a unit's route ends inside the goal of its order. It may end outside: the unit may have requested the nearest reachable place.
    pub(crate) fn ends_inside(&self, index: usize) -> bool {
        let progress = &self.units.progress[index];
        let Some(end) = self.service.end(progress.path).map(Vec2::cell) else { return false };
        match self.order_of(index) {
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
            ) => end == progress.target,
            Some(Order::Stop | Order::Hold) | None => false,
        }
    }

    /// Whether the order needs a route to exactly the cell `target`, and none leads there.
    pub(crate) fn is_cut_off(&self, index: usize, target: CellPos) -> bool {
        let order = self.order_of(index);
        let exact = match order {
            Some(Order::Follow { distance, .. } | Order::FollowGroup { distance, .. }) => {
                *distance < Fixed::ONE
            }
            Some(Order::Patrol(_)) => true,
            _ => false,
        };
        exact && !self.can_reach(index, target)
    }

    /// Whether a request for a route would certainly succeed. Costs table lookups only. `false` may also mean that it is not known.
    pub(crate) fn would_get_route(&self, index: usize) -> bool {
        let target = self.units.progress[index].target;
        let order = self.order_of(index);
        let inside = match order {
            Some(Order::Move(goal) | Order::AttackMove { goal, .. }) => goal.contains(target),
            Some(Order::Stop | Order::Hold) | None => false,
            Some(_) => true,
        };
        inside && self.can_reach(index, target)
    }

    fn can_reach(&self, index: usize, target: CellPos) -> bool {
        let (nav, here) = (self.service.nav(), self.units.cell(index));
        let leads = |agent| nav.reachable(here, target, agent) && nav.layer().can_stop(target, agent);
        self.agent_of(index).is_some_and(leads)
    }
}

/// Whether a goal is larger than a point, and it is cheap to check whether a cell is inside.
pub(crate) fn is_simple(goal: &Goal) -> bool {
    matches!(goal, Goal::OutOf(_) | Goal::In(Shape::Circle { .. } | Shape::Ring { .. } | Shape::Rect(_)))
}

/// The middle cell of a goal's first shape.
pub(crate) fn middle_of_goal(goal: &Goal) -> CellPos {
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

/// Whether a unit is within this number of quarter cells of its slot.
fn is_at(at: Fine, slot: Fine, quarters: u64) -> bool {
    let near = quarters * (FINE_CELL as u64) / 4;
    at.distance_squared(slot) <= near * near
}
