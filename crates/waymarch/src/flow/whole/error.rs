//! Why there is no field, or no path on it.

use crate::base::CellPos;
use crate::query::PlanError;

/// Why there is no field to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    /// A question that makes no sense, or a goal that is closed: `UnknownAgent`, `Goal`, `GoalBlocked`, `GoalNoStop` or
    /// `GoalClosed`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The goal is open, but no step leads into it from outside; whoever is in it has arrived.
    #[error("no step leads into the goal from outside")]
    Isolated,
}

/// Why no path can be read off a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WalkError {
    /// The start is off the map or closed, or no way leads from it into the goal: `OffMap`, `StartBlocked`, `Unreachable` or
    /// `GoalUnreachable`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The field keeps directions only: ask with the layer it was made from.
    #[error("this field keeps no costs: read the path with the cost layer")]
    CostsNotKept,
    /// The field does not fit its own costs, or the layer given: it was damaged, or did not follow an edit.
    #[error("the field is damaged or out of date at {at}")]
    Corrupt {
        /// Where that was noticed.
        at: CellPos,
    },
}
