//! How one request is answered: a function of the map and the request, so that any thread may do it.

use super::detour::{Detour, POINTS, around_units};
use super::job::{Answer, Job};
use super::request::{PathReport, Task};
use super::status::PathReason;
use crate::base::{Agent, CellPos, CellRect, Tick, make_room};
use crate::planners::{Hybrid, PlanScratch, PlanView, Planner, PlannerChoice, PlannerReason, door_nodes};
use crate::query::{
    Cost, Detail, Goal, Outcome, PathQuery, PlanError, Shape, Smoothing, Threat, WhenUnreachable,
};
use crate::search::{Route, Sight, SmoothPath, Smoother, goal_search};
use crate::sectors::{DoorRoute, DoorScratch, SnapMemory, Snapped};

/// What snapping counts, in nodes.
const SNAP_NODES: u32 = 32;
/// Shapes with at most so many cells are looked through for the nearest.
const LOOKED_THROUGH: u64 = 1 << 14;

/// As many nodes take as long as smoothing a route takes for each of its turns.
const SMOOTH_NODES: u32 = 12;

/// What all jobs of a tick look at.
#[derive(Clone, Copy)]
pub(super) struct Service<'a> {
    pub(super) view: PlanView<'a>,
    pub(super) hybrid: &'a Hybrid,
    /// The game's own planner, if it gave one.
    pub(super) custom: Option<&'a dyn Planner>,
    pub(super) smoothing: Smoothing,
}

/// Scratch, and Derived in part: what a lane needs to answer requests, and the snaps it was asked for before.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    pub(super) plan: PlanScratch,
    snaps: SnapMemory,
    pub(super) smoother: Smoother,
    pub(super) route: Route,
    pub(super) smooth: SmoothPath,
    pub(super) detour: Detour,
    over: DoorRoute,
}

impl Tools {
    /// For ways over doors.
    pub(super) fn over_doors(&mut self) -> (&mut DoorScratch, &mut DoorRoute) {
        (self.plan.far.doors_scratch(), &mut self.over)
    }

    /// Makes memory ahead of need, for a map of so many cells.
    pub(super) fn stock_up(&mut self, cells: usize) {
        self.plan.search.stock_up(cells);
        self.snaps.make_room();
        self.detour.make_room();
        self.plan.far.make_room(cells, POINTS);
        self.smoother.make_room(POINTS);
        make_room(&mut self.route.waypoints, POINTS);
        make_room(&mut self.smooth.points, POINTS);
        make_room(&mut self.over.cells, POINTS);
    }

    /// Fills all scratch with rubbish; snaps that are remembered stay, for they are Derived.
    pub(super) fn poison(&mut self) {
        let rubbish = CellPos::new(-7, 7);
        self.plan.search.forget_paused();
        self.plan.search.poison();
        self.plan.far.poison();
        self.route = Route { waypoints: [rubbish; 3].into(), cost: Cost(7), expanded: 7 };
        self.smooth.points.extend([rubbish.centre(); 3]);
        self.detour.poison();
    }

    /// How much was looked at to find nearest places; what was remembered adds nothing.
    pub(super) fn looked_at(&self) -> u64 {
        self.snaps.looked_at()
    }
}

impl Service<'_> {
    /// Answers a job, or goes on with one, expanding about `left` nodes at most if it can pause.
    pub(super) fn serve(&self, job: &mut Job, tools: &mut Tools, left: u32) {
        match self.ends(job, tools) {
            Err(error) => job.answer = Answer::None(error),
            Ok((from, to, nearest)) => {
                let done = match job.task {
                    Task::Rejoin => self.rejoin(job, tools, from, to, left),
                    Task::Find => self.find(job, tools, from, to, left),
                };
                job.answer = match (done, nearest) {
                    (Err(PlanError::Paused { nodes }), _) => {
                        job.expanded = nodes;
                        Answer::Paused
                    }
                    (Err(error), _) => Answer::None(error.into()),
                    (Ok(()), Some(reason)) => Answer::Nearest(reason),
                    (Ok(()), None) => Answer::Found,
                };
            }
        }
    }

    /// Whether a search that paused in this job, run by `choice`, is the one that would be run now.
    pub(super) fn goes_on(
        &self,
        job: &mut Job,
        tools: &mut Tools,
        choice: PlannerChoice,
        threat: Threat,
    ) -> bool {
        if self.heeded(job) != threat {
            return false;
        }
        if job.task == Task::Rejoin {
            // It looks for another end than the goal; the scratch knows which.
            return true;
        }
        let Ok((from, to, _)) = self.ends(job, tools) else { return false };
        let query = PathQuery::new(from, to, job.agent).with_threat(job.threat);
        self.choice(job, &query).0 == choice
    }

    /// Where the route starts and ends, and why that is not in the goal if it is not.
    pub(super) fn ends(
        &self,
        job: &mut Job,
        tools: &mut Tools,
    ) -> Result<(CellPos, CellPos, Option<PathReason>), PathReason> {
        let view = self.view;
        let from = job.from.cell();
        if let Goal::In(Shape::Point(to)) = job.goal {
            if view.sectors.reachable(from, to, job.agent) && view.layer.can_stop(to, job.agent) {
                job.end = to.centre();
                return Ok((from, to, None));
            }
        }
        // Counted as if nothing were remembered, so that memory changes no budget.
        job.nodes = job.nodes.saturating_add(SNAP_NODES);
        let looked_through = self.looked_through(&job.goal);
        if let Some((_, _, cells)) = looked_through {
            job.nodes = job.nodes.saturating_add((cells / 64) as u32);
        }
        let snapped = view.sectors.snap_again(view.layer, from, &job.goal, job.agent, &mut tools.snaps);
        // Who cannot get into the shape need not look for a place inside it.
        let may_enter = !matches!(snapped, Ok(Snapped { gap: 1.., .. }));
        if let Some((shape, bounds, _)) = looked_through.filter(|_| may_enter) {
            if let Some(to) = self.nearest_inside(from, job.agent, &shape, bounds) {
                job.end = to.centre();
                return Ok((from, to, None));
            }
        }
        let snapped = snapped?;
        job.end = snapped.to.centre();
        let reason = if snapped.gap > 0 {
            Some(why_not(&view, from, job))
        } else if snapped.from != from {
            Some(PathReason::StartClosed)
        } else {
            None
        };
        match (reason, job.when_unreachable) {
            (Some(reason), WhenUnreachable::Fail) => Err(reason),
            _ => Ok((snapped.from, snapped.to, reason)),
        }
    }

    /// A shape, and its cells on the map as a rectangle, with their number, if they can be looked through; `None` for points, for several
    /// shapes, and for shapes that are too big.
    fn looked_through(&self, goal: &Goal) -> Option<(Shape, CellRect, u64)> {
        let Goal::In(shape @ (Shape::Circle { .. } | Shape::Ring { .. } | Shape::Rect(_))) = *goal else {
            return None;
        };
        let bounds = shape.bounds().intersect(self.view.layer.grid().rect());
        let cells = u64::from(bounds.x0.abs_diff(bounds.x1)) * u64::from(bounds.y0.abs_diff(bounds.y1));
        (!bounds.is_empty() && cells <= LOOKED_THROUGH).then_some((shape, bounds, cells))
    }

    /// Of the cells of a shape that can be reached and stopped on, the nearest as the crow flies.
    fn nearest_inside(
        &self,
        from: CellPos,
        agent: Agent,
        shape: &Shape,
        bounds: CellRect,
    ) -> Option<CellPos> {
        let (layer, sectors) = (self.view.layer, self.view.sectors);
        let fits = |at: &CellPos| {
            shape.contains(*at) && sectors.reachable(from, *at, agent) && layer.can_stop(*at, agent)
        };
        let far = |at: CellPos| {
            let (dx, dy) = (i64::from(at.x - from.x), i64::from(at.y - from.y));
            (dx * dx + dy * dy, at.y, at.x)
        };
        bounds.cells().filter(fits).min_by_key(|&at| far(at))
    }

    /// A new route.
    pub(super) fn find(
        &self,
        job: &mut Job,
        tools: &mut Tools,
        from: CellPos,
        to: CellPos,
        left: u32,
    ) -> Result<(), PlanError> {
        let query = PathQuery::new(from, to, job.agent).with_threat(job.threat);
        if job.detail == Detail::Direct {
            job.points.clear();
            job.points.extend([job.from, to.centre()]);
            (job.choice, job.reason) = (PlannerChoice::Direct, PlannerReason::Asked);
            job.nodes = job.nodes.saturating_add(1);
            return Ok(());
        }
        self.plan(job, &query, tools, left)?;
        cut_short(&self.view, job, &mut tools.route);
        if !job.occupied.is_empty() && around_units(&self.view, job, &query, tools) {
            (job.choice, job.reason) = (PlannerChoice::Astar, PlannerReason::Units);
            self.finish(job, &query, tools);
            // What leads around units stays as it is: smoothing knows of no units.
            tools.detour.put_before(&mut job.points);
        } else {
            self.finish(job, &query, tools);
        }
        if let Some(first) = job.points.first_mut() {
            // The unit is somewhere in its cell, and that is where its way starts.
            if first.cell() == job.from.cell() {
                *first = job.from;
            }
        }
        Ok(())
    }

    /// A route into `tools.route`.
    pub(super) fn plan(
        &self,
        job: &mut Job,
        query: &PathQuery,
        tools: &mut Tools,
        left: u32,
    ) -> Result<(), PlanError> {
        let Tools { plan, route, .. } = tools;
        let (before, rule) = (job.nodes, self.view.config.step_rule());
        (job.choice, job.reason) = self.choice(job, query);
        plan.search.pause_after(Some(left));
        let done = if job.wants().is_some() {
            let point = Goal::point(query.to);
            let shapes = job.goal_query(query, &point);
            goal_search(self.view.layer, &shapes, rule, &mut plan.search, route).and_then(|outcome| {
                match (outcome, shapes.limits.nodes) {
                    (Outcome::Partial, Some(nodes)) => Err(PlanError::NodeLimit { nodes: nodes.get() }),
                    _ => Ok(()),
                }
            })
        } else if let Some(custom) = self.custom_for(query) {
            custom.plan(&self.view, query, plan, route)
        } else {
            match job.choice {
                PlannerChoice::Hpa => self.hybrid.far(&self.view, query, plan, route),
                _ => self.hybrid.exact(&self.view, query, plan, route),
            }
        };
        plan.search.pause_after(None);
        job.nodes = before.saturating_add(route.expanded.max(1));
        let over = plan.far.doors();
        if job.choice == PlannerChoice::Hpa && !over.cells.is_empty() {
            job.nodes = job.nodes.saturating_add(door_nodes(over).saturating_sub(over.expanded));
        }
        if matches!(done, Err(PlanError::Paused { .. })) {
            (job.heeds, job.looked) = (self.heeded(job), self.looked(query, &tools.plan));
        }
        done
    }

    /// The game's own planner, if it gave one that suits the question.
    fn custom_for(&self, query: &PathQuery) -> Option<&dyn Planner> {
        self.custom.filter(|custom| custom.suits(&self.view, query).is_ok())
    }

    /// Which search answers, and why.
    fn choice(&self, job: &Job, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        if let Some(why) = job.wants() {
            return (PlannerChoice::Astar, PlannerReason::Unsuited(why));
        }
        if self.custom_for(query).is_some() {
            return (PlannerChoice::Custom, PlannerReason::Custom);
        }
        if job.detail == Detail::Simplified {
            return (PlannerChoice::Hpa, PlannerReason::Asked);
        }
        self.hybrid.choice(&self.view, query)
    }

    /// Makes points of the route, smoothed if that is worth it.
    pub(super) fn finish(&self, job: &mut Job, query: &PathQuery, tools: &mut Tools) {
        let Tools { smoother, route, smooth, .. } = tools;
        job.points.clear();
        let sight = Sight::new(self.view.layer, query.agent, query.threat, self.view.config.step_rule());
        let wanted = job.detail == Detail::Full;
        match sight
            .ok()
            .filter(|_| wanted)
            .map(|sight| smoother.smooth(&sight, route, self.smoothing, smooth))
        {
            Some(Ok(())) => {
                let turns = u32::try_from(route.waypoints.len()).unwrap_or(u32::MAX);
                job.nodes = job.nodes.saturating_add(turns.saturating_mul(SMOOTH_NODES));
                job.points.extend_from_slice(&smooth.points);
                job.keep_clear(route);
            }
            // The route was found on this very map, so it is open; and where it is not to be smoothed its turns will do.
            _ => job.points.extend(route.waypoints.iter().map(|at| at.centre())),
        }
        if let Some(last) = job.points.last() {
            job.end = *last;
        }
    }
}

/// Why a goal cannot be reached.
fn why_not(view: &PlanView<'_>, from: CellPos, job: &Job) -> PathReason {
    if view.sectors.domain(from, job.agent).is_none() {
        return PathReason::StartClosed;
    }
    let Goal::In(Shape::Point(to)) = job.goal else { return PathReason::NoWay };
    match view.layer.field(job.agent) {
        Some(field) if !field.is_passable(to) => PathReason::GoalClosed,
        Some(_) if !view.layer.can_stop(to, job.agent) => PathReason::GoalNoStop,
        _ => PathReason::NoWay,
    }
}

/// A route to the middle of a shape ends where it enters the shape and may stop.
fn cut_short(view: &PlanView<'_>, job: &Job, route: &mut Route) {
    if matches!(job.goal, Goal::In(Shape::Point(_)) | Goal::AnyOf(_) | Goal::OutOf(_) | Goal::OutOfAll(_)) {
        return;
    }
    let inside = |at: &CellPos| job.goal.contains(*at) && view.layer.can_stop(*at, job.agent);
    let Some(end) = route.cells().find(inside) else { return };
    let mut kept = 0;
    for pair in route.waypoints.windows(2) {
        if between(pair[0], end, pair[1]) {
            break;
        }
        kept += 1;
    }
    route.waypoints.truncate(kept + 1);
    if route.waypoints.last() != Some(&end) {
        route.waypoints.push(end);
    }
}

/// Whether `at` is on the straight or diagonal leg from `a` to `b`.
pub(super) fn between(a: CellPos, at: CellPos, b: CellPos) -> bool {
    let (dx, dy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
    let steps = a.x.abs_diff(at.x).max(a.y.abs_diff(at.y)) as i32;
    let leg = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) as i32;
    steps <= leg && a.offset(dx * steps, dy * steps) == at
}

/// What answered a request, for its report.
pub(super) fn answered(job: &Job, asked: Tick, now: Tick) -> PathReport {
    let Job { choice: planner, reason, nodes, begun, .. } = *job;
    PathReport { planner, reason, nodes, asked, begun, answered: now }
}
