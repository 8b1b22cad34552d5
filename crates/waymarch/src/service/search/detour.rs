//! Detours around units that stand on a route.

use alloc::vec::Vec;

use super::context::{DetourScratch, LaneScratch};
use super::job::{BLOCKER_RANGE, Job};
use crate::base::{CellPos, Vec2};
use crate::planners::PlanView;
use crate::query::{Goal, GoalQuery, Occupied, Outcome, PathQuery};
use crate::search::goal_search;

/// A search for a detour expands at most 1500 nodes.
const DETOUR_NODES: u32 = 1500;

/// Finds a detour around the units on the first cells of `scratch.route`, and cuts these cells off the route. Returns whether there is a
/// detour; it is then in `scratch.detour`.
pub(super) fn around_units(
    view: &PlanView<'_>,
    job: &mut Job,
    query: &PathQuery,
    scratch: &mut LaneScratch,
) -> bool {
    let LaneScratch { plan, route, detour, .. } = scratch;
    let occupied = Occupied(&job.occupied);
    detour.cells.clear();
    detour.cells.extend(route.cells());
    let cells = &detour.cells;
    let near = &cells[..cells.len().min(BLOCKER_RANGE + 1)];
    if !near.iter().skip(1).any(|&at| occupied.contains(at)) {
        return false;
    }
    // The detour returns to the route behind the last unit that stands on it.
    let last = near.iter().rposition(|&at| occupied.contains(at)).unwrap_or(0);
    let rule = view.config.step_rule();
    let free = |at: &CellPos| !occupied.contains(*at) && view.layer.can_stop(*at, job.agent);
    let Some(behind) = cells[last..].iter().position(free).map(|more| last + more) else { return false };
    let goal = Goal::point(cells[behind]);
    let around = GoalQuery::of(query, &goal).around(&job.occupied).avoiding(job.avoid);
    let around = around.node_limit(DETOUR_NODES);
    plan.search.forget_paused();
    // A detour may be longer than every earlier one.
    detour.route.waypoints.reserve(4 * BLOCKER_RANGE);
    let found = goal_search(view.layer, &around, rule, &mut plan.search, &mut detour.route);
    job.nodes = job.nodes.saturating_add(detour.route.expanded);
    if found != Ok(Outcome::Reached) {
        return false;
    }
    route.waypoints.clear();
    cells[behind..].iter().for_each(|&at| route.extend_to(at));
    true
}

impl DetourScratch {
    /// Inserts the detour before the rest of a route, which begins where the detour ends.
    pub(super) fn insert_before(&self, points: &mut Vec<Vec2>) {
        let around = &self.route.waypoints;
        points.splice(..0, around[..around.len().saturating_sub(1)].iter().map(|at| at.centre()));
    }
}
