//! What is wrong with a question.

use crate::base::{CellPos, Fixed, GridSize};
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitTypeId;

/// What is wrong with a question to a [`World`](crate::world::World).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// A length is negative.
    #[error("the {what} is {value} cells: it must be at least 0")]
    Negative {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: Fixed,
    },
    /// The question names no unit.
    #[error("the question names no unit: give at least 1")]
    NoUnits,
    /// The unit does not exist.
    #[error("unit {0} does not exist (any more)")]
    NoSuchUnit(UnitId),
    /// The unit type does not exist.
    #[error("unit type {} does not exist: add it first", .0.0)]
    UnknownType(UnitTypeId),
    /// The cell is off the map.
    #[error("cell {at} is off the map (map is {size})")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The cell is closed to units of the type.
    #[error("cell {at} is closed to units of type {}: choose an open cell beside it", .kind.0)]
    Closed {
        /// The unit type.
        kind: UnitTypeId,
        /// The cell.
        at: CellPos,
    },
    /// The map or its step rule has changed since the field was started.
    #[error("the map has changed since the distances were started: call `DistanceField::restart`")]
    MapChanged,
}
