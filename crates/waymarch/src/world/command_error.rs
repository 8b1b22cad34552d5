//! Why commands are refused.

use crate::avoid::{MAX_SPEED, MIN_SPEED};
use crate::base::{CellPos, GridSize};
use crate::config::ConfigError;
use crate::cost::EditError;
use crate::groups::MAX_MEMBERS;
use crate::world::orders::order::{MAX_QUEUED, OrderError};
use crate::world::units::unit::{MAX_UNITS, UnitId};
use crate::world::units::unit_type::{UnitTypeError, UnitTypeId};

/// Why a command was refused. The World has not changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The unit type is not valid.
    #[error(transparent)]
    Type(#[from] UnitTypeError),
    /// The unit type does not exist.
    #[error("unit type {} does not exist: add it first", .0.0)]
    UnknownType(UnitTypeId),
    /// The unit would be off the map.
    #[error("the unit would be off the map (cell {at}; map is {size})")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The cell is closed to units of this type.
    #[error("cell {at} is closed to units of type {}", .kind.0)]
    Closed {
        /// The unit type.
        kind: UnitTypeId,
        /// The cell.
        at: CellPos,
    },
    /// The World would have more than [`MAX_UNITS`] units.
    #[error("the World cannot have more than {MAX_UNITS} units")]
    TooManyUnits,
    /// The unit does not exist.
    #[error("unit {0} does not exist (any more)")]
    NoSuchUnit(UnitId),
    /// The command names no unit.
    #[error("the command names no unit: give at least 1")]
    NoUnits,
    /// The order has more units than a group can have, and its units would form a group.
    #[error("an order for {0} units: a group has at most {MAX_MEMBERS}; give several orders")]
    TooManyMembers(usize),
    /// The unit would follow itself.
    #[error("unit {0} cannot follow itself")]
    FollowsItself(UnitId),
    /// The unit's queue of orders is full.
    #[error("unit {0} has {MAX_QUEUED} orders already")]
    QueueFull(UnitId),
    /// The unit to join has no order that other units could take over.
    #[error("unit {0} has no order that other units could join")]
    NothingToJoin(UnitId),
    /// The unit does not move in a group that could change its formation.
    #[error("unit {0} does not move in a group that could change its formation")]
    NotInFormation(UnitId),
    /// The order is not valid.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A setting is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// `ticks_per_second` cannot change.
    #[error("`ticks_per_second` cannot change in the middle of a game: speeds are per tick")]
    TickRate,
    /// The speed factor is out of range.
    #[error("the speed factor is {0} per cent: it must be {MIN_SPEED}..={MAX_SPEED}")]
    Speed(u16),
    /// The cell of a new unit is taken, and no free cell is near, or none may be used.
    #[error(
        "cell {at} is taken by unit {unit}: remove it, or use `WhenTaken::Spread` and leave room within 16 cells"
    )]
    Taken {
        /// The cell.
        at: CellPos,
        /// The unit that stands there.
        unit: UnitId,
    },
    /// The unit has no places for other units.
    #[error("unit {0} is no transport: the `capacity` of its type is 0")]
    NoTransport(UnitId),
    /// The transport has too few places.
    #[error(
        "transport {transport} would carry units with a bulk of {needed}: its type has {capacity} places"
    )]
    NoPlaces {
        /// The transport.
        transport: UnitId,
        /// The bulk of all units that it would carry.
        needed: u32,
        /// Its places.
        capacity: u32,
    },
    /// The unit is in a transport.
    #[error("unit {0} is in a transport: let it out first")]
    Aboard(UnitId),
    /// The unit is in no transport.
    #[error("unit {0} is in no transport")]
    NotAboard(UnitId),
    /// The unit would board itself.
    #[error("unit {0} cannot board itself")]
    BoardsItself(UnitId),
    /// The unit carries units, so that no transport can carry it.
    #[error("unit {0} carries units: let them out before it boards a transport")]
    CarriesUnits(UnitId),
    /// The unit cannot get out of its transport.
    #[error("unit {unit} has no free cell within 12 cells of its transport (cell {at})")]
    NoFreeCell {
        /// The unit.
        unit: UnitId,
        /// The cell of its transport.
        at: CellPos,
    },
    /// The edit of the map is not possible.
    #[error(transparent)]
    Edit(#[from] EditError),
}
