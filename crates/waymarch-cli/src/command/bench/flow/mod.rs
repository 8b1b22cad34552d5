//! `waymarch bench flow`: what it costs to make flow fields, to repair them after edits, to make tiles and to read headings.
//!
//! - `whole_field.rs`: fields over the whole map
//! - `tiles.rs`: tiles of one sector each, and headings read from them
//! - `order_storm.rs`: ten groups ordered across the map in one tick
//! - `case.rs`: what the first two share

mod case;
mod order_storm;
mod tiles;
mod whole_field;

use clap::Args;
use comfy_table::Table;
use serde::Serialize;
use waymarch::cost::Map;

use self::case::{FlowCase, Row};
use self::order_storm::{After, Storm, StormCase};
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::load::find_map;
use crate::report::{Report, Verdict, grouped};
use crate::table::table;

const EXAMPLES: &str = "\
Examples:
  waymarch bench flow
  waymarch bench flow maze generate:3:512x512 --goals 40 --edits 1000 --json

Each map is measured as it is (weighted) and with the same cost for every open cell (uniform).
  tile         the time to integrate one sector
  heading      the time of one sample at a random point, in batches of 256
  order storm  ten groups are ordered across a map of 96×96 cells, and across one of 512×512, in
               one tick. Then they stand while tiles are made (standing), or move while buildings
               are placed (moving). Limits: 5 ms per 800 units for the tick of the order, and less
               for later ticks on average.
Exit code 1 if a repaired field differs from a new one, if tiles lead along a wrong route, or if a
unit has no heading in an order storm.";

/// The default maps.
const BUILT_IN: [&str; 3] = ["generate:1:256x256", "generate:1:512x512", "generate:1:1024x1024"];

/// The maps of the order storm, and the numbers of units on each.
const STORMS: [&str; 2] = ["generate:1:96x96", "generate:1:512x512"];
const UNITS: [usize; 2] = [800, 3200];

/// Arguments of `waymarch bench flow`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FlowArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP")]
    maps: Vec<String>,
    /// The seed of goals and edits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// The number of goals per map; each gets a field.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    goals: u32,
    /// The number of 3×3 buildings placed and removed per map.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    edits: u32,
    #[command(flatten)]
    reading: ReadArgs,
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
        let even = even.validate().map_err(Failure::invalid)?;
        let case = |ground, map| FlowCase {
            word,
            ground,
            map,
            seed: args.seed,
            goals: args.goals,
            edits: args.edits,
        };
        let (uniform, weighted) = (case("uniform", &even), case("weighted", &map));
        rows.extend(whole_field::measure(&uniform)?);
        rows.extend(whole_field::measure(&weighted)?);
        rows.extend(tiles::measure(&uniform)?);
        rows.extend(tiles::measure(&weighted)?);
    }
    let mut storms = Vec::new();
    for word in STORMS {
        let map = find_map(word, &args.reading.options())?;
        for after in [After::Standing, After::Moving] {
            let case = |units| StormCase { word, map: &map, units, seed: args.seed, after };
            storms.extend(UNITS.map(|units| order_storm::measure(&case(units))));
        }
    }
    let good = rows.iter().all(|row| row.equal) && storms.iter().all(Storm::is_good);
    let text = format!("{}\n{}\n", flow_table(&rows), order_storm::storm_table(&storms));
    let document = Document { rows: &rows, storms: &storms, seed: args.seed };
    Ok(Report::new(text, &document).verdict(if good { Verdict::Good } else { Verdict::Bad }))
}

/// The same map without heights and with the normal cost for every open cell.
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

/// Microseconds: three decimals below 1, as for headings, else one decimal.
fn micros(micros: f64) -> String {
    if micros < 1.0 { format!("{micros:.3}") } else { format!("{micros:.1}") }
}

fn flow_table(rows: &[Row]) -> Table {
    let header = [
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
        "rebuilt",
        "equal",
    ];
    let cells = |row: &Row| {
        [
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
        ]
    };
    table(header, rows.iter().map(cells), 3..13)
}
