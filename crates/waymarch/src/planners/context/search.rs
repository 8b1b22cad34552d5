//! The search of one goal: outwards from the goal, as far as queries needed it.

use super::nodes::{Nodes, Offer};
use crate::base::{CellPos, Dir8, OpenEntry, OpenList, StampedSet};
use crate::cost::{
    ChangeMark, CostField, CostLayer, IMPASSABLE, PadId, SectorGrid, StepRule, ThreatView, step_length,
    with_threat,
};
use crate::query::{Cost, Threat};
use crate::search::{Probe, Reach, Route, Visit, octile};

/// The ground of one agent.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    field: &'a CostField,
    /// The threat of each cell, in padded order. Empty if threat does not count.
    threat: ThreatView<'a>,
    sectors: SectorGrid,
    rule: StepRule,
}

impl<'a> Ground<'a> {
    pub(super) fn new(layer: &'a CostLayer, field: &'a CostField, threat: Threat, rule: StepRule) -> Self {
        let threat = layer.threat().view(threat);
        Self { field, threat, sectors: layer.changes().sectors(), rule }
    }

    #[inline]
    fn at(&self, place: usize) -> CellPos {
        self.field.padding().pos(PadId(place as u32))
    }

    #[inline]
    fn place(&self, at: CellPos) -> usize {
        self.field.padding().pad(at).index()
    }

    /// The cost of an open cell. A step costs its length times this.
    #[inline]
    fn cost(&self, place: usize) -> u64 {
        let cost = self.field.padded()[place];
        u64::from(with_threat(cost, self.threat.at(place)))
    }

    /// The neighbours of a cell by direction, and which of them a legal step leads to. Between open cells a step is legal in both directions or
    /// in none.
    #[inline]
    fn around(&self, place: usize) -> ([usize; 8], u8) {
        let offsets = self.field.padding().neighbour_offsets();
        let near = offsets.map(|offset| place.wrapping_add_signed(offset as isize));
        let open = near
            .iter()
            .enumerate()
            .fold(0, |open, (dir, &next)| open | usize::from(self.field.padded()[next] != IMPASSABLE) << dir);
        (near, self.rule.table()[open])
    }
}

/// The directions in a set of bits, lowest first.
#[inline]
fn each_dir(bits: u8) -> impl Iterator<Item = Dir8> {
    (0..8).filter(move |dir| bits >> dir & 1 != 0).map(Dir8::from_index)
}

/// Derived: the costs of cells to one goal, as far as they are known.
///
/// A settled cell has its least cost to the goal, whichever query settled it. Settled costs are final, so a later query continues from the same
/// open list with another heuristic. Takes eight bytes per cell, and 16 per entry of the open list.
#[derive(Clone, Debug)]
pub(super) struct Search {
    nodes: Nodes,
    open: OpenList,
    /// The sectors with cells that the search has read.
    seen: StampedSet,
    /// The greatest scale that the heuristic has used: the highest cost that the cheapest cell had during a query. Settled costs stay valid
    /// while no cell is cheaper than this.
    steepest: u8,
    /// All changes of the map up to this mark leave the search valid.
    known: ChangeMark,
}

impl Search {
    /// Begins a search at `goal`.
    pub(super) fn new(layer: &CostLayer, ground: &Ground<'_>, goal: CellPos) -> Self {
        let mut search = Self {
            nodes: Nodes::new(ground.field.padding().len()),
            open: OpenList::new(),
            seen: StampedSet::new(ground.sectors.count()),
            steepest: 0,
            known: layer.changes().mark_now(),
        };
        search.begin(layer, ground, goal);
        search
    }

    /// Begins a new search at `goal` and reuses the memory.
    pub(super) fn begin(&mut self, layer: &CostLayer, ground: &Ground<'_>, goal: CellPos) {
        if self.nodes.len() != ground.field.padding().len() || self.seen.len() != ground.sectors.count() {
            self.nodes = Nodes::new(ground.field.padding().len());
            self.seen = StampedSet::new(ground.sectors.count());
        }
        self.nodes.clear();
        self.seen.clear();
        self.open.clear();
        self.steepest = 0;
        self.known = layer.changes().mark_now();
        let place = ground.place(goal);
        self.nodes.offer(place, 0);
        self.open.push(OpenEntry::new(0, 0, place as u32));
    }

    /// Whether the search is still valid. Call it before every use.
    pub(super) fn holds(&mut self, layer: &CostLayer, ground: &Ground<'_>) -> bool {
        let holds = self.is_current(layer, ground);
        if holds {
            self.known = layer.changes().mark_now();
        }
        holds
    }

    /// As [`Search::holds`], without advancing the mark.
    pub(super) fn is_current(&self, layer: &CostLayer, ground: &Ground<'_>) -> bool {
        let same_size = self.nodes.len() == ground.field.padding().len();
        // If a cell is cheaper now than the heuristic assumed, cells may have been settled too early.
        if !same_size || self.steepest > ground.field.cheapest() {
            return false;
        }
        let changed = layer.changes().since(self.known);
        changed.is_some_and(|changed| !changed.iter().any(|sector| self.seen.contains(sector.0)))
    }

    /// The least cost from a cell, if it is known.
    pub(super) fn cost_from(&self, ground: &Ground<'_>, from: CellPos) -> Option<Cost> {
        self.nodes.settled(ground.place(from)).map(Cost)
    }

    /// Whether all cells that are connected to the goal are settled.
    pub(super) fn is_exhausted(&self) -> bool {
        self.open.peek().is_none()
    }

    /// Extends the search until the cost from `from` and all cheapest routes from there are known. Returns the cost; `None` if there is no
    /// route. Counts the cells that it settles.
    ///
    /// All cheapest routes must be known, because the choice among them must not depend on earlier queries. This holds for every settled
    /// cell: let a cheapest route from cell `s` pass `v`. The heuristic is consistent, so the estimate of `v` is no greater than that of `s`.
    /// A search that settles `s` goes on until all cells with such estimates are settled.
    pub(super) fn reach(
        &mut self,
        ground: &Ground<'_>,
        from: CellPos,
        expanded: &mut u32,
        probe: &mut impl Probe,
    ) -> Option<Cost> {
        let (start, cheapest) = (ground.place(from), ground.field.cheapest());
        let neighbours = ground.rule.neighbours;
        let estimate = |at: CellPos| (octile(at, from, neighbours) * u64::from(cheapest)) as u32;
        if let Some(cost) = self.nodes.settled(start) {
            return Some(Cost(cost));
        }
        let mut total = None;
        self.steepest = self.steepest.max(cheapest);
        let nodes = &self.nodes;
        self.open.change_all(|entry| {
            let cost = entry.f - u64::from(entry.h);
            let ahead = estimate(ground.at(entry.id as usize));
            let current = nodes.pending(entry.id as usize) == Some(cost);
            current.then(|| OpenEntry::new(cost + u64::from(ahead), ahead, entry.id))
        });
        while let Some(entry) = self.open.peek() {
            if total.is_some_and(|total| entry.f > total) {
                break;
            }
            self.open.pop();
            let place = entry.id as usize;
            let cost = entry.f - u64::from(entry.h);
            if self.nodes.pending(place) != Some(cost) {
                continue;
            }
            self.nodes.settle(place);
            if place == start {
                total = Some(cost);
            }
            *expanded += 1;
            self.expand(ground, place, cost, &estimate, probe);
        }
        total.map(Cost)
    }

    /// Offers a route over `place`, which was just settled, to all cells from which a step leads there.
    #[inline]
    fn expand(
        &mut self,
        ground: &Ground<'_>,
        place: usize,
        cost: u64,
        estimate: &impl Fn(CellPos) -> u32,
        probe: &mut impl Probe,
    ) {
        let at = ground.at(place);
        self.see(ground, at);
        let (near, steps) = ground.around(place);
        if probe_watches(probe) {
            let parent = self.next(ground, place, cost).map(|(dir, _)| at.step(dir));
            probe.expand(Visit { at, parent, turn: at, cost, ahead: u64::from(estimate(at)) });
        }
        // A step from a neighbour into this cell costs its length times this.
        let entering = ground.cost(place);
        for dir in each_dir(steps) {
            let next = near[usize::from(dir.index())];
            let cost = cost + u64::from(step_length(dir)) * entering;
            let offer = self.nodes.offer(next, cost);
            if offer == Offer::NoBetter {
                continue;
            }
            let to = at.step(dir);
            let ahead = estimate(to);
            let how = if offer == Offer::First { Reach::First } else { Reach::Cheaper };
            probe.reach(Visit { at: to, parent: Some(at), turn: to, cost, ahead: u64::from(ahead) }, how);
            self.open.push(OpenEntry::new(cost + u64::from(ahead), ahead, next as u32));
        }
    }

    /// Records the sectors of a cell and of its neighbours.
    #[inline]
    fn see(&mut self, ground: &Ground<'_>, at: CellPos) {
        let (sectors, size) = (ground.sectors, ground.field.grid());
        self.seen.insert(sectors.of(at).0);
        let inner = sectors.side() as i32 - 2;
        let within = |at: i32| (1..=inner).contains(&(at & (sectors.side() as i32 - 1)));
        if !(within(at.x) && within(at.y)) {
            for dir in [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW] {
                let (x, y) = (at.x + dir.dx(), at.y + dir.dy());
                let corner =
                    CellPos::new(x.clamp(0, size.width() as i32 - 1), y.clamp(0, size.height() as i32 - 1));
                self.seen.insert(sectors.of(corner).0);
            }
        }
    }

    /// The first step of the cheapest route from `place`, and the cell it leads to. Of several the lowest direction.
    #[inline]
    fn next(&self, ground: &Ground<'_>, place: usize, cost: u64) -> Option<(Dir8, usize)> {
        let (near, steps) = ground.around(place);
        let leads = |dir: &Dir8| {
            let next = near[usize::from(dir.index())];
            let step = u64::from(step_length(*dir)) * ground.cost(next);
            self.nodes.settled(next).is_some_and(|rest| rest + step == cost)
        };
        each_dir(steps).find(leads).map(|dir| (dir, near[usize::from(dir.index())]))
    }

    /// Writes the route from `from`, which must be settled. Returns the number of its steps.
    pub(super) fn write(&self, ground: &Ground<'_>, from: CellPos, out: &mut Route) -> u32 {
        let (mut at, mut place, mut steps) = (from, ground.place(from), 0);
        out.extend_to(at);
        // The loop ends, because every step lowers the rest of the cost, and at the goal it is 0.
        while let Some(cost) = self.nodes.settled(place).filter(|&cost| cost > 0) {
            let Some((dir, next)) = self.next(ground, place, cost) else { break };
            (at, place, steps) = (at.step(dir), next, steps + 1);
            out.extend_to(at);
        }
        steps
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.memory_bytes()
            + self.open.capacity() * size_of::<OpenEntry>()
            + self.seen.len() * size_of::<u32>()
    }
}

/// Whether the probe records anything.
#[inline]
fn probe_watches<P: Probe>(_: &P) -> bool {
    P::WATCHES
}
