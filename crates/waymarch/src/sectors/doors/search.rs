//! Searching for routes over doors.

use alloc::vec::Vec;

use super::bias::{Bias, Unbiased};
use super::distances::{Towards, UNIT};
use super::door::{Door, DoorId, DoorRank};
use super::estimate::Estimate;
use super::frontier::{Arrival, Frontier};
use super::goal::DoorGoal;
use super::graph::Doors;
use super::node::{NO_NODE, Node};
use super::route::{DoorQuery, DoorRoute};
use super::scratch::DoorScratch;
use super::table::NO_ROUTE_IN_ROW;
use crate::base::CellPos;
use crate::cost::{CostLayer, SectorId};

/// The sectors of the start and the goal.
#[derive(Clone, Copy)]
struct Ends {
    start: SectorId,
    goal: SectorId,
    /// Whether the search goes through blocks without start or goal from main door to main door.
    blocks: BlockUse,
}

/// Whether a search uses blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockUse {
    Used,
    /// There are none, or their costs are not to be found.
    Unused,
}

/// What guides a search: a bias on edges, and bounds that other searches to the same goal have found.
struct Guidance<'a, B> {
    bias: &'a B,
    learnt: Option<&'a DoorGoal>,
}

/// One search over doors.
struct Search<'a, B> {
    layer: &'a CostLayer,
    ends: Ends,
    bias: &'a B,
    estimate: Estimate<'a>,
}

impl Doors {
    /// Finds the cheapest route from one cell to another that changes sectors at doors only. Returns whether there is one.
    ///
    /// Both cells must be open, and the doors must be current for the layer; otherwise it returns `false`.
    pub fn route(
        &self,
        layer: &CostLayer,
        from: CellPos,
        to: CellPos,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find(layer, DoorQuery { from, to }, &Unbiased, scratch, out)
    }

    /// As [`Doors::route`], for several routes to one goal: each search uses bounds that earlier searches found. The route
    /// costs the same, but it may be another route of that cost.
    ///
    /// On huge maps, where searches go from block to block, it saves nothing.
    pub fn route_towards(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &mut DoorGoal,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        let to = goal.goal();
        if self.blocks.in_use() || !self.is_current(layer) {
            return self.route(layer, from, to, scratch, out);
        }
        goal.follow(self, layer);
        let found = self.find_with(
            layer,
            DoorQuery { from, to },
            &Guidance { bias: &Unbiased, learnt: Some(goal) },
            scratch,
            out,
        );
        if found {
            goal.to_goal.clone_from(&scratch.to_goal);
            goal.learn(self, &scratch.far.nodes, out.cost / u64::from(UNIT));
        }
        found
    }

    /// As [`Doors::route`], with a bias on edges. The cost in `out` is counted with the bias too.
    pub(super) fn find(
        &self,
        layer: &CostLayer,
        query: DoorQuery,
        bias: &impl Bias,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        self.find_with(layer, query, &Guidance { bias, learnt: None }, scratch, out)
    }

    /// As [`Doors::find`], with the bounds that other searches to the goal have found.
    fn find_with(
        &self,
        layer: &CostLayer,
        query: DoorQuery,
        guidance: &Guidance<'_, impl Bias>,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        out.cells.clear();
        (out.cost, out.expanded) = (0, 0);
        let DoorQuery { from, to } = query;
        let &Guidance { bias, learnt } = guidance;
        let Some(field) = layer.field(self.agent).filter(|_| self.is_current(layer)) else { return false };
        if !field.is_passable(from) || !field.is_passable(to) {
            return false;
        }
        let estimate = Estimate {
            goal: to,
            cheapest: u32::from(field.cheapest()),
            neighbours: self.rule.neighbours,
            percent: bias.least_percent(),
            learnt,
        };
        let by_blocks = self.blocks.in_use() && bias.rooms().is_none();
        let blocks = if by_blocks { BlockUse::Used } else { BlockUse::Unused };
        let ends = Ends { start: self.grid.of(from), goal: self.grid.of(to), blocks };
        let search = Search { layer, ends, bias, estimate };
        let direct = self.find_end_costs(layer, query, learnt, scratch);
        let mut best = (direct, NO_NODE);
        scratch.far.begin(self.grid.count());
        self.leave_start(&search, scratch);
        while let Some(id) = scratch.far.next(best.0) {
            let Node { cost, sector, door, .. } = scratch.far.nodes[id as usize];
            if sector == ends.goal {
                let rest = scratch.to_goal[usize::from(door)];
                if rest < NO_ROUTE_IN_ROW && cost + u64::from(rest) < best.0 {
                    best = (cost + u64::from(rest), id);
                }
            }
            if self.goes_door_by_door(sector, ends) {
                self.expand_door(&search, id, scratch);
            } else {
                self.expand_block(&search, id, scratch);
            }
        }
        out.expanded = scratch.far.expanded;
        if best.0 == u64::MAX {
            return false;
        }
        out.cost = best.0 * u64::from(UNIT);
        out.cells.push(to);
        self.trace(layer, best.1, ends, scratch, &mut out.cells);
        out.cells.push(from);
        out.cells.reverse();
        true
    }

    /// Leaves the start's sector through all its doors.
    fn leave_start(&self, search: &Search<'_, impl Bias>, scratch: &mut DoorScratch) {
        let Search { ends, bias, estimate, .. } = search;
        let start = ends.start;
        for (at, &door) in self.sectors[start.index()].doors.iter().enumerate() {
            let cost = scratch.from_start[at];
            if cost >= NO_ROUTE_IN_ROW {
                continue;
            }
            scratch.far.reach_within(self, DoorId { sector: start, index: at as u16 }, cost.into());
            let there = self.through(start, door);
            if self.may_pass(door, there.sector, *ends) {
                let edge = u64::from(cost) + u64::from(door.crossing);
                let cost = bias.counts(edge, || self.step_through(start, door));
                let arrival = Arrival { door: there, cost, parent: NO_NODE };
                scratch.far.reach(self, arrival, || self.beyond(start, door), estimate);
            }
        }
    }

    /// Finds the costs from the start to the doors of its sector, and from the doors of the goal's sector to the goal. Returns the cost of the
    /// cheapest route that stays in one sector, or `u64::MAX` if there is none.
    fn find_end_costs(
        &self,
        layer: &CostLayer,
        query: DoorQuery,
        learnt: Option<&DoorGoal>,
        scratch: &mut DoorScratch,
    ) -> u64 {
        let DoorQuery { from, to } = query;
        let DoorScratch { inside, from_start, to_goal, .. } = scratch;
        let mut direct = u64::MAX;
        for (at, towards, costs) in [(to, Towards::Source, to_goal), (from, Towards::Cells, from_start)] {
            costs.clear();
            // Few sectors have more than 64 doors.
            costs.reserve(64);
            if let Some(goal) = learnt.filter(|goal| towards == Towards::Source && !goal.to_goal.is_empty()) {
                // The spread from the start gives the direct cost.
                costs.extend_from_slice(&goal.to_goal);
                continue;
            }
            let Some(ground) = self.ground(layer) else { continue };
            let sector = self.grid.of(at);
            inside.enter(ground, self.area(sector), self.rule);
            inside.spread(at, towards);
            let doors = self.sectors[sector.index()].doors.iter();
            costs.extend(doors.map(|&door| inside.distance(self.cell(sector, door)).min(NO_ROUTE_IN_ROW)));
            if self.grid.of(from) == self.grid.of(to) {
                let other = if towards == Towards::Source { from } else { to };
                let cost = inside.distance(other);
                direct = if cost < NO_ROUTE_IN_ROW { u64::from(cost) } else { u64::MAX };
            }
        }
        direct
    }

    /// Whether a search goes through this sector door by door. Through blocks without start or goal it goes from main door to main door.
    #[inline]
    fn goes_door_by_door(&self, sector: SectorId, ends: Ends) -> bool {
        if ends.blocks == BlockUse::Unused {
            return true;
        }
        let block = self.blocks.of(sector);
        block == self.blocks.of(ends.start) || block == self.blocks.of(ends.goal)
    }

    /// Whether a search uses this door into sector `there`.
    #[inline]
    fn may_pass(&self, door: Door, there: SectorId, ends: Ends) -> bool {
        door.rank == DoorRank::Main || self.goes_door_by_door(there, ends)
    }

    /// Expands a node through all doors of its sector.
    fn expand_door(&self, search: &Search<'_, impl Bias>, id: u32, scratch: &mut DoorScratch) {
        let DoorScratch { inside, far, .. } = scratch;
        let Node { sector, door, .. } = far.nodes[id as usize];
        if let Some(sectors) = search.bias.rooms() {
            let Some(field) = search.layer.field(self.agent) else { return };
            let costs = self.estimated_costs(field, sectors, DoorId { sector, index: door });
            self.leave_sector(search, id, costs, far);
        } else if let Some(costs) = self.costs_from(search.layer, sector, door, inside) {
            self.leave_sector(search, id, costs, far);
        }
    }

    /// Leaves the sector of a node through all its doors. `costs` are the costs to them.
    fn leave_sector(
        &self,
        search: &Search<'_, impl Bias>,
        id: u32,
        costs: impl Iterator<Item = u32>,
        far: &mut Frontier,
    ) {
        let Search { ends, bias, estimate, .. } = search;
        let Node { cost, sector, .. } = far.nodes[id as usize];
        for ((&exit, inside), index) in self.sectors[sector.index()].doors.iter().zip(costs).zip(0..) {
            if inside >= NO_ROUTE_IN_ROW {
                continue;
            }
            let cheaper = far.reach_within(self, DoorId { sector, index }, cost + u64::from(inside));
            if !cheaper && bias.least_percent() >= 100 {
                continue;
            }
            let there = self.through(sector, exit);
            if self.may_pass(exit, there.sector, *ends) {
                let edge = u64::from(inside) + u64::from(exit.crossing);
                let cost = cost + bias.counts(edge, || self.step_through(sector, exit));
                let arrival = Arrival { door: there, cost, parent: id };
                far.reach(self, arrival, || self.beyond(sector, exit), estimate);
            }
        }
    }

    /// Expands a node through all doors that lead out of its block.
    fn expand_block(&self, search: &Search<'_, impl Bias>, id: u32, scratch: &mut DoorScratch) {
        let Search { layer, bias, estimate, .. } = search;
        let Node { cost, sector, door, .. } = scratch.far.nodes[id as usize];
        let block = self.blocks.of(sector);
        let known = self.blocks.block(block);
        let Ok(row) = known.doors.binary_search(&DoorId { sector, index: door }) else { return };
        if known.costs.row(row).is_none() {
            self.fill_block(layer, block, row, scratch);
        }
        let Some(costs) = known.costs.row(row) else { return };
        for ((exit, &exit_door), inside) in known.exits.iter().zip(&known.doors).zip(costs) {
            if inside >= NO_ROUTE_IN_ROW {
                continue;
            }
            let cheaper = scratch.far.reach_within(self, exit_door, cost + u64::from(inside));
            if cheaper || bias.least_percent() < 100 {
                let edge = u64::from(inside) + u64::from(exit.crossing);
                let cost =
                    cost + bias.counts(edge, || self.step_through(exit_door.sector, self.door(exit_door)));
                let arrival = Arrival { door: exit.there, cost, parent: id };
                scratch.far.reach(self, arrival, || exit.at, estimate);
            }
        }
    }

    /// Writes the doors that led to a node, last first.
    fn trace(
        &self,
        layer: &CostLayer,
        last: u32,
        ends: Ends,
        scratch: &mut DoorScratch,
        cells: &mut Vec<CellPos>,
    ) {
        let mut id = last;
        while id != NO_NODE {
            let Node { parent, sector, door, .. } = scratch.far.nodes[id as usize];
            let exit = self.push_door(DoorId { sector, index: door }, cells);
            if parent != NO_NODE {
                let before = scratch.far.nodes[parent as usize];
                if !self.goes_door_by_door(before.sector, ends) {
                    let entered = DoorId { sector: before.sector, index: before.door };
                    self.trace_block(layer, entered, exit, scratch, cells);
                }
            }
            id = parent;
        }
    }

    /// Writes both cells of a door that was entered. Returns the same door as seen from the other side.
    pub(super) fn push_door(&self, entered: DoorId, cells: &mut Vec<CellPos>) -> DoorId {
        let door = self.door(entered);
        let at = self.cell(entered.sector, door);
        cells.extend([at, at.step(door.dir)]);
        self.through(entered.sector, door)
    }
}
