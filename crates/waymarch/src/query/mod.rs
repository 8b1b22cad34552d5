//! The vocabulary of a question: who asks, from where, to where, within what limits, and how it can end.

mod ask;
mod goal;
mod goal_query;
mod goal_text;
mod limits;
mod merge_bias;
mod persist;
mod quality;
mod shape;
mod smoothing;

pub use quality::{PerMille, Quality};

use core::fmt;

use crate::base::{Agent, CellPos, GridSize, StampId};

pub use ask::{BlockedBy, Company, Detail, PathAsk, Priority};
pub(crate) use goal::Side;
pub use goal::{Goal, GoalError, MAX_SHAPES};
pub use goal_query::{GoalQuery, Ignore, Occupied};
pub use goal_text::ParseGoalError;
pub use limits::{Limits, Outcome, Turning, WhenUnreachable};
pub use merge_bias::MergeBias;
pub use shape::Shape;

pub use smoothing::{Smoothing, Spline};

/// The cost of a route: step lengths (1024 straight, 1448 diagonal) times cell costs, summed.
///
/// The dearest route on the largest legal map stays under 2^45, and with the dearest turns under 2^64, so sums cannot overflow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(pub u64);

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self(0);
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether a query pays for threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Threat {
    /// Terrain only.
    #[default]
    Ignore,
    /// Threat is added to each cell's cost.
    Heed,
}

/// Who commands a unit; decides with `influence_avoidance` whether it heeds threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Controller {
    /// A person.
    #[default]
    Player,
    /// The computer.
    Ai,
}

/// A question: the cheapest way for `agent` from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// Where from.
    pub from: CellPos,
    /// Where to.
    pub to: CellPos,
    /// For whom.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
}

impl PathQuery {
    /// From `from` to `to` for `agent`, not heeding threat.
    #[must_use]
    pub fn new(from: CellPos, to: CellPos, agent: impl Into<Agent>) -> Self {
        Self { from, to, agent: agent.into(), threat: Threat::Ignore }
    }

    /// The same, with threat counting or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }
}

/// Why there is no route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A cell that is not on the map.
    #[error("cell {at} is not on a map of {size}")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// A locomotor or size for which there is no cost field.
    #[error("no costs for locomotor number {} at size {}: not in the rules, or the size is not in `size_classes`", .0.locomotor.0, .0.size)]
    UnknownAgent(Agent),
    /// The unit cannot stand where it starts.
    #[error("the start {at} is closed to this locomotor and size")]
    StartBlocked {
        /// The start.
        at: CellPos,
    },
    /// The unit cannot stand where it should go.
    #[error("the goal {at} is closed to this locomotor and size")]
    GoalBlocked {
        /// The goal.
        at: CellPos,
    },
    /// The goal may be passed but not stopped on.
    #[error("the goal {at} may be passed but not stopped on")]
    GoalNoStop {
        /// The goal.
        at: CellPos,
    },
    /// The planner asked cannot answer this kind of question; another can.
    #[error("{0}")]
    Unsuited(&'static str),
    /// Both ends are open but no way joins them.
    #[error("there is no way from {from} to {to}")]
    Unreachable {
        /// The start.
        from: CellPos,
        /// The goal.
        to: CellPos,
    },
    /// A question without a start.
    #[error("there is no cell to start from")]
    NoStart,
    /// A goal that makes no sense.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The unit can stand or stop nowhere in the goal.
    #[error("no cell of the goal is open to this locomotor and size and may be stopped on")]
    GoalClosed,
    /// No way joins any start to the goal.
    #[error("there is no way from {from} or any other start into the goal")]
    GoalUnreachable {
        /// The first start.
        from: CellPos,
    },
    /// The unit can stand where it starts, or nearby, but from there it can reach no cell that it may stop on.
    #[error("from {from} no cell can be reached that may be stopped on")]
    NowhereToStop {
        /// The start, or the nearest open cell.
        from: CellPos,
    },
    /// The node limit was reached before any cell to stop on.
    #[error("the limit of {nodes} nodes was reached, and none of them may be stopped on")]
    NodeLimit {
        /// The limit.
        nodes: u32,
    },
    /// The search has used up what it may do at once, and can go on; see
    /// [`SearchScratch::pause_after`](crate::search::SearchScratch::pause_after).
    #[error("the search pauses after {nodes} nodes")]
    Paused {
        /// How many nodes it has expanded so far.
        nodes: u32,
    },
    /// A stamp to be overlooked that does not stand (any more).
    #[error("stamp {0} does not stand on this map (it may have been removed or have expired)")]
    NoSuchStamp(StampId),
}
