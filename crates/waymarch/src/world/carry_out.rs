//! Carrying out orders: what a unit asks for, and what it makes of the answer.

use super::aims::Aim;
use super::corners::step;
use super::errand::{Errand, Lap, Phase};
use super::events::{EventKind, GiveUp, RouteChange};
use super::group::Post;
use super::motion::middle_of;
use super::orders::{MAX_QUEUED, Order};
use super::service::{PathId, PathReason, PathStatus};
use super::simulation::World;
use super::stuck::Rung;
use super::unit_type::UnitType;
use super::units::UnitId;
use crate::avoid::{Fine, Stance};
use crate::base::{CellPos, CellRect, Fixed};
use crate::query::{Goal, PathAsk, Shape};

/// A follower asks anew when its target has gone so many cells from where it was.
const TARGET_MOVED: u32 = 3;
/// Units on closed ground look so many cells around for ground from which their goal can be reached.
const WAY_OUT: i32 = 6;

/// Whether a unit has more to settle in this tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Again,
    Done,
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
        if self.units.errand[slot].halted {
            return Turn::Done;
        }
        match self.units.errand[slot].phase {
            Phase::Idle => {
                let stands = match order {
                    Order::Stop => Some(Stance::Idle),
                    Order::Hold => Some(Stance::Holding),
                    _ => None,
                };
                self.events.add(id, EventKind::OrderStarted);
                if let Some(stance) = stands {
                    self.finish(slot);
                    let place = self.units.place(slot);
                    match stance {
                        Stance::Holding => self.units.crowd.hold(place),
                        _ => self.units.crowd.stop(place),
                    }
                } else {
                    // An order that began in the middle of a tick finds the post of the one before.
                    let front = self.units.queue[slot].0.front();
                    let own = |post: &Post| {
                        self.groups.list.get(post.group).is_some_and(|group| Some(&group.order) == front)
                    };
                    self.units.post[slot] = self.units.post[slot].filter(own);
                    // Who joins a patrol goes where that goes.
                    let (home, leg) = (self.units.cell(slot), self.units.errand[slot].leg);
                    self.units.errand[slot] = Errand { phase: Phase::Asking, home, leg, ..Errand::default() };
                    self.reset_stuck(slot);
                }
                Turn::Again
            }
            Phase::Asking => self.ask(slot, id),
            Phase::Going => self.hear(slot, id),
            Phase::Waiting => self.wait(slot, id),
        }
    }

    /// Asks for a route. That there is none is known at once.
    fn ask(&mut self, slot: usize, id: UnitId) -> Turn {
        let (aim, target) = match self.aim(slot) {
            Some((Aim::Near, _)) => return self.stand_by(slot),
            Some((Aim::Gone, _)) => return self.give_up(slot, id, GiveUp::TargetGone),
            Some(aim) => aim,
            None => return self.drop_order(slot),
        };
        let Some(goal) = self.goal(slot, aim, target) else { return self.drop_order(slot) };
        let goal = self.or_beside(slot, goal);
        self.units.errand[slot].target = target;
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

    /// For a unit that goes as near as can be to a place that cannot be reached: all places as near as the nearest, so that it goes to the
    /// one on its own side.
    fn or_beside(&mut self, slot: usize, goal: Goal) -> Goal {
        let (Goal::In(Shape::Point(to)), Rung::Nearest) = (&goal, self.units.stuck[slot].rung) else {
            return goal;
        };
        let (here, kind) = (self.units.cell(slot), self.types.get(self.units.kind[slot]));
        let snapped = kind.map(|kind| self.service.nav_mut().snap(here, &goal, kind.agent));
        match snapped {
            Some(Ok(snapped)) if snapped.gap > 0 => {
                Goal::circle(*to, Fixed::saturate(i64::try_from(snapped.gap).unwrap_or(i64::MAX)))
            }
            _ => goal,
        }
    }

    pub(super) fn ask_for(&self, slot: usize, kind: &UnitType, goal: Goal) -> PathAsk {
        let (from, rung) = (self.units.at(slot).at_height(Fixed::ZERO), self.units.stuck[slot].rung);
        let threat = self.service.nav().config().threat_for(kind.controller);
        let ask = PathAsk::to_goal(from, goal, kind.agent).with_threat(threat);
        let ask = ask.with_blocked_by(rung.blocked_by()).avoiding(self.avoided(slot));
        if rung == Rung::Nearest { ask.or_nearest() } else { ask }
    }

    /// Waits for a route, while following the one it has.
    pub(super) fn take(&mut self, slot: usize, path: PathId) {
        let errand = &mut self.units.errand[slot];
        errand.phase = Phase::Going;
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
        let Some((aim, target)) = self.aim(slot) else { return };
        let Some(goal) = self.goal(slot, aim, target) else { return };
        let goal = self.or_beside(slot, goal);
        let Some(kind) = self.types.get(self.units.kind[slot]) else { return };
        let ask = self.ask_for(slot, kind, goal);
        let path = self.service.request(ask);
        let refusal = match self.service.status(path) {
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => Some(reason),
            _ => None,
        };
        let errand = &mut self.units.errand[slot];
        errand.why = why;
        if why != RouteChange::Stuck {
            // There is a reason to go elsewhere, perhaps back.
            errand.vain.lap = Lap::default();
        }
        match (refusal, why) {
            (None, _) => {
                self.units.errand[slot].target = target;
                self.take(slot, path);
            }
            (Some(_), RouteChange::Target | RouteChange::Opened | RouteChange::Crowd) => {
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

    /// Looks what has become of the route that is to take the place of the one it follows. What is left to do if that is the end of its way.
    pub(super) fn hear_of_fresh(&mut self, slot: usize, id: UnitId) -> Option<Turn> {
        let errand = self.units.errand[slot];
        match self.service.status(errand.fresh) {
            None | Some(PathStatus::Pending) => {}
            Some(PathStatus::Temporary) if errand.why == RouteChange::Opened => {}
            Some(_) if self.is_no_better(slot) => {
                self.service.cancel(errand.fresh);
                self.units.errand[slot].fresh = PathId::DEAD;
            }
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(errand.fresh);
                self.units.errand[slot].fresh = PathId::DEAD;
                if !matches!(errand.why, RouteChange::Target | RouteChange::Opened) {
                    return Some(self.refused(slot, id, reason));
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
        None
    }

    /// Looks what has become of its routes.
    fn hear(&mut self, slot: usize, id: UnitId) -> Turn {
        if self.units.errand[slot].escape.is_some() {
            return self.look_for_ground(slot);
        }
        if let Some(turn) = self.hear_of_fresh(slot, id) {
            return turn;
        }
        let errand = self.units.errand[slot];
        match self.service.status(errand.path) {
            None => {
                self.units.errand[slot].phase = Phase::Asking;
                return Turn::Again;
            }
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(errand.path);
                return self.refused(slot, id, reason);
            }
            Some(_) => self.units.errand[slot].short = self.falls_short(slot),
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

    /// Why the way of a unit does not lead where it should, as far as that is known.
    pub(super) fn falls_short(&self, slot: usize) -> Option<PathReason> {
        let errand = &self.units.errand[slot];
        match self.service.status(errand.path) {
            // The old way says nothing about the new one.
            _ if self.waits_for_fresh(slot) => errand.short,
            Some(PathStatus::Complete) => {
                // One that tried everything may have asked for less, and a goal that closed meanwhile refuses it only then.
                let less = self.units.stuck[slot].rung == Rung::Nearest && self.units.post[slot].is_none();
                let short = errand.short.or(less.then_some(PathReason::NoWay));
                short.filter(|_| !self.ends_inside(slot))
            }
            Some(PathStatus::Partial(reason)) => errand.short.or(Some(reason)),
            _ => errand.short,
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
            Some((Aim::Within(_) | Aim::Named, target)) if now >= self.units.stuck[slot].retry => {
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
                let out = self.way_out(slot).unwrap_or(snapped.from);
                let errand = &mut self.units.errand[slot];
                (errand.escape, errand.phase) = (Some(out), Phase::Going);
                Turn::Done
            }
            _ => self.give_up(slot, id, GiveUp::NoWay(reason)),
        }
    }

    /// The nearest open cell within a few that leads where the order does: out of a wall to the side of the goal.
    fn way_out(&self, slot: usize) -> Option<CellPos> {
        let (here, target, nav) = (self.units.cell(slot), self.units.errand[slot].target, self.service.nav());
        let agent = self.types.get(self.units.kind[slot])?.agent;
        let field = nav.layer().field(agent)?;
        let around = CellRect::at(here, 1, 1).grow(WAY_OUT, WAY_OUT).cells();
        let leads = |at: &CellPos| field.is_passable(*at) && nav.reachable(*at, target, agent);
        let far = |at: CellPos| {
            let (x, y) = (u64::from(at.x.abs_diff(here.x)), u64::from(at.y.abs_diff(here.y)));
            (x * x + y * y, at.y, at.x)
        };
        around.filter(leads).min_by_key(|&at| far(at))
    }

    /// Brings a unit half a cell nearer to the open cell that it makes for, whatever keeps it: between closed cells there are places that nothing
    /// fits out of.
    pub(super) fn pull_out(&mut self, slot: usize, out: CellPos) {
        let to = Fine::from(middle_of(out)).plus(self.units.shift(self.units.kind[slot]));
        let place = self.units.place(slot);
        self.units.crowd.put(place, step(self.units.middle(slot), to), Fine::ZERO);
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
}

fn cells_apart(a: CellPos, b: CellPos) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}
