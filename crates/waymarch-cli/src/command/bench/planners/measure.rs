//! Measures one planner on one case: checks every route and times every query.

use std::f64::consts::SQRT_2;
use std::time::Instant;

use serde::Serialize;
use waymarch::planners::{PlanScratch, Planner, Promise};
use waymarch::query::PathQuery;
use waymarch::search::{Route, SearchScratch};

use super::case::{Case, CaseQuery};
use super::throughput::{Throughput, throughput};
use crate::planner::{Prepared, scratch};
use crate::report::rounded;
use crate::stats::{mean, median, percentile};

/// A route may differ from the length in the file by 0.05 %: the engine's diagonal step is 1448/1024, not quite √2.
const SLACK: f64 = 0.0005;

/// One planner on one map; scripts rely on the keys.
#[derive(Clone, Debug, Serialize)]
pub(in crate::command) struct Row {
    pub(in crate::command) map: String,
    pub(in crate::command) planner: &'static str,
    pub(in crate::command) queries: usize,
    pub(in crate::command) missed: usize,
    pub(in crate::command) worse: usize,
    pub(in crate::command) illegal: usize,
    pub(in crate::command) mean_ratio: Option<f64>,
    pub(in crate::command) p99_ratio: Option<f64>,
    pub(in crate::command) worst_ratio: Option<f64>,
    pub(in crate::command) mean_us: f64,
    pub(in crate::command) median_us: f64,
    pub(in crate::command) p99_us: f64,
    pub(in crate::command) expanded: f64,
    pub(in crate::command) prep_ms: f64,
    pub(in crate::command) memory_bytes: usize,
    /// With `--threads` only.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(in crate::command) throughput: Option<Throughput>,
    /// The ratios of the routes to the optimum, sorted.
    #[serde(skip)]
    pub(in crate::command) ratios: Vec<f64>,
    /// The number of the case: maps in different folders may share a name.
    #[serde(skip)]
    pub(in crate::command) case: usize,
}

/// How a planner is measured.
#[derive(Clone, Copy, Debug)]
pub(in crate::command) struct Effort {
    /// Passes over all queries; the shortest time of each counts.
    pub(in crate::command) repeat: usize,
    /// Threads for the throughput, if it is measured.
    pub(in crate::command) threads: Option<usize>,
}

/// A query with a wrong result.
#[derive(Clone, Debug, Serialize)]
pub(in crate::command) struct Problem {
    pub(in crate::command) map: String,
    pub(in crate::command) planner: &'static str,
    pub(in crate::command) query: usize,
    pub(in crate::command) from: [i32; 2],
    pub(in crate::command) to: [i32; 2],
    pub(in crate::command) verdict: &'static str,
    pub(in crate::command) detail: String,
}

/// The result for one planner on one case.
#[derive(Debug)]
pub(in crate::command) struct Measured {
    pub(in crate::command) row: Row,
    pub(in crate::command) problems: Vec<Problem>,
    /// The shortest time of each query, in microseconds, in the order of the queries.
    pub(in crate::command) times: Vec<f64>,
}

/// The verdict on a query whose file is wrong, while its route is right.
pub(in crate::command) const FILE_DISAGREES: &str = "file-disagrees";

/// A case and its number in the run.
#[derive(Clone, Copy)]
pub(in crate::command) struct NumberedCase<'a> {
    pub(in crate::command) number: usize,
    pub(in crate::command) case: &'a Case,
}

/// What is wrong with a route.
enum Fault {
    Missed(String),
    Worse(String),
    /// The length differs from the file, but the reference search finds no cheaper route: the file does not fit its own map, and the
    /// route is right.
    FileDisagrees(String),
    Illegal(String),
    /// Several threads found another route than one thread.
    Different(String),
}

impl Fault {
    fn name(&self) -> &'static str {
        match self {
            Self::Missed(_) => "missed",
            Self::Worse(_) => "worse",
            Self::FileDisagrees(_) => FILE_DISAGREES,
            Self::Illegal(_) => "illegal",
            Self::Different(_) => "different",
        }
    }

    fn into_problem(self, case: &Case, planner: &'static str, query: &CaseQuery) -> Problem {
        let verdict = self.name();
        let (Self::Missed(detail)
        | Self::Worse(detail)
        | Self::FileDisagrees(detail)
        | Self::Illegal(detail)
        | Self::Different(detail)) = self;
        Problem {
            map: case.name.clone(),
            planner,
            query: query.number,
            from: [query.from.x, query.from.y],
            to: [query.to.x, query.to.y],
            verdict,
            detail,
        }
    }
}

/// Measures `planner` on a case.
pub(in crate::command) fn measure(
    numbered: NumberedCase<'_>,
    planner: &'static dyn Planner,
    effort: Effort,
    search: &mut SearchScratch,
) -> Measured {
    let NumberedCase { number, case } = numbered;
    let prepared = Prepared::new(planner, case.view(), case.agent);
    // The search scratch is reused for all maps. The other scratch serves this map only.
    let scratch = &mut PlanScratch { search: std::mem::take(search), ..scratch() };
    let ask = |query: &CaseQuery| PathQuery::new(query.from, query.to, case.agent);
    let mut route = Route::new();
    let (mut faults, mut ratios, mut expanded) = (Vec::new(), Vec::new(), 0_u64);
    // These queries have no route. Searching them also warms the caches.
    for (query, reason) in &case.skipped {
        if prepared.plan(&ask(query), scratch, &mut route).is_ok() {
            faults.push((query, Fault::Illegal(format!("a route, though there is {}", reason.name()))));
        }
    }
    if let Some(last) = case.queries.last() {
        let _ = prepared.plan(&ask(last), scratch, &mut route);
    }
    let mut times = vec![f64::INFINITY; case.queries.len()];
    for pass in 0..effort.repeat.max(1) {
        prepared.forget();
        for (query, time) in case.queries.iter().zip(&mut times) {
            let asked = ask(query);
            let start = Instant::now();
            let answer = prepared.plan(&asked, scratch, &mut route);
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
            if pass > 0 {
                continue;
            }
            expanded += u64::from(route.expanded);
            let checked = match answer {
                Ok(()) => check(case, planner.promise(), query, &route, &mut ratios),
                Err(error) => Err(Fault::Missed(error.to_string())),
            };
            if let Err(fault) = checked {
                faults.push((query, fault));
            }
        }
    }
    let mean_us = mean(&times).unwrap_or(0.0);
    let throughput = effort.threads.map(|threads| {
        let queries: Vec<PathQuery> = case.queries.iter().map(ask).collect();
        let (measured, differing) = throughput(&prepared, &queries, threads, effort.repeat, mean_us);
        let detail = format!("{threads} threads found another answer than one");
        faults.extend(differing.iter().map(|&at| (&case.queries[at], Fault::Different(detail.clone()))));
        measured
    });
    let problems: Vec<Problem> =
        faults.into_iter().map(|(query, fault)| fault.into_problem(case, planner.name(), query)).collect();
    let count = |verdict| problems.iter().filter(|problem| problem.verdict == verdict).count();
    let unsorted = times.clone();
    times.sort_by(f64::total_cmp);
    ratios.sort_by(f64::total_cmp);
    let queries = case.queries.len();
    let row = Row {
        map: case.name.clone(),
        planner: planner.name(),
        queries,
        missed: count("missed"),
        worse: count("worse"),
        illegal: count("illegal"),
        mean_ratio: mean(&ratios).map(|ratio| rounded(ratio, 6)),
        p99_ratio: (!ratios.is_empty()).then(|| rounded(percentile(&ratios, 99), 6)),
        worst_ratio: ratios.last().map(|&ratio| rounded(ratio, 6)),
        mean_us: rounded(mean_us, 3),
        median_us: rounded(median(&times), 3),
        p99_us: rounded(percentile(&times, 99), 3),
        expanded: rounded(expanded as f64 / queries.max(1) as f64, 1),
        prep_ms: rounded(prepared.prep_ms(), 3),
        memory_bytes: prepared.memory_bytes(),
        throughput,
        ratios,
        case: number,
    };
    *search = std::mem::take(&mut scratch.search);
    Measured { row, problems, times: unsorted }
}

/// Replays a route, compares it with the optimum, and adds its ratio to `ratios`.
fn check(
    case: &Case,
    promise: Promise,
    query: &CaseQuery,
    route: &Route,
    ratios: &mut Vec<f64>,
) -> Result<(), Fault> {
    let cost = case.reference.replay(query.from, query.to, &route.waypoints).map_err(Fault::Illegal)?;
    if cost != route.cost.0 {
        return Err(Fault::Illegal(format!("says it costs {}, but its steps cost {cost}", route.cost)));
    }
    let (straight, diagonal) = route.steps();
    let length = straight as f64 + diagonal as f64 * SQRT_2;
    let (measure, optimum) = match (query.optimum, query.checked()) {
        (Some((optimum, _)), _) => (length, Some(optimum)),
        (None, least) => (cost as f64, least.map(|least| least as f64)),
    };
    if let Some(least) = query.checked() {
        let most = match promise {
            Promise::Optimal => u128::from(least),
            Promise::Bounded(per_mille) => u128::from(least) * u128::from(per_mille.get()) / 1000,
            Promise::Legal => u128::MAX,
        };
        if cost < least || u128::from(cost) > most {
            return Err(Fault::Worse(format!("costs {cost}, the least is {least}, it promised {most}")));
        }
    }
    if let Some((optimum, tolerance)) = query.optimum
        && promise == Promise::Optimal
        && (length - optimum).abs() > optimum * SLACK + tolerance
    {
        let detail = format!("is {length:.5} long, the file says {optimum:.5}");
        return Err(match query.least_cost(&case.reference) {
            Some(least) if least == cost => {
                ratios.push(1.0);
                Fault::FileDisagrees(format!("{detail}; no cheaper route exists"))
            }
            _ => Fault::Worse(detail),
        });
    }
    if let Some(optimum) = optimum {
        ratios.push(if optimum > 0.0 { measure / optimum } else { 1.0 });
    }
    Ok(())
}
