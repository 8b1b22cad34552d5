//! The parts of the state that making and changing groups works on.

use crate::service::PathService;
use crate::world::groups::group::Groups;
use crate::world::orders::order_book::OrderBook;
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::units::columns::Units;
use crate::world::units::unit_type::UnitTypes;

/// What making a group may change: requests, memberships and groups. It reads orders and unit types only.
pub(crate) struct GroupParts<'a> {
    pub(crate) service: &'a mut PathService,
    pub(crate) units: &'a mut Units,
    pub(crate) groups: &'a mut Groups,
    pub(crate) orders: &'a OrderBook,
    pub(crate) types: &'a UnitTypes,
}

impl<'a> GroupParts<'a> {
    /// The parts that groups need, out of the parts that orders need.
    pub(crate) fn of(parts: &'a mut OrderParts<'_>) -> Self {
        let OrderParts { service, units, groups, orders, types, .. } = parts;
        Self { service, units, groups, orders, types }
    }

    /// The same parts, to read.
    #[inline]
    pub(crate) fn view(&self) -> OrderView<'_> {
        let Self { service, types, units, orders, groups } = self;
        OrderView { service, types, units, orders, groups }
    }
}
