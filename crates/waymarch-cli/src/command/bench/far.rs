//! `waymarch bench far`: the time to prepare a huge map, and routes across it.

use std::time::Instant;

use clap::Args;
use serde::Serialize;
use waymarch::base::{Agent, CellPos, Purpose, Rng, SizeClass, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::planners::{PlanScratch, PlanView};
use waymarch::query::{PathQuery, Threat};
use waymarch::search::Route;
use waymarch::sectors::{Doors, Sectors};

use super::cells::random_cell;
use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::load::find_only_map;
use crate::planner::{Prepared, planner, scratch, settings, suits};
use crate::report::{Lines, Report, Verdict, bytes, grouped, rounded};
use crate::stats::{mean, percentile, timed_ms};

const EXAMPLES: &str = "\
Examples:
  waymarch bench far
  waymarch bench far generate:3:8192x8192 --queries 50 --check 0 --json

Exit code 1 if a route is not found, or costs more or less when it is searched again.";

/// The default map.
const BUILT_IN: &str = "generate:1:4096x4096";

/// Arguments of `waymarch bench far`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FarArgs {
    /// A map file, built-in map or generate:SEED:WxH.
    #[arg(value_name = "MAP", default_value = BUILT_IN)]
    map: String,
    /// The seed of the queries.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// The number of routes from one end of the map to the other.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    queries: u32,
    /// The number of routes that an exact search finds too.
    #[arg(long, value_name = "N", default_value_t = 10)]
    check: u32,
    /// Build cost layer and sectors for unit sizes from 1 to N cells.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=16))]
    sizes: u8,
    /// The locomotor of the routes; default: the first of the map.
    #[arg(long, value_name = "NAME")]
    locomotor: Option<String>,
    #[command(flatten)]
    reading: ReadArgs,
}

/// The results; scripts rely on the keys.
#[derive(Debug, Serialize)]
struct Document {
    map: String,
    cells: u64,
    agents: usize,
    locomotors: usize,
    layer_1_ms: f64,
    sectors_ms: f64,
    doors_ms: f64,
    /// Everything that the hierarchical planner needs for one agent: doors and the search of its legs.
    planner_ms: f64,
    layer_1_bytes: usize,
    sectors_bytes: usize,
    doors_bytes: usize,
    planner_bytes: usize,
    /// Cost layer and sectors, and the doors of one agent, per locomotor.
    bytes_per_cell_and_locomotor: f64,
    reachable_ns: f64,
    queries: usize,
    missed: usize,
    mean_cells: f64,
    first_ms: f64,
    cold_median_ms: f64,
    median_ms: f64,
    p99_ms: f64,
    exact_median_ms: f64,
    mean_ratio: Option<f64>,
    worst_ratio: Option<f64>,
}

pub(super) fn run(args: &FarArgs) -> Result<Report, Failure> {
    let map = find_only_map(&args.map, &args.reading.options())?;
    let rule = StepRule::default();
    let sizes = (1..=args.sizes).filter_map(SizeClass::new).collect();
    let cost_settings = CostSettings { sizes, ..CostSettings::default() };
    let (layer, layer_1_ms) = timed_ms(|| CostLayer::new(&map, cost_settings));
    let (name, locomotors) = (map.map().name.clone(), map.map().rules.locomotors.len());
    // The cost layer does not need the map any more, and a huge map takes much memory.
    drop(map);
    let (sectors, sectors_ms) = timed_ms(|| Sectors::new(&layer, rule));
    let agent = find_agent(&layer, args.locomotor.as_deref())?;
    // These doors are built only to measure them: the planner builds its own.
    let (doors, doors_ms) = timed_ms(|| Doors::new(&layer, agent, rule, Threat::Ignore));
    let doors_bytes = doors.map_or(0, |doors| doors.memory_bytes());
    let config = settings(rule);
    let view = PlanView { layer: &layer, sectors: &sectors, config: &config, now: Tick::ZERO };
    let far = Prepared::new(planner("hpa")?, view, agent);
    let planner_ms = rounded(far.prep_ms(), 3);
    let queries = queries_across(&layer, &sectors, agent, args);
    let reachable_ns = time_reachable(&layer, &sectors, agent);
    let mut scratch = scratch();
    let mut cold = search_all(&far, &queries, &mut scratch);
    let first_ms = cold.times.first().copied().unwrap_or(0.0);
    let mut warm = search_all(&far, &queries, &mut scratch);
    let (ratios, mut exact) = compare(view, agent, &queries, &warm.costs, args.check)?;
    for times in [&mut cold.times, &mut warm.times, &mut exact] {
        times.sort_by(f64::total_cmp);
    }
    let cells = layer.grid().cells() as u64;
    let (layer_1_bytes, sectors_bytes) = (layer.memory_bytes(), sectors.memory_bytes());
    let shared = (layer_1_bytes + sectors_bytes) as f64 / locomotors.max(1) as f64;
    let document = Document {
        map: name,
        cells,
        agents: layer.agents().count(),
        locomotors,
        layer_1_ms,
        sectors_ms,
        doors_ms,
        planner_ms,
        layer_1_bytes,
        sectors_bytes,
        doors_bytes,
        planner_bytes: far.memory_bytes(),
        bytes_per_cell_and_locomotor: rounded((shared + doors_bytes as f64) / cells as f64, 2),
        reachable_ns,
        queries: queries.len(),
        missed: warm.missed,
        mean_cells: rounded(warm.cells as f64 / queries.len().max(1) as f64, 1),
        first_ms: rounded(first_ms, 3),
        cold_median_ms: rounded(percentile(&cold.times, 50), 3),
        median_ms: rounded(percentile(&warm.times, 50), 3),
        p99_ms: rounded(percentile(&warm.times, 99), 3),
        exact_median_ms: rounded(percentile(&exact, 50), 3),
        mean_ratio: mean(&ratios).map(|ratio| rounded(ratio, 5)),
        worst_ratio: ratios.iter().copied().max_by(f64::total_cmp).map(|ratio| rounded(ratio, 5)),
    };
    let good = document.missed == 0 && cold.costs == warm.costs;
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(text(&document), &document).verdict(verdict))
}

fn text(of: &Document) -> String {
    let size = |count: usize| bytes(count as u64);
    let mut lines = Lines::default();
    lines
        .add("map", format!("{}, {} cells, {} agents", of.map, grouped(of.cells), of.agents))
        .add("cost layer", format!("{:.0} ms, {}", of.layer_1_ms, size(of.layer_1_bytes)))
        .add("rooms and domains", format!("{:.0} ms, {}", of.sectors_ms, size(of.sectors_bytes)))
        .add("doors", format!("{:.0} ms, {}, for one agent", of.doors_ms, size(of.doors_bytes)))
        .add("planner", format!("{:.0} ms, {}, doors and leg search", of.planner_ms, size(of.planner_bytes)))
        .add("memory", format!("{} bytes per cell and locomotor", of.bytes_per_cell_and_locomotor))
        .add("reachable", format!("{:.1} ns", of.reachable_ns))
        .add(
            "routes",
            format!("{} of {:.0} cells on average, {} not found", of.queries, of.mean_cells, of.missed),
        )
        .add("first route", format!("{:.2} ms", of.first_ms))
        .add("first search", format!("{:.2} ms median", of.cold_median_ms))
        .add("searched again", format!("{:.2} ms median, {:.2} ms p99", of.median_ms, of.p99_ms));
    if let (Some(mean), Some(worst)) = (of.mean_ratio, of.worst_ratio) {
        lines.add("exact search", format!("{:.2} ms median", of.exact_median_ms));
        lines.add("cost ÷ optimum", format!("{mean:.5} mean, {worst:.5} worst"));
    }
    lines.render()
}

fn find_agent(layer: &CostLayer, name: Option<&str>) -> Result<Agent, Failure> {
    let Some(name) = name else {
        let first = layer.agents().next();
        return first.ok_or_else(|| Failure::new(Kind::Invalid, "the map has no locomotor"));
    };
    let known: Vec<&str> = layer.rules().rules().locomotors.iter().map(|def| def.name.as_str()).collect();
    layer.rules().locomotor(name).map(Agent::from).ok_or_else(|| Failure::unknown("locomotor", name, &known))
}

/// Queries from the western fifth of the map to the eastern fifth; every one has a route.
fn queries_across(layer: &CostLayer, sectors: &Sectors, agent: Agent, args: &FarArgs) -> Vec<PathQuery> {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let mut random = Rng::keyed(u64::from(args.seed), Tick::ZERO, 0, Purpose(3));
    let fifth = (width / 5).max(1);
    let mut found = Vec::new();
    // On maps where few pairs are connected, there are fewer queries.
    for _ in 0..u64::from(args.queries) * 200 {
        let from = cell(random.below(fifth) as i32, random.below(height) as i32);
        let to = cell((width - 1 - random.below(fifth)) as i32, random.below(height) as i32);
        if sectors.reachable(from, to, agent) && layer.can_stop(to, agent) {
            found.push(PathQuery::new(from, to, agent));
        }
        if found.len() == args.queries as usize {
            break;
        }
    }
    found
}

/// Nanoseconds per reachability test between two random cells.
fn time_reachable(layer: &CostLayer, sectors: &Sectors, agent: Agent) -> f64 {
    const TESTS: usize = 1 << 16;
    let mut random = Rng::keyed(7, Tick::ZERO, 0, Purpose(3));
    let mut spot = || random_cell(&mut random, layer.grid());
    let pairs: Vec<(CellPos, CellPos)> = (0..TESTS).map(|_| (spot(), spot())).collect();
    let start = Instant::now();
    let count = pairs.iter().filter(|&&(a, b)| sectors.reachable(a, b, agent)).count();
    let taken = start.elapsed().as_nanos() as f64;
    std::hint::black_box(count);
    rounded(taken / TESTS as f64, 1)
}

/// The results of searching every query once.
struct Answers {
    times: Vec<f64>,
    costs: Vec<Option<u64>>,
    cells: u64,
    missed: usize,
}

fn search_all(planner: &Prepared<'_>, queries: &[PathQuery], scratch: &mut PlanScratch) -> Answers {
    let mut route = Route::new();
    let mut answers = Answers { times: Vec::new(), costs: Vec::new(), cells: 0, missed: 0 };
    for query in queries {
        let start = Instant::now();
        let found = planner.plan(query, scratch, &mut route).is_ok();
        answers.times.push(start.elapsed().as_secs_f64() * 1e3);
        answers.costs.push(found.then_some(route.cost.0));
        answers.missed += usize::from(!found);
        answers.cells += route.cells().count() as u64;
    }
    answers
}

/// The ratios of the first `check` costs to the optimum, and the milliseconds of each exact search.
fn compare(
    view: PlanView<'_>,
    agent: Agent,
    queries: &[PathQuery],
    costs: &[Option<u64>],
    check: u32,
) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    if check == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let even = planner("jps+")?;
    let exact = if suits(even, &view, agent).is_ok() { even } else { planner("jpsw-octile")? };
    let exact = Prepared::new(exact, view, agent);
    let (mut scratch, mut route) = (scratch(), Route::new());
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for (query, cost) in queries.iter().zip(costs).take(check as usize) {
        let start = Instant::now();
        let found = exact.plan(query, &mut scratch, &mut route).is_ok();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if let (Some(cost), true) = (cost, found && route.cost.0 > 0) {
            ratios.push(*cost as f64 / route.cost.0 as f64);
        }
    }
    Ok((ratios, times))
}
