//! Units get orders.

use crate::world::command::CommandError;
use crate::world::formation::group_commands::{check_group_size, check_units};
use crate::world::orders::effort::OrderEffort;
use crate::world::orders::order::{MAX_QUEUED, Order, When};
use crate::world::units::order_queue::OrderId;
use crate::world::units::unit::UnitId;
use crate::world::world::World;

impl World {
    /// Gives units an order that replaces all their orders. An order whose units form a group takes at most 8,192 units.
    ///
    /// # Errors
    /// [`CommandError`] names the unit or the part of the order that is wrong.
    pub fn order(&mut self, units: &[UnitId], order: Order) -> Result<(), CommandError> {
        self.order_when(units, order, When::Now)
    }

    /// Gives units an order that they begin after their present orders.
    ///
    /// # Errors
    /// [`CommandError`] names the unit or the part of the order that is wrong.
    pub fn queue(&mut self, units: &[UnitId], order: Order) -> Result<(), CommandError> {
        self.order_when(units, order, When::Queued)
    }

    /// Gives units an order at once, or after their present orders. `effort` says how much work the routes of the order are worth.
    ///
    /// Each unit of the order requests its routes with this detail and priority, until the order ends. The route of a group has the detail too; its priority
    /// is low unless the order has a high one.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::query::{Detail, Priority};
    /// use waymarch::world::{Navigator, Order, OrderEffort, PlayerId, UnitType, When, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let cattle = world.add_type(UnitType::new("cattle", foot))?;
    /// let cow = world.spawn(cattle, PlayerId(0), cell(3, 3))?;
    /// let grazing = OrderEffort { detail: Detail::Simplified, priority: Priority::Low };
    /// world.order_with(&[cow], Order::move_to(cell(50, 9)), When::Now, grazing)?;
    /// assert_eq!(world.efforts_of(cow).next(), Some(grazing));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] names the unit or the part of the order that is wrong.
    pub fn order_with(
        &mut self,
        units: &[UnitId],
        order: Order,
        when: When,
        effort: OrderEffort,
    ) -> Result<(), CommandError> {
        let id = self.write_order(units, order, when)?;
        self.state.orders.efforts.set(id, effort);
        Ok(())
    }

    /// The effort of each order of a unit, in the order of [`World::orders_of`].
    pub fn efforts_of(&self, id: UnitId) -> impl Iterator<Item = OrderEffort> {
        let queue = self.state.units.index_of(id).map(|index| &self.state.units.body.queue[index].0);
        queue.into_iter().flatten().map(|&order| self.state.orders.efforts.of(order))
    }

    pub(super) fn order_when(
        &mut self,
        units: &[UnitId],
        order: Order,
        when: When,
    ) -> Result<(), CommandError> {
        self.write_order(units, order, when).map(drop)
    }

    /// A unit named twice gets the order once.
    fn write_order(&mut self, units: &[UnitId], order: Order, when: When) -> Result<OrderId, CommandError> {
        order.check(self.state.service.nav().layer().grid())?;
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        check_units(&self.state.order_view(), units, &order)?;
        check_group_size(self.state.config(), units, &order, 0)?;
        for &unit in units {
            let index = self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
            if when == When::Queued && self.state.units.body.queue[index].0.len() >= MAX_QUEUED {
                return Err(CommandError::QueueFull(unit));
            }
        }
        // Nothing can fail from here on. The book counts one more user while the queues are filled.
        let id = self.state.orders.write(order, 1);
        for &unit in units {
            let index = unit.index() as usize;
            if self.state.units.body.queue[index].0.back() == Some(&id) {
                continue;
            }
            if when == When::Now {
                self.state.order_parts().clear_orders(index);
            }
            self.state.orders.hold(id);
            self.state.units.body.queue[index].0.push_back(id);
        }
        self.state.orders.release(id);
        self.preallocate(units.len());
        Ok(id)
    }
}
