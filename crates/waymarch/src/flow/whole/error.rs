//! Why there is no field, or no path on it.

use crate::base::CellPos;
use crate::query::PlanError;

/// Why there is no field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    /// The query is not legal, or the goal is closed: `UnknownAgent`, `Goal`, `GoalBlocked`, `GoalNoStop` or `GoalClosed`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The goal is open, but no step leads into it from outside. A unit inside it has arrived.
    #[error("no step leads into the goal from outside")]
    Isolated,
}

/// Why no path can be read off a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WalkError {
    /// The start is off the map or closed, or no route leads from it into the goal: `OffMap`, `StartBlocked`, `Unreachable` or `GoalUnreachable`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The field keeps directions only: use [`WholeField::path_over`](super::WholeField::path_over).
    #[error("this field keeps no costs: call `path_over` with the cost layer")]
    CostsNotKept,
    /// The directions of the field contradict its costs or the given layer: the field is damaged, or did not follow an edit.
    #[error("the field is damaged or out of date at {at}")]
    Corrupt {
        /// The cell where that was noticed.
        at: CellPos,
    },
}
