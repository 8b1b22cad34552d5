//! Carrying out orders: which routes a unit requests, and what it does with the answers.

use crate::avoid::{Fine, Stance};
use crate::base::{CellPos, CellRect, FINE_CELL, Fixed};
use crate::query::{Asker, Goal, PathAsk, Shape};
use crate::service::{PathId, PathReason, PathStatus};
use crate::world::events::{EventKind, GiveUp, RouteChange};
use crate::world::orders::goals::Aim;
use crate::world::orders::order::{MAX_QUEUED, Order};
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::units::columns::Units;
use crate::world::units::condition::Ending;
use crate::world::units::membership::Membership;
use crate::world::units::order_progress::{OrderProgress, Phase};
use crate::world::units::order_queue::OrderStage;
use crate::world::units::progress_monitor::Rung;
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitType;

/// A unit requests another route when its target is more than 3 cells from where it was at the last request.
const TARGET_MOVED: u32 = 3;
/// A unit on closed ground searches 6 cells in each direction for open ground from which its goal can be reached.
const ESCAPE_RADIUS: i32 = 6;

/// Whether a unit's order needs another step in this tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// The phase of the order has changed: take the next step now.
    Again,
    /// Nothing is left to do in this tick.
    Done,
}

/// Begins or continues the present order of each unit, by unit index. Units do not begin `deferred` stages, which are sorted: their groups are not formed yet.
pub(crate) fn execute_orders(parts: &mut OrderParts<'_>, deferred: &[OrderStage]) {
    for index in 0..parts.units.column_len() {
        let is_deferred = |stage: OrderStage| deferred.binary_search(&stage).is_ok();
        if parts.units.is_to_begin(index) && parts.units.stage(index).is_some_and(is_deferred) {
            continue;
        }
        // An order takes at most 4 steps in a tick: the unit begins it, requests a route, is refused, and requests the nearest place.
        for _ in 0..4 * MAX_QUEUED {
            if parts.step_order(index) == Turn::Done {
                break;
            }
        }
    }
}

impl OrderParts<'_> {
    fn step_order(&mut self, index: usize) -> Turn {
        let Some(id) = self.units.id_at(index) else { return Turn::Done };
        let Some(order) = self.order_of(index) else {
            return Turn::Done;
        };
        if self.units.is_paused(index) {
            return Turn::Done;
        }
        match self.units.conditions.ending(index) {
            Ending::None => {}
            Ending::Due(_) => return Turn::Done,
            // Another order waits.
            Ending::Leaves(outcome, _) if self.units.body.queue[index].0.len() > 1 => {
                self.end_order(index, id, outcome);
                // The next order begins in the next tick, so that its units form a group.
                return Turn::Done;
            }
            Ending::Leaves(..) => {}
        }
        match self.units.progress[index].phase {
            Phase::Idle => {
                let stands = match order {
                    Order::Stop => Some(Stance::Idle),
                    Order::Hold => Some(Stance::Holding),
                    _ => None,
                };
                self.events.add(id, EventKind::OrderStarted);
                if let Some(stance) = stands {
                    self.finish(index);
                    let place = self.units.place(index);
                    match stance {
                        Stance::Holding => self.units.body.crowd.hold(place),
                        _ => self.units.body.crowd.stop(place),
                    }
                } else {
                    // The unit may still have the membership of its previous order.
                    let own = |membership: &Membership| {
                        let group = self.groups.list.get(membership.group);
                        group.is_some_and(|group| self.units.is_under(index, group.stage.order))
                    };
                    self.units.set_membership(index, self.units.membership(index).filter(own));
                    // A unit that joins a patrol continues with the group's next stop.
                    let (home, leg) = (self.units.cell(index), self.units.progress[index].leg);
                    self.units.progress[index] =
                        OrderProgress { phase: Phase::Asking, home, leg, ..OrderProgress::default() };
                    self.units.reset_monitor(index);
                }
                Turn::Again
            }
            Phase::Asking => self.request_unit_route(index, id),
            Phase::Going => self.check_routes(index, id),
            Phase::Waiting => self.wait(index, id),
        }
    }

    /// Requests a route. A refusal is known at once.
    fn request_unit_route(&mut self, index: usize, id: UnitId) -> Turn {
        let (aim, target) = match self.view().aim(index) {
            Some((Aim::Near, _)) => return self.stand_by(index),
            Some((Aim::Gone, _)) => return self.give_up(index, id, GiveUp::TargetGone),
            Some(aim) => aim,
            None => return self.drop_order(index),
        };
        let Some(goal) = self.view().goal(index, aim, target) else { return self.drop_order(index) };
        let goal = self.widen_unreachable(index, goal);
        self.units.progress[index].target = target;
        let Some(kind) = self.type_of(index) else { return self.drop_order(index) };
        let here = self.units.cell(index);
        let agent = self.units.agent(index, kind, self.service.nav().layer());
        let open = self.service.nav().layer().field(agent).is_some_and(|field| field.is_passable(here));
        if !open {
            return self.begin_escape(index, id);
        }
        let ask = self.view().ask_for(index, kind, goal);
        let path = self.service.request(ask);
        match self.service.status(path) {
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(path);
                self.handle_refusal(index, id, reason)
            }
            _ => {
                self.take(index, path);
                Turn::Done
            }
        }
    }

    /// Widens an unreachable point goal to a circle through its nearest reachable cell, for a unit on the rung `Nearest`. The unit then goes to
    /// the cell of the circle that is nearest to itself.
    fn widen_unreachable(&mut self, index: usize, goal: Goal) -> Goal {
        let (Goal::In(Shape::Point(to)), Rung::Nearest) = (&goal, self.units.monitor[index].rung) else {
            return goal;
        };
        let (here, agent) = (self.units.cell(index), self.view().agent_of(index));
        let snapped = agent.map(|agent| self.service.nav_mut().snap(here, &goal, agent));
        match snapped {
            Some(Ok(snapped)) if snapped.gap > 0 => {
                Goal::circle(*to, Fixed::saturate(i64::try_from(snapped.gap).unwrap_or(i64::MAX)))
            }
            _ => goal,
        }
    }

    /// Gives a unit a requested route: as the replacement of the route that it follows, or as its route if it follows none.
    pub(crate) fn take(&mut self, index: usize, path: PathId) {
        let progress = &mut self.units.progress[index];
        progress.phase = Phase::Going;
        let has_route = self.service.guidance(progress.path).is_some();
        if has_route {
            self.service.cancel(progress.fresh);
            progress.fresh = path;
        } else {
            self.service.cancel(progress.path);
            progress.path = path;
            self.units.rejoin(index);
        }
    }

    /// Requests another route while the unit follows its present one. A refusal counts only after an edit, or if the unit is stuck.
    pub(crate) fn request_again(&mut self, index: usize, why: RouteChange) {
        let Some(id) = self.units.id_at(index) else { return };
        let Some((aim, target)) = self.view().aim(index) else { return };
        let Some(goal) = self.view().goal(index, aim, target) else { return };
        let goal = self.widen_unreachable(index, goal);
        let Some(kind) = self.type_of(index) else { return };
        let ask = self.view().ask_for(index, kind, goal);
        let path = self.service.request(ask);
        let refusal = match self.service.status(path) {
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => Some(reason),
            _ => None,
        };
        let progress = &mut self.units.progress[index];
        progress.why = why;
        if why != RouteChange::Stuck {
            // The new route may lead back, which is not a loop.
            self.units.monitor[index].remeasure();
        }
        match (refusal, why) {
            (None, _) => {
                self.units.progress[index].target = target;
                self.take(index, path);
            }
            (Some(_), RouteChange::Target | RouteChange::Opened | RouteChange::Crowd) => {
                self.service.cancel(path);
            }
            (Some(reason), RouteChange::Ground | RouteChange::Stuck) => {
                self.service.cancel(path);
                if self.handle_refusal(index, id, reason) == Turn::Again
                    && self.units.progress[index].phase == Phase::Asking
                {
                    self.request_unit_route(index, id);
                }
            }
        }
    }

    /// Follows the replacement of a unit's route once it is found. Returns what is left to do if the replacement was refused.
    pub(crate) fn adopt_fresh_route(&mut self, index: usize, id: UnitId) -> Option<Turn> {
        let progress = self.units.progress[index];
        match self.service.status(progress.fresh) {
            None | Some(PathStatus::Pending) => {}
            Some(PathStatus::Temporary) if progress.why == RouteChange::Opened => {}
            Some(_) if self.view().is_no_better(index) => {
                self.service.cancel(progress.fresh);
                self.units.progress[index].fresh = PathId::DEAD;
            }
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(progress.fresh);
                self.units.progress[index].fresh = PathId::DEAD;
                if !matches!(progress.why, RouteChange::Target | RouteChange::Opened) {
                    return Some(self.handle_refusal(index, id, reason));
                }
            }
            Some(PathStatus::Temporary | PathStatus::Complete | PathStatus::Partial(_)) => {
                self.service.cancel(progress.path);
                let changed = &mut self.units.progress[index];
                (changed.path, changed.fresh) = (progress.fresh, PathId::DEAD);
                self.units.rejoin(index);
                self.events.add(id, EventKind::RouteChanged(progress.why));
            }
        }
        None
    }

    /// Checks the status of a unit's routes, and whether its target has moved.
    fn check_routes(&mut self, index: usize, id: UnitId) -> Turn {
        if self.units.progress[index].escape.is_some() {
            return self.end_escape(index);
        }
        if let Some(turn) = self.adopt_fresh_route(index, id) {
            return turn;
        }
        let progress = self.units.progress[index];
        match self.service.status(progress.path) {
            None => {
                self.units.progress[index].phase = Phase::Asking;
                return Turn::Again;
            }
            Some(PathStatus::Unreachable(reason) | PathStatus::Failed(reason)) => {
                self.service.cancel(progress.path);
                return self.handle_refusal(index, id, reason);
            }
            Some(_) => self.units.progress[index].short = self.view().shortfall(index),
        }
        match self.view().aim(index) {
            Some((Aim::Gone, _)) => self.give_up(index, id, GiveUp::TargetGone),
            Some((Aim::Near, _)) => self.stand_by(index),
            Some((_, target)) if cells_apart(target, progress.target) > TARGET_MOVED => {
                if !self.view().waits_for_fresh(index) {
                    self.request_again(index, RouteChange::Target);
                }
                Turn::Done
            }
            _ => Turn::Done,
        }
    }

    /// Waits until the target is too far away and the next attempt is due.
    fn wait(&mut self, index: usize, id: UnitId) -> Turn {
        let (now, progress) = (self.service.nav().now(), self.units.progress[index]);
        match self.view().aim(index) {
            Some((Aim::Gone, _)) => self.give_up(index, id, GiveUp::TargetGone),
            Some((Aim::Within(_) | Aim::Named, target)) if now >= self.units.monitor[index].retry => {
                if progress.short.is_some() && self.view().is_cut_off(index, target) {
                    // Two table lookups show that another request would be refused too.
                    let key = self.jitter(id);
                    self.units.monitor[index].back_off(key, self.service.nav().config().get());
                    return Turn::Done;
                }
                self.units.monitor[index].rung = Rung::Ground;
                self.units.progress[index].phase = Phase::Asking;
                Turn::Again
            }
            _ => Turn::Done,
        }
    }

    /// Reports that the unit stands on closed ground, and lets it head for an open cell nearby. Without such a cell the unit gives up.
    fn begin_escape(&mut self, index: usize, id: UnitId) -> Turn {
        let reason = PathReason::StartClosed;
        self.events.add(id, EventKind::Blocked(reason));
        self.drop_routes(index);
        let here = self.units.cell(index);
        let agent = self.view().agent_of(index);
        let snapped = agent.map(|agent| self.service.nav_mut().snap(here, &Goal::point(here), agent));
        match snapped {
            Some(Ok(snapped)) if snapped.from != here => {
                let out = self.view().escape_cell(index).unwrap_or(snapped.from);
                let progress = &mut self.units.progress[index];
                (progress.escape, progress.phase) = (Some(out), Phase::Going);
                Turn::Done
            }
            _ => self.give_up(index, id, GiveUp::NoRoute(reason)),
        }
    }

    /// Ends the escape of a unit that has reached open ground: it requests its route again.
    fn end_escape(&mut self, index: usize) -> Turn {
        let (here, agent) = (self.units.cell(index), self.view().agent_of(index));
        let field = agent.and_then(|agent| self.service.nav().layer().field(agent));
        if !field.is_some_and(|field| field.is_passable(here)) {
            return Turn::Done;
        }
        let progress = &mut self.units.progress[index];
        (progress.escape, progress.phase) = (None, Phase::Asking);
        Turn::Again
    }
}

impl OrderView<'_> {
    /// The request of a unit for a route to `goal`, on the unit's present rung.
    pub(crate) fn ask_for(&self, index: usize, kind: &UnitType, goal: Goal) -> PathAsk {
        let (from, rung) = (self.units.at(index), self.units.monitor[index].rung);
        let threat =
            self.service.nav().config().threat_for(kind.controller).seen_by(self.units.observer(index));
        let agent = self.units.agent(index, kind, self.service.nav().layer());
        let ask = PathAsk::to_goal(from, goal, agent).with_threat(threat).with_asker(self.asker(index));
        let effort =
            self.units.stage(index).map(|stage| self.orders.efforts.of(stage.order)).unwrap_or_default();
        let ask = ask
            .with_detail(effort.detail)
            .with_priority(effort.priority)
            .with_blocked_by(rung.blocked_by())
            .avoiding(self.groups.avoided_by(self.units.membership(index)));
        if rung == Rung::Nearest { ask.or_nearest() } else { ask }
    }

    /// The unit and player that a request is for, if a planner of the game may heed them.
    fn asker(&self, index: usize) -> Asker {
        if !self.service.has_planner() {
            return Asker::NOBODY;
        }
        Asker { unit: self.units.id_at(index), player: Some(self.units.observer(index)) }
    }

    /// Why a unit's route ends short of its goal; `None` if the route reaches the goal, or if that is not known yet.
    pub(crate) fn shortfall(&self, index: usize) -> Option<PathReason> {
        let progress = &self.units.progress[index];
        match self.service.status(progress.path) {
            // The old route says nothing about the replacement.
            _ if self.waits_for_fresh(index) => progress.short,
            Some(PathStatus::Complete) => {
                // A lone unit on the rung `Nearest` may have requested a wider goal: a complete route then ends short of the order's goal.
                let less =
                    self.units.monitor[index].rung == Rung::Nearest && self.units.membership(index).is_none();
                let short = progress.short.or(less.then_some(PathReason::NoRoute));
                short.filter(|_| !self.ends_inside(index))
            }
            Some(PathStatus::Partial(reason)) => progress.short.or(Some(reason)),
            _ => progress.short,
        }
    }

    /// Whether the unit has requested a replacement of its route that it has not adopted yet.
    pub(crate) fn waits_for_fresh(&self, index: usize) -> bool {
        self.service.status(self.units.progress[index].fresh).is_some()
    }

    /// The nearest open cell within [`ESCAPE_RADIUS`] from which the unit's target can be reached.
    fn escape_cell(&self, index: usize) -> Option<CellPos> {
        let (here, target, nav) =
            (self.units.cell(index), self.units.progress[index].target, self.service.nav());
        let agent = self.agent_of(index)?;
        let field = nav.layer().field(agent)?;
        let around = CellRect::at(here, 1, 1).grow(ESCAPE_RADIUS, ESCAPE_RADIUS).cells();
        let leads = |at: &CellPos| field.is_passable(*at) && nav.reachable(*at, target, agent);
        let far = |at: CellPos| {
            let (x, y) = (u64::from(at.x.abs_diff(here.x)), u64::from(at.y.abs_diff(here.y)));
            (x * x + y * y, at.y, at.x)
        };
        around.filter(leads).min_by_key(|&at| far(at))
    }
}

/// Puts a unit half a cell nearer to its escape cell, through closed ground. A unit between closed cells may not get out by itself, because its
/// body does not fit.
pub(crate) fn pull_towards_escape(units: &mut Units, index: usize, out: CellPos) {
    let to = Fine::from(out.centre()).plus(units.shift(units.body.kind[index]));
    let place = units.place(index);
    units.body.crowd.put(place, units.middle(index).towards(to, FINE_CELL / 2), Fine::ZERO);
}

fn cells_apart(a: CellPos, b: CellPos) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}
