//! One goal's search: outwards from the goal, as far as it was needed, to be gone on with.

use super::nodes::{Nodes, Offer};
use crate::base::{CellPos, Dir8, OpenEntry, OpenList, StampedSet};
use crate::cost::{
    ChangeMark, CostField, CostLayer, IMPASSABLE, PadId, SectorGrid, StepRule, step_length, with_threat,
};
use crate::query::{Cost, Threat};
use crate::search::{Probe, Reach, Route, Visit, octile};

/// The ground as one kind of unit sees it.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    field: &'a CostField,
    /// Padded; empty where none counts.
    threat: &'a [u8],
    sectors: SectorGrid,
    rule: StepRule,
}

impl<'a> Ground<'a> {
    pub(super) fn new(layer: &'a CostLayer, field: &'a CostField, threat: Threat, rule: StepRule) -> Self {
        let threat = match threat {
            Threat::Ignore => &[][..],
            Threat::Heed => layer.threat().padded(),
        };
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

    /// What entering an open cell costs per length of step.
    #[inline]
    fn cost(&self, place: usize) -> u64 {
        let cost = self.field.padded()[place];
        u64::from(self.threat.get(place).map_or(cost, |&threat| with_threat(cost, threat)))
    }

    /// The places around one on the map, by direction, and which of them can be stepped to. A step is legal exactly if
    /// the one back is, both ends being open.
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

/// Directions out of a set of bits, lowest first.
#[inline]
fn each_dir(bits: u8) -> impl Iterator<Item = Dir8> {
    (0..8).filter(move |dir| bits >> dir & 1 != 0).map(Dir8::from_index)
}

/// Derived: how much of the way to one goal is known.
///
/// What is settled is the least cost from a cell to the goal, whoever asked for it. The costs of settled cells are final, so
/// another unit goes on from the same front with other estimates. Eight bytes a cell, and 16 for each entry of the front.
#[derive(Clone, Debug)]
pub(super) struct Search {
    nodes: Nodes,
    open: OpenList,
    /// Sectors with cells that were looked at.
    seen: StampedSet,
    /// The dearest that estimates ever took the cheapest cell for: they hold while no cell is cheaper.
    steepest: u8,
    /// Up to here the map's changes are known not to matter.
    known: ChangeMark,
}

impl Search {
    /// Knows nothing yet about a map.
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

    /// Forgets all and begins at `goal`, in the memory it has.
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

    /// Whether all it knows is still so. Asked before every use.
    pub(super) fn holds(&mut self, layer: &CostLayer, ground: &Ground<'_>) -> bool {
        let holds = self.is_current(layer, ground);
        if holds {
            self.known = layer.changes().mark_now();
        }
        holds
    }

    /// The same, without noting it.
    pub(super) fn is_current(&self, layer: &CostLayer, ground: &Ground<'_>) -> bool {
        let same_size = self.nodes.len() == ground.field.padding().len();
        // Estimates that took every cell for dearer than some now are may have settled cells too early.
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

    /// Whether everything that the goal can be reached from is known.
    pub(super) fn is_exhausted(&self) -> bool {
        self.open.peek().is_none()
    }

    /// Goes on until the cost from `from` and all cheapest ways there are known; the cost, unless there is no way. Counts what it
    /// settles.
    ///
    /// All ways, not one: which of several equally cheap ways a unit takes must not depend on what was found before. That is so for
    /// every settled cell, not only for starts. Let a cheapest way from cell `s` go by `v`: estimates drop by no more than what a step
    /// costs, so `v` counts for no more than `s`, and a search that settles `s` goes on until it has settled all that counts for as little.
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

    /// Offers a way to the goal to all cells from which a step leads to `place`, which has just been settled.
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
        // Whoever comes here from beside pays for this cell.
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

    /// Notes the sectors of a cell and those around it.
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

    /// The first step of a cheapest way from `place`, the lowest direction of several, and where it leads.
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

    /// Writes the way from `from`, for which [`Search::reach`] has found a cost; how many steps it has.
    pub(super) fn write(&self, ground: &Ground<'_>, from: CellPos, out: &mut Route) -> u32 {
        let (mut at, mut place, mut steps) = (from, ground.place(from), 0);
        out.extend_to(at);
        // Ends: every step leaves less to pay, and at the goal there is nothing left.
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

/// Whether anybody looks.
#[inline]
fn probe_watches<P: Probe>(_: &P) -> bool {
    P::WATCHES
}
