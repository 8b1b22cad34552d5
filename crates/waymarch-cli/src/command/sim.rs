//! `waymarch sim`: runs a scenario and reports how units moved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use waymarch_maps::OutputFile;
use waymarch_maps::recording::finish_recording;
use waymarch_maps::scenario::{
    Action, BUILTIN_SCENARIOS, Metrics, ScheduledAction, Simulation, builtin_scenario,
};

use crate::diagnostics::{Failure, Kind};
use crate::interrupt::EndsItself;
use crate::load::find_scenario;
use crate::movement_metrics::{GroupReport, GroupTracker, UnitReport, UnitTracker};
use crate::report::{Lines, Report, Verdict, count, grouped, phase_name, rounded, subhashes};
use crate::stats::{at_percent, mean_or_zero};
use crate::workers::Workers;

/// Arguments of `waymarch sim`.
#[derive(Args, Debug)]
#[command(after_help = "\
Movement metrics in the report (JSON keys in brackets, under metrics.movement and metrics.groups):
  in place    units that arrived, of all units sent to a place (arrived_pct), and when the last
              one arrived (makespan_s)
  overlap     the share of units times ticks with an overlap of more than 1 % of both radii
              (ovl_pct), and the deepest overlap (maxpen_pct)
  travelling  degrees of turning per tick (jitter_deg), changes between left and right turns per
              second (flips_s), and the share of ticks below a tenth of the speed (stuck_pct)
  idle        the share of ticks in which a unit without an order turned by more than 6 degrees
              (idle_turn_pct), and how far a unit was at most from where it had arrived, in cells
              (after_arrival_cells), also for units that no unit with an order came near
              (undisturbed_cells)
  groups      for groups of two or more units: the mean distance of members from the group's
              centre while it travels (cohesion), and from their formation slots at the end
              (form_error), both in cells
  spread      ticks from a group's first arrival to its last (arrival_spread), and the same
              without the first and last 5 % of arrivals (arrival_spread_most)
Units that patrol, follow, hold or were stopped do not count as sent to a place.

Examples:
  waymarch sim                                   the scenario `valley-march`
  waymarch sim --list                            list the built-in scenarios
  waymarch sim order-storm --ticks 200 --threads 4
  waymarch sim my.yaml --record my.rec           (the file format: docs/scenarios.md)")]
pub(crate) struct SimArgs {
    /// A scenario file, or the name of a built-in scenario.
    #[arg(default_value = "valley-march")]
    scenario: String,
    /// List the built-in scenarios and stop.
    #[arg(long)]
    list: bool,
    /// The number of ticks; default: as the scenario says.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// The number of threads, 0 for one per core. Does not change results.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Record the game to a file, for `waymarch replay`. After Ctrl-C the recording ends at the last full tick.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// With --record: store the state hash every N ticks.
    #[arg(long, value_name = "N", default_value_t = 1)]
    hash_every: u32,
}

/// Time per tick, in milliseconds. Only the program reads a clock; the simulation has none.
#[derive(Serialize)]
struct Times {
    mean: f64,
    p50: f64,
    p99: f64,
    max: f64,
    /// The mean time of each phase of the tick.
    by_phase: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct Measured<'a> {
    #[serde(flatten)]
    counted: &'a Metrics,
    /// How units moved.
    movement: &'a UnitReport,
    groups: &'a GroupReport,
    ms_per_tick: Times,
}

#[derive(Serialize)]
struct Document<'a> {
    scenario: &'a str,
    ticks: u64,
    threads: usize,
    hash: String,
    subhashes: BTreeMap<&'static str, String>,
    metrics: Measured<'a>,
    recording: Option<&'a Path>,
    /// Whether the game was interrupted. The recording then ends before the requested tick.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

pub(super) fn run(args: &SimArgs) -> Result<Report, Failure> {
    if args.list {
        return Ok(list());
    }
    let scenario = find_scenario(&args.scenario)?;
    let ticks = args.ticks.unwrap_or(scenario.ticks);
    let workers = Workers::new(args.threads)?;
    let every = if args.record.is_some() { args.hash_every } else { 0 };
    let invalid =
        |error: &dyn std::fmt::Display| Failure::new(Kind::Invalid, format!("{}: {error}", args.scenario));
    let planner = |scheduled: &ScheduledAction| matches!(scheduled.action, Action::Planner(Some(_)));
    if args.record.is_some() && scenario.actions.iter().any(planner) {
        let why = "a recording does not hold planners: leave out `--record`, or the actions with `planner`";
        return Err(invalid(&why));
    }
    let mut simulation = Simulation::new(scenario, every).map_err(|error| invalid(&error))?;
    // A path that cannot be written is refused before the simulation.
    let record = args.record.as_deref().map(OutputFile::create).transpose()?;
    let interrupts = record.is_some().then(EndsItself::begin);
    let is_asked = || interrupts.as_ref().is_some_and(EndsItself::is_asked);
    let measured = simulate(&mut simulation, ticks, &workers, is_asked);
    drop(interrupts);
    let (asked, ticks) = (ticks, measured.times.len() as u64);
    let interrupted = ticks < asked;
    if let Some(error) = simulation.reload_error() {
        return Err(invalid(error));
    }
    let hash = simulation.world().state_hash();
    let metrics = simulation.metrics().clone();
    let (movement, groups) =
        (measured.units.report(simulation.world()), measured.groups.report(simulation.world()));
    let (name, about) = (simulation.scenario().name.clone(), simulation.scenario().about.clone());
    if let Some(file) = record {
        finish_recording(file, &simulation.finish())?;
    }
    let times = Times::of(measured.times, measured.phases);
    let mut lines = Lines::default();
    lines.add("hash", hash.to_string());
    describe_counts(&metrics, &mut lines);
    describe_movement(&movement, &groups, &mut lines);
    lines.add("ms per tick", format!("mean {}, p99 {}, maximum {}", times.mean, times.p99, times.max));
    let phases: Vec<String> = times.by_phase.iter().map(|(phase, mean)| format!("{phase} {mean}")).collect();
    lines.add("by phase", phases.join(", "));
    if let Some(path) = &args.record {
        lines.add("recorded", path.display().to_string());
    }
    let head = format!(
        "{name}: {} on {}{}.\n  {about}\n",
        count(ticks as usize, "tick", "ticks"),
        count(workers.count(), "thread", "threads"),
        if interrupted { ", interrupted" } else { "" }
    );
    let document = Document {
        scenario: &name,
        ticks,
        threads: workers.count(),
        hash: hash.to_string(),
        subhashes: subhashes(&hash),
        metrics: Measured { counted: &metrics, movement: &movement, groups: &groups, ms_per_tick: times },
        recording: args.record.as_deref(),
        interrupted,
    };
    let verdict = if interrupted { Verdict::Interrupted } else { Verdict::Good };
    Ok(Report::new(format!("{head}{}", lines.render()), &document).verdict(verdict))
}

/// What is measured while a scenario runs.
#[derive(Default)]
struct Measurements {
    /// The time of each tick, in milliseconds.
    times: Vec<f64>,
    /// The time of each phase over all ticks, in milliseconds.
    phases: BTreeMap<String, f64>,
    units: UnitTracker,
    groups: GroupTracker,
}

/// Runs the scenario for `ticks` ticks, or until it is asked to end, with a progress bar.
fn simulate(
    simulation: &mut Simulation,
    ticks: u64,
    workers: &Workers,
    is_asked_to_end: impl Fn() -> bool,
) -> Measurements {
    let mut measured = Measurements::default();
    let bar = ProgressBar::new(ticks);
    for _ in 0..ticks {
        if is_asked_to_end() {
            break;
        }
        let begun = Instant::now();
        simulation.give_due_commands();
        let mut last = Instant::now();
        simulation.tick_watched(workers, |phase| {
            let now = Instant::now();
            *measured.phases.entry(phase_name(phase).to_owned()).or_insert(0.0) +=
                (now - last).as_secs_f64() * 1000.0;
            last = now;
        });
        measured.times.push(begun.elapsed().as_secs_f64() * 1000.0);
        measured.units.tick(simulation.world());
        measured.groups.tick(simulation.world());
        bar.inc(1);
    }
    bar.finish_and_clear();
    measured
}

/// Adds what the simulation counted to the report.
fn describe_counts(metrics: &Metrics, lines: &mut Lines) {
    lines.add("units", grouped(metrics.units));
    lines.add("arrived", grouped(metrics.arrived));
    lines.add("gave up", grouped(metrics.gave_up));
    let events: Vec<String> =
        metrics.events.iter().map(|(kind, many)| format!("{kind} {}", grouped(*many))).collect();
    lines.add("events", events.join(", "));
    lines.add("commands", format!("{}, {} refused", grouped(metrics.commands), grouped(metrics.refused)));
    if metrics.journeys > 0 {
        let (journeys, took) = (metrics.journeys, metrics.travel_ticks / metrics.journeys);
        let ratio = metrics.travel_per_mille as f64 / 1000.0;
        lines.add(
            "journeys",
            format!("{}, {took} ticks on average, {ratio:.3} times the straight line", grouped(journeys)),
        );
    }
}

/// Adds the movement metrics to the report.
fn describe_movement(units: &UnitReport, groups: &GroupReport, lines: &mut Lines) {
    let makespan = match units.makespan_s {
        Some(seconds) => format!("the last one after {seconds:.1} s"),
        None => String::from("not all arrived"),
    };
    lines.add("in place", format!("{} % of the units sent to a place, {makespan}", units.arrived_pct));
    let UnitReport { ovl_pct, maxpen_pct, jitter_deg, flips_s, stuck_pct, .. } = units;
    lines.add(
        "overlap",
        format!("{ovl_pct} % of units times ticks; the deepest is {maxpen_pct} % of both radii"),
    );
    let turning = format!("{jitter_deg}° of turning per tick, {flips_s} left-right changes per second");
    lines.add("travelling", format!("{turning}, stuck in {stuck_pct} % of the ticks"));
    let UnitReport { idle_turn_pct, after_arrival_cells, undisturbed_cells, .. } = units;
    lines.add(
        "idle",
        format!(
            "{idle_turn_pct} % of the ticks turn, at most {after_arrival_cells} cells from where they arrived \
             ({undisturbed_cells} undisturbed)"
        ),
    );
    if groups.cohesion.is_none() && groups.form_error.is_none() {
        lines.add("groups", "none: no order went to two or more units");
        return;
    }
    let or_dash = |number: Option<f64>| number.map_or_else(|| String::from("-"), |number| number.to_string());
    let (apart, error) = (or_dash(groups.cohesion), or_dash(groups.form_error));
    let (spread, most) = (or_dash(groups.arrival_spread), or_dash(groups.arrival_spread_most));
    lines.add(
        "groups",
        format!("{apart} cells from the centre on average, {error} cells from the slots at the end"),
    );
    let many = grouped(groups.arrived_groups as u64);
    lines.add(
        "spread",
        format!(
            "{spread} ticks from the first arrival to the last, {most} for the middle 90 % ({many} groups)"
        ),
    );
}

impl Times {
    fn of(mut times: Vec<f64>, phases: BTreeMap<String, f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |percent| rounded(at_percent(&times, percent), 4);
        Self {
            mean: rounded(mean_or_zero(&times), 4),
            p50: at(50),
            p99: at(99),
            max: at(100),
            by_phase: phases
                .into_iter()
                .map(|(phase, all)| (phase, rounded(all / times.len().max(1) as f64, 4)))
                .collect(),
        }
    }
}

fn list() -> Report {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        about: String,
        ticks: u64,
    }
    #[derive(Serialize)]
    struct Rows {
        scenarios: Vec<Row>,
    }
    let row = |name: &'static str| {
        let scenario = builtin_scenario(name)?;
        Some(Row { name, about: scenario.about, ticks: scenario.ticks })
    };
    let scenarios: Vec<Row> = BUILTIN_SCENARIOS.iter().filter_map(|(name, _)| row(name)).collect();
    let mut lines = Lines::default();
    for Row { name, about, ticks } in &scenarios {
        lines.add(name, format!("{about} ({ticks} ticks)"));
    }
    Report::new(lines.render(), &Rows { scenarios })
}
