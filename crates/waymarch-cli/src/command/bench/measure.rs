//! One planner on one case: every route checked, every query timed.

use std::f64::consts::SQRT_2;
use std::time::Instant;

use serde::Serialize;
use waymarch::query::PathQuery;
use waymarch::search::{Route, SearchScratch};

use super::batch::{Throughput, throughput};
use super::case::{Case, CaseQuery};
use crate::planner::{PlannerDef, Promise};
use crate::report::rounded;

/// How far a route may be from the file's optimum: 1448/1024 is not quite the square root of two.
const SLACK: f64 = 0.0005;

/// One map and planner; the keys are a promise to scripts.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) map: String,
    pub(super) planner: &'static str,
    pub(super) queries: usize,
    pub(super) missed: usize,
    pub(super) worse: usize,
    pub(super) illegal: usize,
    pub(super) mean_ratio: Option<f64>,
    pub(super) p99_ratio: Option<f64>,
    pub(super) worst_ratio: Option<f64>,
    pub(super) mean_us: f64,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) expanded: f64,
    pub(super) prep_ms: f64,
    pub(super) memory_bytes: usize,
    /// With `--threads` only.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) throughput: Option<Throughput>,
    /// What its routes cost by what the best ones do, sorted.
    #[serde(skip)]
    pub(super) ratios: Vec<f64>,
    /// The case it is about: maps in different folders may share a name.
    #[serde(skip)]
    pub(super) case: usize,
}

/// How a planner is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Passes over all queries, the best time of each counting.
    pub(super) repeat: usize,
    /// Threads to ask batches of, if any.
    pub(super) threads: Option<usize>,
}

/// A query that went wrong.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Problem {
    pub(super) map: String,
    pub(super) planner: &'static str,
    pub(super) query: usize,
    pub(super) from: [i32; 2],
    pub(super) to: [i32; 2],
    pub(super) verdict: &'static str,
    pub(super) detail: String,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) row: Row,
    pub(super) problems: Vec<Problem>,
}

/// The verdict on a query whose file is wrong, not its route.
pub(super) const FILE_DISAGREES: &str = "file-disagrees";

/// What is wrong with an answer.
enum Fault {
    Missed(String),
    Worse(String),
    /// Not as long as the file says, though the independent search finds no cheaper route: the file is at odds with its
    /// own map, the route is right.
    FileDisagrees(String),
    Illegal(String),
    /// Several threads found another answer than one.
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

/// Measures `planner` on `case`, the case of that `number`.
pub(super) fn measure(
    (number, case): (usize, &Case),
    planner: &'static PlannerDef,
    effort: Effort,
    scratch: &mut SearchScratch,
) -> Measured {
    let start = Instant::now();
    let prepared = (planner.build)(&case.layer, case.agent, case.rule.into());
    let prep_ms = start.elapsed().as_secs_f64() * 1e3;
    let ask = |query: &CaseQuery| PathQuery::new(query.from, query.to, case.agent);
    let mut route = Route::new();
    let (mut faults, mut ratios, mut expanded) = (Vec::new(), Vec::new(), 0_u64);
    // Warms the memory up, and finds routes where there should be none.
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
                Ok(()) => check(case, planner.promise, query, &route, &mut ratios),
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
        let (measured, differing) = throughput(&*prepared, &queries, threads, effort.repeat, mean_us);
        let detail = format!("{threads} threads found another answer than one");
        faults.extend(differing.iter().map(|&at| (&case.queries[at], Fault::Different(detail.clone()))));
        measured
    });
    let problems: Vec<Problem> =
        faults.into_iter().map(|(query, fault)| fault.into_problem(case, planner.name, query)).collect();
    let count = |verdict| problems.iter().filter(|problem| problem.verdict == verdict).count();
    times.sort_by(f64::total_cmp);
    ratios.sort_by(f64::total_cmp);
    let queries = case.queries.len();
    let row = Row {
        map: case.name.clone(),
        planner: planner.name,
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
        prep_ms: rounded(prep_ms, 3),
        memory_bytes: prepared.memory_bytes(),
        throughput,
        ratios,
        case: number,
    };
    Measured { row, problems }
}

/// Replays a route and compares it with what is known; notes its ratio to the optimum.
fn check(
    case: &Case,
    promise: Promise,
    query: &CaseQuery,
    route: &Route,
    ratios: &mut Vec<f64>,
) -> Result<(), Fault> {
    let cost = case.judge.replay(query.from, query.to, &route.waypoints).map_err(Fault::Illegal)?;
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
            Promise::Bounded(per_mille) => u128::from(least) * u128::from(per_mille) / 1000,
            Promise::Near => u128::MAX,
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
        return Err(match query.least_cost(&case.judge) {
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

/// The mean; `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle of sorted values, between the two middle ones if need be; 0 of nothing.
fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// The value that `percent` of all sorted ones do not pass; 0 of nothing.
pub(super) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_percentiles_are_the_usual_ones() {
        assert_eq!(median(&[1.0, 2.0, 4.0]).to_string(), "2");
        assert_eq!(median(&[1.0, 2.0]).to_string(), "1.5");
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&hundred, 99).to_string(), "99");
        assert_eq!(percentile(&[7.0], 99).to_string(), "7");
        assert_eq!(percentile(&[], 99).to_string(), "0");
    }
}
