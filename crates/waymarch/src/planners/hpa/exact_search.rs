//! An exact search over cells, ready to run: the one that walks the legs of a far route, or answers a near query.

use crate::cost::{CostLayer, Neighbours, StepRule};
use crate::query::{PathQuery, PlanError, Quality};
use crate::search::{
    JumpData, JumpPlanes, Probe, SearchRun, WeightedSearch, astar_with, jps_with, jpsw_with,
};

/// An exact search, with the tables it reads.
#[derive(Clone, Copy, Debug)]
pub enum ExactSearch<'a> {
    /// A\*, which needs no tables.
    Astar(StepRule),
    /// Jump point search, for ground of one cost.
    Planes(&'a JumpPlanes),
    /// Jump point search with data from a [`JumpStore`](crate::search::JumpStore), for ground of one cost.
    Jumps(&'a JumpData),
    /// Jump point search for weighted ground.
    Weighted(WeightedSearch<'a>),
}

impl ExactSearch<'_> {
    /// The number of sectors that one leg of a far route passes: 6 on ground of one cost, 3 on weighted ground. Longer legs give cheaper
    /// routes and take more nodes, many more on weighted ground.
    pub(super) const fn sectors_per_leg(&self) -> usize {
        match self {
            Self::Planes(_) | Self::Jumps(_) => 6,
            Self::Astar(_) | Self::Weighted(_) => 3,
        }
    }

    /// Whether a far route gets a second pass, with legs that meet in other cells. It does where legs are cheap to search: on ground of one
    /// cost.
    pub(super) const fn walks_twice(&self) -> bool {
        matches!(self, Self::Planes(_) | Self::Jumps(_))
    }

    /// Whether the search steps to four neighbours or to eight.
    pub(super) fn neighbours(&self) -> Neighbours {
        match self {
            Self::Weighted(how) => how.planes.rule().neighbours,
            Self::Astar(rule) => rule.neighbours,
            Self::Planes(_) | Self::Jumps(_) => Neighbours::Eight,
        }
    }

    /// The same search, with routes of this quality on weighted ground.
    pub(crate) fn with_quality(self, quality: Quality) -> Self {
        match self {
            Self::Weighted(how) => Self::Weighted(how.with_quality(quality)),
            exact => exact,
        }
    }

    /// How coarsely the search counts costs. With another coarseness a search may find another of several equally cheap routes. So this
    /// number is a part of cache keys.
    pub(crate) fn coarseness(&self) -> u32 {
        match self {
            Self::Weighted(how) => how.planes.coarseness(),
            Self::Astar(_) | Self::Planes(_) | Self::Jumps(_) => 0,
        }
    }

    /// Answers `query`.
    pub(crate) fn plan(
        &self,
        layer: &CostLayer,
        query: &PathQuery,
        run: SearchRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        match self {
            Self::Astar(rule) => astar_with(layer, query, *rule, run),
            Self::Planes(planes) => jps_with(layer, query, planes, run),
            Self::Jumps(data) => data.plan_with(layer, query, run.scratch, run.out, run.probe),
            Self::Weighted(how) => jpsw_with(layer, query, how, run),
        }
    }
}
