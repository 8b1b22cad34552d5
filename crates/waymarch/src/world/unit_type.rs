//! Kinds of units: how they move, how big they are.

use alloc::string::String;
use alloc::vec::Vec;

use crate::base::{Agent, ByteReader, ByteWriter, Fixed, LoadError, Persist, persist_fields};
use crate::cost::CostLayer;
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
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitType {
    /// What it is called.
    pub name: String,
    /// How it moves and how many cells it needs.
    pub agent: Agent,
    /// How far its body reaches from its middle: up to 16 cells, in 1024ths of a cell.
    pub radius: Fixed,
    /// How far it goes in a tick: up to one cell, in 1024ths of a cell.
    pub speed: Fixed,
    /// How far it turns in a tick, in 65,536ths of a turn. For show: a unit does not wait until it faces its way.
    pub turn: u16,
    /// How near to the end of its way it must come to have arrived: up to 16 cells, in 1024ths of a cell.
    pub tolerance: Fixed,
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
    #[error("unit type '{name}': `{key}` is {value} 1024ths, it must be {expected}")]
    OutOfRange {
        /// The kind's name.
        name: String,
        /// Which number.
        key: &'static str,
        /// Its value in 1024ths.
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
    /// A kind that goes an eighth of a cell per tick and fits its cells with a margin.
    #[must_use]
    pub fn new(name: impl Into<String>, agent: impl Into<Agent>) -> Self {
        let agent = agent.into();
        Self {
            name: name.into(),
            agent,
            radius: Fixed::from_raw(384 * i32::from(agent.size.side())),
            speed: Fixed::from_raw(128),
            turn: 1 << 12,
            tolerance: Fixed::from_raw(64),
            controller: Controller::Player,
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
        let most = Fixed::from_cells(16);
        let ranges = [
            ("radius", self.radius, Fixed::from_raw(1), most, "1..=16384"),
            ("speed", self.speed, Fixed::ZERO, Fixed::ONE, "0..=1024"),
            ("tolerance", self.tolerance, Fixed::ZERO, most, "0..=16384"),
        ];
        for (key, value, low, high, expected) in ranges {
            if value < low || value > high {
                let (name, value) = (self.name.clone(), value.raw());
                return Err(UnitTypeError::OutOfRange { name, key, value, expected });
            }
        }
        Ok(())
    }
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

persist_fields! {
    UnitType {
        name: String,
        agent: Agent,
        radius: Fixed,
        speed: Fixed,
        turn: u16,
        tolerance: Fixed,
        controller: Controller,
    }
    UnitTypes { list: Vec<UnitType> }
}
