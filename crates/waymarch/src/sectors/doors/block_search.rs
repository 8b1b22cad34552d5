//! Searches within one block of a huge map.

use alloc::vec::Vec;

use super::distances::SectorDistances;
use super::door::DoorId;
use super::estimate::Estimate;
use super::frontier::{Arrival, Frontier};
use super::graph::Doors;
use super::node::{NO_NODE, Node};
use super::scratch::DoorScratch;
use super::sector::SectorDoors;
use super::table::NO_ROUTE_IN_ROW;
use crate::base::CellPos;
use crate::cost::CostLayer;

/// A search over main doors that does not leave the block where it starts.
struct BlockSearch<'a> {
    layer: &'a CostLayer,
    /// The main door through which the block was entered.
    entered: DoorId,
    estimate: Estimate<'a>,
}

impl Doors {
    /// Finds all costs within a block.
    pub(super) fn prepare_block(&self, layer: &CostLayer, block: u32, scratch: &mut DoorScratch) {
        for row in 0..self.blocks.block(block).doors.len() {
            if self.blocks.block(block).costs.row(row).is_none() {
                self.fill_block(layer, block, row, scratch);
            }
        }
    }

    /// Finds the costs from one of a block's doors to all others.
    pub(super) fn fill_block(&self, layer: &CostLayer, block: u32, row: usize, scratch: &mut DoorScratch) {
        let known = self.blocks.block(block);
        let DoorScratch { inside, near, block_row, .. } = scratch;
        block_row.clear();
        block_row.resize(known.doors.len(), NO_ROUTE_IN_ROW);
        let (goal, neighbours) = (CellPos::new(0, 0), self.rule.neighbours);
        let estimate = Estimate { goal, cheapest: 0, neighbours, percent: 100, learnt: None };
        let search = BlockSearch { layer, entered: known.doors[row], estimate };
        self.search_block(&search, inside, near, |exit, cost, _| {
            if let Ok(at) = known.doors.binary_search(&exit) {
                block_row[at] = block_row[at].min(cost as u32);
            }
            u64::MAX
        });
        known.costs.fill_row(row, block_row.iter().copied());
    }

    /// Searches from a main door over main doors, without leaving its block. `leaves` gets each door that leads out of
    /// the block, the cost to it, and the node before it. It returns a bound: nodes at this cost or more are not
    /// expanded.
    fn search_block(
        &self,
        search: &BlockSearch<'_>,
        inside: &mut SectorDistances,
        near: &mut Frontier,
        mut leaves: impl FnMut(DoorId, u64, u32) -> u64,
    ) {
        let BlockSearch { layer, entered, estimate } = search;
        let block = self.blocks.of(entered.sector);
        near.begin(self.grid.count());
        let arrival = Arrival { door: *entered, cost: 0, parent: NO_NODE };
        near.reach(self, arrival, || self.cell(entered.sector, self.door(*entered)), estimate);
        let mut bound = u64::MAX;
        while let Some(id) = near.next(bound) {
            let Node { cost, sector, door, .. } = near.nodes[id as usize];
            let SectorDoors { doors, main, .. } = &self.sectors[sector.index()];
            let Ok(row) = main.binary_search(&door) else { continue };
            let Some(costs) = self.main_costs_from(layer, sector, row, inside) else { continue };
            for (&index, inside) in main.iter().zip(costs) {
                let exit = doors[usize::from(index)];
                if inside >= NO_ROUTE_IN_ROW {
                    continue;
                }
                let cost = cost + u64::from(inside);
                if !near.reach_within(self, DoorId { sector, index }, cost) {
                    continue;
                }
                let there = self.through(sector, exit);
                if self.blocks.of(there.sector) == block {
                    let cost = cost + u64::from(exit.crossing);
                    let arrival = Arrival { door: there, cost, parent: id };
                    near.reach(self, arrival, || self.beyond(sector, exit), estimate);
                } else {
                    bound = leaves(DoorId { sector, index }, cost, id);
                }
            }
        }
    }

    /// Writes the doors between the door that entered a block and the door that leaves it, last first, without these two.
    pub(super) fn trace_block(
        &self,
        layer: &CostLayer,
        entered: DoorId,
        exit: DoorId,
        scratch: &mut DoorScratch,
        cells: &mut Vec<CellPos>,
    ) {
        let DoorScratch { inside, near, .. } = scratch;
        let cheapest = layer.field(self.agent).map_or(0, |field| field.cheapest().into());
        let goal = self.cell(exit.sector, self.door(exit));
        let neighbours = self.rule.neighbours;
        let estimate = Estimate { goal, cheapest, neighbours, percent: 100, learnt: None };
        let mut best = (u64::MAX, NO_NODE);
        let search = BlockSearch { layer, entered, estimate };
        self.search_block(&search, inside, near, |found, cost, from| {
            if found == exit && cost < best.0 {
                best = (cost, from);
            }
            best.0
        });
        let mut id = best.1;
        while id != NO_NODE {
            let Node { parent, sector, door, .. } = near.nodes[id as usize];
            if parent != NO_NODE {
                self.push_door(DoorId { sector, index: door }, cells);
            }
            id = parent;
        }
    }
}
