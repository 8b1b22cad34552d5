//! The type [`World`]: construction, queries and hash.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::avoid::{KindId, ValidAvoidSettings};
use crate::base::{
    Agent, Asker, ByteWriter, CellPos, CellRect, CollisionLayers, HashState, Persist, StateHash, StateHasher,
    Tick, Vec2,
};
use crate::nav::{NavQueries, Navigator};
use crate::planners::Planner;
use crate::query::BlockedBy;
use crate::service::{PathService, PathStatus};
use crate::world::ahead::cells_per_tick;
use crate::world::events::Event;
use crate::world::orders::order::Order;
use crate::world::pipeline::Pipeline;
use crate::world::state::State;
use crate::world::units::occupancy::SkippedUnit;
use crate::world::units::unit::{Unit, UnitId};
use crate::world::units::unit_type::{UnitType, UnitTypeId};

/// World: units that carry out orders on a map, tick by tick, the same on every machine.
///
/// It changes only by [`Command`](crate::world::Command)s and by ticks. The same commands at the same ticks give the same
/// [`World::state_hash`]. All other methods only read.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitType, World};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
/// let mut world = World::new(Navigator::new(map, Config::default())?);
/// let foot = world.nav().locomotor("foot").unwrap();
/// let soldier = world.add_type(UnitType::new("soldier", foot))?;
/// let squad = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(4, 3), cell(5, 3)])?;
///
/// world.order(&squad, Order::move_to(cell(30, 3)))?;
/// world.queue(&squad, Order::move_to(cell(30, 20)))?; // and then there
/// world.place(&Stamp::solid(3, 9), cell(15, 0))?; // a building in the way
/// let mut arrivals = 0;
/// for _ in 0..600 {
///     world.tick();
///     arrivals += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
/// }
/// assert_eq!(arrivals, 6);
/// let near = |at: waymarch::base::CellPos| at.x.abs_diff(30) <= 1 && at.y.abs_diff(20) <= 1;
/// assert!(world.units().all(|unit| world.cell_of(unit.id).is_some_and(near)), "beside each other");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The map cannot be edited behind the World's back, because recordings and other players would not see it. Neither of these compiles:
///
/// ```compile_fail,E0599
/// fn edit(world: &mut waymarch::World) {
///     world.nav_mut().tick();
/// }
/// ```
///
/// ```compile_fail,E0596
/// fn edit(world: &mut waymarch::World) {
///     world.nav().tick();
/// }
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) pipeline: Pipeline,
}

impl World {
    /// A World without units, on the map of `nav`, with seed 0.
    #[must_use]
    pub fn new(nav: Navigator) -> Self {
        Self::with_seed(nav, 0)
    }

    /// A World without units, with a seed for random numbers. They decide when stuck units request another route.
    #[must_use]
    pub fn with_seed(nav: Navigator, seed: u64) -> Self {
        Self::from_state(State::new(PathService::new(nav), seed))
    }

    /// A World with this state. Its Derived data are computed from the state.
    pub(crate) fn from_state(state: State) -> Self {
        let pipeline = Pipeline::new(&ValidAvoidSettings::from(state.nav().config()));
        let mut world = Self { state, pipeline };
        world.follow_state();
        world
    }

    /// Brings Derived data up to date after the state was replaced.
    pub(crate) fn follow_state(&mut self) {
        let Self { state, pipeline } = self;
        pipeline.follow_avoid_settings(state.nav());
        pipeline.occupancy.follow(&state.units, &state.types, state.nav().layer().grid());
        self.prepare_rough_routes();
    }

    /// Begins the preparation of an agent's tables if the map is huge.
    pub(crate) fn begin_tables(&mut self, agent: Agent) {
        let cells = cells_per_tick(self.state.config());
        self.state.service.nav_mut().begin_tables(agent, cells);
        self.prepare_rough_routes();
    }

    /// Makes what rough routes on a huge map need, for agents whose tables are being made: their doors and passages.
    pub(crate) fn prepare_rough_routes(&mut self) {
        let Self { state, pipeline } = self;
        let nav = state.service.nav_mut();
        nav.place_doors_of_unmade();
        let rule = nav.config().step_rule();
        for agent in nav.unmade_agents() {
            // Passages are made at the first question.
            let _ = pipeline.forming.passages.number_of(nav.layer(), agent, rule);
        }
    }

    /// Makes the search tables of all unit types now, and lets searches use them at once. For huge maps (wider or higher than 1024 cells), on a loading screen.
    ///
    /// Without it, a World makes them a little in each tick. On a map of 2048×2048 cells that takes about half a minute of game time for each locomotor and size, and
    /// half a second in all if it is done here. Meanwhile, far routes are rougher. All peers of a game must call it at the same tick, or none. On smaller maps it
    /// does nothing: there a World makes tables at the first order.
    ///
    /// ```
    /// use waymarch::prelude::*;
    /// use waymarch::query::Threat;
    ///
    /// let size = GridSize::new(1100, 64)?;
    /// let mut world = World::new(Navigator::new(Map::flat("plain", size, Rules::standard()), Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let why = |world: &World| world.nav().planner_for(foot, Threat::Ignore).1.to_string();
    /// assert_eq!(why(&world), "the tables of this locomotor and size are being made");
    /// world.make_tables_now();
    /// assert_ne!(why(&world), "the tables of this locomotor and size are being made");
    /// # world.spawn(soldier, PlayerId(0), cell(5, 5))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make_tables_now(&mut self) {
        self.state.service.nav_mut().finish_tables();
    }

    /// The map and its search data, read-only.
    #[must_use]
    pub fn nav(&self) -> &Navigator {
        self.state.service.nav()
    }

    /// Route queries on the map of this World. They change no later answer and no hash. To edit the map, use [commands](crate::world::Command).
    pub fn queries(&mut self) -> NavQueries<'_> {
        NavQueries::new(self.state.service.nav_mut())
    }

    /// Uses the game's own planner for the routes of units from now on; `None` returns to the engine's planner.
    ///
    /// Each unit, alone or in a group, then follows its own planned route waypoint by waypoint: groups have no gates, detours or marches. A unit heads for the
    /// next waypoint within 0.75 cells of one. A planner that [heeds the asker](Planner::heeds_asker) is told unit and player.
    ///
    /// All peers must call this in the same tick, and again after loading: a planner is code and is not saved.
    pub fn set_planner(&mut self, planner: Option<Box<dyn Planner>>) {
        self.state.service.set_planner(planner);
        if !self.state.service.has_planner() {
            return;
        }
        let State { service, units, .. } = &mut self.state;
        for index in 0..units.column_len() {
            let Some(unit) = units.id_at(index) else { continue };
            let asker = Asker { unit: Some(unit), player: Some(units.observer(index)) };
            let progress = &units.progress[index];
            [progress.path, progress.fresh].into_iter().for_each(|path| service.set_asker(path, asker));
        }
    }

    /// The path service, read-only.
    #[must_use]
    pub fn service(&self) -> &PathService {
        &self.state.service
    }

    /// The number of ticks that have passed.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.nav().now()
    }

    /// The seed of random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    /// The collision layers of a unit type; `None` if there is no type with this id.
    #[must_use]
    pub fn layers_of_type(&self, id: UnitTypeId) -> Option<CollisionLayers> {
        self.unit_type(id).map(|_| self.state.units.body.crowd.layers_of(KindId(id.0)))
    }

    /// All unit types, by [`UnitTypeId`].
    #[must_use]
    pub fn types(&self) -> &[UnitType] {
        &self.state.types.list
    }

    /// A unit type; `None` if there is no type with this id.
    #[must_use]
    pub fn unit_type(&self, id: UnitTypeId) -> Option<&UnitType> {
        self.state.types.get(id)
    }

    /// The number of units.
    #[must_use]
    pub fn unit_count(&self) -> usize {
        self.state.units.body.ids.len()
    }

    /// A unit; `None` if it does not exist (any more).
    #[must_use]
    pub fn unit(&self, id: UnitId) -> Option<Unit> {
        self.state.units.get(id)
    }

    /// All units, by unit index.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.state.units.body.ids.ids().filter_map(|id| self.state.units.get(id))
    }

    /// The centres of all units that have a body, by unit index: what a viewer draws. Units in transports are left out.
    pub fn positions(&self) -> impl Iterator<Item = (UnitId, Vec2)> {
        let ids = self.state.units.body.ids.ids();
        let with_body = ids.filter(|id| !self.state.units.conditions.is_aboard(id.index() as usize));
        with_body.map(|id| (id, self.state.units.middle(id.index() as usize).floor()))
    }

    /// The cell that a unit is in; `None` if the unit does not exist.
    #[must_use]
    pub fn cell_of(&self, id: UnitId) -> Option<CellPos> {
        self.state.units.index_of(id).map(|index| self.state.units.cell(index))
    }

    /// The orders of a unit, the present one first. Empty if the unit does not exist.
    pub fn orders_of(&self, id: UnitId) -> impl Iterator<Item = &Order> {
        let queue = self.state.units.index_of(id).map(|index| &self.state.units.body.queue[index].0);
        queue.into_iter().flatten().filter_map(|&order| self.state.orders.get(order))
    }

    /// The status of a unit's route; `None` if the unit has no route.
    #[must_use]
    pub fn route_status(&self, id: UnitId) -> Option<PathStatus> {
        self.state.service.status(self.state.units.progress[self.state.units.index_of(id)?].path)
    }

    /// The velocity that avoidance chose for a unit in the last tick, in cells per tick. Zero if the unit does not exist.
    ///
    /// For games that move units themselves: a unit whose type has [`Mover::Game`](crate::world::Mover) moves only by [`World::put`].
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{EventKind, Mover, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let puppet = world.add_type(UnitType { mover: Mover::Game, ..UnitType::new("puppet", foot) })?;
    /// let unit = world.spawn(puppet, PlayerId(0), cell(3, 3))?;
    /// world.order(&[unit], Order::move_to(cell(20, 9)))?;
    /// let mut arrived = false;
    /// for _ in 0..400 {
    ///     world.tick();
    ///     arrived |= world.events().iter().any(|event| event.what == EventKind::Arrived);
    ///     let velocity = world.desired_velocity(unit);
    ///     let at = world.unit(unit).unwrap().position;
    ///     world.put(unit, at + velocity, velocity)?; // where the game's own physics lets it end up
    /// }
    /// assert!(arrived);
    /// assert_eq!(world.cell_of(unit), Some(cell(20, 9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn desired_velocity(&self, id: UnitId) -> Vec2 {
        let wanted = |index| self.state.units.body.crowd.chosen_velocities()[self.state.units.place(index)];
        self.state.units.index_of(id).map_or(Vec2::ZERO, |index| wanted(index).into())
    }

    /// The point that a unit heads for in a straight line; `None` if the unit does not exist or does not travel.
    #[must_use]
    pub fn heads_for(&self, id: UnitId) -> Option<Vec2> {
        let index =
            self.state.units.index_of(id).filter(|&index| self.state.units.stance(index).travels())?;
        Some(self.state.units.body.crowd.guide_of(self.state.units.place(index)).aim.into())
    }

    /// The events of the last tick, by unit index.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.state.events.list()
    }

    /// Writes to `out` the cells within `radius` cells of `at` that units selected by `mode` cover, row by row. `except` does not count.
    ///
    /// Positions are those with which the last tick searched routes, before it moved units.
    pub fn blockers_near(
        &self,
        at: CellPos,
        radius: u32,
        mode: BlockedBy,
        except: UnitId,
        out: &mut Vec<CellPos>,
    ) {
        let around = CellRect::at(at, 1, 1).grow(radius.min(1 << 14) as i32, radius.min(1 << 14) as i32);
        let asker = self.state.units.index_of(except);
        let asker = SkippedUnit { unit: asker, is: |index| asker == Some(index) };
        self.pipeline.occupancy.blockers(&self.state.units, around, mode, &asker, out);
    }

    /// The hash of all World data, with one part for each subsystem. Peers compare it to detect a desync.
    ///
    /// *Cost:* about as much as [`World::save`].
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        let nav = self.nav().state_hash();
        let parts = nav.parts().iter();
        let builder = parts.fold(StateHash::builder(), |builder, (name, hash)| builder.part(name, hash));
        builder
            .part_with("units", |hasher| {
                let mut writer = ByteWriter::new();
                self.state.units.save(&mut writer);
                // Games without allies keep the hash that they had before teams existed.
                let teams = &self.state.units.body.teams;
                if !teams.are_default() {
                    teams.save(&mut writer);
                }
                // So do games without units that commands have changed. Each addition has a number of its own.
                if !self.state.units.conditions.are_default() {
                    1_u32.save(&mut writer);
                    self.state.units.save_conditions(&mut writer);
                }
                if !self.state.notices.is_empty() {
                    2_u32.save(&mut writer);
                    self.state.notices.save(&mut writer);
                }
                if !self.state.threats.is_empty() {
                    3_u32.save(&mut writer);
                    self.state.threats.save(&mut writer);
                }
                hasher.write_bytes(writer.bytes());
            })
            .part_with("orders", |hasher| {
                Saved(&self.state.orders).hash_state(hasher);
                if !self.state.orders.efforts.is_empty() {
                    Saved(&self.state.orders.efforts).hash_state(hasher);
                }
            })
            .part("types", &self.state.types)
            .part("groups", &Saved(&self.state.groups))
            .part("zones", &Saved(&self.state.zones))
            .part("reservations", &Saved(&self.state.reservations))
            .part("rng", &self.state.seed)
            .part_with("routes", |hasher| self.state.service.hash_routes(hasher))
            .part_with("queue", |hasher| self.state.service.hash_queue(hasher))
            .part_with("review", |hasher| match self.state.unreviewed.list(self.nav().layer().changes()) {
                Some(sectors) => sectors.for_each(|sector| hasher.write_u32(sector.0)),
                None => hasher.write_u8(1),
            })
            .finish()
    }
}

/// Hashes the saved bytes of a value, so that hash and save cannot differ.
struct Saved<'a, T>(&'a T);

impl<T: Persist> HashState for Saved<'_, T> {
    fn hash_state(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.0.save(&mut writer);
        hasher.write_bytes(writer.bytes());
    }
}
