//! Units to be.

use super::crowd::{KindId, Mover};
use super::fine::Fine;
use crate::base::Angle;

/// A unit to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spawn {
    /// Its id: no other unit of the crowd has it. Ids break ties.
    pub id: u32,
    /// How it moves.
    pub kind: KindId,
    /// Where it is; also the spot it comes back to.
    pub at: Fine,
    /// Units with the same number are friends.
    pub team: u8,
    /// Units with the same number go together: in a narrow place they line up.
    pub group: u32,
    /// Which way it faces.
    pub heading: Angle,
    /// Who moves it.
    pub mover: Mover,
}

/// Why a unit cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpawnError {
    /// No such kind.
    #[error("there is no kind of unit number {}", kind.0)]
    UnknownKind {
        /// The kind asked for.
        kind: KindId,
    },
    /// Another unit has the id.
    #[error("there is a unit with the id {id} already")]
    IdTaken {
        /// The id asked for.
        id: u32,
    },
    /// No more kinds or units can be numbered.
    #[error("there are too many")]
    TooMany,
}
