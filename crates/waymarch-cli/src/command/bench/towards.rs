//! `waymarch bench towards`: many starts to one goal, led by what is left to it.

use std::time::Instant;

use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, jpsw, jpsw_towards,
};
use waymarch::sectors::{RimField, RimScratch, Rims};

use super::case::{Case, CaseSource};
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::report::{Report, Verdict, bytes, rounded};

const EXAMPLES: &str = "\
Examples:
  waymarch bench towards
  waymarch bench towards wc3.map --rules movingai-weighted --goals 20 --starts 20 --json

Exit code 1 when two searches differ about a cost.";

/// Arguments of `waymarch bench towards`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TowardsArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP", default_values_t = ["valley".to_owned(), "pass".to_owned()])]
    maps: Vec<String>,
    /// What cells are drawn from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many goals.
    #[arg(long, value_name = "N", default_value_t = 10)]
    goals: usize,
    /// How many starts for each.
    #[arg(long, value_name = "N", default_value_t = 20)]
    starts: usize,
    #[command(flatten)]
    reading: ReadArgs,
}

/// One map and one way of guessing what is left.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    bound: &'static str,
    queries: usize,
    /// Per query, everything for the goal being there already.
    mean_us: f64,
    /// The first query of each goal, with whatever has to be made for it.
    first_us: f64,
    expanded: f64,
    /// Once per map.
    prep_ms: f64,
    memory_bytes: usize,
    /// Queries whose route costs something else than without a bound.
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
    let mut table = Table::new();
    let head =
        ["map", "bound", "queries", "mean µs", "first µs", "expanded", "prep ms", "memory", "differing"];
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(head);
    for row in rows {
        table.add_row([
            row.map.clone(),
            row.bound.to_owned(),
            row.queries.to_string(),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.first_us),
            format!("{:.1}", row.expanded),
            format!("{:.1}", row.prep_ms),
            bytes(row.memory_bytes as u64),
            row.differing.to_string(),
        ]);
    }
    format!("{table}\n")
}

/// What one way of guessing came to, query by query.
#[derive(Default)]
struct Asked {
    times: Vec<f64>,
    firsts: Vec<f64>,
    costs: Vec<Option<u64>>,
    expanded: u64,
}

impl Asked {
    /// Asks for the routes to one goal. Twice: what has to be made for the goal is made in the first round.
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
    let mut row = |bound, asked: Asked, (prep_ms, memory_bytes), plain: &[Option<u64>]| {
        let mean = |times: &[f64]| rounded(times.iter().sum::<f64>() / times.len().max(1) as f64, 2);
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
        let mut asked = Asked::default();
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
    if let (Ok(zones), prep_ms) = timed(|| ZoneDistances::new(layer, agent, rule)) {
        row("zones", ask_all(Bound::Zones(&zones)), (prep_ms, zones.memory_bytes()), &plain);
    }
    if let (Ok(landmarks), prep_ms) = timed(|| Landmarks::new(layer, agent, rule)) {
        row("landmarks", ask_all(Bound::Landmarks(&landmarks)), (prep_ms, landmarks.memory_bytes()), &plain);
    }
    let mut memory = RimScratch::new();
    let (rims, prep_ms) = timed(|| {
        let rims = Rims::new(layer, agent, rule, Threat::Ignore);
        rims.inspect(|rims| rims.prepare_all(layer, &mut memory))
    });
    let Ok(rims) = rims else { return };
    let mut asked = Asked::default();
    for &goal in &goals {
        let begun = Instant::now();
        let Some(mut left) = RimField::new(&rims, layer, goal, &mut memory) else { continue };
        asked.ask(begun, &queries(goal), |query, route| {
            jpsw_towards(query, &how, &mut left, &mut scratch, route)
        });
    }
    row("rims", asked, (prep_ms, rims.memory_bytes()), &plain);
}

fn timed<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let made = make();
    (made, rounded(start.elapsed().as_secs_f64() * 1e3, 1))
}
