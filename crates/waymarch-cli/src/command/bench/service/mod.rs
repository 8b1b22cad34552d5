//! `waymarch bench service`: how long does a tick take in games with many orders and edits?
//!
//! - `storms.rs`: all units ordered at once; an edit in every tick; units behind walls
//! - `overload.rs`: 100,000 path requests in one tick
//! - `steady.rs`: a normal game, and its snapshots
//! - `scale.rs`: units at rest and on the march, from 1,000 to 50,000, and what single events cost
//! - `plot.rs`: nanoseconds per unit against the number of units, as an SVG file
//! - `army.rs`: thousands of units, with times by phase of the tick
//! - `first_order.rs`: the first order on a map of 2048 × 2048 cells, beside a normal tick
//! - `work_counts.rs`: counts nodes and cells instead of time
//! - `squad_game.rs`, `places.rs`: units, goals and building sites for these games
//! - `tick_log.rs`: times ticks and counts allocations; `case.rs`: the report

mod army;
mod case;
mod first_order;
mod overload;
mod places;
mod plot;
mod scale;
mod squad_game;
mod steady;
mod storms;
mod tick_log;
mod work_counts;

pub(super) use self::army::Army;
pub(super) use self::places::{Places, prepared_navigator};
pub(super) use self::tick_log::now_ms;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use waymarch_maps::OutputFile;

use self::case::{Row, case_table, phase_table};
use self::steady::Under;
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::load::{find_map, find_only_map};
use crate::report::{Report, Verdict};

const EXAMPLES: &str = "\
Examples:
  waymarch bench service
  waymarch bench service --case steady --json
  waymarch bench service --case army
  waymarch bench service --case scale --plot scale.svg
  waymarch bench service --table

p50, p99 and max are planning times: commands and ticks on one thread, without the phases that
lead and move units. whole p99 is the p99 of whole ticks. On Unix these are processor times, else
wall times. Most games run two or three times with the same result, and the shortest time of each
tick counts. Allocations are counted in the measured ticks.
  steady   runs with settings for one core, and with the defaults
  first order   an order on a map of 2048 × 2048 cells that nothing was prepared for
  army     5,000 units in groups of 100, with times by phase of the tick. The game goes on until
           all orders have ended. Lost counts units times ticks without a heading, and orders
           without an event at their end.
  scale    1,000 to 50,000 units at rest and on the march, one order to 5,000, a rollback, and
           20,000 units with edits
  --table  counts nodes and cells of seven typical scenarios instead of time, beside estimates
Exit code 1 if a unit is lost, or fails an order that it could fulfil. Times are not judged: they
depend on the machine.";

/// The maps of the order storm, and the numbers of units on each. Most other games use the large map.
const SMALL: &str = "generate:1:96x96";
pub(super) const LARGE: &str = "generate:1:512x512";
const UNITS: [usize; 2] = [800, 3200];

/// The maps of the overload and of `--table`.
const MIDDLE: &str = "generate:1:256x256";
const TABLE: &str = "generate:1:128x128";

/// The map of the first order.
const HUGE: &str = "generate:1:2048x2048";

/// The names that `--case` chooses from.
const CASES: [&str; 13] = [
    "order storm",
    "overload",
    "edit storm",
    "steady",
    "snapshot",
    "walled-in",
    "first order",
    "army",
    "scale rest",
    "scale march",
    "scale order",
    "scale rollback",
    "scale war",
];

/// Arguments of `waymarch bench service`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServiceArgs {
    /// Run only cases whose name contains NAME: order storm, overload, edit storm, steady (with snapshots), walled-in, first order, army, scale.
    #[arg(long, value_name = "NAME", default_value = "")]
    case: String,
    /// The seed of units, goals and buildings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Count the work of seven scenarios, beside estimates.
    #[arg(long, conflicts_with = "case")]
    table: bool,
    /// The map of the army.
    #[arg(long, value_name = "MAP", default_value = LARGE)]
    map: String,
    /// The number of units of the army.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    units: u32,
    /// The number of measured ticks of the army; half as many run before.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    ticks: u32,
    /// Write a plot of the scale as an SVG file: nanoseconds per unit against moving units.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArgs,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    seed: u32,
}

pub(super) fn run(args: &ServiceArgs) -> Result<Report, Failure> {
    let map = |word: &str| find_map(word, &args.reading.options());
    if args.table {
        return work_counts::run(TABLE, &map(TABLE)?, args.seed);
    }
    let wanted = |name: &str| name.contains(args.case.as_str());
    if !CASES.iter().any(|name| wanted(name)) {
        return Err(Failure::unknown("case", &args.case, &CASES).option("--case"));
    }
    // A path that cannot be written is refused before the games are played.
    let plot = args.plot.as_deref().map(OutputFile::create).transpose()?;
    let mut cases = Vec::new();
    if wanted("order storm") {
        for word in [SMALL, LARGE] {
            for units in UNITS {
                cases.push(storms::order_storm(word, &map(word)?, units, args.seed)?);
            }
        }
    }
    if wanted("overload") {
        cases.push(overload::overload(MIDDLE, &map(MIDDLE)?, args.seed)?);
    }
    if wanted("edit storm") {
        cases.push(storms::edit_storm(LARGE, &map(LARGE)?, args.seed)?);
    }
    if wanted("steady") || wanted("snapshot") {
        for under in [Under::OneCore, Under::Defaults] {
            cases.extend(steady::steady(LARGE, &map(LARGE)?, args.seed, under)?);
        }
    }
    if wanted("walled-in") {
        cases.push(storms::walled_in()?);
    }
    if wanted("first order") {
        cases.extend(first_order::first_order(HUGE, &map(HUGE)?, args.seed)?);
    }
    if wanted("army") {
        let (units, measured) = (args.units as usize, args.ticks as usize);
        let size = army::ArmySize { units, before: measured / 2, measured };
        let map = find_only_map(&args.map, &args.reading.options())?;
        cases.push(army::army(&args.map, &map, args.seed, size)?);
    }
    let scale: Vec<&str> =
        CASES.into_iter().filter(|name| name.starts_with("scale") && wanted(name)).collect();
    if !scale.is_empty() {
        cases.extend(scale::scale(&scale, || map(scale::WAR), args.seed)?);
    }
    if let Some(file) = plot {
        file.finish_with(plot::ns_per_unit(&scale::plot_points(&cases)).as_bytes())?;
    }
    let rows: Vec<Row> = cases.into_iter().map(Row::from).collect();
    let good = rows.iter().all(|row| (row.failed, row.lost) == (0, 0));
    let document = Document { rows: &rows, seed: args.seed };
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    let mut text = format!("{}\n", case_table(&rows));
    for row in rows.iter().filter(|row| !row.phases.is_empty()) {
        text.push_str(&format!("{}\n", phase_table(row)));
    }
    Ok(Report::new(text, &document).verdict(verdict))
}
