//! Finds one route with one planner, and times it: for `path`, `render` and `trace`.

use waymarch::planners::{PlanScratch, Planner};
use waymarch::query::{GoalQuery, Outcome, PathQuery, PlanError};
use waymarch::search::{Route, goal_search};
use waymarch::sectors::Sectors;

use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;
use crate::planner::{Prepared, scratch, suits};
use crate::stats::median_time_us;

/// A search is timed over 9 runs after a first one that warms the caches; the median counts.
pub(super) const RUNS: usize = 9;

/// A route, and what it took to find it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) route: Route,
    pub(super) outcome: Outcome,
    pub(super) time_us: f64,
    pub(super) prep_ms: f64,
    pub(super) memory_bytes: usize,
}

/// Builds `planner` for a map.
///
/// # Errors
/// If the planner does not support this map, agent or step rule.
pub(super) fn prepare<'a>(
    setup: &'a MapSetup,
    sectors: &'a Sectors,
    planner: &dyn Planner,
) -> Result<Prepared<'a>, Failure> {
    let view = setup.view(sectors);
    if let Err(why) = suits(planner, &view, setup.agent) {
        return Err(Failure::new(
            Kind::Invalid,
            format!("the planner `{}` does not support this map: {why}", planner.name()),
        ));
    }
    Ok(Prepared::new(planner, view, setup.agent))
}

/// Finds a route with `planner`, and measures the time over several runs.
pub(super) fn find(setup: &MapSetup, planner: &dyn Planner, query: &PathQuery) -> Result<Found, Failure> {
    let sectors = setup.sectors();
    let prepared = prepare(setup, &sectors, planner)?;
    let mut found = timed(|scratch, route| {
        prepared.forget();
        prepared.plan(query, scratch, route)?;
        Ok(Outcome::Reached)
    })?;
    (found.prep_ms, found.memory_bytes) = (prepared.prep_ms(), prepared.memory_bytes());
    Ok(found)
}

/// Finds a route into a goal area, and measures the time over several runs.
pub(super) fn find_goal(setup: &MapSetup, query: &GoalQuery<'_>) -> Result<Found, Failure> {
    let rule = setup.config.step_rule();
    timed(|scratch, route| goal_search(&setup.layer, query, rule, &mut scratch.search, route))
}

fn timed(
    mut plan: impl FnMut(&mut PlanScratch, &mut Route) -> Result<Outcome, PlanError>,
) -> Result<Found, Failure> {
    let (mut scratch, mut route) = (scratch(), Route::new());
    let outcome = plan(&mut scratch, &mut route)?;
    let time_us = median_time_us::<RUNS, _>(|| plan(&mut scratch, &mut route).map(|_| ()))?;
    Ok(Found { route, outcome, time_us, prep_ms: 0.0, memory_bytes: 0 })
}
