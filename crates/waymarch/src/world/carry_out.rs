//! Carrying out orders: what a unit asks for, and what it makes of the answer.

use super::errand::{Errand, Phase};
use super::events::{EventKind, GiveUp, RouteChange};
use super::orders::{MAX_QUEUED, Order};
use super::service::{PathId, PathReason, PathStatus};
use super::simulation::World;
use super::stuck::{JitterKey, Rung};
use super::unit_type::UnitType;
use super::units::{Stance, UnitId};
use crate::base::{CellPos, Fixed, Vec2};
use crate::query::{Goal, PathAsk, Shape};

/// A follower asks anew when its target has gone so many cells from where it was.
const TARGET_MOVED: u32 = 3;
/// A follower that stands waits until its target is this much farther away than it may be.
const SLACK: Fixed = Fixed::ONE;

/// Whether a unit has more to settle in this tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Again,
    Done,
}

/// Where an order leads at present.
enum Aim {
    Goal(Goal),
    /// Whom it follows is near enough.
    Near,
    /// Whom it follows is gone.
    Gone,
}

impl World {
    /// Every unit begins, goes on with or waits about its order, by slot.
    pub(super) fn carry_out_orders(&mut self) {
        for slot in 0..self.units.slots() {
            // Each turn ends an order, or asks, or is refused and asks for less.
            for _ in 0..4 * MAX_QUEUED {
                if self.turn(slot) == Turn::Done {
                    break;
                }
            }
        }
    }

    fn turn(&mut self, slot: usize) -> Turn {
        let Some(id) = self.units.id_at(slot) else { return Turn::Done };
        let Some(order) = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order)) else {
            return Turn::Done;
        };
        match self.units.errand[slot].phase {
            Phase::Idle => {
                let stands = match order {
                    Order::Stop => Some(Stance::Idle),
                    Order::Hold => Some(Stance::Holding),
                    Order::Move(_) | Order::Patrol(_) | Order::Follow { .. } => None,
                };
                self.events.add(id, EventKind::OrderStarted);
                if let Some(stance) = stands {
                    self.finish(slot);
                    self.units.stance[slot] = stance;
                } else {
                    let home = self.units.cell(slot);
                    self.units.errand[slot] = Errand { phase: Phase::Asking, home, ..Errand::default() };
                    self.units.stuck[slot].reset(self.units.position[slot]);
                }
                Turn::Again
            }
            Phase::Asking => self.ask(slot, id),
            Phase::Going => self.hear(slot, id),
            Phase::Waiting => self.wait(slot, id),
        }
    }

    /// Where the unit's order leads it now, and the middle of that.
    fn aim(&self, slot: usize) -> Option<(Aim, CellPos)> {
        let errand = &self.units.errand[slot];
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order))?;
        Some(match order {
            Order::Move(goal) => (Aim::Goal(goal.clone()), middle_of_goal(goal)),
            Order::Patrol(stops) => {
                let stop = stops.get(usize::from(errand.leg)).copied().unwrap_or(errand.home);
                (Aim::Goal(Goal::point(stop)), stop)
            }
            Order::Follow { target, distance } => {
                let Some(other) = self.units.slot(*target) else { return Some((Aim::Gone, errand.target)) };
                let at = self.units.cell(other);
                let moving = matches!(errand.phase, Phase::Going | Phase::Asking);
                let far = if moving { *distance } else { distance.saturating_add(SLACK) };
                if self.units.position[slot].distance(self.units.position[other]) <= far {
                    (Aim::Near, at)
                } else {
                    (Aim::Goal(Goal::circle(at, *distance)), at)
                }
            }
            Order::Stop | Order::Hold => return None,
        })
    }

    /// Asks for a route. That there is none is known at once.
    fn ask(&mut self, slot: usize, id: UnitId) -> Turn {
        self.units.stance[slot] = Stance::Moving;
        let goal = match self.aim(slot) {
            Some((Aim::Goal(goal), target)) => {
                self.units.errand[slot].target = target;
                goal
            }
            Some((Aim::Near, _)) => return self.stand_by(slot),
            Some((Aim::Gone, _)) => return self.give_up(slot, id, GiveUp::TargetGone),
            None => return self.drop_order(slot),
        };
        let Some(kind) = self.types.get(self.units.kind[slot]) else { return self.drop_order(slot) };
        let here = self.units.cell(slot);
        let open = self.service.nav().layer().field(kind.agent).is_some_and(|field| field.is_passable(here));
        if !open {
            return self.get_out(slot, id);
        }
        let ask = self.ask_for(slot, kind, goal);
        let path = self.service.request(ask);
        match self.service.status(path) {
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(path);
                self.refused(slot, id, reason)
            }
            _ => {
                self.take(slot, path);
                Turn::Done
            }
        }
    }

    fn ask_for(&self, slot: usize, kind: &UnitType, goal: Goal) -> PathAsk {
        let (from, rung) = (self.units.position[slot].at_height(Fixed::ZERO), self.units.stuck[slot].rung);
        let threat = self.service.nav().config().threat_for(kind.controller);
        let ask = PathAsk::to_goal(from, goal, kind.agent).with_threat(threat);
        let ask = ask.with_blocked_by(rung.blocked_by());
        if rung == Rung::Nearest { ask.or_nearest() } else { ask }
    }

    /// Waits for a route, while following the one it has.
    fn take(&mut self, slot: usize, path: PathId) {
        let errand = &mut self.units.errand[slot];
        errand.phase = Phase::Going;
        if self.units.stuck[slot].rung == Rung::Ground {
            errand.short = None;
        }
        let has_route = self.service.guidance(errand.path).is_some();
        if has_route {
            self.service.cancel(errand.fresh);
            errand.fresh = path;
        } else {
            self.service.cancel(errand.path);
            errand.path = path;
            errand.rejoin();
        }
    }

    /// Asks for another route while it goes on. If there is none, `why` decides whether that matters.
    pub(super) fn ask_afresh(&mut self, slot: usize, why: RouteChange) {
        let Some(id) = self.units.id_at(slot) else { return };
        let (Some((Aim::Goal(goal), target)), Some(kind)) =
            (self.aim(slot), self.types.get(self.units.kind[slot]))
        else {
            return;
        };
        let ask = self.ask_for(slot, kind, goal);
        let path = self.service.request(ask);
        let refusal = match self.service.status(path) {
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => Some(reason),
            _ => None,
        };
        self.units.errand[slot].why = why;
        match (refusal, why) {
            (None, _) => {
                self.units.errand[slot].target = target;
                self.take(slot, path);
            }
            (Some(_), RouteChange::Target | RouteChange::Opened) => {
                self.service.cancel(path);
            }
            (Some(reason), RouteChange::Ground | RouteChange::Stuck) => {
                self.service.cancel(path);
                if self.refused(slot, id, reason) == Turn::Again
                    && self.units.errand[slot].phase == Phase::Asking
                {
                    self.ask(slot, id);
                }
            }
        }
    }

    /// Looks what has become of its routes.
    fn hear(&mut self, slot: usize, id: UnitId) -> Turn {
        let errand = self.units.errand[slot];
        if errand.escape.is_some() {
            return self.look_for_ground(slot);
        }
        match self.service.status(errand.fresh) {
            None | Some(PathStatus::Pending) => {}
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(errand.fresh);
                self.units.errand[slot].fresh = PathId::DEAD;
                if !matches!(errand.why, RouteChange::Target | RouteChange::Opened) {
                    return self.refused(slot, id, reason);
                }
            }
            Some(PathStatus::Temporary | PathStatus::Complete | PathStatus::Partial(_)) => {
                self.service.cancel(errand.path);
                let changed = &mut self.units.errand[slot];
                (changed.path, changed.fresh) = (errand.fresh, PathId::DEAD);
                changed.rejoin();
                self.events.add(id, EventKind::RouteChanged(errand.why));
            }
        }
        match self.service.status(self.units.errand[slot].path) {
            None => {
                self.units.errand[slot].phase = Phase::Asking;
                return Turn::Again;
            }
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(errand.path);
                return self.refused(slot, id, reason);
            }
            Some(_) => {}
        }
        match self.aim(slot) {
            Some((Aim::Gone, _)) => self.give_up(slot, id, GiveUp::TargetGone),
            Some((Aim::Near, _)) => self.stand_by(slot),
            Some((_, target)) if cells_apart(target, errand.target) > TARGET_MOVED => {
                if !self.waits_for_fresh(slot) {
                    self.ask_afresh(slot, RouteChange::Target);
                }
                Turn::Done
            }
            _ => Turn::Done,
        }
    }

    /// Whether a route that will take the place of the present one is on its way.
    pub(super) fn waits_for_fresh(&self, slot: usize) -> bool {
        self.service.status(self.units.errand[slot].fresh).is_some()
    }

    /// Waits until there is something to do: its target is too far away, or the time for another attempt has come.
    fn wait(&mut self, slot: usize, id: UnitId) -> Turn {
        let (now, errand) = (self.service.nav().now(), self.units.errand[slot]);
        match self.aim(slot) {
            Some((Aim::Gone, _)) => self.give_up(slot, id, GiveUp::TargetGone),
            Some((Aim::Goal(_), target)) if now >= self.units.stuck[slot].retry => {
                if errand.short.is_some() && self.is_cut_off(slot, target) {
                    // A look at two tables: asking again would say no more.
                    let key = self.jitter(id);
                    self.units.stuck[slot].back_off(key, self.service.nav().config().get());
                    return Turn::Done;
                }
                self.units.stuck[slot].rung = Rung::Ground;
                self.units.errand[slot].phase = Phase::Asking;
                Turn::Again
            }
            _ => Turn::Done,
        }
    }

    /// Whether no way leads from a unit to the very cell it is to reach.
    pub(super) fn is_cut_off(&self, slot: usize, target: CellPos) -> bool {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let exact = match order {
            Some(Order::Follow { distance, .. }) => *distance < Fixed::ONE,
            Some(Order::Move(Goal::In(Shape::Point(_))) | Order::Patrol(_)) => true,
            _ => false,
        };
        let here = self.units.cell(slot);
        let reachable = |kind: &UnitType| self.service.nav().reachable(here, target, kind.agent);
        exact && !self.types.get(self.units.kind[slot]).is_some_and(reachable)
    }

    /// There is no way: says so once, then goes as near as can be, then gives up.
    fn refused(&mut self, slot: usize, id: UnitId, reason: PathReason) -> Turn {
        let told = self.units.errand[slot].short.is_some();
        if !told {
            self.events.add(id, EventKind::Blocked(reason));
            self.units.errand[slot].short = Some(reason);
        }
        let escalates = self.service.nav().config().get().repath_escalation;
        let nearer = matches!(reason.status(), PathStatus::Unreachable(_)) && escalates;
        let stuck = &mut self.units.stuck[slot];
        // A follower that was told before stands as near as can be already.
        let again = told && self.units.errand[slot].phase == Phase::Asking && stuck.failures > 0;
        if nearer && !again && stuck.rung != Rung::Nearest {
            stuck.rung = Rung::Nearest;
            self.units.errand[slot].phase = Phase::Asking;
            return Turn::Again;
        }
        self.give_up(slot, id, GiveUp::NoWay(self.units.errand[slot].short.unwrap_or(reason)))
    }

    /// The unit is where its way ends.
    pub(super) fn arrive(&mut self, slot: usize, id: UnitId) {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let short = self.units.errand[slot].short;
        match (order, short) {
            (Some(Order::Follow { .. }), None) => {
                self.stand_by(slot);
            }
            (_, Some(reason)) => {
                self.give_up(slot, id, GiveUp::Nearest(reason));
            }
            (Some(Order::Patrol(stops)), None) => {
                let (leg, last) = (self.units.errand[slot].leg, last_leg(stops.len()));
                self.events.add(id, EventKind::ReachedStop(leg));
                self.drop_routes(slot);
                let errand = &mut self.units.errand[slot];
                (errand.leg, errand.phase) = (if leg >= last { 0 } else { leg + 1 }, Phase::Asking);
                self.units.stuck[slot].reset(self.units.position[slot]);
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
            Some(Order::Follow { .. }) if why != GiveUp::TargetGone => None,
            _ => {
                self.events.add(id, EventKind::GaveUp(why));
                self.finish(slot);
                return Turn::Again;
            }
        };
        let key = self.jitter(id);
        let (errand, stuck) = (&mut self.units.errand[slot], &mut self.units.stuck[slot]);
        if stuck.failures == 0 || why == GiveUp::Stuck {
            self.events.add(id, EventKind::GaveUp(why));
        }
        if let Some(stops) = stops {
            errand.leg = if errand.leg >= last_leg(stops) { 0 } else { errand.leg + 1 };
            errand.short = None;
        }
        errand.phase = Phase::Waiting;
        stuck.back_off(key, self.service.nav().config().get());
        (stuck.rung, stuck.still) = (Rung::Ground, 0);
        self.stop(slot);
        Turn::Done
    }

    /// Near enough to whom it follows.
    fn stand_by(&mut self, slot: usize) -> Turn {
        let errand = &mut self.units.errand[slot];
        (errand.phase, errand.short) = (Phase::Waiting, None);
        self.units.stuck[slot].reset(self.units.position[slot]);
        self.stop(slot);
        Turn::Done
    }

    /// The ground was closed under it: it says so, and makes for the nearest that is open.
    fn get_out(&mut self, slot: usize, id: UnitId) -> Turn {
        let reason = PathReason::StartClosed;
        self.events.add(id, EventKind::Blocked(reason));
        self.drop_routes(slot);
        let here = self.units.cell(slot);
        let kind = self.types.get(self.units.kind[slot]);
        let snapped = kind.map(|kind| self.service.nav_mut().snap(here, &Goal::point(here), kind.agent));
        match snapped {
            Some(Ok(snapped)) if snapped.from != here => {
                let errand = &mut self.units.errand[slot];
                (errand.escape, errand.phase) = (Some(snapped.from), Phase::Going);
                Turn::Done
            }
            _ => self.give_up(slot, id, GiveUp::NoWay(reason)),
        }
    }

    /// Out on open ground it asks for its way again.
    fn look_for_ground(&mut self, slot: usize) -> Turn {
        let (here, kind) = (self.units.cell(slot), self.types.get(self.units.kind[slot]));
        let field = kind.and_then(|kind| self.service.nav().layer().field(kind.agent));
        if !field.is_some_and(|field| field.is_passable(here)) {
            return Turn::Done;
        }
        let errand = &mut self.units.errand[slot];
        (errand.escape, errand.phase) = (None, Phase::Asking);
        Turn::Again
    }

    /// An order that cannot be carried out at all; none is written down.
    fn drop_order(&mut self, slot: usize) -> Turn {
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
        self.units.stuck[slot].reset(self.units.position[slot]);
    }

    /// All orders are over.
    pub(super) fn clear_orders(&mut self, slot: usize) {
        while !self.units.queue[slot].0.is_empty() {
            self.finish(slot);
        }
        self.stop(slot);
    }

    /// Stands still, without a route.
    fn stop(&mut self, slot: usize) {
        self.drop_routes(slot);
        self.units.velocity[slot] = Vec2::ZERO;
        self.units.stance[slot] = Stance::Idle;
    }

    fn drop_routes(&mut self, slot: usize) {
        let errand = &mut self.units.errand[slot];
        self.service.cancel(errand.path);
        self.service.cancel(errand.fresh);
        (errand.path, errand.fresh, errand.escape) = (PathId::DEAD, PathId::DEAD, None);
        errand.rejoin();
    }

    pub(super) fn jitter(&self, unit: UnitId) -> JitterKey {
        JitterKey { seed: self.seed, now: self.service.nav().now(), unit }
    }
}

/// A patrol with one stop goes between that and where it began.
fn last_leg(stops: usize) -> u16 {
    stops.saturating_sub(1).max(1) as u16
}

fn cells_apart(a: CellPos, b: CellPos) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// A cell that stands for a goal.
fn middle_of_goal(goal: &Goal) -> CellPos {
    match goal.shapes().first() {
        Some(Shape::Point(at)) => *at,
        Some(Shape::Circle { centre, .. } | Shape::Ring { centre, .. }) => *centre,
        Some(Shape::Rect(rect)) => {
            rect.nearest(CellPos::new(rect.x0.midpoint(rect.x1), rect.y0.midpoint(rect.y1)))
        }
        None => CellPos::default(),
    }
}
