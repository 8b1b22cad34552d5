//! Unit types: how their units move, and how large they are.

use alloc::string::String;
use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine, Kinematics, Mover, Reverse, Turning};
use crate::base::{
    Agent, ByteReader, ByteWriter, CollisionLayers, Fixed, HashState, LoadError, Persist, SizeClass,
    StateHasher, persist_choices, persist_fields,
};
use crate::cost::CostLayer;
use crate::groups::Role;
use crate::query::Controller;

/// A World has at most 4096 unit types.
pub const MAX_UNIT_TYPES: usize = 4096;
/// A transport has at most 4096 places, and a unit takes at most as many.
const MAX_PLACES: i32 = 4096;
/// The name of a unit type has at most 256 bytes.
const MAX_NAME: usize = 256;

/// The id of a unit type: its index in the World's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitTypeId(pub u16);

impl UnitTypeId {
    /// The id as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// World: a unit type. Plain data; [`UnitType::check`] says whether it can be used on a map.
///
/// ```
/// use waymarch::base::{Fixed, LocomotorId};
/// use waymarch::world::UnitType;
/// let scout = UnitType { speed: Fixed::from_raw(256), ..UnitType::new("scout", LocomotorId(0)) };
/// assert_eq!(scout.radius, Fixed::from_raw(384));
/// let tank = UnitType::vehicle("tank", LocomotorId(2)); // turns before it drives
/// assert!(tank.weight > scout.weight && tank.acceleration > scout.acceleration);
///
/// use waymarch::base::CollisionLayers;
/// let mole = UnitType { layers: Some(CollisionLayers::UNDER), ..UnitType::new("mole", LocomotorId(0)) }; // passes below other units
/// # assert_ne!(mole.layers, scout.layers);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitType {
    /// The name of the type.
    pub name: String,
    /// How units of this type move, and how many cells they need.
    pub agent: Agent,
    /// The radius of a unit's body, towards other units: 1/16 to 8 cells, in 1024ths of a cell. Which gaps a unit fits through depends on the
    /// size of its agent alone.
    pub radius: Fixed,
    /// The full speed per tick: up to one cell, in 1024ths of a cell.
    pub speed: Fixed,
    /// Ticks from standing to full speed, 1..=1000.
    pub acceleration: u16,
    /// Ticks from full speed to standing, 1..=1000.
    pub braking: u16,
    /// How units of this type turn.
    pub turning: Turning,
    /// The weight, 1..=255: of two units that push each other, the lighter one gives way more.
    pub weight: u8,
    /// What moves the units: the World, or the game with the velocities that the World proposes; see
    /// [`World::desired_velocity`](crate::world::World::desired_velocity).
    pub mover: Mover,
    /// A unit this near to the end of its route has arrived: up to 16 cells, in 1024ths of a cell.
    pub tolerance: Fixed,
    /// In which rows of a formation the units stand.
    pub role: Role,
    /// What commands the units. Together with `influence_avoidance` it decides whether their routes avoid threat.
    pub controller: Controller,
    /// The collision layers of the units. Units without a common layer neither avoid nor push nor block each other. `None`: the layers of the
    /// locomotor; see [`LocomotorDef::collision_layers`](crate::cost::LocomotorDef::collision_layers).
    #[cfg_attr(feature = "serde", serde(default))]
    pub layers: Option<CollisionLayers>,
    /// How many places for other units a unit of this type has as a transport, 0..=4096. 0: it is no transport. See
    /// [`World::board`](crate::world::World::board).
    #[cfg_attr(feature = "serde", serde(default))]
    pub capacity: u16,
    /// How many places a unit of this type takes in a transport, 1..=4096.
    #[cfg_attr(feature = "serde", serde(default = "one_place"))]
    pub bulk: u16,
    /// What happens to the units in a transport of this type when it is removed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub on_loss: OnLoss,
}

/// The bulk of types that were stored before there were transports.
#[cfg(feature = "serde")]
const fn one_place() -> u16 {
    1
}

/// What happens to the units in a transport that is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum OnLoss {
    /// They get out, as with [`World::unboard`](crate::world::World::unboard). A unit without a free cell dies.
    #[default]
    PutOut,
    /// They die.
    Die,
}

/// What is wrong with a unit type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitTypeError {
    /// The map has no costs for the type's locomotor and size.
    #[error("unit type '{name}': the map has no costs for {agent:?}")]
    UnknownAgent {
        /// The name of the type.
        name: String,
        /// The locomotor and size.
        agent: Agent,
    },
    /// A number is out of its range.
    #[error("unit type '{name}': `{key}` is {value}: it must be {expected}")]
    OutOfRange {
        /// The name of the type.
        name: String,
        /// Which number.
        key: &'static str,
        /// Its value; lengths in 1024ths of a cell.
        value: i32,
        /// The legal range.
        expected: &'static str,
    },
    /// The name is too long.
    #[error("a unit type's name has {0} bytes; at most {MAX_NAME} are allowed")]
    LongName(usize),
    /// The World has as many types as it can hold.
    #[error("too many unit types: a World holds at most {MAX_UNIT_TYPES}")]
    TooMany,
}

impl UnitType {
    /// A type for infantry. Its units walk 1/8 of a cell per tick, start and stop within 4 ticks, and turn freely. Their bodies are 3/4 as wide
    /// as the cells they need.
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
            layers: None,
            capacity: 0,
            bulk: 1,
            on_loss: OnLoss::PutOut,
        }
    }

    /// A type for vehicles: as [`UnitType::new`], but four times as heavy. Its units take 10 ticks to full speed, and turn 180 degrees a
    /// second. They turn on the spot if their direction is off by more than 60 degrees, and drive backwards over short distances.
    #[must_use]
    pub fn vehicle(name: impl Into<String>, agent: impl Into<Agent>) -> Self {
        let turning = Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter };
        Self { acceleration: 10, braking: 5, turning, weight: 64, ..Self::new(name, agent) }
    }

    /// How units of this type move, in cells and seconds, at this number of ticks per second.
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

    /// Checks whether the type can be used on the map of `layer`.
    ///
    /// # Errors
    /// [`UnitTypeError`], with the name of the type and what is wrong with it.
    pub fn check(&self, layer: &CostLayer) -> Result<(), UnitTypeError> {
        self.check_where(|agent| layer.field(agent).is_some())
    }

    /// As [`UnitType::check`], where `has_costs` says whether there are costs for an agent.
    pub(crate) fn check_where(&self, has_costs: impl Fn(Agent) -> bool) -> Result<(), UnitTypeError> {
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
            ("radius", self.radius.raw(), 64..=8192, "64..=8192 (1024 is one cell)"),
            ("speed", self.speed.raw(), 0..=1024, "0..=1024 (1024 is one cell per tick)"),
            ("tolerance", self.tolerance.raw(), 0..=16_384, "0..=16384 (1024 is one cell)"),
            ("acceleration", i32::from(self.acceleration), 1..=1000, "1..=1000 ticks"),
            ("braking", i32::from(self.braking), 1..=1000, "1..=1000 ticks"),
            ("weight", i32::from(self.weight), 1..=255, "1..=255"),
            ("capacity", i32::from(self.capacity), 0..=MAX_PLACES, "0..=4096 places"),
            ("bulk", i32::from(self.bulk), 1..=MAX_PLACES, "1..=4096 places"),
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

/// The offset from the centre of a unit's cell to the unit's centre, to the south-east. Units an even number of cells wide have their
/// centres on corners of cells.
pub(crate) const fn shift_of(size: SizeClass) -> Fine {
    let off = (size.reach_south_east() - size.reach_north_west()) * (FINE_CELL / 2);
    Fine::new(off, off)
}

/// World: the unit types of a game, in the order in which they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct UnitTypes {
    pub(crate) list: Vec<UnitType>,
}

impl UnitTypes {
    pub(crate) fn add(&mut self, kind: UnitType, layer: &CostLayer) -> Result<UnitTypeId, UnitTypeError> {
        kind.check(layer)?;
        if self.list.len() >= MAX_UNIT_TYPES {
            return Err(UnitTypeError::TooMany);
        }
        self.list.push(kind);
        Ok(UnitTypeId((self.list.len() - 1) as u16))
    }

    pub(crate) fn get(&self, id: UnitTypeId) -> Option<&UnitType> {
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
    OnLoss { PutOut, Die }
}

persist_fields! {
    UnitTypes { list: Vec<UnitType> }
}

impl UnitType {
    /// Writes the fields that were there from the start.
    fn save_first_fields(&self, writer: &mut ByteWriter) {
        let Self { name, agent, radius, speed, acceleration, braking, .. } = self;
        let Self { turning, weight, mover, tolerance, role, controller, .. } = self;
        name.save(writer);
        agent.save(writer);
        radius.save(writer);
        speed.save(writer);
        acceleration.save(writer);
        braking.save(writer);
        turning.save(writer);
        weight.save(writer);
        mover.save(writer);
        tolerance.save(writer);
        role.save(writer);
        controller.save(writer);
    }

    /// Writes what the type says about transports.
    fn save_cargo(&self, writer: &mut ByteWriter) {
        self.capacity.save(writer);
        self.bulk.save(writer);
        self.on_loss.save(writer);
    }

    /// Whether units of the type are no transports, and take one place in others.
    fn has_usual_cargo(&self) -> bool {
        (self.capacity, self.bulk, self.on_loss) == (0, 1, OnLoss::PutOut)
    }
}

impl Persist for UnitType {
    fn save(&self, writer: &mut ByteWriter) {
        self.save_first_fields(writer);
        self.layers.save(writer);
        self.save_cargo(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            name: String::load(reader)?,
            agent: Agent::load(reader)?,
            radius: Fixed::load(reader)?,
            speed: Fixed::load(reader)?,
            acceleration: u16::load(reader)?,
            braking: u16::load(reader)?,
            turning: Turning::load(reader)?,
            weight: u8::load(reader)?,
            mover: Mover::load(reader)?,
            tolerance: Fixed::load(reader)?,
            role: Role::load(reader)?,
            controller: Controller::load(reader)?,
            layers: Option::load(reader)?,
            capacity: reader.added(11, || 0)?,
            bulk: reader.added(11, || 1)?,
            on_loss: reader.added(11, || OnLoss::PutOut)?,
        })
    }
}

/// Hashes the saved bytes. Layers are hashed only if a type names them, and places only if a type has or needs other than usual, so that other games keep
/// the hash that they had before these fields existed.
impl HashState for UnitTypes {
    fn hash_state(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        writer.count(self.list.len());
        self.list.iter().for_each(|kind| kind.save_first_fields(&mut writer));
        if self.list.iter().any(|kind| kind.layers.is_some()) {
            self.list.iter().for_each(|kind| kind.layers.save(&mut writer));
        }
        if !self.list.iter().all(UnitType::has_usual_cargo) {
            2_u32.save(&mut writer);
            self.list.iter().for_each(|kind| kind.save_cargo(&mut writer));
        }
        hasher.write_bytes(writer.bytes());
    }
}
