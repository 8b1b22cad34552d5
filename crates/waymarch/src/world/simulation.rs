//! The World: units that carry out orders on a map, tick by tick.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cohesion::Whereabouts;
use super::congestion::Steward;
use super::events::{Event, Events};
use super::follow::Leader;
use super::group::Groups;
use super::let_pass::Blocks;
use super::lookout::Lookout;
use super::march::Drill;
use super::muster::Sergeant;
use super::navigator::Navigator;
use super::occupancy::{Asker, Occupancy};
use super::orders::{Order, OrderBook};
use super::pace::Pacing;
use super::review::Unseen;
use super::service::{PathService, PathStatus};
use super::tick::Chunk;
use super::unit_type::{UnitType, UnitTypeId, UnitTypes};
use super::units::{Unit, UnitId, Units, coarse};
use super::waiting::Waits;
use crate::avoid::{Avoidance, ValidAvoidSettings};
use crate::base::{ByteWriter, CellPos, CellRect, HashState, Persist, StateHash, StateHasher, Tick, Vec2};
use crate::planners::Planner;
use crate::query::BlockedBy;

/// World: units that carry out orders on a map, tick by tick, the same on every machine.
///
/// It changes only by [`Command`](super::Command)s and by ticks: the same commands at the same ticks give the same
/// [`World::state_hash`]. Everything else, whatever it is called with, only looks.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitType, World};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
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
#[derive(Clone, Debug)]
pub struct World {
    pub(super) service: PathService,
    pub(super) types: UnitTypes,
    pub(super) units: Units,
    pub(super) orders: OrderBook,
    pub(super) seed: u64,
    /// Derived: who is where.
    pub(super) occupancy: Occupancy,
    pub(super) unseen: Unseen,
    pub(super) events: Events,
    pub(super) groups: Groups,
    /// Scratch.
    pub(super) avoidance: Avoidance,
    pub(super) chunks: Vec<Chunk>,
    pub(super) areas: Vec<CellRect>,
    pub(super) sergeant: Sergeant,
    pub(super) drill: Drill,
    pub(super) whereabouts: Vec<Whereabouts>,
    pub(super) lookout: Lookout,
    pub(super) pacing: Pacing,
    pub(super) blocks: Blocks,
    pub(super) waits: Vec<Waits>,
    pub(super) steward: Steward,
}

impl World {
    /// A world without units, on a navigator's map.
    #[must_use]
    pub fn new(nav: Navigator) -> Self {
        Self::with_seed(nav, 0)
    }

    /// The same with a seed of its own for what is left to luck: when stuck units try again.
    #[must_use]
    pub fn with_seed(nav: Navigator, seed: u64) -> Self {
        let service = PathService::new(nav);
        let units = Units::new(service.nav().config().get().ticks_per_second);
        let parts = (UnitTypes::default(), units, OrderBook::default());
        let mut world = Self::of_parts(service, parts.0, parts.1, parts.2, seed);
        world.unseen = Unseen::nothing(world.nav().layer().changes());
        world
    }

    /// With everything Derived still to be found out, and everything to be looked at.
    pub(super) fn of_parts(
        service: PathService,
        types: UnitTypes,
        units: Units,
        orders: OrderBook,
        seed: u64,
    ) -> Self {
        let unseen = Unseen::saved(None, service.nav().layer().changes());
        let avoidance = Avoidance::new(&ValidAvoidSettings::from(service.nav().config()));
        Self {
            service,
            types,
            units,
            orders,
            seed,
            occupancy: Occupancy::default(),
            unseen,
            events: Events::default(),
            groups: Groups::default(),
            sergeant: Sergeant::default(),
            drill: Drill::default(),
            whereabouts: Vec::new(),
            lookout: Lookout::default(),
            pacing: Pacing::default(),
            blocks: Blocks::default(),
            waits: Vec::new(),
            steward: Steward::default(),
            avoidance,
            chunks: Vec::new(),
            areas: Vec::new(),
        }
    }

    /// Brings up to date who is where.
    pub(super) fn occupy(&mut self) {
        self.occupancy.follow(&self.units, &self.types, self.service.nav().layer().grid());
    }

    /// The map, to look at.
    #[must_use]
    pub fn nav(&self) -> &Navigator {
        self.service.nav()
    }

    /// The map, to ask for routes beside the game. Asking changes nothing; edits belong into commands, which a replay repeats.
    pub fn nav_mut(&mut self) -> &mut Navigator {
        self.service.nav_mut()
    }

    /// Lets units' routes be found by a planner of the game's own from now on, or by the engine's again. All peers must do so in the same
    /// tick, and again after loading: a planner is code, and is not saved.
    pub fn set_planner(&mut self, planner: Option<Box<dyn Planner>>) {
        self.service.set_planner(planner);
    }

    /// The path service, to look at.
    #[must_use]
    pub fn service(&self) -> &PathService {
        &self.service
    }

    /// How many ticks have passed.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.nav().now()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The kinds of units, by number.
    #[must_use]
    pub fn types(&self) -> &[UnitType] {
        &self.types.list
    }

    /// The kind with a number.
    #[must_use]
    pub fn unit_type(&self, id: UnitTypeId) -> Option<&UnitType> {
        self.types.get(id)
    }

    /// How many units there are.
    #[must_use]
    pub fn unit_count(&self) -> usize {
        self.units.ids.len()
    }

    /// A unit; `None` if it is gone.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> Option<Unit> {
        self.units.get(id)
    }

    /// All units, by slot.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.units.ids.ids().filter_map(|id| self.units.get(id))
    }

    /// Where all units are, by slot: what a viewer draws.
    pub fn positions(&self) -> impl Iterator<Item = (UnitId, Vec2)> {
        self.units.ids.ids().map(|id| (id, coarse(self.units.middle(id.index() as usize))))
    }

    /// The cell a unit is in; `None` if it is gone.
    #[must_use]
    pub fn cell_of(&self, id: UnitId) -> Option<CellPos> {
        self.units.slot(id).map(|slot| self.units.cell(slot))
    }

    /// What a unit is to do, the present order first.
    pub fn orders_of(&self, id: UnitId) -> impl Iterator<Item = &Order> {
        let queue = self.units.slot(id).map(|slot| &self.units.queue[slot].0);
        queue.into_iter().flatten().filter_map(|&order| self.orders.get(order))
    }

    /// How far the route of a unit has come; `None` if it follows none.
    #[must_use]
    pub fn route_status(&self, id: UnitId) -> Option<PathStatus> {
        self.service.status(self.units.errand[self.units.slot(id)?].path)
    }

    /// The velocity that a unit should have, per tick, as of the last tick: after it looked at its way and at all others. For games that
    /// move units themselves: a kind of [`Mover::Game`](super::Mover) stays where it is until [`World::put`] says otherwise.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{EventKind, Mover, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
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
        let wanted = |slot| self.units.crowd.wanted()[self.units.place(slot)];
        self.units.slot(id).map_or(Vec2::ZERO, |slot| wanted(slot).into())
    }

    /// The point that a unit heads for now, on a line; `None` if it is gone or goes nowhere.
    #[must_use]
    pub fn heads_for(&self, id: UnitId) -> Option<Vec2> {
        let slot = self.units.slot(id).filter(|&slot| self.units.stance(slot).travels())?;
        Some(self.units.crowd.guide_of(self.units.place(slot)).aim.into())
    }

    /// What happened in the last tick, by slot of the unit.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.list()
    }

    /// The cells within `radius` cells of `at` that units of some stances stand on, row by row, into `out`; `except` does not count.
    /// As they were when the last tick looked for routes.
    pub fn blockers_near(
        &self,
        at: CellPos,
        radius: u32,
        mode: BlockedBy,
        except: UnitId,
        out: &mut Vec<CellPos>,
    ) {
        let around = CellRect::at(at, 1, 1).grow(radius.min(1 << 14) as i32, radius.min(1 << 14) as i32);
        let asker = self.units.slot(except);
        let asker = Asker { owner: asker.map(|slot| self.units.owner[slot]), is: |slot| asker == Some(slot) };
        self.occupancy.blockers(&self.units, around, mode, &asker, out);
    }

    /// The hash of everything that decides the future, with a part for each subsystem.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        let nav = self.nav().state_hash();
        let parts = nav.parts().iter();
        let builder = parts.fold(StateHash::builder(), |builder, (name, hash)| builder.part(name, hash));
        builder
            .part_with("units", |hasher| {
                let mut writer = ByteWriter::new();
                self.units.save(&mut writer);
                hasher.write_bytes(writer.bytes());
            })
            .part("orders", &Saved(&self.orders))
            .part("types", &Saved(&self.types))
            .part("groups", &Saved(&self.groups))
            .part("rng", &self.seed)
            .part_with("routes", |hasher| self.service.hash_routes(hasher))
            .part_with("queue", |hasher| self.service.hash_queue(hasher))
            .part_with("review", |hasher| match self.unseen.list(self.nav().layer().changes()) {
                Some(sectors) => sectors.for_each(|sector| hasher.write_u32(sector.0)),
                None => hasher.write_u8(1),
            })
            .finish()
    }

    pub(super) fn leader(&self) -> Leader<'_> {
        Leader {
            service: &self.service,
            units: &self.units,
            types: &self.types,
            groups: &self.groups,
            now: self.service.nav().now(),
        }
    }
}

/// Hashes what would be saved: so that the two cannot differ.
struct Saved<'a, T>(&'a T);

impl<T: Persist> HashState for Saved<'_, T> {
    fn hash_state(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.0.save(&mut writer);
        hasher.write_bytes(writer.bytes());
    }
}
