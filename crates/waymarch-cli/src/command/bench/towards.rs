//! `waymarch bench towards`: exact searches from many starts to one goal, with different heuristics.

use std::time::Instant;

use clap::Args;
use serde::Serialize;
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, jpsw, jpsw_towards,
};
use waymarch::sectors::{RimField, RimScratch, Rims};

use super::planners::case::{Case, CaseSource};
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::report::{Report, Verdict, bytes, rounded};
use crate::stats::{mean_or_zero, timed_ms};
use crate::table::table;

const EXAMPLES: &str = "\
Examples:
  waymarch bench towards
  waymarch bench towards wc3.map --rules movingai-weighted --goals 20 --starts 20 --json

Exit code 1 if two searches find different costs.";

/// Arguments of `waymarch bench towards`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TowardsArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP", default_values_t = ["valley".to_owned(), "pass".to_owned()])]
    maps: Vec<String>,
    /// The seed of the cells.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of goals.
    #[arg(long, value_name = "N", default_value_t = 10)]
    goals: usize,
    /// The number of starts for each goal.
    #[arg(long, value_name = "N", default_value_t = 20)]
    starts: usize,
    #[command(flatten)]
    reading: ReadArgs,
}

/// One map and one heuristic.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    bound: &'static str,
    queries: usize,
    /// Per query, when everything for the goal is built already.
    mean_us: f64,
    /// The first query of each goal, including what has to be built for the goal.
    first_us: f64,
    expanded: f64,
    /// Preparation, once per map.
    prep_ms: f64,
    memory_bytes: usize,
    /// Queries whose route has another cost than with the octile heuristic.
    differing: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
}

pub(super) fn run(args: &TowardsArgs) -> Result<Report, Failure> {
    let mut rows = Vec::new();
    for map in &args.maps {
        let count = args.goals + args.starts;
        let source = CaseSource::Random { map: map.clone(), seed: args.seed, count };
        measure(&source.draw(count, &args.reading.options())?, args, &mut rows);
    }
    let good = rows.iter().all(|row: &Row| row.differing == 0);
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(text(&rows), &Document { rows: &rows }).verdict(verdict))
}

fn text(rows: &[Row]) -> String {
    let header =
        ["map", "bound", "queries", "mean µs", "first µs", "expanded", "prep ms", "memory", "differing"];
    let cells = |row: &Row| {
        [
            row.map.clone(),
            row.bound.to_owned(),
            row.queries.to_string(),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.first_us),
            format!("{:.1}", row.expanded),
            format!("{:.1}", row.prep_ms),
            bytes(row.memory_bytes as u64),
            row.differing.to_string(),
        ]
    };
    format!("{}\n", table(header, rows.iter().map(cells), 2..9))
}

/// The results of one heuristic, query by query.
#[derive(Default)]
struct Measured {
    times: Vec<f64>,
    firsts: Vec<f64>,
    costs: Vec<Option<u64>>,
    expanded: u64,
}

impl Measured {
    /// Searches all routes to one goal twice. What the goal needs is built in the first round; the second one is timed.
    fn ask(
        &mut self,
        begun: Instant,
        queries: &[PathQuery],
        mut search: impl FnMut(&PathQuery, &mut Route) -> Result<(), PlanError>,
    ) {
        let mut route = Route::new();
        for (number, query) in queries.iter().enumerate() {
            let _again_below = search(query, &mut route);
            if number == 0 {
                self.firsts.push(begun.elapsed().as_secs_f64() * 1e6);
            }
        }
        for query in queries {
            let start = Instant::now();
            let found = search(query, &mut route);
            self.times.push(start.elapsed().as_secs_f64() * 1e6);
            self.costs.push(found.is_ok().then_some(route.cost.0));
            self.expanded += u64::from(route.expanded);
        }
    }
}

fn measure(case: &Case, args: &TowardsArgs, rows: &mut Vec<Row>) {
    let Case { layer, agent, rule, .. } = case;
    let (agent, rule) = (*agent, *rule);
    let goals: Vec<_> = case.queries.iter().take(args.goals).map(|query| query.to).collect();
    let starts: Vec<_> = case.queries.iter().skip(args.goals).map(|query| query.from).collect();
    let Ok(planes) = WeightedPlanes::new(layer, agent, rule, Threat::Ignore) else { return };
    let how = WeightedSearch::new(&planes);
    let mut scratch = SearchScratch::new();
    let mut row = |bound, asked: Measured, (prep_ms, memory_bytes), plain: &[Option<u64>]| {
        let mean = |times: &[f64]| rounded(mean_or_zero(times), 2);
        rows.push(Row {
            map: case.name.clone(),
            bound,
            queries: asked.times.len(),
            mean_us: mean(&asked.times),
            first_us: mean(&asked.firsts),
            expanded: rounded(asked.expanded as f64 / asked.times.len().max(1) as f64, 1),
            prep_ms,
            memory_bytes,
            differing: asked.costs.iter().zip(plain).filter(|(a, b)| a != b).count(),
        });
        asked.costs
    };
    let queries =
        |goal| starts.iter().map(move |&from| PathQuery::new(from, goal, agent)).collect::<Vec<_>>();
    let mut ask_all = |bound: Bound<'_>| {
        let mut asked = Measured::default();
        for &goal in &goals {
            let how = how.with_bound(bound);
            asked.ask(Instant::now(), &queries(goal), |query, route| {
                jpsw(layer, query, &how, &mut scratch, route)
            });
        }
        asked
    };
    let octile = ask_all(Bound::Octile);
    let plain = octile.costs.clone();
    row("octile", octile, (0.0, 0), &plain);
    if let (Ok(zones), prep_ms) = timed_ms(|| ZoneDistances::new(layer, agent, rule)) {
        row("zones", ask_all(Bound::Zones(&zones)), (prep_ms, zones.memory_bytes()), &plain);
    }
    if let (Ok(landmarks), prep_ms) = timed_ms(|| Landmarks::new(layer, agent, rule)) {
        row("landmarks", ask_all(Bound::Landmarks(&landmarks)), (prep_ms, landmarks.memory_bytes()), &plain);
    }
    let mut memory = RimScratch::new();
    let (rims, prep_ms) = timed_ms(|| {
        let rims = Rims::new(layer, agent, rule, Threat::Ignore);
        rims.inspect(|rims| rims.prepare_all(layer, &mut memory))
    });
    let Ok(rims) = rims else { return };
    let mut asked = Measured::default();
    for &goal in &goals {
        let begun = Instant::now();
        let Some(mut left) = RimField::new(&rims, layer, goal, &mut memory) else { continue };
        asked.ask(begun, &queries(goal), |query, route| {
            jpsw_towards(query, &how, &mut left, &mut scratch, route)
        });
    }
    row("rims", asked, (prep_ms, rims.memory_bytes()), &plain);
}
