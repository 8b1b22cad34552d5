//! Everything that can be done to a World, as plain data: what replays and network messages are made of.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::endings::Lost;
use super::orders::{MAX_QUEUED, Order, OrderError, When};
use super::simulation::World;
use super::unit_type::{UnitType, UnitTypeError, UnitTypeId};
use super::units::{MAX_UNITS, NewUnit, PlayerId, UnitId, less};
use crate::avoid::Fine;
use crate::base::{Angle, CellPos, CellRect, GridSize, StampId, Vec2};
use crate::config::{Config, ConfigError};
use crate::cost::{EditError, GateState, Stamp, TerrainId, ThreatId, ThreatSource};
use crate::groups::Formation;

/// Something to be done to a World.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Applied, Command, Navigator, Order, PlayerId, UnitType, When, World};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
/// let mut world = World::new(Navigator::new(map, Config::default())?);
/// let foot = world.nav().locomotor("foot").unwrap();
/// let Applied::Type(kind) = world.apply(&Command::AddType(UnitType::new("soldier", foot)))? else { panic!() };
/// let spawn = Command::Spawn { kind, owner: PlayerId(0), at: cell(3, 3), facing: Default::default() };
/// let Applied::Unit(unit) = world.apply(&spawn)? else { panic!() };
/// let order = Order::move_to(cell(30, 3));
/// world.apply(&Command::Order { units: vec![unit], order, when: When::Now })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Another kind of unit.
    AddType(UnitType),
    /// A unit, in the middle of a cell.
    Spawn {
        /// Of which kind.
        kind: UnitTypeId,
        /// Whose.
        owner: PlayerId,
        /// Where.
        at: CellPos,
        /// Facing which way.
        facing: Angle,
    },
    /// A unit goes.
    Remove(UnitId),
    /// A unit is put somewhere: by a game that moves it itself, or by magic.
    Put {
        /// Which.
        unit: UnitId,
        /// Where its middle is.
        at: Vec2,
        /// How fast it moves, per tick.
        velocity: Vec2,
    },
    /// Units are told what to do.
    Order {
        /// Who.
        units: Vec<UnitId>,
        /// What.
        order: Order,
        /// At once, or after what they are to do already.
        when: When,
    },
    /// Units are told what another is told, and join its group; see [`World::join`].
    Join {
        /// Who.
        units: Vec<UnitId>,
        /// Whom.
        with: UnitId,
    },
    /// Groups under way take another formation; see [`World::reform`].
    Reform {
        /// Those who go with them.
        units: Vec<UnitId>,
        /// Which.
        formation: Formation,
        /// Which way it looks; `None`: the way it came.
        facing: Option<Angle>,
    },
    /// Units halt where they are and keep their orders; see [`World::engage`].
    Engage(Vec<UnitId>),
    /// Units that halted go on; see [`World::resume`].
    Resume(Vec<UnitId>),
    /// A stamp is placed with its north-west cell at a place.
    Place {
        /// The footprint.
        stamp: Stamp,
        /// Where.
        at: CellPos,
    },
    /// A stamp goes.
    RemoveStamp(StampId),
    /// A gate opens or closes.
    SetGate {
        /// Whose.
        id: StampId,
        /// Open or closed.
        gate: GateState,
    },
    /// Terrain is repainted.
    SetTerrain {
        /// Where.
        area: CellRect,
        /// With what.
        terrain: TerrainId,
    },
    /// Ground is raised or lowered.
    SetElevation {
        /// Where.
        area: CellRect,
        /// To which height.
        height: i16,
    },
    /// A threat source appears.
    AddThreat(ThreatSource),
    /// A threat source moves or changes.
    SetThreat {
        /// Which.
        id: ThreatId,
        /// To what.
        source: ThreatSource,
    },
    /// A threat source goes.
    RemoveThreat(ThreatId),
    /// The game goes on with other settings; see [`World::configure`].
    Configure(Box<Config>),
}

/// What a command made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applied {
    /// Nothing that has a name.
    Done,
    /// A kind of unit.
    Type(UnitTypeId),
    /// A unit.
    Unit(UnitId),
    /// A stamp.
    Stamp(StampId),
    /// A threat source.
    Threat(ThreatId),
}

/// Why a command was refused; nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A kind of unit that cannot be used.
    #[error(transparent)]
    Type(#[from] UnitTypeError),
    /// A kind of unit that there is none of.
    #[error("there is no unit type number {}", .0.0)]
    UnknownType(UnitTypeId),
    /// A unit off the map.
    #[error("a unit at {at} would not be on a map of {size}")]
    OffMap {
        /// Where it was to be.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// A unit where units of its kind cannot stand.
    #[error("units of type number {} cannot stand at {at}", .kind.0)]
    Closed {
        /// Its kind.
        kind: UnitTypeId,
        /// Where it was to be.
        at: CellPos,
    },
    /// One unit too many.
    #[error("more than {MAX_UNITS} units")]
    TooManyUnits,
    /// A unit that is gone.
    #[error("unit {0} does not exist (any more)")]
    NoSuchUnit(UnitId),
    /// An order for nobody.
    #[error("an order for no unit at all")]
    NoUnits,
    /// A unit that would follow itself.
    #[error("unit {0} cannot follow itself")]
    FollowsItself(UnitId),
    /// A unit whose queue is full.
    #[error("unit {0} has {MAX_QUEUED} orders already")]
    QueueFull(UnitId),
    /// A unit to join that has nothing to do.
    #[error("unit {0} has no order that others could join in")]
    NothingToJoin(UnitId),
    /// A unit that is not under way in formation.
    #[error("unit {0} is not under way with a group that could take a formation")]
    NotInFormation(UnitId),
    /// An order that makes no sense.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A setting that is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A setting that a game keeps.
    #[error("`ticks_per_second` cannot change in the middle of a game: speeds are per tick")]
    TickRate,
    /// An edit that cannot be made.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl World {
    /// Does what a command says.
    ///
    /// # Errors
    /// [`CommandError`] naming what is wrong; nothing is half done.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, CommandError> {
        let nav = self.service.nav_mut();
        Ok(match command {
            Command::AddType(kind) => Applied::Type(self.add_type(kind.clone())?),
            Command::Spawn { kind, owner, at, facing } => {
                Applied::Unit(self.spawn_facing(*kind, *owner, *at, *facing)?)
            }
            Command::Remove(unit) => done(self.remove(*unit)?),
            Command::Put { unit, at, velocity } => done(self.put(*unit, *at, *velocity)?),
            Command::Order { units, order, when } => done(self.order_when(units, order.clone(), *when)?),
            Command::Join { units, with } => done(self.join(units, *with)?),
            Command::Reform { units, formation, facing } => done(self.reform(units, formation, *facing)?),
            Command::Engage(units) => done(self.engage(units)?),
            Command::Resume(units) => done(self.resume(units)?),
            Command::Place { stamp, at } => Applied::Stamp(nav.place(stamp, *at)?),
            Command::RemoveStamp(id) => done(nav.remove(*id)?),
            Command::SetGate { id, gate } => done(nav.set_gate(*id, *gate)?),
            Command::SetTerrain { area, terrain } => done(nav.set_terrain(*area, *terrain)?),
            Command::SetElevation { area, height } => done(nav.set_elevation(*area, *height)?),
            Command::AddThreat(source) => Applied::Threat(nav.add_threat(*source)?),
            Command::SetThreat { id, source } => done(nav.set_threat(*id, *source)?),
            Command::RemoveThreat(id) => done(nav.remove_threat(*id)?),
            Command::Configure(config) => done(self.configure(Config::clone(config))?),
        })
    }

    /// Adds a kind of unit.
    ///
    /// # Errors
    /// [`UnitTypeError`] naming what is wrong with it.
    pub fn add_type(&mut self, kind: UnitType) -> Result<UnitTypeId, CommandError> {
        let id = self.types.add(kind, self.service.nav().layer())?;
        self.types.get(id).into_iter().for_each(|kind| self.units.know(kind));
        Ok(id)
    }

    /// Adds a unit in the middle of a cell, facing east.
    ///
    /// # Errors
    /// An unknown kind, a cell off the map or closed to it, or one unit too many.
    pub fn spawn(&mut self, kind: UnitTypeId, owner: PlayerId, at: CellPos) -> Result<UnitId, CommandError> {
        self.spawn_facing(kind, owner, at, Angle::ZERO)
    }

    /// The same for one unit in each of several cells: all or none.
    ///
    /// # Errors
    /// As [`World::spawn`], for the first that is wrong.
    pub fn spawn_many(
        &mut self,
        kind: UnitTypeId,
        owner: PlayerId,
        places: &[CellPos],
    ) -> Result<Vec<UnitId>, CommandError> {
        if self.unit_count() + places.len() > MAX_UNITS {
            return Err(CommandError::TooManyUnits);
        }
        places.iter().try_for_each(|&at| self.check_spawn(kind, at))?;
        places.iter().map(|&at| self.spawn(kind, owner, at)).collect()
    }

    fn check_spawn(&self, kind: UnitTypeId, at: CellPos) -> Result<(), CommandError> {
        let unit_type = self.types.get(kind).ok_or(CommandError::UnknownType(kind))?;
        let layer = self.service.nav().layer();
        if !layer.grid().contains(at) {
            return Err(CommandError::OffMap { at, size: layer.grid() });
        }
        let open = layer.field(unit_type.agent).is_some_and(|field| field.is_passable(at));
        if !open {
            return Err(CommandError::Closed { kind, at });
        }
        if self.unit_count() >= MAX_UNITS {
            return Err(CommandError::TooManyUnits);
        }
        Ok(())
    }

    fn spawn_facing(
        &mut self,
        kind: UnitTypeId,
        owner: PlayerId,
        at: CellPos,
        facing: Angle,
    ) -> Result<UnitId, CommandError> {
        self.check_spawn(kind, at)?;
        let unit_type = self.types.get(kind).ok_or(CommandError::UnknownType(kind))?;
        Ok(self.units.add(unit_type, NewUnit { kind, owner, at, facing }))
    }

    /// Takes a unit away. Who follows it is told in the next tick.
    ///
    /// # Errors
    /// [`CommandError::NoSuchUnit`] if it is gone already.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), CommandError> {
        let slot = self.units.slot(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        self.leaves_group(slot, Lost::Unit);
        self.clear_orders(slot);
        self.units.forget(unit);
        Ok(())
    }

    /// Puts a unit somewhere, moving at so much a tick: see [`World::desired_velocity`]. Others see it there from the next tick on.
    ///
    /// # Errors
    /// [`CommandError`] for a unit that is gone or a place off the map.
    pub fn put(&mut self, unit: UnitId, at: Vec2, velocity: Vec2) -> Result<(), CommandError> {
        let slot = self.units.slot(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        let (at, size) = (Fine::from(at), self.service.nav().layer().grid());
        let cell = less(at, self.units.shift(self.units.kind[slot])).cell();
        if !size.contains(cell) {
            return Err(CommandError::OffMap { at: cell, size });
        }
        let place = self.units.place(slot);
        self.units.crowd.put(place, at, velocity.into());
        Ok(())
    }

    /// Tells units what to do, in place of what they were to do.
    ///
    /// # Errors
    /// [`CommandError`] naming the unit or the part of the order that is wrong.
    pub fn order(&mut self, units: &[UnitId], order: Order) -> Result<(), CommandError> {
        self.order_when(units, order, When::Now)
    }

    /// Tells units what to do after what they are to do already.
    ///
    /// # Errors
    /// [`CommandError`] naming the unit or the part of the order that is wrong.
    pub fn queue(&mut self, units: &[UnitId], order: Order) -> Result<(), CommandError> {
        self.order_when(units, order, When::Queued)
    }

    /// A unit named twice is told once.
    fn order_when(&mut self, units: &[UnitId], order: Order, when: When) -> Result<(), CommandError> {
        order.check(self.service.nav().layer().grid())?;
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        self.check_units(units, &order)?;
        for &unit in units {
            let slot = self.units.slot(unit).ok_or(CommandError::NoSuchUnit(unit))?;
            if when == When::Queued && self.units.queue[slot].0.len() >= MAX_QUEUED {
                return Err(CommandError::QueueFull(unit));
            }
        }
        // Nothing can fail any more. The book counts one user more while the queues are filled.
        let id = self.orders.write(order, 1);
        for &unit in units {
            let slot = unit.index() as usize;
            if self.units.queue[slot].0.back() == Some(&id) {
                continue;
            }
            if when == When::Now {
                self.clear_orders(slot);
            }
            self.orders.hold(id);
            self.units.queue[slot].0.push_back(id);
        }
        self.orders.let_go(id);
        self.stock_up(units.len());
        Ok(())
    }

    /// Places a stamp; see [`Navigator::place`](super::Navigator::place).
    ///
    /// # Errors
    /// [`EditError`] when it does not fit.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos) -> Result<StampId, CommandError> {
        Ok(self.service.nav_mut().place(stamp, at)?)
    }

    /// Takes a stamp away; see [`Navigator::remove`](super::Navigator::remove).
    ///
    /// # Errors
    /// [`EditError`] when it does not stand.
    pub fn remove_stamp(&mut self, id: StampId) -> Result<(), CommandError> {
        Ok(self.service.nav_mut().remove(id)?)
    }
}

/// A command that makes nothing was carried out.
fn done((): ()) -> Applied {
    Applied::Done
}
