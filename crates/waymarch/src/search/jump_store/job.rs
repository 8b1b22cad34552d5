//! Jump data, and the job that makes them: a pure function that a host may run on any thread.

use alloc::boxed::Box;

use crate::base::{CellRect, GridSize, RowColBits};
use crate::cost::CostLayer;
use crate::query::{PathQuery, PlanError};
use crate::search::jps::{JumpPlanes, jps_with};
use crate::search::jump_graph::{JumpGraph, jps_graph_with};
use crate::search::probe::{NoProbe, Probe};
use crate::search::route::Route;
use crate::search::run::SearchRun;
use crate::search::scratch::SearchScratch;

/// Which jump tables are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum JumpDetail {
    /// Planes for straight jumps, [`JumpPlanes::straight`]: about one byte per cell, the slowest searches.
    Straight,
    /// Planes for straight and diagonal jumps, [`JumpPlanes::full`]: a few bytes per cell.
    #[default]
    Planes,
    /// The explicit graph, [`JumpGraph`]: the fastest searches, more memory, slower to make.
    Graph,
}

/// Derived from the closed cells of a map: the tables of a jump point search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JumpData {
    /// For [`jps`](crate::search::jps).
    Planes(Box<JumpPlanes>),
    /// For [`jps_graph`](crate::search::jps_graph).
    Graph(Box<JumpGraph>),
}

impl JumpData {
    /// Makes the data for all cells that are not in `closed`.
    pub(crate) fn new(detail: JumpDetail, closed: &RowColBits) -> Self {
        match detail {
            JumpDetail::Straight => Self::Planes(Box::new(JumpPlanes::straight_of(closed))),
            JumpDetail::Planes => Self::Planes(Box::new(JumpPlanes::full_of(closed))),
            JumpDetail::Graph => Self::Graph(Box::new(JumpGraph::of(closed))),
        }
    }

    /// Follows changes of the closed cells within `changed`. The result equals new data.
    pub(crate) fn follow(&mut self, closed: &RowColBits, changed: &[CellRect]) {
        match self {
            Self::Planes(planes) => changed.iter().for_each(|rect| planes.follow(closed, *rect)),
            Self::Graph(graph) => graph.follow(closed, changed),
        }
    }

    /// Answers `query`. The data must be those of the query's field.
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

    /// As [`JumpData::plan`], with a probe that sees every step.
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
            Self::Planes(planes) => jps_with(layer, query, planes, SearchRun { scratch, out, probe }),
            Self::Graph(graph) => jps_graph_with(layer, query, graph, SearchRun { scratch, out, probe }),
        }
    }

    /// The size of the map that the data were made for.
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

/// The number of a job, unique within a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JumpJobId(pub(super) u64);

/// A job: make jump data for the closed cells as they were when the job began.
///
/// It owns all its input, so a host may send it to another thread and let it run for several ticks.
#[derive(Clone, Debug)]
pub struct JumpJob {
    pub(super) id: JumpJobId,
    pub(super) detail: JumpDetail,
    pub(super) closed: RowColBits,
}

impl JumpJob {
    /// The number of the job, with which the result is installed.
    #[must_use]
    pub fn id(&self) -> JumpJobId {
        self.id
    }

    /// Makes the jump data. The result is the same on any thread and at any time.
    #[must_use]
    pub fn build(&self) -> JumpData {
        JumpData::new(self.detail, &self.closed)
    }
}
