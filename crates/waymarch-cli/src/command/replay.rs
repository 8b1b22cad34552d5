//! `waymarch replay`: replays a recorded game and compares its hashes. `bisect.rs` compares two games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use waymarch::base::Tick;
use waymarch::world::{Checks, Recording, Replay, ReplayError};
use waymarch_maps::recording::load_recording;
use waymarch_maps::scenario::{Simulation, builtin_scenario};
use waymarch_maps::write_file;

use super::bisect;
use crate::diagnostics::{Failure, Kind};
use crate::report::{Lines, Report, Verdict, grouped, subhashes};
use crate::workers::Workers;

/// Without a recording, a built-in scenario is recorded for 200 ticks: 10 seconds.
const BUILTIN_TICKS: u64 = 200;

/// Arguments of `waymarch replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch sim crossing --record game.rec
  waymarch replay game.rec --verify          compare every hash; exit code 1 if one differs
  waymarch replay game.rec --html game.html  a page that plays the game in any browser
  waymarch replay --bisect a.rec b.rec       the first tick and subsystem at which two games differ")]
pub(crate) struct ReplayArgs {
    /// A recording; default: a built-in scenario, recorded first.
    recording: Option<PathBuf>,
    /// With --bisect: the recording to compare it with.
    #[arg(requires = "bisect")]
    other: Option<PathBuf>,
    /// Find the first tick and subsystem at which two recordings differ; exit code 1 if they do. Without recordings, two are made.
    #[arg(long, conflicts_with_all = ["verify", "html"])]
    bisect: bool,
    /// Compare all hashes of the recording and report the first tick that differs; default: compare the last hash only.
    #[arg(long)]
    verify: bool,
    /// Write a page that plays the game in any browser: one file, without a server.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The number of threads, 0 for one per core. Does not change results.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

/// The first difference from the recording.
#[derive(Serialize)]
struct Divergence {
    tick: u64,
    /// The first subsystem whose hash differs; `command` if a command was refused.
    part: String,
    /// The last tick at which all hashes were equal.
    same_until: Option<u64>,
    message: String,
}

#[derive(Serialize)]
struct Document {
    recording: Option<PathBuf>,
    map: String,
    ticks: u64,
    threads: usize,
    commands: u64,
    /// The number of hashes compared.
    compared: u64,
    same: bool,
    diverged: Option<Divergence>,
    hash: String,
    subhashes: BTreeMap<&'static str, String>,
    /// The page, if one was written.
    html: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs) -> Result<Report, Failure> {
    if args.bisect {
        let workers = Workers::new(args.threads)?;
        return bisect::run([args.recording.as_deref(), args.other.as_deref()], &workers);
    }
    let recording = match &args.recording {
        Some(path) => load_recording(path)?,
        None => record_builtin()?,
    };
    let workers = Workers::new(args.threads)?;
    let checks = if args.verify { Checks::Every } else { Checks::Last };
    let mut replay = Replay::with_checks(&recording, checks).map_err(Failure::invalid)?;
    let bar = ProgressBar::new(recording.end.0);
    let end = loop {
        match replay.step(&workers) {
            Ok(true) => bar.inc(1),
            Ok(false) => break None,
            Err(error) => break Some(divergence(&error)),
        }
    };
    bar.finish_and_clear();
    // No page for a game that differs from its recording.
    let page = match &args.html {
        Some(path) if end.is_none() => {
            write_page(path, &recording, &workers)?;
            Some(path.clone())
        }
        _ => None,
    };
    let hash = replay.world().state_hash();
    let document = Document {
        recording: args.recording.clone(),
        map: recording.setup.map.name.clone(),
        ticks: replay.world().now().0,
        threads: workers.count(),
        commands: recording.commands.len() as u64,
        compared: replay.compared(),
        same: end.is_none(),
        diverged: end,
        hash: hash.to_string(),
        subhashes: subhashes(&hash),
        html: page,
    };
    let mut lines = Lines::default();
    lines.add("map", document.map.clone());
    lines.add("ticks", grouped(document.ticks));
    lines.add("commands", grouped(document.commands));
    lines.add("hash", document.hash.clone());
    if let Some(path) = &document.html {
        lines.add("page", path.display().to_string());
    }
    let (head, verdict) = match &document.diverged {
        None => (
            format!("The replay equals the recording: {} hashes compared.\n", grouped(document.compared)),
            Verdict::Good,
        ),
        Some(divergence) => {
            (format!("The replay differs from the recording: {}.\n", divergence.message), Verdict::Bad)
        }
    };
    Ok(Report::new(format!("{head}{}", lines.render()), &document).verdict(verdict))
}

/// Replays the game and writes the page.
fn write_page(path: &Path, recording: &Recording, workers: &Workers) -> Result<(), Failure> {
    let html = waymarch_play::replay_page(recording, workers).map_err(Failure::invalid)?;
    Ok(write_file(path, html.as_bytes())?)
}

fn divergence(error: &ReplayError) -> Divergence {
    let (tick, part, same): (Tick, &str, Option<Tick>) = match error {
        ReplayError::Setup(_) => (Tick::ZERO, "setup", None),
        ReplayError::Refused { tick, .. } => (*tick, "command", None),
        ReplayError::Diverged { tick, part, same } => (*tick, part, Some(*same)),
    };
    let message = error.to_string();
    Divergence { tick: tick.0, part: part.to_owned(), same_until: same.map(|same| same.0), message }
}

/// Records a built-in scenario.
fn record_builtin() -> Result<Recording, Failure> {
    let missing = || Failure::new(Kind::Invalid, "the built-in scenario `crossing` cannot be run");
    let scenario = builtin_scenario("crossing").ok_or_else(missing)?;
    let mut simulation = Simulation::new(scenario, 10).map_err(|_| missing())?;
    (0..BUILTIN_TICKS).for_each(|_| simulation.step(&waymarch::world::Serial));
    Ok(simulation.finish())
}
