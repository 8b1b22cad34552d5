//! `waymarch bench service`: what a tick of the path service takes, in games that ask a lot of it.
//!
//! `storms.rs`, `steady.rs`, `overload.rs` and `battle.rs` are the games, `army.rs` draws them up, `clock.rs` times their ticks, `operations.rs` counts
//! work where the others measure time.

mod army;
mod battle;
mod clock;
mod operations;
mod overload;
mod steady;
mod storms;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::world::{TickPhase, World};

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
  waymarch bench service --case army
  waymarch bench service --table

Times are of commands and ticks on one thread, without leading and moving the units (planning); the last column but one
has the p99 of all of it. They are the time of the processor where the system
tells. Games are played three times, alike, and of each tick the quickest counts.
Allocations are those of the measured ticks.
Steady is played with settings for one core, and with the defaults.
Army: 5,000 units in groups of a hundred, all that a World does, with times by phase of the tick. The game is played on until
all orders are over; lost are units times ticks under way without a heading, and orders whose end nobody was told.
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
    /// Only cases with this in their name: order storm, overload, edit storm, steady (with snapshots), walled-in, army.
    #[arg(long, value_name = "NAME", default_value = "")]
    case: String,
    /// What units, goals and buildings are drawn from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Count the work of spec 000's seven scenarios, beside its estimates.
    #[arg(long, conflicts_with = "case")]
    table: bool,
    /// The map of the army.
    #[arg(long, value_name = "MAP", default_value = LARGE)]
    map: String,
    /// Units of the army.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    units: u32,
    /// Ticks of the army that are measured; half as many come before.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    ticks: u32,
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
    whole_p50_ms: f64,
    whole_p99_ms: f64,
    failed: usize,
    lost: usize,
    allocations: u64,
    limit: String,
    within_limits: bool,
    /// Only of those that are about all of a tick.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<PhaseRow>,
}

/// What a phase of the tick took.
#[derive(Debug, Serialize)]
struct PhaseRow {
    phase: &'static str,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    mean_ms: f64,
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
    if wanted("army") {
        let (units, measured) = (args.units as usize, args.ticks as usize);
        let size = battle::Size { units, before: measured / 2, measured };
        cases.push(battle::battle(&args.map, &map(&args.map)?, args.seed, size)?);
    }
    let rows: Vec<Row> = cases.into_iter().map(Row::from).collect();
    let good = rows.iter().all(|row| (row.failed, row.lost) == (0, 0));
    let document = Document { rows: &rows, seed: args.seed };
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    let mut text = format!("{}\n", table(&rows));
    for row in rows.iter().filter(|row| !row.phases.is_empty()) {
        text.push_str(&format!("{}\n", phase_table(row)));
    }
    Ok(Report::new(text, &document).verdict(verdict))
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
        percentile_of(&self.planning, percent)
    }

    fn whole_percentile(&self, percent: usize) -> f64 {
        percentile_of(&self.whole, percent)
    }

    fn by_phase(&self) -> Vec<PhaseRow> {
        let row = |(phase, times): (&TickPhase, &Vec<f64>)| {
            let at = |percent| rounded(percentile_of(times, percent), 3);
            let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
            PhaseRow {
                phase: phase_name(*phase),
                p50_ms: at(50),
                p99_ms: at(99),
                max_ms: at(100),
                mean_ms: rounded(mean, 3),
            }
        };
        TickPhase::ALL.iter().zip(&self.phases).map(row).collect()
    }
}

fn percentile_of(times: &[f64], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    percentile(&sorted, percent)
}

fn phase_name(phase: TickPhase) -> &'static str {
    match phase {
        TickPhase::Review => "review",
        TickPhase::Orders => "orders",
        TickPhase::Paths => "paths",
        TickPhase::Lead => "lead",
        TickPhase::Avoid => "avoid",
        TickPhase::Stuck => "stuck",
        _ => "other",
    }
}

impl From<Case> for Row {
    fn from(case: Case) -> Self {
        let Case { case, map, units, failed, lost, limit, holds, log } = case;
        let at = |percent| rounded(log.planning_percentile(percent), 3);
        Self {
            case,
            map,
            units,
            ticks: log.planning.len(),
            tick_p50_ms: at(50),
            tick_p99_ms: at(99),
            tick_max_ms: at(100),
            whole_p50_ms: rounded(log.whole_percentile(50), 3),
            whole_p99_ms: rounded(log.whole_percentile(99), 3),
            failed,
            lost,
            allocations: log.allocations,
            limit,
            within_limits: holds,
            phases: if case == "army" { log.by_phase() } else { Vec::new() },
        }
    }
}

fn phase_table(row: &Row) -> Table {
    let mut table = Table::new();
    let header = ["phase", "p50 ms", "p99 ms", "max ms", "mean ms"];
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(header);
    for phase in &row.phases {
        let times = [phase.p50_ms, phase.p99_ms, phase.max_ms, phase.mean_ms];
        let times = times.iter().map(|time| format!("{time:.3}"));
        table.add_row(std::iter::once(phase.phase.to_owned()).chain(times));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
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
