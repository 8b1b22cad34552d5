//! The order book: the orders of all units.

use crate::base::Slots;
use crate::world::orders::effort::{Efforts, OrderEffort};
use crate::world::orders::order::Order;
use crate::world::units::order_queue::{OrderId, OrderTag};

/// An order, and the number of queues that hold it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) order: Order,
    pub(crate) users: u32,
}

/// World: the orders of all units. An order is stored once, however many units have it; a unit's queue holds ids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OrderBook {
    pub(crate) entries: Slots<OrderTag, Entry>,
    pub(crate) efforts: Efforts,
}

impl OrderBook {
    /// Stores an order with this number of users. It is removed when the last user releases it.
    pub(crate) fn write(&mut self, order: Order, users: u32) -> OrderId {
        self.entries.insert(Entry { order, users })
    }

    pub(crate) fn get(&self, id: OrderId) -> Option<&Order> {
        self.entries.get(id).map(|entry| &entry.order)
    }

    /// The number of queues that hold the order.
    pub(crate) fn users(&self, id: OrderId) -> usize {
        self.entries.get(id).map_or(0, |entry| entry.users as usize)
    }

    /// Counts one more queue that holds the order.
    pub(crate) fn hold(&mut self, id: OrderId) {
        if let Some(entry) = self.entries.get_mut(id) {
            entry.users = entry.users.saturating_add(1);
        }
    }

    /// Counts one queue less, and removes an order that no queue holds.
    pub(crate) fn release(&mut self, id: OrderId) {
        if let Some(entry) = self.entries.get_mut(id) {
            entry.users = entry.users.saturating_sub(1);
            if entry.users == 0 {
                self.entries.remove(id);
                self.efforts.set(id, OrderEffort::default());
            }
        }
    }

    /// Every order with the number of its users.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (OrderId, &Order, u32)> {
        self.entries.iter().map(|(id, entry)| (id, &entry.order, entry.users))
    }
}
