//! Finds a new route for a job, and converts it to points.

use super::context::{LaneScratch, SearchContext};
use super::detour::around_units;
use super::ends::RouteEnds;
use super::explored::{effective_threat, explored_area};
use super::job::Job;
use crate::base::CellPos;
use crate::plan::work_costs::{SMOOTHED_TURN, door_route};
use crate::planners::{PlanView, Planner, PlannerChoice, PlannerReason};
use crate::query::{Detail, Goal, Outcome, PathQuery, PlanError, Shape};
use crate::search::{Route, Sight, goal_search};

impl SearchContext<'_> {
    /// Finds a new route for the job, expanding at most about `most` nodes if the search can pause.
    pub(super) fn find(
        &self,
        job: &mut Job,
        scratch: &mut LaneScratch,
        ends: RouteEnds,
        most: u32,
    ) -> Result<(), PlanError> {
        let query = job.query(ends.from, ends.to);
        if job.detail == Detail::Direct && self.custom_for(job, &query).is_none() {
            job.points.clear();
            job.points.extend([job.from, ends.to.centre()]);
            (job.choice, job.reason) = (PlannerChoice::Direct, PlannerReason::Asked);
            job.nodes = job.nodes.saturating_add(1);
            return Ok(());
        }
        self.plan(job, &query, scratch, most)?;
        end_in_shape(&self.view, job, &mut scratch.route);
        if !job.occupied.is_empty() && around_units(&self.view, job, &query, scratch) {
            (job.choice, job.reason) = (PlannerChoice::Astar, PlannerReason::Units);
            self.smooth(job, &query, scratch);
            // The detour is not smoothed: the smoother knows no units.
            scratch.detour.insert_before(&mut job.points);
        } else {
            self.smooth(job, &query, scratch);
        }
        job.start_at_unit();
        Ok(())
    }

    /// Finds a route for `query` into `scratch.route`, expanding at most about `most` nodes if the search can pause.
    pub(super) fn plan(
        &self,
        job: &mut Job,
        query: &PathQuery,
        scratch: &mut LaneScratch,
        most: u32,
    ) -> Result<(), PlanError> {
        let LaneScratch { plan, route, .. } = scratch;
        let (before, rule) = (job.nodes, self.view.config.step_rule());
        (job.choice, job.reason) = self.choice(job, query);
        plan.search.pause_after(Some(most));
        let done = if job.needs_goal_search().is_some() {
            let point = Goal::point(query.to);
            let shapes = job.goal_query(query, &point);
            goal_search(self.view.layer, &shapes, rule, &mut plan.search, route).and_then(|outcome| {
                match (outcome, shapes.limits.nodes) {
                    (Outcome::Partial, Some(nodes)) => Err(PlanError::NodeLimit { nodes: nodes.get() }),
                    _ => Ok(()),
                }
            })
        } else if let Some((custom, query)) = self.custom_for(job, query) {
            custom.plan(&self.view, &query, plan, route)
        } else {
            match job.choice {
                PlannerChoice::Hpa => self.hybrid.far(&self.view, query, plan, route),
                _ => self.hybrid.exact(&self.view, query, plan, route),
            }
        };
        plan.search.pause_after(None);
        job.nodes = before.saturating_add(route.expanded.max(1));
        let over_doors = plan.far.doors();
        if job.choice == PlannerChoice::Hpa && !over_doors.cells.is_empty() {
            let cost = door_route(over_doors).saturating_sub(over_doors.expanded);
            job.nodes = job.nodes.saturating_add(cost);
        }
        if matches!(done, Err(PlanError::Paused { .. })) {
            job.effective_threat = effective_threat(self, job);
            job.explored = explored_area(self, query, &scratch.plan);
        }
        done
    }

    /// The game's own planner, if there is one and it accepts the query; and the query with the asker, if the planner heeds it.
    fn custom_for(&self, job: &Job, query: &PathQuery) -> Option<(&dyn Planner, PathQuery)> {
        let custom = self.custom?;
        let query = if custom.heeds_asker() { query.with_asker(job.asker) } else { *query };
        custom.suits(&self.view, &query).ok().map(|()| (custom, query))
    }

    /// Which planner answers, and why.
    pub(super) fn choice(&self, job: &Job, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        if let Some(why) = job.needs_goal_search() {
            return (PlannerChoice::Astar, PlannerReason::Unsuited(why));
        }
        if self.custom_for(job, query).is_some() {
            return (PlannerChoice::Custom, PlannerReason::Custom);
        }
        if job.detail == Detail::Simplified {
            return (PlannerChoice::Hpa, PlannerReason::Asked);
        }
        self.hybrid.choice(&self.view, query)
    }

    /// Writes the points of `scratch.route` to the job, smoothed if the request asks for full detail.
    pub(super) fn smooth(&self, job: &mut Job, query: &PathQuery, scratch: &mut LaneScratch) {
        let LaneScratch { smoother, route, smooth, .. } = scratch;
        job.points.clear();
        let sight = Sight::new(self.view.layer, query.agent, query.threat, self.view.config.step_rule());
        // A route of the game's planner is followed as it is.
        let wanted = job.detail == Detail::Full && job.choice != PlannerChoice::Custom;
        match sight
            .ok()
            .filter(|_| wanted)
            .map(|sight| smoother.smooth(&sight, route, self.smoothing, smooth))
        {
            Some(Ok(())) => {
                let turns = u32::try_from(route.waypoints.len()).unwrap_or(u32::MAX);
                job.nodes = job.nodes.saturating_add(turns.saturating_mul(SMOOTHED_TURN));
                job.points.extend_from_slice(&smooth.points);
                job.avoid_closed_cells(route);
            }
            // The smoother cannot fail here: the route was found on this very map.
            _ => job.points.extend(route.waypoints.iter().map(|at| at.centre())),
        }
        if let Some(last) = job.points.last() {
            job.end = *last;
        }
    }
}

/// Cuts a route that leads to the middle of a goal shape: it ends at the first cell inside the shape on which the agent may stop.
fn end_in_shape(view: &PlanView<'_>, job: &Job, route: &mut Route) {
    if matches!(job.goal, Goal::In(Shape::Point(_)) | Goal::AnyOf(_) | Goal::OutOf(_) | Goal::OutOfAll(_)) {
        return;
    }
    let inside = |at: &CellPos| job.goal.contains(*at) && view.layer.can_stop(*at, job.agent);
    let Some(end) = route.cells().find(inside) else { return };
    let mut kept = 0;
    for pair in route.waypoints.windows(2) {
        if is_on_leg(end, pair[0], pair[1]) {
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
fn is_on_leg(at: CellPos, a: CellPos, b: CellPos) -> bool {
    let (dx, dy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
    let steps = a.x.abs_diff(at.x).max(a.y.abs_diff(at.y)) as i32;
    let leg = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) as i32;
    steps <= leg && a.offset(dx * steps, dy * steps) == at
}
