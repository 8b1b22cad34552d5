//! Search traces for Posthoc, the visualiser for path searches (format version 1.4.0): a search, event by event.
//!
//! Open the file at <https://posthoc.pathfinding.ai> and step through it. It brings its own picture of the map: closed
//! cells come as one event before all others. Laid over the map itself (a MovingAI `.map`), cells meet cells.

mod events;
mod views;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use waymarch::cost::CostField;
use waymarch::search::{Route, SearchEvent};

use crate::{FileError, FileResult};

/// A search to be written down.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// What it searched.
    pub field: &'a CostField,
    /// What happened, as a [`Recorder`](waymarch::search::Recorder) kept it.
    pub events: &'a [SearchEvent],
    /// How many events were not kept.
    pub left_out: u64,
    /// What it found.
    pub route: Option<&'a Route>,
}

/// In which notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceForm {
    /// An event per line, to be read by people too.
    Yaml,
    /// The same as JSON.
    Json,
}

impl TraceForm {
    /// The form that a file's extension asks for: `.yaml`, `.yml` or `.json`.
    ///
    /// # Errors
    /// [`FileError`] for every other name.
    pub fn of(path: &Path) -> FileResult<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Ok(Self::Yaml),
            "json" => Ok(Self::Json),
            _ => Err(FileError::new(path.display().to_string(), "traces are saved as .yaml or .json")),
        }
    }
}

/// Saves a trace, in the form its extension asks for. Streams: needs no memory to speak of.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar_with, Recorder, Route, SearchScratch};
/// use waymarch_maps::posthoc::{save_trace, Trace};
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route, mut recorder) = (SearchScratch::new(), Route::new(), Recorder::with_limit(10_000));
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// astar_with(&layer, &query, StepRule::default(), &mut scratch, &mut route, &mut recorder)?;
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
/// [`FileError`] naming the file when it cannot be written or its extension is another.
pub fn save_trace(path: &Path, trace: &Trace<'_>) -> FileResult<()> {
    let form = TraceForm::of(path)?;
    let io = |error: std::io::Error| FileError::io(path, &error);
    let mut out = BufWriter::new(File::create(path).map_err(io)?);
    write_trace(&mut out, form, trace).map_err(io)?;
    out.flush().map_err(io)
}

/// Writes a trace.
///
/// Events are `map` (closed cells as runs of column, row and length), `source`, `destination`, then `expanding`,
/// `generating`, `updating` (reached again more cheaply) and `closing`, then a `solution` for each waypoint and one `end`.
/// Costs are Waymarch's: 1024 for a straight step over ground of cost 1. A cell's `id` is its number plus one, as 0
/// means none to Posthoc. Nodes reached by a jump say where it started (`px`, `py`) and turned (`tx`, `ty`).
///
/// # Errors
/// What `out` says.
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
