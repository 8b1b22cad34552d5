//! Writes the events of a search as lines of a trace.

use std::fmt::Display;
use std::io::{Result, Write};

use waymarch::base::{CellPos, GridSize};
use waymarch::cost::CostField;
use waymarch::search::{Reach, SearchEvent, Visit};

use super::{Trace, TraceForm};

/// Scratch: the writer of events.
pub(super) struct Events<'a, W> {
    out: &'a mut W,
    form: TraceForm,
    grid: GridSize,
    /// The node that is being expanded.
    expanding: Option<Visit>,
    /// The separator before the next event.
    before: &'static str,
}

impl<'a, W: Write> Events<'a, W> {
    pub(super) fn new(out: &'a mut W, form: TraceForm, grid: GridSize) -> Self {
        Self { out, form, grid, expanding: None, before: "" }
    }

    /// Closed cells as runs along rows.
    pub(super) fn map(&mut self, field: &CostField) -> Result<()> {
        self.open("map")?;
        self.value("id", 0)?;
        self.value("width", self.grid.width())?;
        self.value("height", self.grid.height())?;
        self.key("closed")?;
        let mut before = "[";
        for y in 0..self.grid.height() as i32 {
            let closed = |x: i32| !field.is_passable(CellPos::new(x, y));
            let mut x = 0;
            while x < self.grid.width() as i32 {
                let run = (x..self.grid.width() as i32).take_while(|&x| closed(x)).count() as i32;
                if run > 0 {
                    write!(self.out, "{before}[{x},{y},{run}]")?;
                    before = ",";
                }
                x += run.max(1);
            }
        }
        self.out.write_all(if before == "[" { b"[]}" } else { b"]}" })
    }

    pub(super) fn event(&mut self, event: &SearchEvent) -> Result<()> {
        match *event {
            SearchEvent::Begin { from, to } => {
                self.place("source", from)?;
                self.place("destination", to)
            }
            SearchEvent::Expand(node) => {
                self.close()?;
                self.expanding = Some(node);
                self.node("expanding", node)
            }
            SearchEvent::Reach(node, Reach::Cheaper) => self.node("updating", node),
            SearchEvent::Reach(node, Reach::First | Reach::OtherSide) => self.node("generating", node),
        }
    }

    /// Writes the route and the end of the search.
    pub(super) fn end(&mut self, trace: &Trace<'_>) -> Result<()> {
        self.close()?;
        let mut before = None;
        for &at in trace.route.iter().flat_map(|route| &route.waypoints) {
            self.at("solution", at)?;
            if let Some(before) = before {
                self.value("pId", self.id(before))?;
                self.jump_from(before)?;
            }
            self.done()?;
            before = Some(at);
        }
        self.open("end")?;
        match before {
            Some(goal) => self.value("id", self.id(goal))?,
            None => self.value("id", 0)?,
        }
        if let (Some(goal), Some(route)) = (before, trace.route) {
            self.position(goal)?;
            for (key, value) in [("g", route.cost.0), ("h", 0), ("f", route.cost.0)] {
                self.value(key, value)?;
            }
        }
        self.value("found", before.is_some())?;
        self.value("left_out", trace.left_out)?;
        self.done()
    }

    /// Closes the node that was expanded last.
    fn close(&mut self) -> Result<()> {
        self.expanding.take().map_or(Ok(()), |node| self.node("closing", node))
    }

    fn place(&mut self, kind: &str, at: CellPos) -> Result<()> {
        self.at(kind, at)?;
        self.done()
    }

    fn node(&mut self, kind: &str, node: Visit) -> Result<()> {
        self.at(kind, node.at)?;
        if let Some(parent) = node.parent {
            self.value("pId", self.id(parent))?;
        }
        for (key, value) in [("g", node.cost), ("h", node.ahead), ("f", node.estimate())] {
            self.value(key, value)?;
        }
        if let Some([from, turn, _]) = node.jump() {
            self.jump_from(from)?;
            self.value("tx", turn.x)?;
            self.value("ty", turn.y)?;
        }
        self.done()
    }

    fn jump_from(&mut self, from: CellPos) -> Result<()> {
        self.value("px", from.x)?;
        self.value("py", from.y)
    }

    /// Begins an event at a cell.
    fn at(&mut self, kind: &str, at: CellPos) -> Result<()> {
        self.open(kind)?;
        self.value("id", self.id(at))?;
        self.position(at)
    }

    fn position(&mut self, at: CellPos) -> Result<()> {
        self.value("x", at.x)?;
        self.value("y", at.y)
    }

    /// A cell's number, from 1.
    fn id(&self, at: CellPos) -> u64 {
        at.y as u64 * u64::from(self.grid.width()) + at.x as u64 + 1
    }

    /// Begins an event.
    fn open(&mut self, kind: &str) -> Result<()> {
        match self.form {
            TraceForm::Yaml => write!(self.out, "\n- {{type: {kind}"),
            TraceForm::Json => {
                let before = self.before;
                self.before = ",";
                write!(self.out, "{before}\n{{\"type\":\"{kind}\"")
            }
        }
    }

    fn key(&mut self, key: &str) -> Result<()> {
        match self.form {
            TraceForm::Yaml => write!(self.out, ", {key}: "),
            TraceForm::Json => write!(self.out, ",\"{key}\":"),
        }
    }

    fn value(&mut self, key: &str, value: impl Display) -> Result<()> {
        self.key(key)?;
        write!(self.out, "{value}")
    }

    fn done(&mut self) -> Result<()> {
        self.out.write_all(b"}")
    }
}
