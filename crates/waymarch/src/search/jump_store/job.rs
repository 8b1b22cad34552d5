//! Jump data, and the work of making them: a pure function that a host may run wherever it likes.

use alloc::boxed::Box;

use crate::base::{CellRect, GridSize, RowColBits};
use crate::cost::CostLayer;
use crate::query::{PathQuery, PlanError};
use crate::search::jps::{JumpPlanes, jps_with};
use crate::search::jump_graph::{JumpGraph, jps_graph_with};
use crate::search::probe::{NoProbe, Probe};
use crate::search::route::Route;
use crate::search::scratch::SearchScratch;

/// How much is worked out beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum JumpDetail {
    /// Planes of bits for straight jumps, [`JumpPlanes::straight`]: about a byte a cell, slower to ask.
    Straight,
    /// Planes of bits for diagonal jumps too, [`JumpPlanes::full`]: a few bytes a cell.
    #[default]
    Planes,
    /// The explicit graph, [`JumpGraph`]: faster to ask, larger, slower to make.
    Graph,
}

/// Derived from the closed cells of a map: what a fast search needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JumpData {
    /// For [`jps`](crate::search::jps).
    Planes(Box<JumpPlanes>),
    /// For [`jps_graph`](crate::search::jps_graph).
    Graph(Box<JumpGraph>),
}

impl JumpData {
    fn new(detail: JumpDetail, closed: &RowColBits) -> Self {
        match detail {
            JumpDetail::Straight => Self::Planes(Box::new(JumpPlanes::straight_of(closed))),
            JumpDetail::Planes => Self::Planes(Box::new(JumpPlanes::full_of(closed))),
            JumpDetail::Graph => Self::Graph(Box::new(JumpGraph::of(closed))),
        }
    }

    pub(super) fn follow(&mut self, closed: &RowColBits, changed: &[CellRect]) {
        match self {
            Self::Planes(planes) => changed.iter().for_each(|rect| planes.follow(closed, *rect)),
            Self::Graph(graph) => graph.follow(closed, changed),
        }
    }

    /// Answers `query` by them; they must be those of the query's field.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route.
    pub fn plan(
        &self,
        layer: &CostLayer,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        self.plan_with(layer, query, scratch, out, &mut NoProbe)
    }

    /// The same, with a probe that sees what happens.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route.
    pub fn plan_with(
        &self,
        layer: &CostLayer,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        match self {
            Self::Planes(planes) => jps_with(layer, query, planes, scratch, out, probe),
            Self::Graph(graph) => jps_graph_with(layer, query, graph, scratch, out, probe),
        }
    }

    /// The size of the map they were made for.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        match self {
            Self::Planes(planes) => planes.grid(),
            Self::Graph(graph) => graph.grid(),
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Planes(planes) => planes.memory_bytes(),
            Self::Graph(graph) => graph.memory_bytes(),
        }
    }
}

/// A job by its number; no two jobs of a store have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JumpJobId(pub(super) u64);

/// Work to be done: jump data for the closed cells as they were when it was asked for.
///
/// It owns all it needs, so a host may send it to another thread and let it take several ticks.
#[derive(Clone, Debug)]
pub struct JumpJob {
    pub(super) id: JumpJobId,
    pub(super) detail: JumpDetail,
    pub(super) closed: RowColBits,
}

impl JumpJob {
    /// Its number, by which the result is handed in.
    #[must_use]
    pub fn id(&self) -> JumpJobId {
        self.id
    }

    /// Does the work: the same result wherever and whenever it runs.
    #[must_use]
    pub fn build(&self) -> JumpData {
        JumpData::new(self.detail, &self.closed)
    }
}
