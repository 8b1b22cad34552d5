//! The doors of one sector.

use alloc::vec::Vec;

use super::table::Table;
use super::{Door, DoorRank};

/// So many doors more than a sector has when it is first looked at need no memory.
const MORE_DOORS: usize = 8;

/// The doors of one sector, and what the ways between them cost.
#[derive(Debug, Default)]
pub(super) struct SectorDoors {
    /// By cell, then direction.
    pub(super) doors: Vec<Door>,
    pub(super) costs: Table,
    /// Which of them are main doors, and the costs between those alone: blocks need no others.
    pub(super) main: Vec<u16>,
    pub(super) main_costs: Table,
}

impl SectorDoors {
    /// Takes over other doors; no costs are known between them.
    pub(super) fn set(&mut self, doors: &[Door]) {
        let main = doors.iter().zip(0..).filter(|(door, _)| door.rank == DoorRank::Main);
        self.doors.clear();
        self.main.clear();
        if self.doors.capacity() == 0 {
            self.make_room(doors.len(), main.clone().count());
        }
        self.doors.extend_from_slice(doors);
        self.main.extend(main.map(|(_, index)| index));
        self.forget();
    }

    /// Room for so many doors, and a few that buildings may make more: following edits mostly takes no memory.
    fn make_room(&mut self, doors: usize, main: usize) {
        self.doors.reserve_exact(doors + MORE_DOORS);
        self.main.reserve_exact(main + MORE_DOORS);
        self.costs.make_room(doors + MORE_DOORS);
        self.main_costs.make_room(main + MORE_DOORS);
    }

    /// What lies between the doors has changed.
    pub(super) fn forget(&mut self) {
        self.costs.reset(self.doors.len());
        self.main_costs.reset(self.main.len());
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.doors.capacity() * size_of::<Door>()
            + self.main.capacity() * size_of::<u16>()
            + self.costs.memory_bytes()
            + self.main_costs.memory_bytes()
    }
}

impl Clone for SectorDoors {
    fn clone(&self) -> Self {
        let Self { doors, costs, main, main_costs } = self;
        Self {
            doors: doors.clone(),
            costs: costs.clone(),
            main: main.clone(),
            main_costs: main_costs.clone(),
        }
    }
}
