//! `waymarch sim`: a scenario, played.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use waymarch::base::StateHash;
use waymarch_maps::replay::save_recording;
use waymarch_maps::scenario::{
    BUILTIN_SCENARIOS, Metrics, Scenario, Simulation, builtin_scenario, load_scenario,
};

use crate::conduct::{GroupReport, Marches, UnitReport, Walks};
use crate::diagnostics::{Failure, Kind};
use crate::report::{Lines, Report, count, grouped, rounded};
use crate::workers::Workers;

/// Arguments of `waymarch sim`.
#[derive(Args, Debug)]
#[command(after_help = "\
How units moved, by line (in JSON: metrics.movement and metrics.groups):
  there       who is there of those sent to a place, when the last came (arrived_pct, makespan_s)
  overlap     units times ticks that overlap by more than 1 %, the deepest (ovl_pct, maxpen_pct)
  on the way  degrees of turning a tick, changes of left and right, ticks at less than a tenth
              of the speed (jitter_deg, flips_s, stuck_pct)
  groups      two and more who were told together: cells from their middle while under way, and
              from where their formation has them at the end (cohesion, form_error)
  spread      ticks from a group's first arrival to its last, and without a twentieth at each
              end (arrival_spread, arrival_spread_most)
All units are one crowd. Who patrols, follows, holds or was stopped is not sent to a place.

Examples:
  waymarch sim                                   the march through the valley
  waymarch sim --list                            the built-in scenarios
  waymarch sim order-storm --ticks 200 --threads 4
  waymarch sim my.yaml --record my.rec           (the file format: docs/scenarios.md)")]
pub(crate) struct SimArgs {
    /// A scenario file, or the name of a built-in scenario.
    #[arg(default_value = "valley-march")]
    scenario: String,
    /// List the built-in scenarios.
    #[arg(long)]
    list: bool,
    /// How many ticks; as many as the scenario says unless given.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Threads to share the work, 0 for one per core. Changes no result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write the game down, for `waymarch replay`.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// With --record: note the hash of everything every so many ticks.
    #[arg(long, value_name = "N", default_value_t = 1)]
    hash_every: u32,
}

/// Time per tick, in thousandths of a second. The program's clock; the simulation has none.
#[derive(Serialize)]
struct Times {
    mean: f64,
    p50: f64,
    p99: f64,
    max: f64,
    /// The mean, by the part of the tick: what edits did to routes, orders, layers 1 to 3, movement, the stuck.
    by_phase: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct Measured<'a> {
    #[serde(flatten)]
    counted: &'a Metrics,
    /// How units moved among each other.
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
}

/// The hash of each subsystem, in sixteen hexadecimal digits.
pub(super) fn subhashes(hash: &StateHash) -> BTreeMap<&'static str, String> {
    hash.parts().iter().map(|&(name, part)| (name, format!("{part:016x}"))).collect()
}

pub(super) fn run(args: &SimArgs) -> Result<Report, Failure> {
    if args.list {
        return Ok(list());
    }
    let scenario = find(&args.scenario)?;
    let ticks = args.ticks.unwrap_or(scenario.ticks);
    let workers = Workers::new(args.threads)?;
    let every = if args.record.is_some() { args.hash_every } else { 0 };
    let invalid =
        |error: &dyn std::fmt::Display| Failure::new(Kind::Invalid, format!("{}: {error}", args.scenario));
    let mut simulation = Simulation::new(scenario, every).map_err(|error| invalid(&error))?;
    let bar = ProgressBar::new(ticks);
    let mut times = Vec::new();
    let mut phases = BTreeMap::new();
    let (mut walks, mut marches) = (Walks::default(), Marches::default());
    for _ in 0..ticks {
        let begun = Instant::now();
        simulation.act();
        let mut last = Instant::now();
        simulation.pass_watched(&workers, |phase| {
            let now = Instant::now();
            *phases.entry(format!("{phase:?}").to_lowercase()).or_insert(0.0) +=
                (now - last).as_secs_f64() * 1000.0;
            last = now;
        });
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        walks.tick(simulation.world());
        marches.tick(simulation.world());
        bar.inc(1);
    }
    bar.finish_and_clear();
    let hash = simulation.world().state_hash();
    let metrics = simulation.metrics().clone();
    let (movement, groups) = (walks.report(simulation.world()), marches.report(simulation.world()));
    let (name, about) = (simulation.scenario().name.clone(), simulation.scenario().about.clone());
    if let Some(path) = &args.record {
        save_recording(path, &simulation.finish())?;
    }
    let times = Times::of(times, phases);
    let mut lines = Lines::default();
    lines.add("hash", hash.to_string());
    lines.add("units", grouped(metrics.units));
    lines.add("arrived", grouped(metrics.arrived));
    lines.add("gave up", grouped(metrics.gave_up));
    let events: Vec<String> =
        metrics.events.iter().map(|(kind, many)| format!("{kind} {}", grouped(*many))).collect();
    lines.add("events", events.join(", "));
    lines.add(
        "commands",
        format!("{}, {} of them refused", grouped(metrics.commands), grouped(metrics.refused)),
    );
    if metrics.journeys > 0 {
        let (journeys, took) = (metrics.journeys, metrics.travel_ticks / metrics.journeys);
        let ratio = metrics.travel_per_mille as f64 / 1000.0;
        lines.add(
            "journeys",
            format!("{}, {took} ticks on average, {ratio:.3} of the straight line", grouped(journeys)),
        );
    }
    describe(&movement, &groups, &mut lines);
    lines.add("ms per tick", format!("{} on average, p99 {}, at most {}", times.mean, times.p99, times.max));
    let phases: Vec<String> = times.by_phase.iter().map(|(phase, mean)| format!("{phase} {mean}")).collect();
    lines.add("by phase", phases.join(", "));
    if let Some(path) = &args.record {
        lines.add("recorded", path.display().to_string());
    }
    let head = format!(
        "{name}: {} on {}.\n  {about}\n",
        count(ticks as usize, "tick", "ticks"),
        count(workers.count(), "thread", "threads")
    );
    let document = Document {
        scenario: &name,
        ticks,
        threads: workers.count(),
        hash: hash.to_string(),
        subhashes: subhashes(&hash),
        metrics: Measured { counted: &metrics, movement: &movement, groups: &groups, ms_per_tick: times },
        recording: args.record.as_deref(),
    };
    Ok(Report::new(format!("{head}{}", lines.render()), &document))
}

/// How units moved, in words.
fn describe(units: &UnitReport, groups: &GroupReport, lines: &mut Lines) {
    let makespan = match units.makespan_s {
        Some(seconds) => format!("the last after {seconds:.1} s"),
        None => String::from("not all of them"),
    };
    lines.add("there", format!("{} % of those sent to a place, {makespan}", units.arrived_pct));
    let UnitReport { ovl_pct, maxpen_pct, jitter_deg, flips_s, stuck_pct, .. } = units;
    lines.add(
        "overlap",
        format!("{ovl_pct} % of units times ticks, {maxpen_pct} % of both radii at the deepest"),
    );
    let turning = format!("{jitter_deg}° of turning a tick, {flips_s} changes of side a second");
    lines.add("on the way", format!("{turning}, stuck {stuck_pct} % of the time"));
    if groups.cohesion.is_none() && groups.form_error.is_none() {
        lines.add("groups", "none: nobody was told together with others to go to one cell");
        return;
    }
    let or_dash = |number: Option<f64>| number.map_or_else(|| String::from("-"), |number| number.to_string());
    let (apart, error) = (or_dash(groups.cohesion), or_dash(groups.form_error));
    let (spread, most) = (or_dash(groups.arrival_spread), or_dash(groups.arrival_spread_most));
    lines.add("groups", format!("{apart} cells from their middle, {error} cells out of form at the end"));
    let many = grouped(groups.arrived_groups as u64);
    lines.add(
        "spread",
        format!("{spread} ticks from first to last, {most} for the middle 9 of 10 ({many} arrivals)"),
    );
}

impl Times {
    fn of(mut times: Vec<f64>, phases: BTreeMap<String, f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at =
            |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1))).copied();
        let shown = |time: Option<f64>| rounded(time.unwrap_or(0.0), 4);
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        Self {
            mean: rounded(mean, 4),
            p50: shown(at(50)),
            p99: shown(at(99)),
            max: shown(times.last().copied()),
            by_phase: phases
                .into_iter()
                .map(|(phase, all)| (phase, rounded(all / times.len().max(1) as f64, 4)))
                .collect(),
        }
    }
}

/// The scenario that `word` names.
pub(super) fn find(word: &str) -> Result<Scenario, Failure> {
    if let Some(scenario) = builtin_scenario(word) {
        return Ok(scenario);
    }
    let path = Path::new(word);
    if !word.contains(['/', '\\', '.']) && !path.exists() {
        let names: Vec<&str> = BUILTIN_SCENARIOS.iter().map(|(name, _)| *name).collect();
        return Err(Failure::unknown("scenario file or built-in scenario", word, &names));
    }
    Ok(load_scenario(path)?)
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
