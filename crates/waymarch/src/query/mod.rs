//! What is asked? The vocabulary of route queries: agent, start, goal, limits, and how an answer can end.
//!
//! [`PathQuery`] goes from cell to cell. [`GoalQuery`] goes from any of several cells into a shape, within limits. [`PathAsk`] is a request to
//! the path service. [`PlanError`] says why there is no route.
//!
//! This room owns nothing: its types are plain data. Queries that wait in a queue are World state of the service, so they can be saved
//! (`persist.rs`).
//! It reads the base types only and changes nothing.
//!
//! | file | what it has |
//! |---|---|
//! | `ask.rs` | [`PathAsk`], a request with priority, detail and company |
//! | `goal.rs`, `shape.rs`, `goal_error.rs`, `goal_text.rs` | goals, their shapes, their errors, and goals as text |
//! | `goal_query.rs`, `limits.rs` | [`GoalQuery`], its limits and outcomes |
//! | `quality.rs`, `merge_bias.rs`, `smoothing.rs` | settings of a route: its cost limit, its bias to other routes, its smoothing |

mod ask;
mod goal;
mod goal_error;
mod goal_query;
mod goal_text;
mod limits;
mod merge_bias;
mod persist;
mod quality;
mod shape;
mod smoothing;

pub use crate::base::{Asker, Observer, Threat};
pub use quality::{PerMille, Quality};

use core::fmt;

use crate::base::{Agent, CellPos, GridSize, StampId};

pub use ask::{BlockedBy, Company, Detail, PathAsk, Priority};
pub use goal::Goal;
pub(crate) use goal::Side;
pub use goal_error::{GoalError, MAX_SHAPES};
pub use goal_query::{GoalQuery, Ignore, Occupied};
pub use goal_text::ParseGoalError;
pub use limits::{Limits, Outcome, Turning, WhenUnreachable};
pub use merge_bias::MergeBias;
pub use shape::Shape;

pub use smoothing::{Smoothing, Spline};

/// The cost of a route: the sum over its steps of step length (1024 straight, 1448 diagonal) times the cost of the cell entered.
///
/// The most expensive route on the largest legal map costs less than 2^45. With the greatest cost of turns it costs less than
/// 2^64. So sums cannot overflow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(pub u64);

impl Cost {
    /// The cost 0.
    pub const ZERO: Self = Self(0);
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which kind of player commands a unit. Together with the setting `influence_avoidance` it decides whether the unit heeds threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Controller {
    /// A human player.
    #[default]
    Player,
    /// A computer player.
    Ai,
}

/// A query for the cheapest route of `agent` from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// The start.
    pub from: CellPos,
    /// The goal.
    pub to: CellPos,
    /// The locomotor and size of the unit.
    pub agent: Agent,
    /// Whether threat counts, and as which observer sees it.
    pub threat: Threat,
    /// The unit and player that the route is for. Only planners of a game heed it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub asker: Asker,
}

impl PathQuery {
    /// A query from `from` to `to` for `agent`, with threat ignored.
    #[must_use]
    pub fn new(from: CellPos, to: CellPos, agent: impl Into<Agent>) -> Self {
        Self { from, to, agent: agent.into(), threat: Threat::Ignore, asker: Asker::NOBODY }
    }

    /// The same query, with threat counted or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The same query, for this unit and player.
    #[must_use]
    pub const fn with_asker(mut self, asker: Asker) -> Self {
        self.asker = asker;
        self
    }
}

/// Why there is no route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A cell is not on the map.
    #[error("cell {at} is not on a map of {size}")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The map has no cost field for this locomotor and size.
    #[error("no costs for locomotor number {} at size {}: not in the rules, or the size is not in `size_classes`", .0.locomotor.0, .0.size)]
    UnknownAgent(Agent),
    /// The unit cannot stand where it starts.
    #[error("the start {at} is closed to this locomotor and size")]
    StartBlocked {
        /// The start.
        at: CellPos,
    },
    /// The unit cannot stand on the goal.
    #[error("the goal {at} is closed to this locomotor and size")]
    GoalBlocked {
        /// The goal.
        at: CellPos,
    },
    /// Units may pass the goal but not stop on it.
    #[error("units may pass the goal {at} but not stop on it")]
    GoalNoStop {
        /// The goal.
        at: CellPos,
    },
    /// The planner cannot answer this kind of query, or was not prepared for it. Another planner can.
    #[error("{0}")]
    Unsuited(&'static str),
    /// Both ends are open, but no route connects them.
    #[error("there is no route from {from} to {to}")]
    Unreachable {
        /// The start.
        from: CellPos,
        /// The goal.
        to: CellPos,
    },
    /// The query has no start.
    #[error("the query has no start cell")]
    NoStart,
    /// The goal is not valid on this map.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The unit can stop on no cell of the goal.
    #[error("this locomotor and size can stop on no cell of the goal")]
    GoalClosed,
    /// No route connects any start with the goal.
    #[error("there is no route from {from} or any other start into the goal")]
    GoalUnreachable {
        /// The first start.
        from: CellPos,
    },
    /// The unit can stand at the start or nearby, but from there it reaches no cell that it may stop on.
    #[error("from {from} the unit reaches no cell that it may stop on")]
    NowhereToStop {
        /// The start, or the nearest open cell.
        from: CellPos,
    },
    /// The search expanded as many nodes as it may and found no route. A route may exist.
    #[error("the search reached its limit of {nodes} nodes before it found a route")]
    NodeLimit {
        /// The limit.
        nodes: u32,
    },
    /// The search needs more memory than can be allocated: with turn costs, 128 bytes per cell of the map.
    #[error("the search needs {bytes} bytes, which cannot be allocated: use a smaller map, or no turn costs")]
    OutOfMemory {
        /// The bytes that the search needs.
        bytes: u64,
    },
    /// The search has expanded as many nodes as it may at once, and can go on; see
    /// [`SearchScratch::pause_after`](crate::search::SearchScratch::pause_after).
    #[error("the search pauses after {nodes} nodes")]
    Paused {
        /// How many nodes it has expanded so far.
        nodes: u32,
    },
    /// A stamp that the query should ignore does not stand on the map, or no longer stands.
    #[error("stamp {0} does not stand on this map (it may have been removed or have expired)")]
    NoSuchStamp(StampId),
}
