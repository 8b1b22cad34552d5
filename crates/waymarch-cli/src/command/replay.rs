//! `waymarch replay`: a recorded game, played again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use waymarch::base::Tick;
use waymarch::world::{Checks, Recording, Replay, ReplayError};
use waymarch_maps::FileError;
use waymarch_maps::replay::load_recording;
use waymarch_maps::scenario::{Simulation, builtin_scenario};

use super::sim::subhashes;
use crate::diagnostics::{Failure, Kind};
use crate::report::{Lines, Report, Verdict, grouped};
use crate::workers::Workers;

/// So long is the game that is played when no recording is given.
const OWN_TICKS: u64 = 200;

/// Arguments of `waymarch replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch sim crossing --record game.rec
  waymarch replay game.rec --verify          exit code 1, and the tick and part, if it is another game
  waymarch replay game.rec --html game.html  a page that plays it in any browser, without a server")]
pub(crate) struct ReplayArgs {
    /// A recording; without one a built-in scenario is recorded first.
    recording: Option<PathBuf>,
    /// Compare all hashes of the recording, to find the first tick that differs; otherwise the last only.
    #[arg(long)]
    verify: bool,
    /// Write a page that plays the game in any browser: one file that needs no server and asks for nothing.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Threads to share the work, 0 for one per core. Changes no result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

/// Where the game is another one.
#[derive(Serialize)]
struct Divergence {
    tick: u64,
    /// The first subsystem that differs; `command` if a command is refused.
    part: String,
    /// The last tick at which all was the same.
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
    /// Hashes compared.
    compared: u64,
    same: bool,
    diverged: Option<Divergence>,
    hash: String,
    subhashes: BTreeMap<&'static str, String>,
    /// The page that was written, if one was asked for.
    html: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs) -> Result<Report, Failure> {
    let recording = match &args.recording {
        Some(path) => load_recording(path)?,
        None => own()?,
    };
    let workers = Workers::new(args.threads)?;
    let checks = if args.verify { Checks::Every } else { Checks::Last };
    let invalid = |error: ReplayError| Failure::new(Kind::Invalid, error.to_string());
    let mut replay = Replay::with_checks(&recording, checks).map_err(invalid)?;
    let bar = ProgressBar::new(recording.end.0);
    let end = loop {
        match replay.step(&workers) {
            Ok(true) => bar.inc(1),
            Ok(false) => break None,
            Err(error) => break Some(divergence(&error)),
        }
    };
    bar.finish_and_clear();
    // A game that comes out differently has no page.
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
            format!("The same game: {} of its hashes compared.\n", grouped(document.compared)),
            Verdict::Good,
        ),
        Some(divergence) => (format!("Another game: {}.\n", divergence.message), Verdict::Bad),
    };
    Ok(Report::new(format!("{head}{}", lines.render()), &document).verdict(verdict))
}

/// Plays the game once more, for the page.
fn write_page(path: &Path, recording: &Recording, workers: &Workers) -> Result<(), Failure> {
    let html = waymarch_play::replay_page(recording, workers)
        .map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?;
    Ok(std::fs::write(path, html).map_err(|error| FileError::io(path, &error))?)
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

/// A game of our own.
fn own() -> Result<Recording, Failure> {
    let missing = || Failure::new(Kind::Invalid, "the built-in scenario cannot be played");
    let scenario = builtin_scenario("crossing").ok_or_else(missing)?;
    let mut simulation = Simulation::new(scenario, 10).map_err(|_| missing())?;
    (0..OWN_TICKS).for_each(|_| simulation.step(&waymarch::world::Serial));
    Ok(simulation.finish())
}
