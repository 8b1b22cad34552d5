//! New units.

use super::unit::{KindId, Mover};
use crate::base::{Angle, Fine};

/// The largest number of units in a crowd: 2^26. A plan packs the slot of a unit and a share of a push into 32 bits.
pub(super) const MAX_UNITS: usize = 1 << 26;

/// The description of a new unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spawn {
    /// The unit's id. No other unit of the crowd has it. Ids break ties.
    pub id: u32,
    /// How the unit moves.
    pub kind: KindId,
    /// The unit's position, and the home position that it returns to.
    pub at: Fine,
    /// Units with the same team are allies.
    pub team: u8,
    /// Units with the same group move together: they line up in narrow places.
    pub group: u32,
    /// The direction that the unit faces.
    pub heading: Angle,
    /// Whether the engine or the game moves the unit.
    pub mover: Mover,
}

/// Why a unit cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpawnError {
    /// The crowd does not have this kind.
    #[error("unknown kind of unit {}: add it to the crowd first", kind.0)]
    UnknownKind {
        /// The kind asked for.
        kind: KindId,
    },
    /// Another unit has the id.
    #[error("another unit has the id {id} already")]
    IdTaken {
        /// The id asked for.
        id: u32,
    },
    /// The crowd is full.
    #[error("a crowd has at most {} units", MAX_UNITS)]
    TooMany,
}
