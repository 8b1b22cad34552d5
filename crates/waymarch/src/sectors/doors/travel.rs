//! Finding the way over doors.

use alloc::vec::Vec;

use super::frontier::{Estimate, Frontier, NOBODY, Node};
use super::inside::{Inside, Towards, UNIT};
use super::merge::{Bias, Unbiased};
use super::table::NO_WAY_IN_ROW;
use super::towards::DoorGoal;
use super::{Door, DoorRank, Doors, SectorDoors};
use crate::base::CellPos;
use crate::cost::{CostLayer, SectorId};

/// A way over doors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DoorRoute {
    /// The start, then both cells of each door it passes, then the goal.
    pub cells: Vec<CellPos>,
    /// What it costs: a real way through these cells that leaves its sectors nowhere else costs as much.
    pub cost: u64,
    /// How many doors were looked at on the way.
    pub expanded: u32,
}

/// Scratch for ways over doors; rubbish between calls.
#[derive(Clone, Debug, Default)]
pub struct DoorScratch {
    pub(super) inside: Inside,
    /// The whole way, and the way through one block.
    pub(super) far: Frontier,
    near: Frontier,
    pub(super) from_start: Vec<u32>,
    pub(super) to_goal: Vec<u32>,
    hop: Vec<u32>,
}

impl DoorScratch {
    /// Makes memory ahead of need, for a map of so many cells: there are some thirty doors to a sector of ordinary ground.
    pub(crate) fn make_room(&mut self, cells: usize) {
        self.far.make_room(cells / 32);
    }
}

impl Doors {
    /// Finds the cheapest way from one cell to another that changes sectors at doors only; whether there is one. Both must be open, and
    /// the layer the one that was followed; otherwise there is none.
    pub fn route(
        &self,
        layer: &CostLayer,
        from: CellPos,
        to: CellPos,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find(layer, (from, to), &Unbiased, scratch, out)
    }

    /// As [`Doors::route`], by what edges count for under a bias; so does the cost of what comes out.
    pub(super) fn find(
        &self,
        layer: &CostLayer,
        (from, to): (CellPos, CellPos),
        bias: &impl Bias,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find_knowing(layer, (from, to), bias, None, scratch, out)
    }

    /// The same, with what other ways to the goal have taught.
    pub(super) fn find_knowing(
        &self,
        layer: &CostLayer,
        (from, to): (CellPos, CellPos),
        bias: &impl Bias,
        learnt: Option<&DoorGoal>,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        out.cells.clear();
        (out.cost, out.expanded) = (0, 0);
        let Some(field) = layer.field(self.agent).filter(|_| self.is_current(layer)) else { return false };
        if !field.is_passable(from) || !field.is_passable(to) {
            return false;
        }
        let left = Estimate {
            goal: to,
            cheapest: u32::from(field.cheapest()),
            neighbours: self.rule.neighbours,
            percent: bias.least_percent(),
            learnt,
        };
        let (start, goal) = (self.grid.of(from), self.grid.of(to));
        let direct = self.ends(layer, (from, to), learnt, scratch);
        let mut best = (direct, NOBODY);
        scratch.far.begin(self.grid.count());
        for (at, &door) in self.sectors[start.index()].doors.iter().enumerate() {
            let cost = scratch.from_start[at];
            if cost >= NO_WAY_IN_ROW {
                continue;
            }
            scratch.far.reach_within(self, (start, at as u16), cost.into());
            let there = self.through(start, door);
            if self.may_pass(door, there.0, start, goal) {
                let edge = u64::from(cost) + u64::from(door.crossing);
                let cost = bias.counts(edge, || self.step_through(start, door));
                scratch.far.reach(self, there, || self.beyond(start, door), cost, NOBODY, &left);
            }
        }
        while let Some(id) = scratch.far.next(best.0) {
            let Node { cost, sector, door, .. } = scratch.far.nodes[id as usize];
            if sector == goal {
                let rest = scratch.to_goal[usize::from(door)];
                if rest < NO_WAY_IN_ROW && cost + u64::from(rest) < best.0 {
                    best = (cost + u64::from(rest), id);
                }
            }
            if self.is_fine(sector, start, goal) {
                self.go_on(layer, id, (start, goal), bias, scratch, &left);
            } else {
                self.hop_on(layer, id, bias, scratch, &left);
            }
        }
        out.expanded = scratch.far.expanded;
        if best.0 == u64::MAX {
            return false;
        }
        out.cost = best.0 * u64::from(UNIT);
        out.cells.push(to);
        self.trace(layer, best.1, (start, goal), scratch, &mut out.cells);
        out.cells.push(from);
        out.cells.reverse();
        true
    }

    /// The costs from the start to its sector's doors and from the goal's to the goal; and straight from one to the other if both are in one
    /// sector.
    fn ends(
        &self,
        layer: &CostLayer,
        (from, to): (CellPos, CellPos),
        learnt: Option<&DoorGoal>,
        scratch: &mut DoorScratch,
    ) -> u64 {
        let DoorScratch { inside, from_start, to_goal, .. } = scratch;
        let mut direct = u64::MAX;
        for (at, towards, costs) in [(to, Towards::Source, to_goal), (from, Towards::Cells, from_start)] {
            costs.clear();
            // Hardly any sector has more doors.
            costs.reserve(64);
            if let Some(goal) = learnt.filter(|goal| towards == Towards::Source && !goal.to_goal.is_empty()) {
                // The other end tells what the direct way costs.
                costs.extend_from_slice(&goal.to_goal);
                continue;
            }
            let Some(ground) = self.ground(layer) else { continue };
            let sector = self.grid.of(at);
            inside.enter(ground, self.area(sector), self.rule);
            inside.spread(at, towards);
            let doors = self.sectors[sector.index()].doors.iter();
            costs.extend(doors.map(|&door| inside.distance(self.cell(sector, door)).min(NO_WAY_IN_ROW)));
            if self.grid.of(from) == self.grid.of(to) {
                let other = if towards == Towards::Source { from } else { to };
                let cost = inside.distance(other);
                direct = if cost < NO_WAY_IN_ROW { u64::from(cost) } else { u64::MAX };
            }
        }
        direct
    }

    /// Whether a search between two sectors goes through this one door by door: through blocks where it neither starts nor ends it goes
    /// from main door to main door.
    #[inline]
    fn is_fine(&self, sector: SectorId, start: SectorId, goal: SectorId) -> bool {
        if !self.blocks.in_use() {
            return true;
        }
        let block = self.blocks.of(sector);
        block == self.blocks.of(start) || block == self.blocks.of(goal)
    }

    /// Whether a search between two sectors passes this door into sector `there`.
    #[inline]
    fn may_pass(&self, door: Door, there: SectorId, start: SectorId, goal: SectorId) -> bool {
        door.rank == DoorRank::Main || self.is_fine(there, start, goal)
    }

    /// Goes on from a door that was entered, through all doors of its sector.
    fn go_on(
        &self,
        layer: &CostLayer,
        id: u32,
        (start, goal): (SectorId, SectorId),
        bias: &impl Bias,
        scratch: &mut DoorScratch,
        left: &Estimate<'_>,
    ) {
        let DoorScratch { inside, far, .. } = scratch;
        let Node { cost, sector, door, .. } = far.nodes[id as usize];
        let Some(costs) = self.costs_from(layer, sector, door, inside) else { return };
        for ((&exit, inside), index) in self.sectors[sector.index()].doors.iter().zip(costs).zip(0..) {
            if inside >= NO_WAY_IN_ROW {
                continue;
            }
            let cheaper = far.reach_within(self, (sector, index), cost + u64::from(inside));
            if !cheaper && bias.least_percent() >= 100 {
                continue;
            }
            let there = self.through(sector, exit);
            if self.may_pass(exit, there.0, start, goal) {
                let edge = u64::from(inside) + u64::from(exit.crossing);
                let cost = cost + bias.counts(edge, || self.step_through(sector, exit));
                far.reach(self, there, || self.beyond(sector, exit), cost, id, left);
            }
        }
    }

    /// Goes on from a door that was entered, through all doors that lead out of its block.
    fn hop_on(
        &self,
        layer: &CostLayer,
        id: u32,
        bias: &impl Bias,
        scratch: &mut DoorScratch,
        left: &Estimate<'_>,
    ) {
        let Node { cost, sector, door, .. } = scratch.far.nodes[id as usize];
        let block = self.blocks.of(sector);
        let known = self.blocks.block(block);
        let Ok(row) = known.doors.binary_search(&(sector, door)) else { return };
        if known.costs.row(row).is_none() {
            self.fill_block(layer, block, row, scratch);
        }
        let Some(costs) = known.costs.row(row) else { return };
        for ((exit, &(sector, door)), inside) in known.exits.iter().zip(&known.doors).zip(costs) {
            if inside >= NO_WAY_IN_ROW {
                continue;
            }
            let cheaper = scratch.far.reach_within(self, (sector, door), cost + u64::from(inside));
            if cheaper || bias.least_percent() < 100 {
                let edge = u64::from(inside) + u64::from(exit.crossing);
                let cost = cost + bias.counts(edge, || self.step_through(sector, self.door(sector, door)));
                scratch.far.reach(self, exit.there, || exit.at, cost, id, left);
            }
        }
    }

    /// Finds all costs within a block.
    pub(super) fn prepare_block(&self, layer: &CostLayer, block: u32, scratch: &mut DoorScratch) {
        for row in 0..self.blocks.block(block).doors.len() {
            if self.blocks.block(block).costs.row(row).is_none() {
                self.fill_block(layer, block, row, scratch);
            }
        }
    }

    /// Finds the costs from one of a block's doors to all others.
    fn fill_block(&self, layer: &CostLayer, block: u32, row: usize, scratch: &mut DoorScratch) {
        let known = self.blocks.block(block);
        let DoorScratch { inside, near, hop, .. } = scratch;
        hop.clear();
        hop.resize(known.doors.len(), NO_WAY_IN_ROW);
        let (goal, neighbours) = (CellPos::new(0, 0), self.rule.neighbours);
        let nothing = Estimate { goal, cheapest: 0, neighbours, percent: 100, learnt: None };
        self.within_block(layer, known.doors[row], &nothing, inside, near, |exit, cost, _| {
            if let Ok(at) = known.doors.binary_search(&exit) {
                hop[at] = hop[at].min(cost as u32);
            }
            u64::MAX
        });
        known.costs.fill_row(row, hop.iter().copied());
    }

    /// Searches from a main door that was entered over main doors, without leaving its block. `leaves` is told of the doors that lead out of it, what the
    /// way to them costs and from where; it says beyond which cost nothing matters.
    fn within_block(
        &self,
        layer: &CostLayer,
        entered: (SectorId, u16),
        left: &Estimate<'_>,
        inside: &mut Inside,
        near: &mut Frontier,
        mut leaves: impl FnMut((SectorId, u16), u64, u32) -> u64,
    ) {
        let block = self.blocks.of(entered.0);
        near.begin(self.grid.count());
        let first = self.sectors[entered.0.index()].doors[usize::from(entered.1)];
        near.reach(self, entered, || self.cell(entered.0, first), 0, NOBODY, left);
        let mut bound = u64::MAX;
        while let Some(id) = near.next(bound) {
            let Node { cost, sector, door, .. } = near.nodes[id as usize];
            let SectorDoors { doors, main, .. } = &self.sectors[sector.index()];
            let Ok(row) = main.binary_search(&door) else { continue };
            let Some(costs) = self.main_costs_from(layer, sector, row, inside) else { continue };
            for (&index, inside) in main.iter().zip(costs) {
                let exit = doors[usize::from(index)];
                if inside >= NO_WAY_IN_ROW {
                    continue;
                }
                let cost = cost + u64::from(inside);
                if !near.reach_within(self, (sector, index), cost) {
                    continue;
                }
                let there = self.through(sector, exit);
                if self.blocks.of(there.0) == block {
                    let cost = cost + u64::from(exit.crossing);
                    near.reach(self, there, || self.beyond(sector, exit), cost, id, left);
                } else {
                    bound = leaves((sector, index), cost, id);
                }
            }
        }
    }

    /// Writes the doors that led to a node, last first.
    fn trace(
        &self,
        layer: &CostLayer,
        last: u32,
        (start, goal): (SectorId, SectorId),
        scratch: &mut DoorScratch,
        cells: &mut Vec<CellPos>,
    ) {
        let mut id = last;
        while id != NOBODY {
            let Node { parent, sector, door, .. } = scratch.far.nodes[id as usize];
            let exit = self.passed((sector, door), cells);
            if parent != NOBODY {
                let before = scratch.far.nodes[parent as usize];
                if !self.is_fine(before.sector, start, goal) {
                    self.trace_block(layer, (before.sector, before.door), exit, scratch, cells);
                }
            }
            id = parent;
        }
    }

    /// Writes a door that was entered, both of its cells, and says which one it is from the other side.
    fn passed(&self, (sector, door): (SectorId, u16), cells: &mut Vec<CellPos>) -> (SectorId, u16) {
        let door = self.sectors[sector.index()].doors[usize::from(door)];
        let at = self.cell(sector, door);
        cells.extend([at, at.step(door.dir)]);
        self.through(sector, door)
    }

    /// Writes the doors between one of a block and another that leads out of it, last first, without either.
    fn trace_block(
        &self,
        layer: &CostLayer,
        entered: (SectorId, u16),
        exit: (SectorId, u16),
        scratch: &mut DoorScratch,
        cells: &mut Vec<CellPos>,
    ) {
        let DoorScratch { inside, near, .. } = scratch;
        let cheapest = layer.field(self.agent).map_or(0, |field| field.cheapest().into());
        let goal = self.cell(exit.0, self.sectors[exit.0.index()].doors[usize::from(exit.1)]);
        let neighbours = self.rule.neighbours;
        let left = Estimate { goal, cheapest, neighbours, percent: 100, learnt: None };
        let mut best = (u64::MAX, NOBODY);
        self.within_block(layer, entered, &left, inside, near, |found, cost, from| {
            if found == exit && cost < best.0 {
                best = (cost, from);
            }
            best.0
        });
        let mut id = best.1;
        while id != NOBODY {
            let Node { parent, sector, door, .. } = near.nodes[id as usize];
            if parent != NOBODY {
                self.passed((sector, door), cells);
            }
            id = parent;
        }
    }
}
