//! The orders of one unit, by id. The orders themselves are in the order book.

use alloc::collections::VecDeque;

use crate::base::{Id, persist_fields};

/// What an [`OrderId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OrderTag {}

/// The id of an order in the order book.
pub(crate) type OrderId = Id<OrderTag>;

/// World: the orders of one unit, the present one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OrderQueue(pub(crate) VecDeque<OrderId>);

impl OrderQueue {
    /// The present order.
    pub(crate) fn front(&self) -> Option<OrderId> {
        self.0.front().copied()
    }
}

/// An order and the number of its patrol stop: what units that move together have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct OrderStage {
    pub(crate) order: OrderId,
    pub(crate) leg: u16,
}

persist_fields! {
    OrderStage { order: OrderId, leg: u16 }
}
