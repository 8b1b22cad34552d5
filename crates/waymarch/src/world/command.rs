//! Commands: every change of a World as plain data, for replays and network messages.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::avoid::{Fine, Mover};
use crate::base::{Angle, CellPos, CellRect, Scratch, StampId, Vec2};
use crate::config::Config;
use crate::cost::{GateState, Stamp, TerrainId, ThreatId, ThreatSource};
use crate::groups::Formation;
use crate::nav::MapFacts;
use crate::world::changes::spawn::SpawnPlace;
pub use crate::world::command_error::CommandError;
use crate::world::orders::effort::OrderEffort;
use crate::world::orders::order::{Order, When};
use crate::world::pipeline::PipelineDemand;
use crate::world::units::bodies::NewUnit;
use crate::world::units::condition::{Concealment, Footing};
use crate::world::units::teams::TeamId;
use crate::world::units::unit::{MAX_UNITS, PlayerId, UnitId};
use crate::world::units::unit_threats::ThreatOwner;
use crate::world::units::unit_type::{UnitType, UnitTypeId};
use crate::world::world::World;

/// A change of a World. Give it to [`World::apply`].
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Applied, Command, Navigator, Order, PlayerId, UnitType, When, World};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Command {
    /// Adds a unit type.
    AddType(UnitType),
    /// Adds a unit in the centre of a cell.
    Spawn {
        /// Its type.
        kind: UnitTypeId,
        /// Its player.
        owner: PlayerId,
        /// Its cell.
        at: CellPos,
        /// Its facing.
        facing: Angle,
    },
    /// Adds a unit, with a rule for a cell that is taken; see [`World::spawn_at`].
    SpawnAt {
        /// Its type.
        kind: UnitTypeId,
        /// Its player.
        owner: PlayerId,
        /// Its cell and facing, and what happens if the cell is taken.
        place: SpawnPlace,
    },
    /// Removes a unit.
    Remove(UnitId),
    /// Moves a unit to a point: for games that move units themselves, or teleport them.
    Put {
        /// The unit.
        unit: UnitId,
        /// Its new centre.
        at: Vec2,
        /// Its new velocity, in cells per tick.
        velocity: Vec2,
    },
    /// Gives an order to units.
    Order {
        /// The units.
        units: Vec<UnitId>,
        /// The order.
        order: Order,
        /// At once, or after the orders that the units already have.
        when: When,
    },
    /// Gives an order to units, and says how much work its routes are worth; see [`World::order_with`].
    OrderWith {
        /// The units.
        units: Vec<UnitId>,
        /// The order.
        order: Order,
        /// At once, or after the orders that the units already have.
        when: When,
        /// Detail and priority of its routes.
        effort: OrderEffort,
    },
    /// Gives units the order of another unit, and adds them to its group; see [`World::join`].
    Join {
        /// The units.
        units: Vec<UnitId>,
        /// The unit whose group they join.
        with: UnitId,
    },
    /// Gives moving groups another formation; see [`World::reform`].
    Reform {
        /// Members of the groups.
        units: Vec<UnitId>,
        /// The formation.
        formation: Formation,
        /// Its facing; `None`: the direction of travel.
        facing: Option<Angle>,
    },
    /// Halts units where they are. They keep their orders; see [`World::engage`].
    Engage(Vec<UnitId>),
    /// Lets halted units continue; see [`World::resume`].
    Resume(Vec<UnitId>),
    /// Places a stamp.
    Place {
        /// The stamp.
        stamp: Stamp,
        /// The cell of its north-west corner.
        at: CellPos,
    },
    /// Removes a stamp.
    RemoveStamp(StampId),
    /// Opens or closes the gate of a stamp.
    SetGate {
        /// The stamp.
        id: StampId,
        /// The new state of its gate.
        gate: GateState,
    },
    /// Changes the terrain of an area.
    SetTerrain {
        /// The area.
        area: CellRect,
        /// The new terrain.
        terrain: TerrainId,
    },
    /// Changes the height of an area.
    SetElevation {
        /// The area.
        area: CellRect,
        /// The new height.
        height: i16,
    },
    /// Adds a threat source that belongs to nobody.
    AddThreat(ThreatSource),
    /// Adds a threat source with an owner; see [`World::add_threat`].
    AddThreatOf {
        /// The threat source.
        source: ThreatSource,
        /// Its owner.
        owner: ThreatOwner,
    },
    /// Gives a threat source to another owner; see [`World::set_threat_owner`].
    SetThreatOwner {
        /// The threat source.
        id: ThreatId,
        /// Its new owner.
        owner: ThreatOwner,
    },
    /// Moves or changes a threat source.
    SetThreat {
        /// The threat source.
        id: ThreatId,
        /// Its new position and strength.
        source: ThreatSource,
    },
    /// Removes a threat source.
    RemoveThreat(ThreatId),
    /// Puts a player with all its units into a team; see [`World::set_team`].
    SetTeam {
        /// The player.
        player: PlayerId,
        /// Its new team.
        team: TeamId,
    },
    /// Gives units to another player; see [`World::set_owner`].
    SetOwner {
        /// The units.
        units: Vec<UnitId>,
        /// Their new owner.
        owner: PlayerId,
    },
    /// Gives units another type; see [`World::set_kind`].
    SetKind {
        /// The units.
        units: Vec<UnitId>,
        /// Their new type.
        kind: UnitTypeId,
    },
    /// Slows or hastens units; see [`World::set_speed`].
    SetSpeed {
        /// The units.
        units: Vec<UnitId>,
        /// Their speed in per cent of their type's, 10..=300.
        percent: u16,
    },
    /// Hides units from enemies, or shows them; see [`World::set_concealment`].
    SetConcealment {
        /// The units.
        units: Vec<UnitId>,
        /// Hidden or visible.
        concealment: Concealment,
    },
    /// Lets units get into a transport; see [`World::board`].
    Board {
        /// The units.
        units: Vec<UnitId>,
        /// The transport.
        transport: UnitId,
    },
    /// Lets units get out of their transports; see [`World::unboard`].
    Unboard(Vec<UnitId>),
    /// Continues the game with other settings; see [`World::configure`].
    Configure(Box<Config>),
}

/// The result of a command: the id of what it added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Applied {
    /// The command added nothing.
    Done,
    /// The unit type that was added.
    Type(UnitTypeId),
    /// The unit that was added.
    Unit(UnitId),
    /// The stamp that was placed.
    Stamp(StampId),
    /// The threat source that was added.
    Threat(ThreatId),
}

impl World {
    /// Carries out a command. Returns the id of what it added.
    ///
    /// # Errors
    /// [`CommandError`] names what is wrong. The World has not changed then.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, CommandError> {
        Ok(match command {
            Command::AddType(kind) => Applied::Type(self.add_type(kind.clone())?),
            Command::Spawn { kind, owner, at, facing } => {
                Applied::Unit(self.spawn_facing(*kind, *owner, *at, *facing)?)
            }
            Command::SpawnAt { kind, owner, place } => Applied::Unit(self.spawn_at(*kind, *owner, *place)?),
            Command::Remove(unit) => done(self.remove(*unit)?),
            Command::Put { unit, at, velocity } => done(self.put(*unit, *at, *velocity)?),
            Command::Order { units, order, when } => done(self.order_when(units, order.clone(), *when)?),
            Command::OrderWith { units, order, when, effort } => {
                done(self.order_with(units, order.clone(), *when, *effort)?)
            }
            Command::Join { units, with } => done(self.join(units, *with)?),
            Command::Reform { units, formation, facing } => done(self.reform(units, formation, *facing)?),
            Command::Engage(units) => done(self.engage(units)?),
            Command::Resume(units) => done(self.resume(units)?),
            Command::Place { stamp, at } => Applied::Stamp(self.place(stamp, *at)?),
            Command::RemoveStamp(id) => done(self.remove_stamp(*id)?),
            Command::SetGate { id, gate } => done(self.set_gate(*id, *gate)?),
            Command::SetTerrain { area, terrain } => done(self.set_terrain(*area, *terrain)?),
            Command::SetElevation { area, height } => done(self.set_elevation(*area, *height)?),
            Command::AddThreat(source) => Applied::Threat(self.add_threat(*source, ThreatOwner::Nobody)?),
            Command::AddThreatOf { source, owner } => Applied::Threat(self.add_threat(*source, *owner)?),
            Command::SetThreatOwner { id, owner } => done(self.set_threat_owner(*id, *owner)?),
            Command::SetThreat { id, source } => done(self.set_threat(*id, *source)?),
            Command::RemoveThreat(id) => done(self.remove_threat(*id)?),
            Command::SetTeam { player, team } => {
                self.set_team(*player, *team);
                Applied::Done
            }
            Command::SetOwner { units, owner } => done(self.set_owner(units, *owner)?),
            Command::SetKind { units, kind } => done(self.set_kind(units, *kind)?),
            Command::SetSpeed { units, percent } => done(self.set_speed(units, *percent)?),
            Command::SetConcealment { units, concealment } => {
                done(self.set_concealment(units, *concealment)?)
            }
            Command::Board { units, transport } => done(self.board(units, *transport)?),
            Command::Unboard(units) => done(self.unboard(units)?),
            Command::Configure(config) => done(self.configure(Config::clone(config))?),
        })
    }

    /// Adds a unit type.
    ///
    /// # Errors
    /// [`UnitTypeError`](crate::world::UnitTypeError) names the field that is wrong.
    pub fn add_type(&mut self, kind: UnitType) -> Result<UnitTypeId, CommandError> {
        let id = self.state.types.add(kind, self.state.service.nav().layer())?;
        if let Some(kind) = self.state.types.get(id) {
            let usual = self.state.service.nav().locomotor_layers(kind.agent.locomotor);
            self.state.units.body.add_type(kind, usual);
            self.begin_tables(kind.agent);
        }
        Ok(id)
    }

    /// Adds a unit in the centre of a cell, facing east, also on a cell where another unit stands: then they push each other apart. [`World::spawn_at`] has other
    /// facings and rules.
    ///
    /// # Errors
    /// [`CommandError`] if the type does not exist, the cell is off the map or closed to the type, or there are [`MAX_UNITS`] units already.
    pub fn spawn(&mut self, kind: UnitTypeId, owner: PlayerId, at: CellPos) -> Result<UnitId, CommandError> {
        self.spawn_facing(kind, owner, at, Angle::ZERO)
    }

    /// Adds one unit in each of several cells: all of them or none.
    ///
    /// # Errors
    /// As [`World::spawn`], for the first cell that is wrong.
    pub fn spawn_many(
        &mut self,
        kind: UnitTypeId,
        owner: PlayerId,
        places: &[CellPos],
    ) -> Result<Vec<UnitId>, CommandError> {
        if self.unit_count() + places.len() > MAX_UNITS {
            return Err(CommandError::TooManyUnits);
        }
        places.iter().try_for_each(|&at| self.check_spawn(kind, owner, at))?;
        places.iter().map(|&at| self.spawn(kind, owner, at)).collect()
    }

    pub(super) fn check_spawn(
        &self,
        kind: UnitTypeId,
        owner: PlayerId,
        at: CellPos,
    ) -> Result<(), CommandError> {
        let unit_type = self.state.types.get(kind).ok_or(CommandError::UnknownType(kind))?;
        let layer = self.state.service.nav().layer();
        if !layer.grid().contains(at) {
            return Err(CommandError::OffMap { at, size: layer.grid() });
        }
        let agent = layer.as_side(unit_type.agent, self.team_of(owner).0);
        let open = layer.field(agent).is_some_and(|field| field.is_passable(at));
        if !open {
            return Err(CommandError::Closed { kind, at });
        }
        if self.unit_count() >= MAX_UNITS {
            return Err(CommandError::TooManyUnits);
        }
        Ok(())
    }

    pub(super) fn spawn_facing(
        &mut self,
        kind: UnitTypeId,
        owner: PlayerId,
        at: CellPos,
        facing: Angle,
    ) -> Result<UnitId, CommandError> {
        self.check_spawn(kind, owner, at)?;
        let unit_type = self.state.types.get(kind).ok_or(CommandError::UnknownType(kind))?;
        Ok(self.state.units.add(unit_type, NewUnit { kind, owner, at, facing }))
    }

    /// Removes a unit. Units that follow it give up in the next tick. The units that it carries get out or die, as [`UnitType::on_loss`] of its type says.
    ///
    /// # Errors
    /// [`CommandError::NoSuchUnit`] if the unit does not exist.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), CommandError> {
        let index = self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        self.state.remove_unit(index, unit);
        Ok(())
    }

    /// Moves a unit to a point and sets its velocity, in cells per tick; see [`World::desired_velocity`]. Other units react from the next tick on.
    ///
    /// # Errors
    /// [`CommandError`] if the unit does not exist, is in a transport, or the point is off the map.
    pub fn put(&mut self, unit: UnitId, at: Vec2, velocity: Vec2) -> Result<(), CommandError> {
        let index = self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        let (at, size) = (Fine::from(at), self.state.service.nav().layer().grid());
        let cell = at.minus(self.state.units.shift(self.state.units.body.kind[index])).cell();
        if !size.contains(cell) {
            return Err(CommandError::OffMap { at: cell, size });
        }
        if self.state.units.conditions.is_aboard(index) {
            return Err(CommandError::Aboard(unit));
        }
        // A unit that the engine moves off closed ground is where the game puts it now. A unit that the game moves is on its way out.
        if self.state.type_of(index).is_some_and(|kind| kind.mover == Mover::Engine) {
            self.state.set_footing(index, Footing::Open);
        }
        self.state.end_where_it_stands(index);
        let place = self.state.units.place(index);
        self.state.units.body.crowd.put(place, at, velocity.into());
        self.state.carry_passengers();
        Ok(())
    }

    /// Reserves the memory that the next ticks are likely to need, so that ticks do not allocate. An order allocates in any case.
    ///
    /// *Cost:* at most a few microseconds; usually the memory is reserved already.
    pub(super) fn preallocate(&mut self, ordered: usize) {
        let Self { state, pipeline } = self;
        let units = state.units.column_len();
        // Twice the groups that exist, and 16 more.
        let groups = 2 * state.groups.list.slot_count() + 16;
        state.service.preallocate(ordered);
        state.groups.preallocate();
        state.units.reserve_members(groups);
        pipeline.reserve(PipelineDemand { ordered, units, groups });
        if state.service.has_flows() {
            pipeline
                .guidance
                .chunks
                .iter_mut()
                .for_each(|chunk| state.service.prepare_reader(&mut chunk.reader));
        }
    }
}

/// The result of a command that adds nothing.
fn done((): ()) -> Applied {
    Applied::Done
}
