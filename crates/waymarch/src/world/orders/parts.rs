//! The parts of the state that orders read and change. Other rooms carry out orders through these too.

use crate::base::Agent;
use crate::service::PathService;
use crate::world::events::Events;
use crate::world::groups::group::Groups;
use crate::world::orders::order::Order;
use crate::world::orders::order_book::OrderBook;
use crate::world::units::columns::Units;
use crate::world::units::unit_type::{UnitType, UnitTypes};

/// What orders read.
#[derive(Clone, Copy)]
pub(crate) struct OrderView<'a> {
    pub(crate) service: &'a PathService,
    pub(crate) types: &'a UnitTypes,
    pub(crate) units: &'a Units,
    pub(crate) orders: &'a OrderBook,
    pub(crate) groups: &'a Groups,
}

impl<'a> OrderView<'a> {
    /// The type of the unit at an index.
    #[inline]
    pub(crate) fn type_of(&self, index: usize) -> Option<&'a UnitType> {
        self.types.get(self.units.body.kind[index])
    }

    /// The agent of a unit: that of its type, with the costs for its team.
    #[inline]
    pub(crate) fn agent_of(&self, index: usize) -> Option<Agent> {
        Some(self.units.agent(index, self.type_of(index)?, self.service.nav().layer()))
    }

    /// The present order of the unit at an index.
    #[inline]
    pub(crate) fn order_of(&self, index: usize) -> Option<&'a Order> {
        self.orders.get(self.units.body.queue[index].front()?)
    }
}

/// What carrying out orders may change. It reads the unit types and the seed only.
pub(crate) struct OrderParts<'a> {
    pub(crate) service: &'a mut PathService,
    pub(crate) units: &'a mut Units,
    pub(crate) orders: &'a mut OrderBook,
    pub(crate) groups: &'a mut Groups,
    pub(crate) events: &'a mut Events,
    pub(crate) types: &'a UnitTypes,
    pub(crate) seed: u64,
}

impl<'a> OrderParts<'a> {
    /// The same parts, to read.
    #[inline]
    pub(crate) fn view(&self) -> OrderView<'_> {
        let Self { service, types, units, orders, groups, .. } = self;
        OrderView { service, types, units, orders, groups }
    }

    /// The type of the unit at an index.
    #[inline]
    pub(crate) fn type_of(&self, index: usize) -> Option<&'a UnitType> {
        self.types.get(self.units.body.kind[index])
    }

    /// The present order of the unit at an index.
    #[inline]
    pub(crate) fn order_of(&self, index: usize) -> Option<&Order> {
        self.orders.get(self.units.body.queue[index].front()?)
    }
}
