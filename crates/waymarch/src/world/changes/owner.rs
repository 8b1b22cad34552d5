//! Another owner: units that are captured, converted or given away.

use crate::world::command::CommandError;
use crate::world::notices::News;
use crate::world::units::unit::{PlayerId, UnitId};
use crate::world::world::World;

impl World {
    /// Gives units to another player: they are captured, converted or handed over.
    ///
    /// All orders of a unit end, and it leaves its group. It gets one event, [`EventKind::OwnerChanged`](crate::world::EventKind::OwnerChanged). From now on the team of the
    /// new owner counts for avoidance, passages and sighting. Orders of other units that follow, guard or surround the unit continue. The units in a
    /// transport keep their owner. Units that the player owns already do not change.
    ///
    /// *Cost:* wakes all units, because others have to look at the unit anew.
    ///
    /// # Errors
    /// [`CommandError`] if a unit does not exist, or there are no units. No unit has changed then.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// world.order(&[unit], Order::move_to(cell(30, 3)))?;
    ///
    /// world.set_owner(&[unit], PlayerId(1))?;
    /// world.tick();
    /// assert_eq!(world.events()[0].what, EventKind::OwnerChanged(PlayerId(0)));
    /// assert_eq!((world.unit(unit).unwrap().owner, world.orders_of(unit).count()), (PlayerId(1), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_owner(&mut self, units: &[UnitId], owner: PlayerId) -> Result<(), CommandError> {
        let state = &mut self.state;
        for index in state.indices_of(units)? {
            let before = state.units.body.owner[index];
            let Some(id) = state.units.id_at(index).filter(|_| before != owner) else { continue };
            state.order_parts().clear_orders(index);
            state.units.set_membership(index, None);
            state.forget_narrow_ground(index);
            state.units.body.set_owner(index, owner);
            state.notices.add(id, News::OwnerChanged(before));
        }
        state.units.body.crowd.wake_all();
        Ok(())
    }
}
