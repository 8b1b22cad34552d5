//! `waymarch bench service`: what a tick of the path service takes, in games that ask a lot of it.
//!
//! `storms.rs`, `steady.rs` and `overload.rs` are the games, `army.rs` draws them up, `clock.rs` times their ticks, `operations.rs` counts
//! work where the others measure time.

mod army;
mod clock;
mod operations;
mod overload;
mod steady;
mod storms;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::world::World;

use self::clock::Log;
use self::steady::Under;
use super::measure::percentile;
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::report::{Report, Verdict, grouped, rounded};
use crate::scene::find_map;

const EXAMPLES: &str = "\
Examples:
  waymarch bench service
  waymarch bench service --case steady --json
  waymarch bench service --table

Times are of commands and ticks on one thread, without leading and moving the units (planning); the last column but one
has the p99 of all of it. They are the time of the processor where the system
tells. Games are played three times, alike, and of each tick the quickest counts.
Allocations are those of the measured ticks.
Steady is played with settings for one core, and with the defaults.
--table counts the work of spec 000's scenarios instead of timing games.
Exit code 1 when somebody is lost, or fails who need not. Times are told, not judged: they depend on the machine.";

/// Each game is played so often.
const ROUNDS: usize = 3;

/// The maps of the order storm, and its units; all other games but two are on the second map.
const SMALL: &str = "generate:1:96x96";
const LARGE: &str = "generate:1:512x512";
const UNITS: [usize; 2] = [800, 3200];

/// The map of the overload, and that of spec 000's table.
const MIDDLE: &str = "generate:1:256x256";
const TABLE: &str = "generate:1:128x128";

/// Arguments of `waymarch bench service`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServiceArgs {
    /// Only cases with this in their name: order storm, overload, edit storm, steady (with snapshots), walled-in.
    #[arg(long, value_name = "NAME", default_value = "")]
    case: String,
    /// What units, goals and buildings are drawn from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Count the work of spec 000's seven scenarios, beside its estimates.
    #[arg(long, conflicts_with = "case")]
    table: bool,
    #[command(flatten)]
    reading: ReadArgs,
}

/// What came of a game.
struct Case {
    case: &'static str,
    map: String,
    units: usize,
    /// Who could not do what they were told though they could have.
    failed: usize,
    /// Who had nothing to follow, or no answer.
    lost: usize,
    /// What was to be kept to, and what it came to.
    limit: String,
    holds: bool,
    log: Log,
}

/// The same in numbers; the keys are a promise to scripts.
#[derive(Debug, Serialize)]
struct Row {
    case: &'static str,
    map: String,
    units: usize,
    ticks: usize,
    tick_p50_ms: f64,
    tick_p99_ms: f64,
    tick_max_ms: f64,
    whole_p99_ms: f64,
    failed: usize,
    lost: usize,
    allocations: u64,
    limit: String,
    within_limits: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    seed: u32,
}

pub(super) fn run(args: &ServiceArgs) -> Result<Report, Failure> {
    let map = |word: &str| find_map(word, &args.reading.options());
    if args.table {
        return operations::run(TABLE, &map(TABLE)?, args.seed);
    }
    let wanted = |name: &str| name.contains(args.case.as_str());
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
    let rows: Vec<Row> = cases.into_iter().map(Row::from).collect();
    let good = rows.iter().all(|row| (row.failed, row.lost) == (0, 0));
    let document = Document { rows: &rows, seed: args.seed };
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(format!("{}\n", table(&rows)), &document).verdict(verdict))
}

/// Plays a game several times from the same start and keeps the quickest of each tick; memory is that of the last round.
fn best_round(rounds: usize, start: &World, mut play: impl FnMut(&mut World, &mut Log)) -> Log {
    let mut best = Log::default();
    for round in 0..rounds {
        let (mut world, mut log) = (start.clone(), Log::default());
        play(&mut world, &mut log);
        if round > 0 {
            log.best_of(&best);
        }
        best = log;
    }
    best
}

impl Log {
    fn planning_percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.planning.clone();
        sorted.sort_by(f64::total_cmp);
        percentile(&sorted, percent)
    }
}

impl From<Case> for Row {
    fn from(case: Case) -> Self {
        let Case { case, map, units, failed, lost, limit, holds, mut log } = case;
        log.whole.sort_by(f64::total_cmp);
        let at = |percent| rounded(log.planning_percentile(percent), 3);
        Self {
            case,
            map,
            units,
            ticks: log.planning.len(),
            tick_p50_ms: at(50),
            tick_p99_ms: at(99),
            tick_max_ms: at(100),
            whole_p99_ms: rounded(percentile(&log.whole, 99), 3),
            failed,
            lost,
            allocations: log.allocations,
            limit,
            within_limits: holds,
        }
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "case",
        "map",
        "units",
        "ticks",
        "p50 ms",
        "p99 ms",
        "max ms",
        "whole p99",
        "failed",
        "lost",
        "allocations",
        "limit",
        "",
    ]);
    for row in rows {
        table.add_row([
            row.case.to_owned(),
            row.map.clone(),
            grouped(row.units as u64),
            grouped(row.ticks as u64),
            format!("{:.3}", row.tick_p50_ms),
            format!("{:.3}", row.tick_p99_ms),
            format!("{:.3}", row.tick_max_ms),
            format!("{:.3}", row.whole_p99_ms),
            grouped(row.failed as u64),
            grouped(row.lost as u64),
            grouped(row.allocations),
            row.limit.clone(),
            if row.within_limits { "met" } else { "NOT met" }.to_owned(),
        ]);
    }
    for column in table.column_iter_mut().skip(2).take(9) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
