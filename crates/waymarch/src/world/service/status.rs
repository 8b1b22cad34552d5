//! How far a request has come, and what a unit is to follow.

use core::fmt;

use crate::base::{ByteReader, ByteWriter, Id, LoadError, Persist, WorldPos};
use crate::flow::tiles::FlowId;
use crate::query::PlanError;

/// What a [`PathId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathTag {}

/// The name of a request.
pub type PathId = Id<PathTag>;

/// Why a request was not answered as it was asked: a code that can be saved, compared and shown. What it is about is in the request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
pub enum PathReason {
    /// The start or the goal is not on the map.
    #[error("not on the map")]
    OffMap,
    /// There are no costs for this locomotor and size.
    #[error("no costs for this locomotor and size")]
    UnknownAgent,
    /// The unit cannot stand where it starts.
    #[error("the start is closed to this locomotor and size")]
    StartClosed,
    /// The unit cannot stand in the goal.
    #[error("the goal is closed to this locomotor and size")]
    GoalClosed,
    /// The goal may be passed but not stopped on.
    #[error("the goal may be passed but not stopped on")]
    GoalNoStop,
    /// Both ends are open, but no way joins them.
    #[error("no way leads there")]
    NoWay,
    /// The goal makes no sense on this map.
    #[error("the goal makes no sense on this map")]
    BadGoal,
    /// The search asked for cannot answer this question.
    #[error("this search cannot answer this question")]
    Unsuited,
}

impl PathReason {
    /// All, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::OffMap,
        Self::UnknownAgent,
        Self::StartClosed,
        Self::GoalClosed,
        Self::GoalNoStop,
        Self::NoWay,
        Self::BadGoal,
        Self::Unsuited,
    ];

    /// The same as a status: that no way leads there is another thing than that the request makes no sense.
    #[must_use]
    pub const fn status(self) -> PathStatus {
        match self {
            Self::StartClosed | Self::GoalClosed | Self::GoalNoStop | Self::NoWay => {
                PathStatus::Unreachable(self)
            }
            Self::OffMap | Self::UnknownAgent | Self::BadGoal | Self::Unsuited => PathStatus::Failed(self),
        }
    }
}

impl From<PlanError> for PathReason {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::OffMap { .. } => Self::OffMap,
            PlanError::UnknownAgent(_) => Self::UnknownAgent,
            PlanError::StartBlocked { .. } | PlanError::NoStart => Self::StartClosed,
            PlanError::GoalBlocked { .. } | PlanError::GoalClosed => Self::GoalClosed,
            PlanError::GoalNoStop { .. } => Self::GoalNoStop,
            PlanError::Unreachable { .. }
            | PlanError::GoalUnreachable { .. }
            | PlanError::NowhereToStop { .. } => Self::NoWay,
            PlanError::Goal(_) => Self::BadGoal,
            PlanError::Unsuited(_)
            | PlanError::NodeLimit { .. }
            | PlanError::Paused { .. }
            | PlanError::NoSuchStamp(_) => Self::Unsuited,
        }
    }
}

impl Persist for PathReason {
    fn save(&self, writer: &mut ByteWriter) {
        (*self as u8).save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let code = usize::from(u8::load(reader)?);
        Self::ALL.get(code).copied().ok_or_else(|| reader.error("an unknown reason"))
    }
}

/// How far a request has come: never silence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathStatus {
    /// It waits, and there is nothing better than to head straight for the goal.
    Pending,
    /// It waits for its exact route; there is one over doors meanwhile.
    Temporary,
    /// Its guidance leads into the goal.
    Complete,
    /// Its guidance leads as near to the goal as can be, for this reason.
    Partial(PathReason),
    /// No way leads to the goal, for this reason. Asking again costs a look at a table.
    Unreachable(PathReason),
    /// The request makes no sense, for this reason.
    Failed(PathReason),
}

impl PathStatus {
    /// Whether the answer is final, good or bad.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !matches!(self, Self::Pending | Self::Temporary)
    }

    /// Whether there is a way to follow to the end.
    #[must_use]
    pub const fn has_way(&self) -> bool {
        matches!(self, Self::Complete | Self::Partial(_))
    }
}

impl fmt::Display for PathStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pending => f.write_str("waits"),
            Self::Temporary => f.write_str("waits, with a way over doors meanwhile"),
            Self::Complete => f.write_str("found"),
            Self::Partial(reason) => write!(f, "as near as can be: {reason}"),
            Self::Unreachable(reason) | Self::Failed(reason) => reason.fmt(f),
        }
    }
}

/// What a unit follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guidance<'a> {
    /// Straight on: nothing is known yet, or nothing more was asked for.
    Straight(WorldPos),
    /// From point to point. The first is where the request started.
    Waypoints(&'a [WorldPos]),
    /// A flow, shared with others, and where it ends.
    Flow(FlowId, WorldPos),
}

impl Persist for PathStatus {
    fn save(&self, writer: &mut ByteWriter) {
        let (code, reason) = match *self {
            Self::Pending => (0_u8, None),
            Self::Temporary => (1, None),
            Self::Complete => (2, None),
            Self::Partial(reason) => (3, Some(reason)),
            Self::Unreachable(reason) => (4, Some(reason)),
            Self::Failed(reason) => (5, Some(reason)),
        };
        code.save(writer);
        if let Some(reason) = reason {
            reason.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Pending,
            1 => Self::Temporary,
            2 => Self::Complete,
            3 => Self::Partial(PathReason::load(reader)?),
            4 => Self::Unreachable(PathReason::load(reader)?),
            5 => Self::Failed(PathReason::load(reader)?),
            _ => return Err(reader.error("an unknown status")),
        })
    }
}
