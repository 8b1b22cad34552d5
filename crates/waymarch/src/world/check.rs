//! Checks whether a state is valid. Saved and running states have the same rules.
//!
//! Loading checks a saved state. Debug builds also check the state after every tick. So if a tick makes a state that loading would refuse, that
//! tick fails.

use crate::base::CellPos;
use crate::nav::MapFacts;
use crate::world::deadlock::zone::Zones;
use crate::world::groups::group::Groups;
use crate::world::orders::order::OrderBook;
use crate::world::reservation::turns::Reservations;
use crate::world::state::State;
use crate::world::units::columns::Units;
use crate::world::units::unit_type::UnitTypes;

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
        if types.get(units.body.kind[index]).is_none() {
            return Err("the type of a unit does not exist");
        }
        if !units.body.crowd.is_valid(units.place(index)) {
            return Err("the body of a unit has values that no tick can produce");
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
        units.membership(index).map_or(Ok(()), |membership| groups.check_membership(map.grid(), &membership))
    }
}

/// Checks the data that ticks change: each unit, group and request by itself. Loading checks more: for example, that each order counts its users
/// correctly.
///
/// # Errors
/// The first fault.
pub(crate) fn check_state(state: &State) -> Result<(), &'static str> {
    let State { types, orders, units, groups, zones, reservations, .. } = state;
    CheckedParts { types, orders, units, groups, zones, reservations }.check(state.nav())?;
    state.service.fault().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
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
}
