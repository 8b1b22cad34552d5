//! How much work the routes of an order are worth.

use alloc::vec::Vec;

use crate::base::persist_fields;
use crate::query::{Detail, Priority};
use crate::world::units::order_queue::OrderId;

/// How much work the routes of an order are worth; see [`World::order_with`](crate::world::World::order_with).
///
/// Decide it by the rules of the game, as [`Detail`] says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct OrderEffort {
    /// How much work a route is worth. Units with less than full detail share no flows.
    pub detail: Detail,
    /// In which order requests are served.
    pub priority: Priority,
}

/// World: the efforts of orders that differ from the usual, by order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Efforts {
    list: Vec<OrderWithEffort>,
}

/// World: an order and its effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OrderWithEffort {
    order: OrderId,
    effort: OrderEffort,
}

impl Efforts {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn of(&self, order: OrderId) -> OrderEffort {
        self.place(order).map_or_else(|_| OrderEffort::default(), |at| self.list[at].effort)
    }

    pub(crate) fn set(&mut self, order: OrderId, effort: OrderEffort) {
        let is_usual = effort == OrderEffort::default();
        match self.place(order) {
            Ok(at) if is_usual => drop(self.list.remove(at)),
            Ok(at) => self.list[at].effort = effort,
            Err(at) if !is_usual => self.list.insert(at, OrderWithEffort { order, effort }),
            Err(_) => {}
        }
    }

    /// Checks what loading checks.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn check(&self, exists: impl Fn(OrderId) -> bool) -> Result<(), &'static str> {
        let in_order = self.list.windows(2).all(|two| two[0].order < two[1].order);
        let is_usual = |entry: &OrderWithEffort| entry.effort == OrderEffort::default();
        if !in_order || self.list.iter().any(|entry| is_usual(entry) || !exists(entry.order)) {
            return Err("an effort without an order, a usual one, or efforts that are not in order");
        }
        Ok(())
    }

    fn place(&self, order: OrderId) -> Result<usize, usize> {
        self.list.binary_search_by_key(&order, |entry| entry.order)
    }
}

persist_fields! {
    OrderEffort { detail: Detail, priority: Priority }
    OrderWithEffort { order: OrderId, effort: OrderEffort }
    Efforts { list: Vec<OrderWithEffort> }
}
