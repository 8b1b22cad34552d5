//! Kinds of units: how they move, how big they are.

use alloc::string::String;
use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine, Kinematics, Mover, Reverse, Turning};
use crate::base::{
    Agent, ByteReader, ByteWriter, Fixed, LoadError, Persist, SizeClass, persist_choices, persist_fields,
};
use crate::cost::CostLayer;
use crate::groups::Role;
use crate::query::Controller;

/// At most so many kinds of units.
pub const MAX_UNIT_TYPES: usize = 4096;
/// The longest name of a kind, in bytes.
const MAX_NAME: usize = 256;

/// A kind of unit by its place in the World's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitTypeId(pub u16);

impl UnitTypeId {
    /// As a slice position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// World: a kind of unit. Plain data; [`UnitType::check`] says whether it can be used on a map.
///
/// ```
/// use waymarch::base::{Fixed, LocomotorId};
/// use waymarch::world::UnitType;
/// let scout = UnitType { speed: Fixed::from_raw(256), ..UnitType::new("scout", LocomotorId(0)) };
/// assert_eq!(scout.radius, Fixed::from_raw(384));
/// let tank = UnitType::vehicle("tank", LocomotorId(2)); // turns before it drives
/// assert!(tank.weight > scout.weight && tank.acceleration > scout.acceleration);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitType {
    /// What it is called.
    pub name: String,
    /// How it moves and how many cells it needs.
    pub agent: Agent,
    /// How far its body reaches from its middle, to others: 1/16 to 8 cells, in 1024ths of a cell. Through gaps it goes by its size alone.
    pub radius: Fixed,
    /// How far it goes in a tick: up to one cell, in 1024ths of a cell.
    pub speed: Fixed,
    /// Ticks from standing to full speed, 1..=1000.
    pub acceleration: u16,
    /// Ticks from full speed to standing, 1..=1000.
    pub braking: u16,
    /// How it turns.
    pub turning: Turning,
    /// What it weighs beside others, 1..=255: of two that push each other the lighter one gives way more.
    pub weight: u8,
    /// Who moves it: the World, or the game by what the World says; see [`World::desired_velocity`](super::World::desired_velocity).
    pub mover: Mover,
    /// How near to the end of its way it must come to have arrived: up to 16 cells, in 1024ths of a cell.
    pub tolerance: Fixed,
    /// Which rows of a formation it belongs into.
    pub role: Role,
    /// Who commands it: decides with `influence_avoidance` whether it heeds threat.
    pub controller: Controller,
}

/// What is wrong with a kind of unit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitTypeError {
    /// There are no costs for its locomotor and size.
    #[error("unit type '{name}': there are no costs for {agent:?}")]
    UnknownAgent {
        /// The kind's name.
        name: String,
        /// Who was asked for.
        agent: Agent,
    },
    /// A number out of its range.
    #[error("unit type '{name}': `{key}` is {value}, it must be {expected}")]
    OutOfRange {
        /// The kind's name.
        name: String,
        /// Which number.
        key: &'static str,
        /// Its value; lengths in 1024ths of a cell.
        value: i32,
        /// What is legal.
        expected: &'static str,
    },
    /// A name that is too long.
    #[error("a unit type's name has {0} bytes, more than {MAX_NAME}")]
    LongName(usize),
    /// One kind too many.
    #[error("more than {MAX_UNIT_TYPES} unit types")]
    TooMany,
}

impl UnitType {
    /// A kind that goes an eighth of a cell per tick, starts, stops and turns like infantry, and fits its cells with a margin.
    #[must_use]
    pub fn new(name: impl Into<String>, agent: impl Into<Agent>) -> Self {
        let agent = agent.into();
        Self {
            name: name.into(),
            agent,
            radius: Fixed::from_raw(384 * i32::from(agent.size.side())),
            speed: Fixed::from_raw(128),
            acceleration: 4,
            braking: 4,
            turning: Turning::Free,
            weight: 16,
            mover: Mover::Engine,
            tolerance: Fixed::from_raw(64),
            role: Role::Middle,
            controller: Controller::Player,
        }
    }

    /// The same that moves like a vehicle: it takes half a second to its speed, turns by half a turn a second, on the spot if it faces
    /// elsewhere, drives backwards over short ways, and is heavy.
    #[must_use]
    pub fn vehicle(name: impl Into<String>, agent: impl Into<Agent>) -> Self {
        let turning = Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter };
        Self { acceleration: 10, braking: 5, turning, weight: 64, ..Self::new(name, agent) }
    }

    /// How it moves, in cells and seconds, at so many ticks a second.
    #[must_use]
    pub fn kinematics(&self, ticks_per_second: u16) -> Kinematics {
        let (speed, hz) = (i64::from(self.speed.raw()), i64::from(ticks_per_second.max(1)));
        let rate = |ticks: u16| Fixed::saturate((speed * hz * hz / i64::from(ticks.max(1))).max(1));
        Kinematics {
            radius: self.radius,
            speed: Fixed::saturate(speed * hz),
            acceleration: rate(self.acceleration),
            braking: rate(self.braking),
            turning: self.turning,
            weight: self.weight,
        }
    }

    /// Whether it can be used on the map of `layer`.
    ///
    /// # Errors
    /// [`UnitTypeError`] naming it and what is wrong.
    pub fn check(&self, layer: &CostLayer) -> Result<(), UnitTypeError> {
        self.check_where(|agent| layer.field(agent).is_some())
    }

    /// The same where `has_costs` says for whom there are costs.
    pub(super) fn check_where(&self, has_costs: impl Fn(Agent) -> bool) -> Result<(), UnitTypeError> {
        if self.name.len() > MAX_NAME {
            return Err(UnitTypeError::LongName(self.name.len()));
        }
        if !has_costs(self.agent) {
            return Err(UnitTypeError::UnknownAgent { name: self.name.clone(), agent: self.agent });
        }
        let (degrees, in_place) = match self.turning {
            Turning::Free => (1, 1),
            Turning::Rate { degrees, in_place, .. } => (i32::from(degrees), i32::from(in_place)),
        };
        let ranges = [
            ("radius", self.radius.raw(), 64..=8192, "64..=8192 (1024 is one)"),
            ("speed", self.speed.raw(), 0..=1024, "0..=1024 (1024 is one)"),
            ("tolerance", self.tolerance.raw(), 0..=16_384, "0..=16384 (1024 is one)"),
            ("acceleration", i32::from(self.acceleration), 1..=1000, "1..=1000 ticks"),
            ("braking", i32::from(self.braking), 1..=1000, "1..=1000 ticks"),
            ("weight", i32::from(self.weight), 1..=255, "1..=255"),
            ("turn rate", degrees, 1..=3600, "1..=3600 degrees a second"),
            ("angle of turning in place", in_place, 1..=180, "1..=180 degrees"),
        ];
        for (key, value, legal, expected) in ranges {
            if !legal.contains(&value) {
                return Err(UnitTypeError::OutOfRange { name: self.name.clone(), key, value, expected });
            }
        }
        Ok(())
    }
}

/// How far the middle of a unit of a size lies south-east of the middle of the cell that stands for it: units of an even number of
/// cells have their middles on corners.
pub(super) const fn shift_of(size: SizeClass) -> Fine {
    let off = (size.reach_south_east() - size.reach_north_west()) * (FINE_CELL / 2);
    Fine::new(off, off)
}

/// World: the kinds of units of a game, in the order they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct UnitTypes {
    pub(super) list: Vec<UnitType>,
}

impl UnitTypes {
    pub(super) fn add(&mut self, kind: UnitType, layer: &CostLayer) -> Result<UnitTypeId, UnitTypeError> {
        kind.check(layer)?;
        if self.list.len() >= MAX_UNIT_TYPES {
            return Err(UnitTypeError::TooMany);
        }
        self.list.push(kind);
        Ok(UnitTypeId((self.list.len() - 1) as u16))
    }

    pub(super) fn get(&self, id: UnitTypeId) -> Option<&UnitType> {
        self.list.get(id.index())
    }
}

impl Persist for UnitTypeId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u16::load(reader).map(Self)
    }
}

persist_choices! {
    Role { Front, Middle, Back }
}

persist_fields! {
    UnitType {
        name: String,
        agent: Agent,
        radius: Fixed,
        speed: Fixed,
        acceleration: u16,
        braking: u16,
        turning: Turning,
        weight: u8,
        mover: Mover,
        tolerance: Fixed,
        role: Role,
        controller: Controller,
    }
    UnitTypes { list: Vec<UnitType> }
}
