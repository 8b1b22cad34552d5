//! Ids of units and players, and what a caller can see of one unit.

use crate::avoid::Stance;
use crate::base::{Angle, ByteReader, ByteWriter, LoadError, Persist, Vec2};
pub use crate::base::{UnitId, UnitTag};
use crate::world::units::condition::Concealment;
use crate::world::units::unit_type::UnitTypeId;

/// A World holds at most 1,048,576 units at once.
pub const MAX_UNITS: usize = 1 << 20;

/// The player that owns a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerId(pub u8);

impl Persist for PlayerId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u8::load(reader).map(Self)
    }
}

/// What a caller can see of one unit: see [`World::unit`](crate::world::World::unit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unit {
    /// The unit's id.
    pub id: UnitId,
    /// The unit's type.
    pub kind: UnitTypeId,
    /// The player that owns it.
    pub owner: PlayerId,
    /// The position of its centre.
    pub position: Vec2,
    /// The direction it faces.
    pub facing: Angle,
    /// Its velocity, in cells per tick: that of its own motor. A unit that others push moves by more or less than that.
    pub velocity: Vec2,
    /// How it takes part in avoidance.
    pub stance: Stance,
    /// Its speed in per cent of its type's; see [`World::set_speed`](crate::world::World::set_speed).
    pub speed: u16,
    /// Whether enemies see it.
    pub concealment: Concealment,
    /// The transport that carries it. Its position is then that of the transport.
    pub transport: Option<UnitId>,
}
