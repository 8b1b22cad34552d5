//! Finding all costs between doors before a route needs them, and comparing them.

use super::graph::Doors;
use super::scratch::DoorScratch;
use super::sector::SectorDoors;
use crate::cost::CostLayer;

impl Doors {
    /// Finds all costs that are not known yet. Call it while a map is loaded, so that the first routes are fast. Without it, each route finds
    /// the costs that it needs.
    pub fn prepare_all(&self, layer: &CostLayer, scratch: &mut DoorScratch) {
        let Some(ground) = self.ground(layer) else { return };
        for sector in self.grid.all() {
            let SectorDoors { doors, costs, .. } = &self.sectors[sector.index()];
            if (0..doors.len()).any(|row| costs.row(row).is_none()) {
                self.find_costs(ground, sector, &doors.iter().copied(), costs, &mut scratch.inside);
            }
            if self.blocks.in_use() {
                _ = self.main_costs_from(layer, sector, 0, &mut scratch.inside);
            }
        }
        for block in 0..self.blocks.len() {
            self.prepare_block(layer, block, scratch);
        }
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
