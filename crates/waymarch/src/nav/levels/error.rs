//! Why there is no navigator, no route or no edit on a map of levels.

use crate::base::{Agent, LevelCell, LevelId};
use crate::config::ConfigError;
use crate::cost::EditError;
use crate::levels::LevelError;

/// Why a navigator of levels could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelNavigatorError {
    /// The map is not valid.
    #[error(transparent)]
    Map(#[from] LevelError),
    /// The settings are not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Why there is no route over the levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelPlanError {
    /// The map has no such cell.
    #[error("there is no cell {at}")]
    NoSuchCell {
        /// The cell.
        at: LevelCell,
    },
    /// The map has no cost field for this locomotor and size.
    #[error("no costs for locomotor number {} at size {}: not in the rules, or the size is not in `size_classes`", .0.locomotor.0, .0.size)]
    UnknownAgent(Agent),
    /// The unit cannot stand where it starts.
    #[error("the start {at} is closed to this locomotor and size")]
    StartBlocked {
        /// The start.
        at: LevelCell,
    },
    /// The unit cannot stand on the goal.
    #[error("the goal {at} is closed to this locomotor and size")]
    GoalBlocked {
        /// The goal.
        at: LevelCell,
    },
    /// Units may pass the goal but not stop on it.
    #[error("units may pass the goal {at} but not stop on it")]
    GoalNoStop {
        /// The goal.
        at: LevelCell,
    },
    /// Both ends are open, but no route connects them.
    #[error("there is no route from {from} to {to}")]
    Unreachable {
        /// The start.
        from: LevelCell,
        /// The goal.
        to: LevelCell,
    },
}

/// Why an edit of a map of levels was refused. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelEditError {
    /// The edit is wrong on any map.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The map has no such level.
    #[error("the map has no {0}")]
    NoSuchLevel(LevelId),
    /// The area has no cell on the level.
    #[error("there is no cell {at}")]
    OffLevel {
        /// A cell of the area.
        at: LevelCell,
    },
    /// The map has no such link.
    #[error("the map has no link number {0}")]
    NoSuchLink(u16),
    /// The base cannot be destroyed.
    #[error("the base is no deck: it cannot be destroyed or rebuilt")]
    BaseIsNoDeck,
}
