//! The status of a request, and what its unit follows.

use core::fmt;

use crate::base::{ByteReader, ByteWriter, Id, LoadError, Persist, Vec2};
use crate::flow::tiles::FlowId;
use crate::query::PlanError;

/// Marks ids of requests; see [`PathId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathTag {}

/// The id of a request.
pub type PathId = Id<PathTag>;

/// Why a request has no route into its goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
    /// Units may pass the goal but not stop on it.
    #[error("units may pass the goal but not stop on it")]
    GoalNoStop,
    /// Start and goal are open, but nothing connects them.
    #[error("no route leads there")]
    NoRoute,
    /// The goal is not valid on this map; see [`GoalError`](crate::query::GoalError).
    #[error("the goal is not valid on this map")]
    BadGoal,
    /// The planner cannot answer this request, or a stamp to ignore is not on the map.
    #[error("the planner cannot answer this request")]
    Unsuited,
    /// The search expanded as many nodes as it may and found no route. A route may exist.
    #[error("the search reached its node limit before it found a route")]
    NodeLimit,
    /// The search needs more memory than there is. A route may exist.
    #[error("the search needs more memory than there is")]
    OutOfMemory,
}

impl PathReason {
    /// All reasons, in the order of their saved codes.
    pub const ALL: [Self; 10] = [
        Self::OffMap,
        Self::UnknownAgent,
        Self::StartClosed,
        Self::GoalClosed,
        Self::GoalNoStop,
        Self::NoRoute,
        Self::BadGoal,
        Self::Unsuited,
        Self::NodeLimit,
        Self::OutOfMemory,
    ];

    /// Renamed to [`PathReason::NoRoute`].
    #[deprecated(since = "0.2.0", note = "renamed to `NoRoute`")]
    #[allow(non_upper_case_globals, reason = "it has the name of the variant it replaces")]
    pub const NoWay: Self = Self::NoRoute;

    /// The status of a request refused for this reason. Unreachable if the map closes the route. Failed if the request is not valid or needs
    /// too many nodes or too much memory.
    #[must_use]
    pub const fn status(self) -> PathStatus {
        match self {
            Self::StartClosed | Self::GoalClosed | Self::GoalNoStop | Self::NoRoute => {
                PathStatus::Unreachable(self)
            }
            Self::OffMap
            | Self::UnknownAgent
            | Self::BadGoal
            | Self::Unsuited
            | Self::NodeLimit
            | Self::OutOfMemory => PathStatus::Failed(self),
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
            | PlanError::NowhereToStop { .. } => Self::NoRoute,
            PlanError::Goal(_) => Self::BadGoal,
            PlanError::NodeLimit { .. } => Self::NodeLimit,
            PlanError::OutOfMemory { .. } => Self::OutOfMemory,
            PlanError::Unsuited(_) | PlanError::Paused { .. } | PlanError::NoSuchStamp(_) => Self::Unsuited,
        }
    }
}

impl Persist for PathReason {
    fn save(&self, writer: &mut ByteWriter) {
        (*self as u8).save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let code = usize::from(u8::load(reader)?);
        Self::ALL.get(code).copied().ok_or_else(|| reader.error("an unknown reason code of a request"))
    }
}

/// The status of a request. Every request has one from the moment it is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathStatus {
    /// It waits, and has no route yet: its unit heads straight for the goal.
    Pending,
    /// It waits for its exact route, and has an interim one: a route over doors, or the old route that is being repaired.
    Temporary,
    /// Answered: its guidance leads into the goal.
    Complete,
    /// Answered: its guidance leads to the nearest cell that can be reached. The reason says why it does not lead into the goal.
    Partial(PathReason),
    /// Answered: no route leads to the goal, for this reason. The same request again is refused by a table lookup.
    Unreachable(PathReason),
    /// Answered: the request is not valid or its search was cut short, for this reason.
    Failed(PathReason),
}

impl PathStatus {
    /// Whether the request is answered, with or without a route.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !matches!(self, Self::Pending | Self::Temporary)
    }

    /// Whether the request is answered with a route.
    #[must_use]
    pub const fn has_route(&self) -> bool {
        matches!(self, Self::Complete | Self::Partial(_))
    }

    /// Renamed to [`PathStatus::has_route`].
    #[deprecated(since = "0.2.0", note = "renamed to `has_route`")]
    #[must_use]
    pub const fn has_way(&self) -> bool {
        self.has_route()
    }
}

impl fmt::Display for PathStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pending => f.write_str("waits for its route"),
            Self::Temporary => f.write_str("waits for its exact route, and follows an interim route"),
            Self::Complete => f.write_str("route found"),
            Self::Partial(reason) => write!(f, "route to the nearest reachable cell: {reason}"),
            Self::Unreachable(reason) | Self::Failed(reason) => reason.fmt(f),
        }
    }
}

/// What a unit follows to its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guidance<'a> {
    /// A straight line to this point: there is no route yet.
    Straight(Vec2),
    /// A route, from point to point. The first point is the start.
    Waypoints(&'a [Vec2]),
    /// A flow that many units share, and the request's own end point.
    Flow(FlowId, Vec2),
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
            _ => return Err(reader.error("an unknown status code of a request")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_enough_memory_says_so_and_every_reason_keeps_its_saved_code() {
        let reason = PathReason::from(PlanError::OutOfMemory { bytes: 1 << 60 });
        assert_eq!(reason, PathReason::OutOfMemory);
        assert_eq!(reason.status(), PathStatus::Failed(PathReason::OutOfMemory));
        for (code, reason) in (0_u8..).zip(PathReason::ALL) {
            let mut writer = ByteWriter::new();
            reason.save(&mut writer);
            assert_eq!(writer.bytes(), [code], "{reason:?}");
            assert_eq!(PathReason::load(&mut ByteReader::new(writer.bytes())), Ok(reason));
        }
        assert_eq!((PathReason::Unsuited as u8, PathReason::NodeLimit as u8), (7, 8));
    }
}
