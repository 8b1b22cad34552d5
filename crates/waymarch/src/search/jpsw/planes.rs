//! The tables of a weighted search: the cost of every cell, the directions to follow, and where runs stop.

use alloc::vec;
use alloc::vec::Vec;

use super::dominance::{Around, Turns, turns};
use super::planes_in_work::PlanesInWork;
use super::turn_grid::TurnGrid;
use crate::base::{Agent, CellPos, CellRect, Dir8, GridSize};
use crate::cost::{
    CostField, CostLayer, DIAGONAL, IMPASSABLE, PadId, Padding, STRAIGHT, StepRule, with_threat,
};
use crate::query::{PlanError, Threat};
use crate::search::followed::Followed;
use crate::search::jps::planes::{Planes, put};
use crate::search::route::Route;

/// Derived from the costs of one field, with threat or without, under one step rule. The planes hold the directions to follow for every
/// cell and direction of arrival. For every straight direction they hold the cells where a run must stop.
///
/// A run continues over cells that cost as much as the cell before and where the only direction left is straight on. It
/// is a scan for one set bit, 64 cells at a time. The planes take about four bytes per cell. A change of one cell
/// affects only the 3×3 cells around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightedPlanes {
    pub(super) agent: Agent,
    pub(super) rule: StepRule,
    pub(super) threat: Threat,
    pub(super) grid: GridSize,
    pub(super) padding: Padding,
    /// The cost of each padded cell, with threat if it counts.
    pub(super) costs: Vec<u8>,
    /// The number of cells of each cost; the least cost of an open cell; the mean cost of open cells, rounded down.
    pub(super) histogram: Vec<u32>,
    pub(super) cheapest: u8,
    pub(super) mean: u8,
    pub(super) turns: TurnGrid,
    /// The cells where runs to the north, east, south and west must stop.
    pub(super) stops: [Planes<1>; 4],
    /// Cells where runs must stop although nothing changes there: where links start.
    pub(super) marked: Vec<CellPos>,
    pub(super) followed: Followed,
    pub(super) memo: TurnMemo,
}

/// Entries of the cache of 3×3 patterns: 4096, a power of two. They take 68 kB.
const MEMO: usize = 1 << 12;

/// Scratch: the turns of 3×3 patterns met before. Ground has few patterns, and a threat source that moves has the same ones again.
#[derive(Clone, Debug)]
pub(super) struct TurnMemo {
    known: Vec<(Around, Turns)>,
    /// How many patterns were not in the list.
    pub(super) misses: u64,
}

impl TurnMemo {
    /// A cache without patterns.
    pub(super) fn new() -> Self {
        Self { known: vec![([0; 9], [0; 8]); MEMO], misses: 0 }
    }

    fn turns(&mut self, around: &Around, rule: StepRule) -> Turns {
        let (key, known) = &mut self.known[memo_place(around)];
        if key != around {
            self.misses += 1;
            (*key, *known) = (*around, turns(around, rule));
        }
        *known
    }
}

impl PartialEq for TurnMemo {
    /// Always equal: what was met before makes no difference.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for TurnMemo {}

impl WeightedPlanes {
    /// Makes the planes of `agent` under `rule`, with threat or without.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        Ok(PlanesInWork::begin(layer, agent, rule, threat)?.finish(layer))
    }

    /// These planes, which ignore threat, as planes that count it. Equal to new planes once they have followed all changes. Cheaper than
    /// these where threat is far from most cells.
    pub(crate) fn with_threat(&self, layer: &CostLayer, threat: Threat) -> Option<Self> {
        let field = layer.field(self.agent).filter(|field| field.grid() == self.grid)?;
        let mut planes = Self { threat, ..self.clone() };
        for area in layer.threat().areas() {
            let differing = planes.differing(field, layer, area);
            if !differing.is_empty() {
                planes.renew(field, layer, differing);
            }
        }
        Some(planes)
    }

    /// Follows all changes of `layer` since the last call. The result equals new planes. For a layer of another size,
    /// new planes are made. A layer without costs for the agent changes nothing.
    ///
    /// Compares the costs of all cells in the sectors that changed. Where costs differ, it does the work of [`WeightedPlanes::update`].
    pub fn follow(&mut self, layer: &CostLayer) {
        let Some(field) = layer.field(self.agent) else { return };
        if field.grid() != self.grid {
            if let Ok(rebuilt) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = rebuilt;
            }
            return;
        }
        let behind = core::mem::replace(&mut self.followed, Followed::now(layer));
        for area in behind.changed_since(layer) {
            let differing = self.differing(field, layer, area);
            if !differing.is_empty() {
                self.renew(field, layer, differing);
            }
        }
    }

    /// Follows a change of costs or threat within `changed`, and all other changes of the layer. The result equals new
    /// planes.
    pub fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        if let Some(field) = layer.field(self.agent).filter(|field| field.grid() == self.grid) {
            self.renew(field, layer, changed.intersect(self.grid.rect()));
        }
        self.follow(layer);
    }

    /// Whether the planes are up to date with the costs of `layer`, and with its threat if it counts.
    ///
    /// Takes constant time if they followed the last edit, otherwise it compares the costs of all cells in the sectors that changed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        let field = layer.field(self.agent).filter(|field| field.grid() == self.grid);
        field.is_some_and(|field| {
            self.followed.changed_since(layer).all(|area| self.differing(field, layer, area).is_empty())
        })
    }

    /// Whether the planes are up to date with `layer`.
    #[deprecated(since = "0.2.0", note = "renamed to `is_current`")]
    #[must_use]
    pub fn is_up_to_date(&self, layer: &CostLayer) -> bool {
        self.is_current(layer)
    }

    /// The present costs of the cells of `area` that are on the map, with their indices in padded order. `field` is that of the agent.
    fn costs_now<'a>(
        &self,
        field: &'a CostField,
        layer: &'a CostLayer,
        area: CellRect,
    ) -> impl Iterator<Item = (CellPos, usize, u8)> + use<'a> {
        let threat = layer.threat().view(self.threat);
        let padding = self.padding;
        area.intersect(self.grid.rect()).cells().map(move |at| {
            let place = padding.pad(at).index();
            (at, place, with_threat(field.padded()[place], threat.at(place)))
        })
    }

    /// The smallest rectangle within `area` that holds all cells whose costs differ from the planes; empty if there are none.
    fn differing(&self, field: &CostField, layer: &CostLayer, area: CellRect) -> CellRect {
        let cells = self.costs_now(field, layer, area);
        let differing = cells.filter(|&(_, place, cost)| self.costs[place] != cost);
        differing.fold(CellRect::default(), |all, (at, ..)| all.union(CellRect::at(at, 1, 1)))
    }

    /// Updates everything that the costs within `area`, which is on the map, can affect.
    fn renew(&mut self, field: &CostField, layer: &CostLayer, area: CellRect) {
        let affected = area.grow(1, 1).intersect(self.grid.rect());
        self.take_costs(field, layer, area);
        self.take_turns(affected);
        self.take_stops(affected);
    }

    pub(super) fn take_costs(&mut self, field: &CostField, layer: &CostLayer, area: CellRect) {
        for (_, place, cost) in self.costs_now(field, layer, area) {
            self.histogram[usize::from(self.costs[place])] -= 1;
            self.histogram[usize::from(cost)] += 1;
            self.costs[place] = cost;
        }
        let open =
            || self.histogram.iter().enumerate().take(usize::from(IMPASSABLE)).filter(|entry| *entry.1 > 0);
        self.cheapest = open().next().map_or(254, |(cost, _)| cost as u8);
        let (sum, count) = open().fold((0, 0), |(sum, all), (cost, &count)| {
            (sum + cost as u64 * u64::from(count), all + u64::from(count))
        });
        self.mean = sum.checked_div(count).map_or(254, |mean| mean as u8);
    }

    pub(super) fn take_turns(&mut self, area: CellRect) {
        let offsets = self.padding.neighbour_offsets();
        for at in area.cells() {
            let place = self.padding.pad(at).index();
            let mut around = [self.costs[place]; 9];
            for (cost, offset) in around.iter_mut().zip(offsets) {
                *cost = self.costs[place.wrapping_add_signed(offset as isize)];
            }
            self.turns.set(place, self.memo.turns(&around, self.rule));
        }
    }

    pub(super) fn take_stops(&mut self, area: CellRect) {
        let offsets = self.padding.neighbour_offsets();
        for at in area.cells() {
            let place = self.padding.pad(at).index();
            for (plane, ahead) in self.stops.iter_mut().zip(Dir8::STRAIGHT) {
                let before = place.wrapping_add_signed(-offsets[usize::from(ahead.index())] as isize);
                let choice = self.turns.at(place, usize::from(ahead.index())) != 1 << ahead.index();
                let spot = if ahead.dx() != 0 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) };
                let [word] = plane.words_mut(spot);
                put(word, spot, choice || self.costs[place] != self.costs[before]);
            }
        }
        self.stop_at_marked(area);
    }

    /// Lets all runs stop at these cells too, now and after edits.
    pub(crate) fn stop_at(&mut self, cells: Vec<CellPos>) {
        self.marked = cells;
        self.stop_at_marked(self.grid.rect());
    }

    fn stop_at_marked(&mut self, area: CellRect) {
        for &at in self.marked.iter().filter(|&&at| area.contains(at)) {
            for (plane, ahead) in self.stops.iter_mut().zip(Dir8::STRAIGHT) {
                let spot = if ahead.dx() != 0 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) };
                put(&mut plane.words_mut(spot)[0], spot, true);
            }
        }
    }

    /// The size of the map that the planes were made for.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.grid
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// The step rule.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// The layout of padded arrays.
    #[inline]
    pub(super) fn padding(&self) -> Padding {
        self.padding
    }

    /// The costs in padded order, with threat if it counts.
    #[inline]
    pub(super) fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// The least cost of an open cell; 254 if there is none.
    pub(in crate::search) fn cheapest(&self) -> u8 {
        self.cheapest
    }

    /// The number of bits by which the buckets of a search are wider than on ground of cost 1. It is the binary logarithm of the mean cost
    /// of open cells, rounded down. Which of several equally cheap routes a search finds depends on it.
    #[must_use]
    pub fn coarseness(&self) -> u32 {
        u32::from(self.mean).ilog2()
    }

    /// The directions to follow from a cell that was reached in direction `dir`.
    #[inline(always)]
    pub(super) fn turns_at(&self, place: usize, dir: usize) -> u8 {
        self.turns.at(place, dir)
    }

    /// All legal directions from a cell.
    pub(super) fn all_dirs(&self, place: PadId) -> u8 {
        let mut open = 0;
        for (dir, offset) in self.padding.neighbour_offsets().into_iter().enumerate() {
            let cost = self.costs[place.index().wrapping_add_signed(offset as isize)];
            open |= usize::from(cost != IMPASSABLE) << dir;
        }
        self.rule.table()[open]
    }

    /// The steps of a run from `at` to the next cell where it must stop. `DIR` is 0 north, 1 east, 2 south, 3 west.
    #[inline(always)]
    pub(super) fn run<const DIR: usize>(&self, at: CellPos) -> u32 {
        let plane = &self.stops[DIR];
        let spot = if DIR % 2 == 1 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) };
        if DIR == 1 || DIR == 2 { plane.next(spot) - spot } else { spot - plane.previous(spot) }
    }

    /// The cost of the steps of a route.
    pub(super) fn walked(&self, route: &Route) -> u64 {
        let price = |at: CellPos| u64::from(self.costs[self.padding.pad(at).index()]);
        let legs = route.waypoints.windows(2);
        let mut cells = route.cells();
        let mut sum = 0;
        cells.next();
        for leg in legs {
            let (dx, dy) = (leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y));
            let length = u64::from(if dx == 0 || dy == 0 { STRAIGHT } else { DIAGONAL });
            sum += length * cells.by_ref().take(dx.max(dy) as usize).map(price).sum::<u64>();
        }
        sum
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let stops: usize = self.stops.iter().map(Planes::memory_bytes).sum();
        let memo = MEMO * size_of::<(Around, Turns)>();
        self.costs.len() + self.histogram.len() * 4 + self.turns.memory_bytes() + stops + memo
    }
}

/// The cache entry of a pattern. Any hash will do: no answer depends on it.
fn memo_place(around: &Around) -> usize {
    let mixed = around.iter().fold(0_u64, |mixed, &cost| {
        (mixed ^ u64::from(cost)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    });
    (mixed >> 40) as usize % MEMO
}
