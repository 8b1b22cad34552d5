//! Search traces for Posthoc, a visualiser for path searches (format version 1.4.0): a search, event by event.
//!
//! Open the file at <https://posthoc.pathfinding.ai> and step through it. The trace contains the map: closed
//! cells are one event before all others. It also fits on top of the map itself (a MovingAI `.map`).

mod events;
mod views;

use std::io::Write;
use std::path::Path;

use waymarch::cost::CostField;
use waymarch::search::{Route, SearchEvent};

use crate::{FileError, FileResult, OutputFile};

/// A search to write.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The cost field that was searched.
    pub field: &'a CostField,
    /// The events, as recorded by a [`Recorder`](waymarch::search::Recorder).
    pub events: &'a [SearchEvent],
    /// How many events were not recorded.
    pub left_out: u64,
    /// The route that was found.
    pub route: Option<&'a Route>,
}

/// The notation of a trace file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceForm {
    /// YAML with one event per line, readable for people.
    Yaml,
    /// JSON with the same content.
    Json,
}

impl TraceForm {
    /// The notation for a file's extension: `.yaml`, `.yml` or `.json`.
    ///
    /// # Errors
    /// [`FileError`] for any other extension.
    pub fn of(path: &Path) -> FileResult<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Ok(Self::Yaml),
            "json" => Ok(Self::Json),
            _ => {
                Err(FileError::new(path.display().to_string(), "a trace can be saved as .yaml or .json only"))
            }
        }
    }
}

/// Saves a trace in the notation of its extension. It is streamed, so little memory is used.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar_with, Recorder, Route, SearchRun, SearchScratch};
/// use waymarch_maps::posthoc::{save_trace, Trace};
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route, mut recorder) = (SearchScratch::new(), Route::new(), Recorder::with_limit(10_000));
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// astar_with(&layer, &query, StepRule::default(), SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut recorder })?;
/// let field = layer.field(query.agent).unwrap();
/// let trace = Trace { field, events: recorder.events(), left_out: recorder.left_out(), route: Some(&route) };
/// # let path = std::env::temp_dir().join(format!("waymarch-doc-{}.yaml", std::process::id()));
/// # let shown = path.clone();
/// save_trace(&path, &trace)?;
/// # std::fs::remove_file(shown)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FileError`] if the file cannot be written or has another extension.
pub fn save_trace(path: &Path, trace: &Trace<'_>) -> FileResult<()> {
    let form = TraceForm::of(path)?;
    let mut out = OutputFile::create(path)?;
    write_trace(&mut out, form, trace).map_err(|error| FileError::io(path, &error))?;
    out.finish()
}

/// Writes a trace.
///
/// Events are `map` (closed cells as runs of column, row and length), `source`, `destination`, then `expanding`,
/// `generating`, `updating` (reached again more cheaply) and `closing`, then a `solution` for each waypoint and one `end`.
/// Costs are Waymarch's: 1024 for a straight step over ground of cost 1. A cell's `id` is its number plus one, because 0
/// means none in Posthoc. A node reached by a jump has the jump's start (`px`, `py`) and turn (`tx`, `ty`).
///
/// # Errors
/// Errors of `out`.
pub fn write_trace(out: &mut impl Write, form: TraceForm, trace: &Trace<'_>) -> std::io::Result<()> {
    views::write(out, form)?;
    let mut events = events::Events::new(out, form, trace.field.grid());
    events.map(trace.field)?;
    trace.events.iter().try_for_each(|event| events.event(event))?;
    events.end(trace)?;
    match form {
        TraceForm::Yaml => writeln!(out),
        TraceForm::Json => writeln!(out, "\n]}}"),
    }
}

#[cfg(test)]
mod tests;
