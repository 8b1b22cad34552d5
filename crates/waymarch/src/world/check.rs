//! Checks whether a state is valid. Saved and running states have the same rules.
//!
//! Loading checks a saved state. Debug builds also check the running state: each unit, group and request after every tick, everything every 16
//! ticks. So if a tick makes a state that loading would refuse, that tick fails, or one of the next.

use alloc::vec::Vec;

use crate::base::{CellPos, Observer};
use crate::cost::SectorId;
use crate::nav::MapFacts;
use crate::world::deadlock::zone::Zones;
use crate::world::groups::group::Groups;
use crate::world::orders::order_book::OrderBook;
use crate::world::reservation::turns::Reservations;
use crate::world::state::State;
use crate::world::units::columns::Units;
use crate::world::units::condition::{Ending, Footing};
use crate::world::units::order_queue::OrderId;
use crate::world::units::unit::PlayerId;
use crate::world::units::unit_type::{MAX_UNIT_TYPES, UnitTypes};

/// The parts of a state that are checked together.
pub(crate) struct CheckedParts<'a> {
    pub(crate) types: &'a UnitTypes,
    pub(crate) orders: &'a OrderBook,
    pub(crate) units: &'a Units,
    pub(crate) groups: &'a Groups,
    pub(crate) zones: &'a Zones,
    pub(crate) reservations: &'a Reservations,
}

impl CheckedParts<'_> {
    /// Checks each unit and each group by itself. Costs time linear in the number of units and of members of groups, and no memory.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check(&self, map: &impl MapFacts) -> Result<(), &'static str> {
        for id in self.units.body.ids.ids() {
            self.check_unit(id.index() as usize, map)?;
        }
        self.zones.check(map.grid())?;
        self.reservations.check(map.grid())?;
        self.groups.check(map)
    }

    fn check_unit(&self, index: usize, map: &impl MapFacts) -> Result<(), &'static str> {
        let Self { types, orders, units, groups, .. } = self;
        let Some(kind) = types.get(units.body.kind[index]) else {
            return Err("the type of a unit does not exist");
        };
        if !units.body.crowd.is_valid(units.place(index)) {
            return Err("the body of a unit has values that no tick can produce");
        }
        if !units.fits_body(index, kind) {
            return Err("a unit whose body does not fit its type, or its owner's team");
        }
        if !map.grid().contains(units.cell(index)) {
            return Err("a unit is off the map");
        }
        if units.body.queue[index].0.iter().any(|&order| orders.get(order).is_none()) {
            return Err("an order of a unit does not exist");
        }
        if units.progress[index].escape.is_some_and(|at| !map.grid().contains(at)) {
            return Err("the escape cell of a unit is off the map");
        }
        let ending = units.conditions.ending(index);
        if ending != Ending::None && units.body.queue[index].0.is_empty()
            || matches!(ending, Ending::Leaves(_, to) if !map.grid().contains(to))
        {
            return Err(
                "a unit ends an order that it does not have, or leaves a passage to a cell off the map",
            );
        }
        if units.step[index]
            .is_some_and(|step| !map.grid().contains(step.from) || !map.grid().contains(step.to))
        {
            return Err("the step of a unit leads off the map");
        }
        let is_off = |at: CellPos| !map.grid().contains(at);
        if units.waits[index].is_some_and(|wait| is_off(wait.inside) || is_off(wait.outside)) {
            return Err("a unit waits before a passage off the map");
        }
        if units.lines[index].is_some_and(|line| is_off(line.mouth)) {
            return Err("a unit lines up for a passage off the map");
        }
        self.check_condition(index, is_off)?;
        units.membership(index).map_or(Ok(()), |membership| groups.check_membership(map.grid(), &membership))
    }
}

impl CheckedParts<'_> {
    fn check_condition(&self, index: usize, is_off: impl Fn(CellPos) -> bool) -> Result<(), &'static str> {
        let conditions = &self.units.conditions;
        if conditions.way_out(index).is_some_and(is_off) {
            return Err("a unit leaves closed ground for a cell off the map");
        }
        let Some(carrier) = conditions.carrier(index) else { return Ok(()) };
        if conditions.get(index).footing != Footing::Open {
            return Err("a unit in a transport stands on closed ground");
        }
        match self.units.index_of(carrier) {
            None => Err("the transport of a unit does not exist"),
            Some(other) if conditions.is_aboard(other) => Err("the transport of a unit is in a transport"),
            Some(other) if self.units.cell(other) != self.units.cell(index) => {
                Err("a unit in a transport is not where its transport is")
            }
            Some(_) => Ok(()),
        }
    }
}

/// Checks that no transport carries more than its type can.
///
/// # Errors
/// The fault.
pub(crate) fn check_loads(types: &UnitTypes, units: &Units) -> Result<(), &'static str> {
    let kind = |index: usize| types.get(units.body.kind[index]);
    let mut loads: Vec<(u32, u32)> = Vec::new();
    for index in units.conditions.special() {
        let carrier = units.conditions.carrier(index).and_then(|carrier| units.index_of(carrier));
        if let (Some(carrier), Some(kind)) = (carrier, kind(index)) {
            loads.push((carrier as u32, u32::from(kind.bulk)));
        }
    }
    loads.sort_unstable();
    let is_over = |load: &[(u32, u32)]| {
        let capacity = kind(load[0].0 as usize).map_or(0, |kind| u32::from(kind.capacity));
        load.iter().map(|&(_, bulk)| bulk).sum::<u32>() > capacity
    };
    if loads.chunk_by(|a, b| a.0 == b.0).any(is_over) {
        return Err("a transport carries more than its type can");
    }
    Ok(())
}

/// Checks the data that ticks change: each unit, group and request by itself. Allocates nothing.
///
/// # Errors
/// The first fault.
pub(crate) fn check_state(state: &State) -> Result<(), &'static str> {
    let State { types, orders, units, groups, zones, reservations, .. } = state;
    CheckedParts { types, orders, units, groups, zones, reservations }.check(state.nav())?;
    state.service.fault().map_or(Ok(()), Err)
}

/// Checks everything that loading checks after it has read the bytes. Allocates; its cost is linear in the number of units, requests and cells of flows.
///
/// # Errors
/// The first fault.
pub(crate) fn check_whole_state(state: &State) -> Result<(), &'static str> {
    check_state(state)?;
    check_rules(&state.types, &state.orders, state.nav())?;
    check_users(&state.orders, &state.units)?;
    check_sides(&state.units, state.nav())?;
    state.threats.check(&state.units, state.nav())?;
    check_loads(&state.types, &state.units)?;
    let unreviewed = state.unreviewed.list(state.nav().layer().changes());
    check_unreviewed(unreviewed.into_iter().flatten(), state.nav())?;
    state.nav().check()?;
    state.service.whole_fault().map_or(Ok(()), Err)
}

/// Checks that the map has the teams of the players as sides.
///
/// # Errors
/// The fault.
pub(crate) fn check_sides(units: &Units, map: &impl MapFacts) -> Result<(), &'static str> {
    let same = |number| units.body.teams.of(PlayerId(number)).0 == map.side(Observer(number));
    if (0..=u8::MAX).all(same) { Ok(()) } else { Err("the map does not have the teams of the players") }
}

/// Checks unit types and orders against a map.
///
/// # Errors
/// The first fault.
pub(crate) fn check_rules(
    types: &UnitTypes,
    orders: &OrderBook,
    map: &impl MapFacts,
) -> Result<(), &'static str> {
    let illegal = types.list.iter().any(|kind| kind.check_where(|agent| map.has_costs(agent)).is_err());
    if types.list.len() > MAX_UNIT_TYPES || illegal {
        return Err("a unit type is not valid on this map, or there are too many");
    }
    if orders.iter().any(|(_, order, _)| order.check(map.grid()).is_err()) {
        return Err("an order is not valid on this map");
    }
    Ok(())
}

/// Checks that all sectors with edits that are not reviewed yet are on a map.
///
/// # Errors
/// The fault.
pub(crate) fn check_unreviewed(
    mut sectors: impl Iterator<Item = SectorId>,
    map: &impl MapFacts,
) -> Result<(), &'static str> {
    let count = map.sectors().count();
    if sectors.any(|sector| sector.index() >= count) {
        return Err("a changed sector is off the map");
    }
    Ok(())
}

/// Checks that orders count the units that have them.
///
/// # Errors
/// The first fault.
pub(crate) fn check_users(orders: &OrderBook, units: &Units) -> Result<(), &'static str> {
    let slots = orders.iter().map(|(id, ..)| id.index() as usize + 1).max();
    let mut users = alloc::vec![0_u32; slots.unwrap_or(0)];
    for id in units.body.ids.ids() {
        for order in &units.body.queue[id.index() as usize].0 {
            match users.get_mut(order.index() as usize) {
                Some(users) => *users += 1,
                None => return Err("an order of a unit does not exist"),
            }
        }
    }
    let counted = |id: OrderId, noted: u32| noted > 0 && users[id.index() as usize] == noted;
    if orders.iter().all(|(id, _, noted)| counted(id, noted)) {
        Ok(())
    } else {
        Err("the number of units that have an order is wrong")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::check_whole_state;
    use crate::base::{GridSize, Id, cell};
    use crate::config::Config;
    use crate::cost::{Map, Rules};
    use crate::nav::Navigator;
    use crate::world::{Order, PlayerId, UnitType, World};

    /// Such a save once took 16 GB of memory in the first tick after loading.
    #[test]
    fn a_membership_in_a_group_with_an_index_near_four_billion_is_refused() {
        let map = Map::flat("field", GridSize::new(16, 16).unwrap(), Rules::standard());
        let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
        let foot = world.nav().locomotor("foot").unwrap();
        let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
        let units = world.spawn_many(kind, PlayerId(0), &[cell(1, 1), cell(2, 1), cell(3, 1)]).unwrap();
        world.order(&units, Order::move_to(cell(12, 12))).unwrap();
        (0..3).for_each(|_| world.tick());
        assert!(World::load(&world.save()).is_ok());
        world.state.units.membership_mut(0).unwrap().group = Id::new(u32::MAX - 1, 0);
        assert!(World::load(&world.save()).is_err());
    }

    fn world_with_orders() -> World {
        let map = Map::flat("field", GridSize::new(64, 64).unwrap(), Rules::standard());
        let config = Config { flowfield_group_threshold: 4, ..Config::default() };
        let mut world = World::new(Navigator::new(map, config).unwrap());
        let foot = world.nav().locomotor("foot").unwrap();
        let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
        let places: Vec<_> = (0..20).map(|number| cell(2 + number % 5, 2 + number / 5)).collect();
        let units = world.spawn_many(kind, PlayerId(0), &places).unwrap();
        world.order(&units[..10], Order::move_to(cell(50, 50))).unwrap();
        for (number, &unit) in units[10..].iter().enumerate() {
            world.order(&[unit], Order::move_to(cell(40 + number as i32, 30))).unwrap();
        }
        (0..3).for_each(|_| world.tick());
        assert_eq!(check_whole_state(&world.state), Ok(()));
        world
    }

    #[test]
    fn a_wrong_count_in_a_running_world_is_named() {
        let mut world = world_with_orders();
        let order = world.state.units.body.queue[0].front().unwrap();
        world.state.orders.hold(order);
        let fault = "the number of units that have an order is wrong";
        assert_eq!(check_whole_state(&world.state), Err(fault));
        let refused = World::load(&world.save()).unwrap_err();
        assert!(refused.to_string().contains(fault), "{refused}");
    }

    #[test]
    fn a_body_of_another_type_in_a_running_world_is_named() {
        let mut world = world_with_orders();
        world.state.units.body.owner[3] = PlayerId(7);
        let fault = "a unit whose body does not fit its type, or its owner's team";
        assert_eq!(check_whole_state(&world.state), Err(fault));
        let refused = World::load(&world.save()).unwrap_err();
        assert!(refused.to_string().contains(fault), "{refused}");
    }

    #[test]
    #[should_panic(expected = "the number of units that have an order is wrong")]
    fn a_wrong_count_makes_a_tick_fail_soon() {
        let mut world = world_with_orders();
        let order = world.state.units.body.queue[0].front().unwrap();
        world.state.orders.hold(order);
        (0..16).for_each(|_| world.tick());
    }
}
