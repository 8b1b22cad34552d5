//! Records what a search does: `path --trace` and `path --show search`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use waymarch::planners::Planner;
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{Recorder, Route, SearchEvent};
use waymarch_maps::posthoc::{Trace, TraceForm, save_trace};

use super::search::prepare;
use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;
use crate::planner::scratch;
use crate::report::{count, grouped};

/// Arguments for recording a search.
#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    /// Write every step of the search to a .yaml or .json file for Posthoc (posthoc.pathfinding.ai). For jps-graph this is the
    /// search of its graph, even if its hierarchy finds the route.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// What --render draws: the route alone, or the search too; default: the search with --trace, else the route.
    #[arg(long, value_enum, value_name = "WHAT", requires = "render")]
    show: Option<Show>,
    /// Keep at most N events of the search, about 50 bytes each.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    trace_limit: u32,
}

/// What `--render` draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Show {
    /// The route.
    Route,
    /// The route, and the cells and jumps of the search.
    Search,
}

impl TraceArgs {
    /// The trace file to write.
    pub(super) fn trace(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// Whether pictures show the search as well as the route.
    pub(super) fn shows_search(&self) -> bool {
        self.show.map_or(self.trace.is_some(), |show| show == Show::Search)
    }
}

/// A recorded search.
#[derive(Debug)]
pub(super) struct TracedSearch(Recorder);

impl TracedSearch {
    /// The recorded events, in order.
    pub(super) fn events(&self) -> &[SearchEvent] {
        self.0.events()
    }

    /// The number of events beyond the limit, which are not recorded.
    pub(super) fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// Lines for the report.
    pub(super) fn describe(&self, args: &TraceArgs) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(path) = args.trace() {
            let events = count(self.events().len(), "event", "events");
            let path = path.display();
            lines.push(format!(
                "\nTraced to {path}: {events}. Open the file at https://posthoc.pathfinding.ai.\n"
            ));
        }
        if self.left_out() > 0 {
            let (kept, all) = (self.events().len() as u64, self.events().len() as u64 + self.left_out());
            let (kept, all) = (grouped(kept), grouped(all));
            lines.push(format!("Only the first {kept} of {all} events were kept: raise --trace-limit.\n"));
        }
        lines
    }
}

/// Searches once with a recorder and writes the trace; `None` if the arguments ask for neither trace nor picture.
///
/// # Errors
/// If there is no route. For an unreachable goal the trace file is written before.
pub(super) fn trace(
    args: &TraceArgs,
    setup: &MapSetup,
    planner: &dyn Planner,
    query: &PathQuery,
) -> Result<Option<TracedSearch>, Failure> {
    if args.trace.is_none() && !args.shows_search() {
        return Ok(None);
    }
    if let Some(path) = args.trace() {
        refuse_standard_output(path)?;
        TraceForm::of(path)?;
    }
    let sectors = setup.sectors();
    let prepared = prepare(setup, &sectors, planner)?;
    let mut recorder = Recorder::with_limit(args.trace_limit as usize);
    let (mut scratch, mut route) = (scratch(), Route::new());
    let answer = prepared.watch(query, &mut scratch, &mut route, &mut recorder);
    let found = match &answer {
        Ok(()) => Some(&route),
        Err(PlanError::Unreachable { .. }) => None,
        // The query was refused before the search began.
        Err(error) => return Err(Failure::from(*error)),
    };
    if let Some(path) = args.trace() {
        let (events, left_out) = (recorder.events(), recorder.left_out());
        save_trace(path, &Trace { field: setup.field()?, events, left_out, route: found })?;
    }
    if let Err(error) = answer {
        let failure = Failure::from(error);
        return Err(match args.trace() {
            Some(path) => failure.help(format!("{} shows the cells it searched", path.display())),
            None => failure,
        });
    }
    Ok(Some(TracedSearch(recorder)))
}

fn refuse_standard_output(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    let message = "--trace -: standard output is reserved for the report";
    Err(Failure::new(Kind::Usage, message).help("name a file, for example search.yaml"))
}
