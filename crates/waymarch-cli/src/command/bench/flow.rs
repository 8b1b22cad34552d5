//! `waymarch bench flow`: what it costs to make flow fields, to mend them after edits, to make tiles and to read headings off them.

use std::time::Instant;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::base::{Agent, CellPos, LocomotorId, Purpose, Rng, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Map, Stamp, StampId, StepRule, ValidMap};
use waymarch::flow::whole::{FieldKey, Followed, Keep, WholeField, WholeScratch};
use waymarch::query::PlanError;

use super::storm::{self, After, Storm};
use super::tiles;
use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::report::{Report, Verdict, grouped, rounded};
use crate::scene::{find_map, no_route};

const EXAMPLES: &str = "\
Examples:
  waymarch bench flow
  waymarch bench flow maze generate:3:512x512 --goals 40 --edits 1000 --json

Each map is measured as it is (weighted) and with every open cell at one cost (uniform).
Tiles: one sector integrated, all passes; heading: one sample at a random point, means of 256 each.
Order storm: ten groups ordered across a map of 96×96 and one of 512×512 cells in one tick; then they stand
while tiles are made, or go on while buildings go up. Limits: 5 ms per 800 units, later ticks cheaper.
Exit code 1 when a field that was mended differs from one made anew, tiles lead other than they should, or
somebody has no heading in a storm.";

/// The maps unless others are named.
const BUILT_IN: [&str; 3] = ["generate:1:256x256", "generate:1:512x512", "generate:1:1024x1024"];

/// The maps of the order storm, and its units.
const STORMS: [&str; 2] = ["generate:1:96x96", "generate:1:512x512"];
const UNITS: [usize; 2] = [800, 3200];

/// Arguments of `waymarch bench flow`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FlowArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP")]
    maps: Vec<String>,
    /// What goals and edits are drawn from; the same seed gives the same ones.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u32,
    /// Goals per map, each with a field of its own.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) goals: u32,
    /// 3×3 buildings placed and removed per map.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    edits: u32,
    #[command(flatten)]
    reading: ReadArgs,
}

/// One case on one map.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) map: String,
    pub(super) case: &'static str,
    pub(super) ground: &'static str,
    pub(super) size: String,
    pub(super) planner: &'static str,
    pub(super) rounds: usize,
    pub(super) mean_us: f64,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) per_cell_ns: f64,
    /// Rounds after which more memory was held than before.
    pub(super) allocations: usize,
    pub(super) bytes_per_cell: f64,
    /// The mean beside that of making such a field.
    pub(super) share_of_making: f64,
    /// Mean cells changed or given another way; all of them when made.
    pub(super) cells: f64,
    /// Edits after which making anew was cheaper.
    pub(super) rebuilt: usize,
    /// Whether what was mended equals what is made anew.
    pub(super) equal: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    storms: &'a [Storm],
    seed: u32,
}

pub(super) fn run(args: &FlowArgs) -> Result<Report, Failure> {
    let mut maps = args.maps.clone();
    if maps.is_empty() {
        maps.extend(BUILT_IN.map(str::to_owned));
    }
    let mut rows = Vec::new();
    for word in &maps {
        let map = find_map(word, &args.reading.options())?;
        let even = even_ground(map.map());
        let even = even.validate().map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?;
        rows.extend(measure(word, "uniform", &even, args)?);
        rows.extend(measure(word, "weighted", &map, args)?);
        rows.extend(tiles::measure(word, "uniform", &even, args)?);
        rows.extend(tiles::measure(word, "weighted", &map, args)?);
    }
    let mut storms = Vec::new();
    for word in STORMS {
        let map = find_map(word, &args.reading.options())?;
        for after in [After::Standing, After::Moving] {
            storms.extend(UNITS.map(|units| storm::measure(word, &map, units, args.seed, after)));
        }
    }
    let good = rows.iter().all(|row| row.equal) && storms.iter().all(Storm::is_good);
    let text = format!("{}\n{}\n", table(&rows), storm::table(&storms));
    let document = Document { rows: &rows, storms: &storms, seed: args.seed };
    Ok(Report::new(text, &document).verdict(if good { Verdict::Good } else { Verdict::Bad }))
}

/// The same map, level and at one cost wherever it is open.
fn even_ground(map: &Map) -> Map {
    let mut map = map.clone();
    map.elevation.clear();
    for cost in map.rules.costs.iter_mut().flatten().flatten() {
        if *cost != waymarch::cost::IMPASSABLE {
            *cost = map.rules.normal;
        }
    }
    map
}

/// Times of one case in nanoseconds, and what else is counted.
#[derive(Default)]
struct Tally {
    times: Vec<u64>,
    grown: usize,
    cells: u64,
    rebuilt: usize,
}

fn measure(word: &str, ground: &'static str, map: &ValidMap, args: &FlowArgs) -> Result<Vec<Row>, Failure> {
    let mut bench = Bench::new(map, args)?;
    let made = bench.make(args.goals)?;
    let mended = bench.mend(args.edits)?;
    let equal = bench.is_as_anew()?;
    let cells = bench.layer.grid().cells() as f64;
    let mean = |tally: &Tally| tally.times.iter().sum::<u64>() as f64 / tally.times.len().max(1) as f64;
    let making = mean(&made);
    let row = |case: &'static str, mut tally: Tally, equal: bool| {
        tally.times.sort_unstable();
        let (count, mean) = (tally.times.len(), mean(&tally));
        let at = |part: usize| tally.times.get((count * part / 100).min(count - 1)).copied().unwrap_or(0);
        Row {
            map: word.to_owned(),
            case,
            ground,
            size: bench.layer.grid().to_string(),
            planner: "whole",
            rounds: count,
            mean_us: rounded(mean / 1e3, 2),
            median_us: rounded(at(50) as f64 / 1e3, 2),
            p99_us: rounded(at(99) as f64 / 1e3, 2),
            per_cell_ns: rounded(mean / cells, 3),
            allocations: tally.grown,
            bytes_per_cell: rounded(bench.field.memory_bytes() as f64 / cells, 2),
            share_of_making: rounded(mean / making.max(1.0), 5),
            cells: rounded(tally.cells as f64 / count as f64, 1),
            rebuilt: tally.rebuilt,
            equal,
        }
    };
    Ok(vec![row("make", made, true), row("mend 3x3", mended, equal)])
}

/// A map with a field that leads now here, now there.
struct Bench {
    layer: CostLayer,
    agent: Agent,
    field: WholeField,
    scratch: WholeScratch,
    open: Vec<CellPos>,
    random: Rng,
}

impl Bench {
    fn new(map: &ValidMap, args: &FlowArgs) -> Result<Self, Failure> {
        let layer = CostLayer::new(map, CostSettings::default());
        let agent = Agent::from(LocomotorId(0));
        let costs = layer.field(agent).ok_or_else(|| no_route(&PlanError::UnknownAgent(agent)))?;
        let is_open = |at: &CellPos| costs.is_passable(*at) && layer.can_stop(*at, agent);
        let open: Vec<CellPos> = layer.grid().rect().cells().filter(is_open).collect();
        let first = *open.first().ok_or_else(|| no_route(&PlanError::GoalClosed))?;
        let (key, mut scratch) = (FieldKey::new(agent, first), WholeScratch::new());
        let field = WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch);
        let field = field.map_err(|error| no_route(&error))?;
        let random = Rng::keyed(u64::from(args.seed), Tick::ZERO, 0, Purpose(3));
        Ok(Self { layer, agent, field, scratch, open, random })
    }

    /// Another goal at random; some lie on islands.
    fn aim(&mut self) -> Result<(), Failure> {
        let goal = self.open[self.random.below(self.open.len() as u32) as usize];
        let key = FieldKey::new(self.agent, goal);
        self.field.aim(&self.layer, &key, &mut self.scratch).map_err(|error| no_route(&error))
    }

    fn memory(&self) -> usize {
        self.field.memory_bytes() + self.scratch.memory_bytes()
    }

    fn make(&mut self, rounds: u32) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        // To warm up.
        self.aim()?;
        for _ in 0..rounds {
            let held = self.memory();
            let start = Instant::now();
            self.aim()?;
            tally.times.push(start.elapsed().as_nanos() as u64);
            tally.grown += usize::from(self.memory() > held);
            tally.cells += self.layer.grid().cells() as u64;
        }
        Ok(tally)
    }

    /// Places and removes buildings, more places than removals, and mends the field after each; a new goal now and then.
    fn mend(&mut self, rounds: u32) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let grid = self.layer.grid();
        let stamp = Stamp::solid(3.min(grid.width()), 3.min(grid.height()));
        let mut standing: Vec<StampId> = Vec::new();
        for round in 0..rounds {
            if round % 10 == 0 {
                self.aim()?;
            }
            if standing.len() > 2 && self.random.below(2) == 0 {
                let id = standing.swap_remove(self.random.below(standing.len() as u32) as usize);
                self.layer.remove(id).map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?;
            } else {
                let mut along = |length: u32| self.random.below(length) as i32;
                let at = cell(along(grid.width() - stamp.width + 1), along(grid.height() - stamp.height + 1));
                let placed = self.layer.place(&stamp, at, Tick::ZERO);
                standing.push(placed.map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?);
            }
            let held = self.memory();
            let start = Instant::now();
            let followed = self.field.follow(&self.layer, &mut self.scratch);
            tally.times.push(start.elapsed().as_nanos() as u64);
            tally.grown += usize::from(self.memory() > held);
            match followed.map_err(|error| no_route(&error))? {
                Followed::Unchanged => {}
                Followed::Mended(cells) => tally.cells += u64::from(cells),
                Followed::Rebuilt => tally.rebuilt += 1,
            }
        }
        Ok(tally)
    }

    fn is_as_anew(&mut self) -> Result<bool, Failure> {
        let (key, rule) = (self.field.key(), self.field.rule());
        let anew = WholeField::new(&self.layer, key, rule, Keep::Costs, &mut self.scratch);
        Ok(anew.map_err(|error| no_route(&error))? == self.field)
    }
}

/// Headings take some hundredths of a microsecond, fields thousands.
fn micros(micros: f64) -> String {
    if micros < 1.0 { format!("{micros:.3}") } else { format!("{micros:.1}") }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "map",
        "case",
        "ground",
        "rounds",
        "mean µs",
        "median µs",
        "p99 µs",
        "ns/cell",
        "B/cell",
        "of making",
        "cells",
        "anew",
        "equal",
    ]);
    for row in rows {
        table.add_row([
            row.map.clone(),
            row.case.to_owned(),
            row.ground.to_owned(),
            grouped(row.rounds as u64),
            micros(row.mean_us),
            micros(row.median_us),
            micros(row.p99_us),
            format!("{:.2}", row.per_cell_ns),
            format!("{:.2}", row.bytes_per_cell),
            format!("{:.2} %", row.share_of_making * 100.0),
            grouped(row.cells as u64),
            grouped(row.rebuilt as u64),
            if row.equal { "yes" } else { "NO" }.to_owned(),
        ]);
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
