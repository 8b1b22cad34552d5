//! What of a World is saved beside its map and its path service.

use alloc::vec::Vec;

use super::group::Groups;
use super::orders::{OrderBook, OrderId};
use super::service::PathService;
use super::simulation::World;
use super::unit_type::{MAX_UNIT_TYPES, UnitTypes};
use super::units::Units;
use crate::base::{Agent, ByteReader, ByteWriter, GridSize, LoadError, Persist};

impl World {
    /// Writes units, their kinds and their orders; map and path service write themselves.
    pub fn save_units(&self, writer: &mut ByteWriter) {
        self.seed.save(writer);
        self.types.save(writer);
        self.orders.save(writer);
        self.units.save(writer);
        self.groups.save(writer);
    }

    /// Reads what [`World::save_units`] wrote, for a map and a service that were read before.
    ///
    /// # Errors
    /// [`LoadError`] if it is not that, or if it does not fit the map. Nothing is taken on trust: whatever the bytes are, the World is one that
    /// could have come about.
    pub fn load_units(service: PathService, reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let layer = service.nav().layer();
        let UnitsState { seed, types, orders, units, groups } =
            UnitsState::load(reader, layer.grid(), service.nav().config().get().ticks_per_second, |agent| {
                layer.field(agent).is_some()
            })?;
        let mut world = Self::of_parts(service, types, units, orders, seed);
        world.groups = groups;
        world.occupy();
        Ok(world)
    }
}

/// World: units, their kinds and their orders as they were saved, checked.
#[derive(Clone, Debug)]
pub(super) struct UnitsState {
    pub(super) seed: u64,
    pub(super) types: UnitTypes,
    pub(super) orders: OrderBook,
    pub(super) units: Units,
    pub(super) groups: Groups,
}

impl UnitsState {
    /// Reads what [`World::save_units`] wrote, for a map of `grid` with costs for whom `has_costs` says.
    pub(super) fn load(
        reader: &mut ByteReader<'_>,
        grid: GridSize,
        ticks_per_second: u32,
        has_costs: impl Fn(Agent) -> bool,
    ) -> Result<Self, LoadError> {
        let seed = u64::load(reader)?;
        let types = UnitTypes::load(reader)?;
        let orders = OrderBook::load(reader)?;
        let illegal = types.list.iter().any(|kind| kind.check_where(&has_costs).is_err());
        if types.list.len() > MAX_UNIT_TYPES || illegal {
            return Err(reader.error("a unit type that does not fit the map"));
        }
        let units = Units::load(reader, &types, ticks_per_second)?;
        check(grid, &types, &orders, &units).map_err(|what| reader.error(what))?;
        let groups = Groups::load(reader)?;
        groups.check(grid, &has_costs).map_err(|what| reader.error(what))?;
        if units.post.iter().flatten().any(|post| !groups.holds(grid, post)) {
            return Err(reader.error("a unit whose place in a group is off the map"));
        }
        Ok(Self { seed, types, orders, units, groups })
    }
}

fn check(grid: GridSize, types: &UnitTypes, orders: &OrderBook, units: &Units) -> Result<(), &'static str> {
    let mut users = Vec::new();
    for (id, order, _) in orders.iter() {
        if order.check(grid).is_err() {
            return Err("an order that does not fit the map");
        }
        users.resize(id.index() as usize + 1, 0_u32);
    }
    for id in units.ids.ids() {
        let slot = id.index() as usize;
        if types.get(units.kind[slot]).is_none() {
            return Err("a unit of no known type");
        }
        if !grid.contains(units.cell(slot)) {
            return Err("a unit off the map");
        }
        for &order in &units.queue[slot].0 {
            match (orders.get(order), users.get_mut(order.index() as usize)) {
                (Some(_), Some(users)) => *users += 1,
                _ => return Err("a unit with an order that is not in the book"),
            }
        }
        if units.errand[slot].escape.is_some_and(|at| !grid.contains(at)) {
            return Err("a unit that makes for a place off the map");
        }
    }
    let counted = |id: OrderId, noted: u32| noted > 0 && users[id.index() as usize] == noted;
    if orders.iter().all(|(id, _, noted)| counted(id, noted)) {
        Ok(())
    } else {
        Err("an order that is not counted right")
    }
}
