//! A unit leaves its group, or loses its formation slot.

use crate::world::groups::group::{Groups, Reslot};
use crate::world::units::columns::Units;
use crate::world::units::membership::GroupId;

/// Why a unit leaves its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lost {
    /// The unit has another order, or none.
    Order,
    /// The unit is removed.
    Unit,
}

impl Groups {
    /// Notes in the group of a unit that the unit is about to lose its order.
    pub(crate) fn note_leaving(&mut self, units: &Units, index: usize, how: Lost) {
        let Some(membership) = units.membership(index) else { return };
        let Some(group) = self.list.get_mut(membership.group) else { return };
        let under_way = units.has_order(index, group.stage.order);
        if under_way && group.reslot == Reslot::None {
            group.reslot = Reslot::Missing;
        }
        if under_way || how == Lost::Unit {
            group.pending.remove(index as u32);
        }
    }

    /// Notes in a group that a unit gets no formation slot when it begins the order.
    pub(crate) fn drop_slot(&mut self, group: GroupId, index: usize) {
        if let Some(group) = self.list.get_mut(group) {
            group.pending.remove(index as u32);
        }
    }
}
