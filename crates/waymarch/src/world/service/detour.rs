//! Ways around what stands on a route, and back to it.

use alloc::vec::Vec;

use super::job::Job;
use super::request::Task;
use super::serve::{Service, Tools};
use crate::base::{CellPos, CellRect, Vec2, WorldPos, make_room};
use crate::planners::{PlanView, PlannerReason};
use crate::query::{Goal, GoalQuery, Occupied, Outcome, PathQuery, PlanError};
use crate::search::{Route, Sight, goal_search};

/// Units farther along a route than this many steps will have moved before anybody gets there.
pub(super) const NEAR: usize = 24;
/// Nodes that a way around units is worth.
const DETOUR_NODES: u32 = 1500;
/// A way back to a route may be so many cells longer than twice the straight line; else a new route is looked for.
const SLACK: u64 = 16 * 1024;

/// Room for so many points of a route: hardly any has more.
pub(in crate::world) const POINTS: usize = 512;

/// Scratch: cells of a route and of a way around.
#[derive(Clone, Debug, Default)]
pub(super) struct Detour {
    cells: Vec<CellPos>,
    route: Route,
    old: Vec<WorldPos>,
}

impl Detour {
    /// Room for what most routes take.
    pub(super) fn make_room(&mut self) {
        const CELLS: usize = 1024;
        make_room(&mut self.cells, CELLS);
        make_room(&mut self.route.waypoints, 8 * NEAR);
        make_room(&mut self.old, POINTS);
    }

    /// Fills it with rubbish.
    pub(super) fn poison(&mut self) {
        let rubbish = CellPos::new(7, -7);
        self.cells.push(rubbish);
        self.route.waypoints.push(rubbish);
        self.old.push(rubbish.centre());
    }
}

/// Leads the beginning of `tools.route` around the units in the job's way; whether there was a need and a way.
pub(super) fn around_units(view: &PlanView<'_>, job: &mut Job, query: &PathQuery, tools: &mut Tools) -> bool {
    let Tools { plan, route, detour, .. } = tools;
    let occupied = Occupied(&job.occupied);
    detour.cells.clear();
    detour.cells.extend(route.cells());
    let cells = &detour.cells;
    let near = &cells[..cells.len().min(NEAR + 1)];
    if !near.iter().skip(1).any(|&at| occupied.contains(at)) {
        return false;
    }
    // Back to the route behind the last unit that stands on it.
    let last = near.iter().rposition(|&at| occupied.contains(at)).unwrap_or(0);
    let rule = view.config.step_rule();
    let free = |at: &CellPos| !occupied.contains(*at) && view.layer.can_stop(*at, job.agent);
    let Some(behind) = cells[last..].iter().position(free).map(|more| last + more) else { return false };
    let goal = Goal::point(cells[behind]);
    let around = GoalQuery::of(query, &goal).around(&job.occupied).avoiding(job.avoid);
    let around = around.node_limit(DETOUR_NODES);
    plan.search.forget_paused();
    // Some are longer than all before.
    detour.route.waypoints.reserve(4 * NEAR);
    let found = goal_search(view.layer, &around, rule, &mut plan.search, &mut detour.route);
    job.nodes = job.nodes.saturating_add(detour.route.expanded);
    if found != Ok(Outcome::Reached) {
        return false;
    }
    route.waypoints.clear();
    cells[behind..].iter().for_each(|&at| route.extend_to(at));
    true
}

impl Detour {
    /// Puts the way around units before the rest of a route, whose first point is its last.
    pub(super) fn put_before(&self, points: &mut Vec<WorldPos>) {
        let around = &self.route.waypoints;
        points.splice(..0, around[..around.len().saturating_sub(1)].iter().map(|at| at.centre()));
    }
}

impl Service<'_> {
    /// The number of the point at which a job's old route to `to` is joined again; `None` if a new one is to be found.
    fn where_to_rejoin(&self, job: &Job, to: CellPos) -> Option<usize> {
        let view = &self.view;
        let sight = Sight::new(view.layer, job.agent, job.threat, view.config.step_rule()).ok()?;
        let end = job.points.last().map(|last| last.cell());
        if end == Some(to) { behind_the_cut(&sight, &job.points) } else { None }
    }

    /// Writes down the questions that a planner will be asked for a job, in the order in which it may be asked them.
    pub(super) fn questions(&self, job: &mut Job, tools: &mut Tools, out: &mut Vec<PathQuery>) {
        let Ok((from, to, _)) = self.ends(job, tools) else { return };
        let query = PathQuery::new(from, to, job.agent).with_threat(job.threat);
        if job.wants().is_some() {
            return; // No planner is asked.
        }
        if job.task == Task::Rejoin {
            let behind = self.where_to_rejoin(job, to).map(|behind| job.points[behind].cell());
            out.extend(behind.map(|to| PathQuery { to, ..query }));
        }
        out.push(query);
    }

    /// A way from where the unit is to the part of its old route behind what an edit has closed; a new route if that is too long.
    pub(super) fn rejoin(
        &self,
        job: &mut Job,
        tools: &mut Tools,
        from: CellPos,
        to: CellPos,
        left: u32,
    ) -> Result<(), PlanError> {
        let behind = if job.avoid.is_empty() { self.where_to_rejoin(job, to) } else { None };
        let Some(behind) = behind else {
            job.task = Task::Find;
            return self.find(job, tools, from, to, left);
        };
        let at = job.points[behind];
        let query = PathQuery::new(from, at.cell(), job.agent).with_threat(job.threat);
        core::mem::swap(&mut tools.detour.old, &mut job.points);
        let planned = self.plan(job, &query, tools, left);
        core::mem::swap(&mut tools.detour.old, &mut job.points);
        planned?;
        let straight = Vec2::from(from.centre()).distance(Vec2::from(at));
        if tools.route.length() > 2 * u64::from(straight.raw().unsigned_abs()) + SLACK {
            job.task = Task::Find;
            return self.find(job, tools, from, to, left);
        }
        core::mem::swap(&mut tools.detour.old, &mut job.points);
        self.finish(job, &query, tools);
        let old = &tools.detour.old;
        job.points.extend_from_slice(&old[behind + 1..]);
        if let Some(first) = job.points.first_mut().filter(|first| first.cell() == job.from.cell()) {
            *first = job.from;
        }
        job.end = to.centre();
        job.reason = PlannerReason::Rejoined;
        Ok(())
    }
}

/// Whether a line from point to point touches a cell of `rect`.
pub(in crate::world) fn crosses(rect: CellRect, a: WorldPos, b: WorldPos) -> bool {
    if rect.is_empty() {
        return false;
    }
    let (a, b) = (Vec2::from(a), Vec2::from(b));
    let raw = |at: Vec2| (i128::from(at.x.raw()), i128::from(at.y.raw()));
    let ((ax, ay), (bx, by)) = (raw(a), raw(b));
    let edge = |cell: i32| i128::from(cell) * 1024;
    let (low, high) = ((edge(rect.x0), edge(rect.y0)), (edge(rect.x1), edge(rect.y1)));
    let beside = ax.max(bx) < low.0 || ax.min(bx) > high.0 || ay.max(by) < low.1 || ay.min(by) > high.1;
    // On which side of the line a corner lies.
    let side = |x: i128, y: i128| ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).signum();
    let sides = [side(low.0, low.1), side(high.0, low.1), side(low.0, high.1), side(high.0, high.1)];
    let one_side = sides.iter().all(|&side| side > 0) || sides.iter().all(|&side| side < 0);
    !beside && !one_side
}

/// The first point of a route from which the rest is open, if something before it is closed and something open is left.
fn behind_the_cut(sight: &Sight<'_>, points: &[WorldPos]) -> Option<usize> {
    let last_cut = points.windows(2).rposition(|pair| !sight.is_clear(pair[0], pair[1]));
    let behind = last_cut.map_or(1, |cut| cut + 1);
    (behind < points.len() && sight.is_clear(points[behind], points[behind])).then_some(behind)
}
