//! Watching a search: `--trace`, `--show search`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{Recorder, Route, SearchEvent, SearchScratch};
use waymarch_maps::posthoc::{Trace, TraceForm, save_trace};

use super::path::prepare;
use crate::diagnostics::{Failure, Kind};
use crate::planner::PlannerDef;
use crate::report::{count, grouped};
use crate::scene::{Scene, no_route};

/// Arguments about what a search does on its way.
#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// Write down what the search does, step by step, for Posthoc (posthoc.pathfinding.ai): .yaml or .json. For jps-graph that is
    /// the search of its graph, even where a hierarchy answers.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// What --render draws: the route alone, or what the search looked at too. With --trace: the search.
    #[arg(long, value_enum, value_name = "WHAT", requires = "render")]
    show: Option<Show>,
    /// At most so many events are kept, of about 50 bytes each.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    trace_limit: u32,
}

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Show {
    /// The route.
    Route,
    /// The route, and the cells and jumps that the search tried.
    Search,
}

impl WatchArgs {
    /// The file to write.
    pub(super) fn trace(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// Whether pictures show the search.
    pub(super) fn shows_search(&self) -> bool {
        self.show.map_or(self.trace.is_some(), |show| show == Show::Search)
    }
}

/// A search that was watched.
#[derive(Debug)]
pub(super) struct Watched(Recorder);

impl Watched {
    /// What happened.
    pub(super) fn events(&self) -> &[SearchEvent] {
        self.0.events()
    }

    /// How many events did not fit.
    pub(super) fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// In sentences.
    pub(super) fn describe(&self, args: &WatchArgs) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(path) = args.trace() {
            let events = count(self.events().len(), "event", "events");
            let path = path.display();
            lines.push(format!("\nTraced to {path}: {events}. Open it at https://posthoc.pathfinding.ai.\n"));
        }
        if self.left_out() > 0 {
            let (kept, all) = (self.events().len() as u64, self.events().len() as u64 + self.left_out());
            let (kept, all) = (grouped(kept), grouped(all));
            lines.push(format!("Only the first {kept} of {all} events were kept: raise --trace-limit.\n"));
        }
        lines
    }
}

/// Searches once with a recorder and writes the trace, if anything of that was asked for. A search that finds no route
/// is written down too, and then fails.
pub(super) fn watch(
    args: &WatchArgs,
    scene: &Scene,
    planner: &PlannerDef,
    query: &PathQuery,
) -> Result<Option<Watched>, Failure> {
    if args.trace.is_none() && !args.shows_search() {
        return Ok(None);
    }
    if let Some(path) = args.trace() {
        refuse_standard_output(path)?;
        TraceForm::of(path)?;
    }
    let prepared = prepare(scene, planner)?;
    let mut recorder = Recorder::with_limit(args.trace_limit as usize);
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let answer = prepared.watch(query, &mut scratch, &mut route, &mut recorder);
    let found = match &answer {
        Ok(()) => Some(&route),
        Err(PlanError::Unreachable { .. }) => None,
        // Nothing was searched.
        Err(error) => return Err(no_route(error)),
    };
    if let Some(path) = args.trace() {
        let (events, left_out) = (recorder.events(), recorder.left_out());
        save_trace(path, &Trace { field: scene.field()?, events, left_out, route: found })?;
    }
    if let Err(error) = answer {
        let failure = no_route(&error);
        return Err(match args.trace() {
            Some(path) => failure.help(format!("{} shows where it looked", path.display())),
            None => failure,
        });
    }
    Ok(Some(Watched(recorder)))
}

fn refuse_standard_output(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    let message = "--trace -: standard output is for the report";
    Err(Failure::new(Kind::Usage, message).help("name a file, for example search.yaml"))
}
