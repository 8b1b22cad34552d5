//! The doors of one sector.

use alloc::vec::Vec;

use super::door::{Door, DoorRank};
use super::table::Table;

/// A sector reserves memory for 8 more doors than it has at first.
const MORE_DOORS: usize = 8;

/// The doors of one sector, and the costs between them.
#[derive(Debug, Default)]
pub(super) struct SectorDoors {
    /// By cell, then direction.
    pub(super) doors: Vec<Door>,
    pub(super) costs: Table,
    /// The indices of the main doors.
    pub(super) main: Vec<u16>,
    /// The costs between main doors alone. Routes from block to block need no others.
    pub(super) main_costs: Table,
}

impl SectorDoors {
    /// Replaces the doors. The costs between them are not known yet.
    pub(super) fn set(&mut self, doors: &[Door]) {
        let main = doors.iter().zip(0..).filter(|(door, _)| door.rank == DoorRank::Main);
        self.doors.clear();
        self.main.clear();
        if self.doors.capacity() == 0 {
            self.reserve(doors.len(), main.clone().count());
        }
        self.doors.extend_from_slice(doors);
        self.main.extend(main.map(|(_, index)| index));
        self.forget();
    }

    /// Reserves memory for these doors and a few that buildings may add, so that following edits rarely allocates.
    fn reserve(&mut self, doors: usize, main: usize) {
        self.doors.reserve_exact(doors + MORE_DOORS);
        self.main.reserve_exact(main + MORE_DOORS);
        self.costs.reserve(doors + MORE_DOORS);
        self.main_costs.reserve(main + MORE_DOORS);
    }

    /// Drops the costs, because the ground between the doors changed.
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
