//! Which route leads to a far goal, without a search over the whole map? A hierarchical search over doors first (HPA\*), then cell by cell.
//!
//! The route over doors says which sectors to pass, but it bends at the doors. So it is replaced by *legs* of a few sectors each, from the
//! middle of one sector to the middle of another. Each leg is an exact search that ignores the doors in between, so it never costs more
//! than the part of the route over doors that it replaces. The route still bends where two legs meet. On ground of one cost, where legs are
//! cheap to search, a second pass removes these bends. Its legs go from the middle of each leg to the middle of the next.
//!
//! Owns: only Scratch ([`FarScratch`]), which may keep legs for later routes. Reads: the cost layer, the doors, and the tables of the leg
//! search. May change: the scratch and the route of the caller, and the kept legs.
//!
//! - `exact_search.rs`: the exact search of a leg; `refine.rs`: from doors to legs to a route.

mod exact_search;
mod refine;

use core::num::NonZeroU32;

use crate::base::{CellPos, Scratch, poison_list};
use crate::cost::CostLayer;
use crate::plan::{PathCache, PathKey, Scope};
use crate::query::{PathQuery, PlanError, Quality, Threat};
use crate::search::{Bound, Probe, Reach, Route, SearchRun, SearchScratch, Visit, WeightedSearch};
use crate::sectors::{DoorRoute, DoorScratch, Doors};

pub use exact_search::ExactSearch;
use refine::{Refiner, Walked};

/// Reports the searches of all legs to the probe as one search.
struct OfLegs<'a, P>(&'a mut P);

impl<P: Probe> Probe for OfLegs<'_, P> {
    const WATCHES: bool = P::WATCHES;

    #[inline]
    fn expand(&mut self, node: Visit) {
        self.0.expand(node);
    }

    #[inline]
    fn reach(&mut self, node: Visit, how: Reach) {
        self.0.reach(node, how);
    }
}

/// Scratch of routes over doors, besides the scratch of their legs.
#[derive(Clone, Debug, Default)]
pub struct FarScratch {
    doors: DoorScratch,
    over: DoorRoute,
    refiner: Refiner,
}

/// What the next routes over doors need memory for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarDemand {
    /// The number of cells of the map.
    pub(crate) cells: usize,
    /// The number of turns of a route.
    pub(crate) turns: usize,
}

impl Scratch for FarScratch {
    type Demand = FarDemand;

    /// The kept legs stay: they are Derived. Forget a paused route first.
    fn poison(&mut self) {
        self.doors.poison();
        poison_list(&mut self.over.cells, CellPos::new(7, -7));
        (self.over.cost, self.over.expanded) = (7, 7);
        self.refiner.poison();
    }

    fn reserve(&mut self, FarDemand { cells, turns }: FarDemand) {
        self.doors.reserve(cells);
        self.refiner.reserve(turns);
    }
}

impl FarScratch {
    /// Empty; the first query allocates the memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps up to `legs` legs of routes over weighted ground, for later routes that pass the same sectors. Use this scratch with one layer
    /// only; it follows the changes of that layer. Kept legs save work and change no route.
    #[must_use]
    pub fn remembering(legs: u32) -> Self {
        let mut scratch = Self::default();
        scratch.refiner.remembered = PathCache::new(legs);
        scratch
    }

    /// The kept legs.
    #[must_use]
    pub fn legs(&self) -> &PathCache {
        &self.refiner.remembered
    }

    /// What the last route depends on, for a [`PathCache`](crate::plan::PathCache). `route` is the result of [`hpa`] with `how`.
    #[must_use]
    pub fn scope(&self, how: &FarSearch<'_>, route: &Route) -> Scope {
        let neighbours = how.doors.rule().neighbours;
        if self.over.cells.is_empty() {
            return Scope { cost: route.cost.0, grain: 1, neighbours };
        }
        Scope { cost: self.over.cost, grain: how.doors.grain(), neighbours }
    }

    /// The scratch of routes over doors.
    pub(crate) fn doors_scratch(&mut self) -> &mut DoorScratch {
        &mut self.doors
    }

    /// The route over doors of the last query, for pictures; empty if it needed none.
    #[must_use]
    pub fn doors(&self) -> &DoorRoute {
        &self.over
    }
}

/// The tables and settings of a search over doors.
#[derive(Clone, Copy, Debug)]
pub struct FarSearch<'a> {
    /// The doors of the query's agent, up to date.
    pub doors: &'a Doors,
    /// The exact search of legs, for the same agent. It counts threat if the doors do.
    pub legs: ExactSearch<'a>,
    /// Goals at most this many cells away are searched for exactly, without doors: the setting `short_path_threshold`. If a long wall lies
    /// in between, that search may expand more nodes than a square of this side has cells. Then it stops, and the route goes over doors.
    pub short: u32,
}

/// Finds a good route to a far goal over doors, refined into exact legs.
///
/// It finds a route whenever one exists. The route is not always the cheapest: on average it costs less than 1 % more (docs/experiments.md has
/// the figures). The work grows with the number of sectors on the route, not with the area around it. Allocates nothing once the scratches and the
/// route have grown to the map.
///
/// It can pause between two legs; see [`SearchScratch::pause_after`]. The exact search for a near goal and the search over doors do not
/// pause. The route over doors is known after the first call, and [`FarScratch::doors`] returns it from then on. The probe sees the
/// searches of all legs, one after another; costs count from the start of each leg.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::planners::{FarScratch, FarSearch, ExactSearch, hpa};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{JumpPlanes, NoProbe, Route, SearchRun, SearchScratch};
/// use waymarch::sectors::Doors;
///
/// let map = Map::flat("field", GridSize::new(1000, 300)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (foot, rule) = (LocomotorId(0).into(), StepRule::default());
/// let doors = Doors::new(&layer, foot, rule, Threat::Ignore)?;
/// let planes = JumpPlanes::full(layer.field(foot).unwrap());
/// let how = FarSearch { doors: &doors, legs: ExactSearch::Planes(&planes), short: 64 };
/// let query = PathQuery::new(cell(3, 3), cell(990, 280), foot);
/// let mut route = Route::new();
/// let run = SearchRun { scratch: &mut SearchScratch::new(), out: &mut route, probe: &mut NoProbe };
/// hpa(&layer, &query, &how, &mut FarScratch::new(), run)?;
/// assert_eq!(route.cost.0, 277 * 1448 + (987 - 277) * 1024, "no obstacle, so no detour");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] if doors or leg search are for another agent, do not count threat as the
/// query does, or are out of date.
pub fn hpa(
    layer: &CostLayer,
    query: &PathQuery,
    how: &FarSearch<'_>,
    far: &mut FarScratch,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    let SearchRun { scratch, out, probe } = run;
    out.clear();
    let grid = layer.grid();
    let goes_on = scratch.resume_route(query, grid);
    let most = scratch.most_nodes(if goes_on { far.refiner.expanded() } else { 0 });
    if !goes_on {
        far.over.cells.clear();
        let mut expanded = 0;
        if is_short(query.from, query.to, how.short) {
            // A long wall may lie between the start and a near goal.
            let search = |scratch: &mut _| how.legs.plan(layer, query, SearchRun { scratch, out, probe });
            match scratch.within(nodes_for(how.short), search) {
                Some(done) => return done,
                None => expanded = out.expanded,
            }
            out.clear();
        }
        refuse(layer, query, how.doors)?;
        let closed = |at| !layer.field(query.agent).is_some_and(|field| field.is_passable(at));
        if closed(query.from) || closed(query.to) || !layer.can_stop(query.to, query.agent) {
            // The exact search refuses such ends at once, with the right error.
            return how.legs.plan(layer, query, SearchRun { scratch, out, probe });
        }
        if !how.doors.route(layer, query.from, query.to, &mut far.doors, &mut far.over) {
            return Err(PlanError::Unreachable { from: query.from, to: query.to });
        }
        far.refiner.begin(&far.over.cells, expanded + far.over.expanded);
        probe.begin(query.from, query.to);
    }
    let walk = Walk { layer, query, legs: how.legs, over: &far.over.cells };
    let walked = scratch.without_pause(|scratch| {
        far.refiner.walk(&walk, most, SearchRun { scratch, out, probe: &mut OfLegs(probe) })
    })?;
    if walked == Walked::Part {
        scratch.pause_route(query, grid, out.expanded);
        return Err(PlanError::Paused { nodes: out.expanded });
    }
    Ok(())
}

/// Replaced by [`hpa`], which takes scratch, route and probe as a [`SearchRun`].
///
/// # Errors
/// As [`hpa`].
#[deprecated(since = "0.2.0", note = "use `hpa` with a `SearchRun`")]
pub fn hpa_with(
    layer: &CostLayer,
    query: &PathQuery,
    how: &FarSearch<'_>,
    scratch: &mut SearchScratch,
    far: &mut FarScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Result<(), PlanError> {
    hpa(layer, query, how, far, SearchRun { scratch, out, probe })
}

/// Refuses doors that do not fit the query.
fn refuse(layer: &CostLayer, query: &PathQuery, doors: &Doors) -> Result<(), PlanError> {
    if query.agent != doors.agent() {
        return Err(PlanError::Unsuited("these doors are for another locomotor or size"));
    }
    if !layer.threat().same_view(query.threat, doors.threat()) {
        return Err(PlanError::Unsuited("these doors count threat in another way than the query"));
    }
    if !doors.is_current(layer) {
        return Err(PlanError::Unsuited("the doors have not followed the latest changes of the map"));
    }
    Ok(())
}

/// The most nodes of a search for a goal at most `short` cells away: as many as a square of that side has cells.
fn nodes_for(short: u32) -> NonZeroU32 {
    let side = short.saturating_add(1);
    NonZeroU32::new(side.saturating_mul(side)).unwrap_or(NonZeroU32::MAX)
}

pub(super) fn is_short(from: CellPos, to: CellPos, short: u32) -> bool {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) <= short
}

/// The query whose route is refined, and the search of its legs.
struct Walk<'a> {
    layer: &'a CostLayer,
    query: &'a PathQuery,
    legs: ExactSearch<'a>,
    /// The route over doors: the start, both cells of each door, and the goal.
    over: &'a [CellPos],
}

impl Walk<'_> {
    /// The cheapest route from one cell of the route to another.
    fn leg(
        &self,
        from: CellPos,
        to: CellPos,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        let query = PathQuery { from, to, ..*self.query };
        self.legs.plan(self.layer, &query, SearchRun { scratch, out, probe })
    }

    /// The key under which a leg is kept. `None` for a leg that later routes would seldom use, and if a probe watches the search.
    fn key<P: Probe>(&self, from: CellPos, to: CellPos, _: &P) -> Option<PathKey> {
        let ExactSearch::Weighted(WeightedSearch { planes, bound: Bound::Octile, quality: Quality::Exact }) =
            self.legs
        else {
            return None;
        };
        let plain = planes.threat() == Threat::Ignore && self.query.threat == Threat::Ignore;
        // Other routes seldom start or end in the same cell.
        let shared = from != self.query.from && to != self.query.to;
        // With another coarseness, the search may find another route of the same cost.
        (plain && shared && !P::WATCHES)
            .then(|| PathKey::new(&PathQuery { from, to, ..*self.query }, planes.coarseness()))
    }

    /// The part of the map that a leg depends on.
    fn scope(&self, leg: &Route) -> Scope {
        let neighbours = self.legs.neighbours();
        Scope { cost: leg.cost.0, grain: 1, neighbours }
    }

    /// Whether a leg may end at `at`.
    fn may_stop(&self, at: CellPos) -> bool {
        self.layer.can_stop(at, self.query.agent)
    }

    /// The first cell where another leg may end, from the middle of this leg on. The last cell always qualifies.
    fn middle(&self, leg: &[CellPos]) -> CellPos {
        let onwards = leg[leg.len() / 2..].iter().find(|&&at| self.may_stop(at));
        onwards.or(leg.last()).copied().unwrap_or(self.query.to)
    }
}
