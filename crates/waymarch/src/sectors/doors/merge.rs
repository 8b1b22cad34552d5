//! Ways over doors that join those of others where that costs little (spec 000's Merging A\*).
//!
//! *Why the bound holds.* An edge counts for at least so many thousandths of what it costs ([`MergeBias::rest_per_mille`]), and for no more than it
//! costs. So what the way that is found counts for is no more than what the cheapest costs, and what it costs is no more than 1000 divided by those
//! thousandths of that: [`MergeBias::most`]. Estimates are scaled by as many whole per cent, rounded down, so they stay lower bounds, and consistent
//! ones, rounding included.

use super::inside::Inside;
use super::live::{LiveDoors, LiveSteps};
use super::travel::{DoorRoute, DoorScratch};
use super::{Door, Doors, UNIT};
use crate::base::{CellPos, Dir8};
use crate::cost::{CostLayer, SectorId};
use crate::query::MergeBias;

/// What a search over doors is drawn to: where others go, and how much.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The doors that live routes pass.
    pub live: &'a LiveDoors,
    /// How much cheaper the way to such a door looks.
    pub bias: MergeBias,
}

/// What edges between doors count for.
pub(super) trait Bias {
    /// Every edge counts for at least so many per cent of what it costs.
    fn least_percent(&self) -> u32;

    /// What an edge counts for that ends with a step through a door: from a cell in a direction.
    fn counts(&self, cost: u64, step: impl FnOnce() -> (CellPos, Dir8)) -> u64;
}

/// Edges count for what they cost.
pub(super) struct Unbiased;

impl Bias for Unbiased {
    #[inline]
    fn least_percent(&self) -> u32 {
        100
    }

    #[inline]
    fn counts(&self, cost: u64, _: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        cost
    }
}

/// Edges count for what they cost, and what is left is guessed at to be more than the least it can be.
pub(super) struct Hasty;

impl Bias for Hasty {
    #[inline]
    fn least_percent(&self) -> u32 {
        150
    }

    #[inline]
    fn counts(&self, cost: u64, _: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        cost
    }
}

/// Edges count for less that leave by doors that live routes leave by.
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
            // Costs stay under 2^42 units.
            (cost * u64::from(self.per_mille)).div_ceil(1000)
        } else {
            cost
        }
    }
}

impl Doors {
    /// As [`Doors::route`], for those who would rather set out at once: looks at a fraction of the doors and finds a way that costs up to half as
    /// much again, mostly a few hundredths more.
    pub fn route_hasty(
        &self,
        layer: &CostLayer,
        from: CellPos,
        to: CellPos,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find(layer, (from, to), &Hasty, scratch, out)
    }

    /// As [`Doors::route`], drawn to the doors that live routes of the same agent and threat pass. It costs at most
    /// [`MergeBias::most`] of what [`Doors::route`] finds; with a bias of 0, or no live routes, it is the same.
    ///
    /// The bias is on ways *to* a door within the sector it leads out of: a flow tile leads all of a sector to one door, so that is
    /// what routes can share. Costs a few comparisons more an edge, and more edges the greater the bias.
    pub fn route_merging(
        &self,
        layer: &CostLayer,
        from: CellPos,
        to: CellPos,
        merging: &Merging<'_>,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        let live = merging.live.of(self.agent, self.threat);
        if live.is_empty() || merging.bias == MergeBias::NONE {
            return self.route(layer, from, to, scratch, out);
        }
        let bias = TowardsLive { live, per_mille: merging.bias.rest_per_mille() };
        let found = self.find(layer, (from, to), &bias, scratch, out);
        if found && out.cells.len() > 2 {
            out.cost = self.cost_through(layer, &out.cells, scratch);
        }
        found
    }

    /// What a way through at least one door costs that [`Doors::find`] has just found.
    fn cost_through(&self, layer: &CostLayer, cells: &[CellPos], scratch: &mut DoorScratch) -> u64 {
        let DoorScratch { inside, from_start, to_goal, .. } = scratch;
        let (mut units, mut entered) = (0, None);
        for step in cells[1..cells.len() - 1].chunks_exact(2) {
            let Some((sector, exit)) = self.door_between(step[0], step[1]) else { continue };
            units += match entered {
                None => u64::from(from_start[usize::from(exit)]),
                Some((sector, door)) => self.cost_inside(layer, sector, (door, exit), inside),
            };
            let exit = self.door(sector, exit);
            units += u64::from(exit.crossing);
            entered = Some(self.through(sector, exit));
        }
        if let Some((_, door)) = entered {
            units += u64::from(to_goal[usize::from(door)]);
        }
        units * u64::from(UNIT)
    }

    /// The cost from one door of a sector to another.
    fn cost_inside(
        &self,
        layer: &CostLayer,
        sector: SectorId,
        (door, exit): (u16, u16),
        inside: &mut Inside,
    ) -> u64 {
        let costs = self.costs_from(layer, sector, door, inside);
        costs.and_then(|mut costs| costs.nth(usize::from(exit))).map_or(0, u64::from)
    }

    /// A door of a sector.
    #[inline]
    pub(super) fn door(&self, sector: SectorId, door: u16) -> Door {
        self.sectors[sector.index()].doors[usize::from(door)]
    }

    /// The step through a door: the cell on its own side, and the direction.
    #[inline]
    pub(super) fn step_through(&self, sector: SectorId, door: Door) -> (CellPos, Dir8) {
        (self.cell(sector, door), door.dir)
    }

    /// The door that leads from one cell to another, by its sector and its place there.
    fn door_between(&self, from: CellPos, to: CellPos) -> Option<(SectorId, u16)> {
        let (sector, dir) = (self.grid.of(from), Dir8::from_delta(to.x - from.x, to.y - from.y)?);
        let doors = &self.sectors[sector.index()].doors;
        let place =
            doors.binary_search_by_key(&(self.place(from), dir), |door| (door.place, door.dir)).ok()?;
        Some((sector, place as u16))
    }
}
