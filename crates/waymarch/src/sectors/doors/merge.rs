//! Merging routes: routes over doors that join the routes of other units where that costs little.
//!
//! *Why the bound holds.* An edge counts for at least [`MergeBias::rest_per_mille`] thousandths of its cost, and for no
//! more than its cost. So the found route counts for no more than the cheapest route costs. Its real cost is at most
//! the cheapest cost times 1000 / `rest_per_mille`, which is [`MergeBias::most`]. Estimates are scaled by the same
//! factor in whole per cent, rounded down, so they stay consistent lower bounds.

use super::bias::{Bias, Weighted};
use super::distances::{SectorDistances, UNIT};
use super::door::{Door, DoorId};
use super::graph::Doors;
use super::live::{LiveDoors, LiveSteps};
use super::route::{DoorQuery, DoorRoute};
use super::scratch::DoorScratch;
use crate::base::{CellPos, Dir8};
use crate::cost::{CostLayer, SectorId};
use crate::query::MergeBias;

/// Which doors attract a merging search, and how strongly.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The doors that live routes pass.
    pub live: &'a LiveDoors,
    /// How much cheaper an edge to such a door looks.
    pub bias: MergeBias,
}

/// Edges count for less if they end at a door that live routes pass in the same direction.
struct TowardsLive<'a> {
    live: LiveSteps<'a>,
    per_mille: u32,
}

impl Bias for TowardsLive<'_> {
    #[inline]
    fn least_percent(&self) -> u32 {
        self.per_mille / 10
    }

    #[inline]
    fn counts(&self, cost: u64, step: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        let (from, dir) = step();
        if self.live.contains(from, dir) {
            // Costs stay under 2^42 units, so the product fits.
            (cost * u64::from(self.per_mille)).div_ceil(1000)
        } else {
            cost
        }
    }
}

impl Doors {
    /// As [`Doors::route`], but faster: it looks at a fraction of the doors. The route costs at most 150 % of the cheapest over doors, mostly a few
    /// per cent more.
    pub fn route_hasty(
        &self,
        layer: &CostLayer,
        from: CellPos,
        to: CellPos,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find(layer, DoorQuery { from, to }, &Weighted, scratch, out)
    }

    /// As [`Doors::route`], but it prefers doors that live routes of the same agent and threat pass. The route costs at most
    /// [`MergeBias::most`] of what [`Doors::route`] finds. With a bias of 0, or without live routes, it is the same route.
    ///
    /// The discount applies to an edge that ends with a step through a live door. A flow tile leads a whole sector to one door, so this is
    /// the part that routes can share. Cost: a few more comparisons per edge; a greater bias also means more edges.
    pub fn route_merging(
        &self,
        layer: &CostLayer,
        query: DoorQuery,
        merging: &Merging<'_>,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        let live = merging.live.of(self.agent, self.threat);
        if live.is_empty() || merging.bias == MergeBias::NONE {
            return self.route(layer, query.from, query.to, scratch, out);
        }
        let bias = TowardsLive { live, per_mille: merging.bias.rest_per_mille() };
        let found = self.find(layer, query, &bias, scratch, out);
        if found && out.cells.len() > 2 {
            out.cost = self.cost_through(layer, &out.cells, scratch);
        }
        found
    }

    /// The cost of a route through at least one door that [`Doors::find`] has just found.
    fn cost_through(&self, layer: &CostLayer, cells: &[CellPos], scratch: &mut DoorScratch) -> u64 {
        let DoorScratch { inside, from_start, to_goal, .. } = scratch;
        let (mut units, mut entered) = (0, None);
        for step in cells[1..cells.len() - 1].chunks_exact(2) {
            let Some(exit) = self.door_between(step[0], step[1]) else { continue };
            units += match entered {
                None => u64::from(from_start[usize::from(exit.index)]),
                Some(DoorId { sector, index }) => {
                    self.cost_inside(layer, sector, [index, exit.index], inside)
                }
            };
            let door = self.door(exit);
            units += u64::from(door.crossing);
            entered = Some(self.through(exit.sector, door));
        }
        if let Some(DoorId { index, .. }) = entered {
            units += u64::from(to_goal[usize::from(index)]);
        }
        units * u64::from(UNIT)
    }

    /// The cost from one door of a sector to another.
    fn cost_inside(
        &self,
        layer: &CostLayer,
        sector: SectorId,
        [door, exit]: [u16; 2],
        inside: &mut SectorDistances,
    ) -> u64 {
        let costs = self.costs_from(layer, sector, door, inside);
        costs.and_then(|mut costs| costs.nth(usize::from(exit))).map_or(0, u64::from)
    }

    /// A door of a sector.
    #[inline]
    pub(super) fn door(&self, id: DoorId) -> Door {
        self.sectors[id.sector.index()].doors[usize::from(id.index)]
    }

    /// The step through a door: the cell on its own side, and the direction.
    #[inline]
    pub(super) fn step_through(&self, sector: SectorId, door: Door) -> (CellPos, Dir8) {
        (self.cell(sector, door), door.dir)
    }

    /// The door from one cell to another.
    fn door_between(&self, from: CellPos, to: CellPos) -> Option<DoorId> {
        let (sector, dir) = (self.grid.of(from), Dir8::from_delta(to.x - from.x, to.y - from.y)?);
        let doors = &self.sectors[sector.index()].doors;
        let index =
            doors.binary_search_by_key(&(self.place(from), dir), |door| (door.place, door.dir)).ok()?;
        Some(DoorId { sector, index: index as u16 })
    }
}
