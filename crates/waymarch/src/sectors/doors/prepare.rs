//! Finding all costs between doors before a route needs them, and comparing them.

use super::graph::Doors;
use super::scratch::DoorScratch;
use super::sector::SectorDoors;
use crate::cost::{CostLayer, SectorId};

impl Doors {
    /// Finds all costs that are not known yet. Call it while a map is loaded, so that the first routes are fast. Without it, each route finds
    /// the costs that it needs.
    pub fn prepare_all(&self, layer: &CostLayer, scratch: &mut DoorScratch) {
        for sector in self.grid.all() {
            self.prepare_sector(layer, sector, scratch);
            self.prepare_main(layer, sector, scratch);
        }
        for block in 0..self.blocks.len() {
            self.prepare_block(layer, block, scratch);
        }
    }

    /// Finds the costs between the doors of a sector that are not known yet. Returns whether there were any.
    pub(crate) fn prepare_sector(
        &self,
        layer: &CostLayer,
        sector: SectorId,
        scratch: &mut DoorScratch,
    ) -> bool {
        let Some(ground) = self.ground(layer) else { return false };
        let SectorDoors { doors, costs, .. } = &self.sectors[sector.index()];
        let unknown = (0..doors.len()).any(|row| costs.row(row).is_none());
        if unknown {
            self.find_costs(ground, sector, &doors.iter().copied(), costs, &mut scratch.inside);
        }
        unknown
    }

    /// Finds the costs between the main doors of a sector if the map has blocks and they are not known yet. Returns whether it found any.
    pub(crate) fn prepare_main(
        &self,
        layer: &CostLayer,
        sector: SectorId,
        scratch: &mut DoorScratch,
    ) -> bool {
        let SectorDoors { main, main_costs, .. } = &self.sectors[sector.index()];
        let unknown = self.blocks.in_use() && !main.is_empty() && main_costs.row(0).is_none();
        unknown && self.main_costs_from(layer, sector, 0, &mut scratch.inside).is_some()
    }

    /// Finds the costs from one door of a block to its other doors, if a row is not known yet. Returns whether it found any.
    pub(crate) fn prepare_block_row(&self, layer: &CostLayer, block: u32, scratch: &mut DoorScratch) -> bool {
        let known = self.blocks.block(block);
        let unknown = (0..known.doors.len()).find(|&row| known.costs.row(row).is_none());
        if let Some(row) = unknown {
            self.fill_block(layer, block, row, scratch);
        }
        unknown.is_some()
    }

    /// The number of blocks; 0 if the map is not huge.
    pub(crate) fn block_count(&self) -> u32 {
        self.blocks.len()
    }

    /// The number of sectors.
    pub(crate) fn sector_count(&self) -> u32 {
        self.grid.count() as u32
    }

    /// Whether both have the same doors and costs. Finds all costs first.
    #[must_use]
    pub fn same_as(&self, other: &Self, layer: &CostLayer, scratch: &mut DoorScratch) -> bool {
        self.prepare_all(layer, scratch);
        other.prepare_all(layer, scratch);
        let same = |(a, b): (&SectorDoors, &SectorDoors)| {
            a.doors == b.doors
                && a.main == b.main
                && a.costs.agrees_with(&b.costs)
                && a.main_costs.agrees_with(&b.main_costs)
        };
        self.sectors.len() == other.sectors.len()
            && self.sectors.iter().zip(&other.sectors).all(same)
            && self.blocks.same_as(&other.blocks)
    }
}
