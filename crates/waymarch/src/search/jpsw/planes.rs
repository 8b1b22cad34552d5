//! What a weighted search needs to know of every cell: its cost, the directions worth following, where runs end.

use alloc::vec;
use alloc::vec::Vec;

use super::dominance::{Around, Turns, turns};
use super::turn_grid::TurnGrid;
use crate::base::{Agent, CellPos, CellRect, Dir8, GridSize};
use crate::cost::{
    CostField, CostLayer, DIAGONAL, IMPASSABLE, PadId, Padding, STRAIGHT, StepRule, with_threat,
};
use crate::query::{PlanError, Threat};
use crate::search::followed::Followed;
use crate::search::jps::planes::{Planes, put};
use crate::search::route::Route;

/// Derived from the costs of one field, with threat or without, under one rule: for every cell and direction of arrival the
/// directions worth following, and per straight direction the cells where a run must look up.
///
/// A run goes on over cells that leave no choice but straight on and cost what the cell before cost; it is a
/// scan for one set bit, 64 cells at a time. About four bytes a cell. A change of one cell changes only the 3×3 around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightedPlanes {
    agent: Agent,
    rule: StepRule,
    threat: Threat,
    grid: GridSize,
    padding: Padding,
    /// What each cell costs, threat included if it counts.
    costs: Vec<u8>,
    /// How many cells have each cost; the cheapest of those that can be entered, and their mean, rounded down.
    histogram: Vec<u32>,
    cheapest: u8,
    mean: u8,
    turns: TurnGrid,
    /// North, east, south, west.
    stops: [Planes<1>; 4],
    followed: Followed,
}

/// Patterns remembered while planes are made; a power of two.
const MEMO: usize = 1 << 12;

impl WeightedPlanes {
    /// For units of `agent` that step by `rule` and heed threat or not.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let (grid, padding) = (field.grid(), field.padding());
        let rows = Planes::new(grid.height(), grid.width());
        let columns = Planes::new(grid.width(), grid.height());
        let mut planes = Self {
            agent,
            rule,
            threat,
            grid,
            padding,
            costs: vec![IMPASSABLE; padding.len()],
            histogram: vec![0; 256],
            cheapest: 0,
            mean: 0,
            turns: TurnGrid::new(padding.len()),
            stops: [columns.clone(), rows.clone(), columns, rows],
            followed: Followed::now(layer),
        };
        planes.histogram[usize::from(IMPASSABLE)] = grid.cells() as u32;
        planes.take_costs(field, layer, grid.rect());
        let mut memo = vec![([0; 9], [0; 8]); MEMO];
        planes.take_turns(grid.rect(), |around| {
            let (key, known) = &mut memo[memo_place(around)];
            if key != around {
                (*key, *known) = (*around, turns(around, rule));
            }
            *known
        });
        planes.turns.make_room();
        planes.take_stops(grid.rect());
        Ok(planes)
    }

    /// Follows everything that changed in `layer` since this was last called, or since the planes were made; equals planes
    /// made anew, and for a layer of another size they are. Nothing changes for a layer without costs for the agent.
    ///
    /// Costs a look at the sectors that changed, and the work of [`WeightedPlanes::update`] where costs differ.
    pub fn follow(&mut self, layer: &CostLayer) {
        let Some(field) = layer.field(self.agent) else { return };
        if field.grid() != self.grid {
            if let Ok(anew) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = anew;
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

    /// Follows a change of costs, or of threat, within `changed`; equals planes made anew. What changed elsewhere, and
    /// nobody told of, is followed too.
    pub fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        if let Some(field) = layer.field(self.agent).filter(|field| field.grid() == self.grid) {
            self.renew(field, layer, changed.intersect(self.grid.rect()));
        }
        self.follow(layer);
    }

    /// Whether they know all costs, and all threat if it counts, as they are in `layer`, whose size is theirs.
    ///
    /// Costs nothing to speak of when they followed the last edit, else a look at the sectors that changed.
    #[must_use]
    pub fn is_up_to_date(&self, layer: &CostLayer) -> bool {
        let field = layer.field(self.agent).filter(|field| field.grid() == self.grid);
        field.is_some_and(|field| {
            self.followed.changed_since(layer).all(|area| self.differing(field, layer, area).is_empty())
        })
    }

    /// What the cells of `area` that are on the map cost now, with their places; `field` is the agent's.
    fn costs_now<'a>(
        &self,
        field: &'a CostField,
        layer: &'a CostLayer,
        area: CellRect,
    ) -> impl Iterator<Item = (CellPos, usize, u8)> + use<'a> {
        let threat = match self.threat {
            Threat::Ignore => &[][..],
            Threat::Heed => layer.threat().padded(),
        };
        let padding = self.padding;
        area.intersect(self.grid.rect()).cells().map(move |at| {
            let place = padding.pad(at).index();
            let threat = threat.get(place).copied().unwrap_or(0);
            (at, place, with_threat(field.padded()[place], threat))
        })
    }

    /// The smallest rectangle within `area` that holds every cell whose cost is not known; empty if none.
    fn differing(&self, field: &CostField, layer: &CostLayer, area: CellRect) -> CellRect {
        let cells = self.costs_now(field, layer, area);
        let differing = cells.filter(|&(_, place, cost)| self.costs[place] != cost);
        differing.fold(CellRect::default(), |all, (at, ..)| all.union(CellRect::at(at, 1, 1)))
    }

    /// Takes everything anew that the costs within `area`, on the map, can affect.
    fn renew(&mut self, field: &CostField, layer: &CostLayer, area: CellRect) {
        let (rule, felt) = (self.rule, area.grow(1, 1).intersect(self.grid.rect()));
        self.take_costs(field, layer, area);
        self.take_turns(felt, |around| turns(around, rule));
        self.take_stops(felt);
    }

    fn take_costs(&mut self, field: &CostField, layer: &CostLayer, area: CellRect) {
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

    fn take_turns(&mut self, area: CellRect, mut turns_of: impl FnMut(&Around) -> Turns) {
        let offsets = self.padding.neighbour_offsets();
        for at in area.cells() {
            let place = self.padding.pad(at).index();
            let mut around = [self.costs[place]; 9];
            for (cost, offset) in around.iter_mut().zip(offsets) {
                *cost = self.costs[place.wrapping_add_signed(offset as isize)];
            }
            self.turns.set(place, turns_of(&around));
        }
    }

    fn take_stops(&mut self, area: CellRect) {
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
    }

    /// The size of the map they were made for.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.grid
    }

    /// Whose steps.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// The rule of steps.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// How cells lie in arrays.
    #[inline]
    pub(super) fn padding(&self) -> Padding {
        self.padding
    }

    /// The costs in padded order, threat included if it counts.
    #[inline]
    pub(super) fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// The cheapest cost of any cell that can be entered; 254 when there is none.
    pub(super) fn cheapest(&self) -> u8 {
        self.cheapest
    }

    /// Bits by which a search makes its buckets wider than for ground of cost 1: the mean cost of the cells that can be entered, as a
    /// power of two. Routes of equal cost may be chosen by it, so it is part of what a route depends on.
    #[must_use]
    pub fn coarseness(&self) -> u32 {
        u32::from(self.mean).ilog2()
    }

    /// The directions worth following from a cell reached by `dir`.
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

    /// How many steps a run from `at` takes to the next cell where it must look up; `DIR` is 0 north, 1 east, 2 south, 3 west.
    #[inline(always)]
    pub(super) fn run<const DIR: usize>(&self, at: CellPos) -> u32 {
        let plane = &self.stops[DIR];
        let spot = if DIR % 2 == 1 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) };
        if DIR == 1 || DIR == 2 { plane.next(spot) - spot } else { spot - plane.previous(spot) }
    }

    /// What the steps of a route cost.
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
        self.costs.len() + self.histogram.len() * 4 + self.turns.memory_bytes() + stops
    }
}

/// Where a pattern is remembered: any spread will do, the answer does not depend on it.
fn memo_place(around: &Around) -> usize {
    let mixed = around.iter().fold(0_u64, |mixed, &cost| {
        (mixed ^ u64::from(cost)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    });
    (mixed >> 40) as usize % MEMO
}
