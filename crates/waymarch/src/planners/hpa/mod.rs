//! Hierarchical routes: over doors first, then cell by cell.
//!
//! The way over doors says which sectors to pass; it bends where the doors are, not where it should. So it is walked in legs of a few
//! sectors, from the middle of one to the middle of another, each searched exactly and without regard to the doors in between. No
//! leg can be dearer than the piece of the way it replaces, and what is left to gain is about the bends where legs meet. On ground of one cost,
//! where legs are cheap to find, these are taken out by walking once more, from the middle of each leg to the middle of the next.

mod refine;

use core::num::NonZeroU32;

use crate::base::CellPos;
use crate::cost::{CostLayer, Neighbours, StepRule};
use crate::plan::{PathCache, PathKey, Scope};
use crate::query::{PathQuery, PlanError, Quality, Threat};
use crate::search::{
    Bound, JumpData, JumpPlanes, NoProbe, Probe, Reach, Route, SearchScratch, Visit, WeightedSearch,
    astar_with, jps_with, jpsw_with,
};
use crate::sectors::{DoorRoute, DoorScratch, Doors};

use refine::{Refiner, Walked};

/// The exact search that walks the legs of a hierarchical route.
#[derive(Clone, Copy, Debug)]
pub enum LegSearch<'a> {
    /// A\*, which needs nothing made ready.
    Astar(StepRule),
    /// Jump point search, for ground of one cost.
    Planes(&'a JumpPlanes),
    /// The same with data from a [`JumpStore`](crate::search::JumpStore).
    Jumps(&'a JumpData),
    /// Jump point search for weighted ground.
    Weighted(WeightedSearch<'a>),
}

impl LegSearch<'_> {
    /// Sectors a leg passes: longer legs leave less to gain and cost more to search, much more on weighted ground.
    const fn sectors_per_leg(&self) -> usize {
        match self {
            Self::Planes(_) | Self::Jumps(_) => 6,
            Self::Astar(_) | Self::Weighted(_) => 3,
        }
    }

    /// Whether the way is walked once more, with legs that meet elsewhere: where that is cheap.
    const fn walks_twice(&self) -> bool {
        matches!(self, Self::Planes(_) | Self::Jumps(_))
    }

    fn plan(
        &self,
        layer: &CostLayer,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        match self {
            Self::Astar(rule) => astar_with(layer, query, *rule, scratch, out, probe),
            Self::Planes(planes) => jps_with(layer, query, planes, scratch, out, probe),
            Self::Jumps(data) => data.plan_with(layer, query, scratch, out, probe),
            Self::Weighted(how) => jpsw_with(layer, query, how, scratch, out, probe),
        }
    }
}

/// Watches legs as parts of one search that has begun.
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

/// Scratch for hierarchical routes, beside that of the search for their legs; rubbish between calls.
#[derive(Clone, Debug, Default)]
pub struct FarScratch {
    doors: DoorScratch,
    over: DoorRoute,
    refiner: Refiner,
}

impl FarScratch {
    /// Makes memory ahead of need, for a map of so many cells and routes of so many turns.
    pub(crate) fn make_room(&mut self, cells: usize, turns: usize) {
        self.doors.make_room(cells);
        self.refiner.make_room(turns);
    }

    /// An empty one; memory comes with the first query.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One that remembers so many legs of routes over weighted ground, for later routes that go the same way for a while. It serves one
    /// layer only from then on, whose changes it follows. What is remembered saves work and changes no route.
    #[must_use]
    pub fn remembering(legs: u32) -> Self {
        let mut scratch = Self::default();
        scratch.refiner.remembered = PathCache::new(legs);
        scratch
    }

    /// The legs that are remembered.
    #[must_use]
    pub fn legs(&self) -> &PathCache {
        &self.refiner.remembered
    }

    /// What the last route depends on, for a [`PathCache`](crate::plan::PathCache): `route` as it came out of [`hpa`] by `how`.
    #[must_use]
    pub fn scope(&self, how: &FarSearch<'_>, route: &Route) -> Scope {
        let neighbours = how.doors.rule().neighbours;
        if self.over.cells.is_empty() {
            return Scope { cost: route.cost.0, grain: 1, neighbours };
        }
        Scope { cost: self.over.cost, grain: how.doors.grain(), neighbours }
    }

    /// Fills it with rubbish; a route that has paused is to be forgotten.
    pub(crate) fn poison(&mut self) {
        self.over.cells.push(CellPos::new(7, -7));
        self.refiner.poison();
    }

    /// What ways over doors need while they are found.
    pub(crate) fn doors_scratch(&mut self) -> &mut DoorScratch {
        &mut self.doors
    }

    /// The way over doors of the last route, for pictures; empty if it needed none.
    #[must_use]
    pub fn doors(&self) -> &DoorRoute {
        &self.over
    }
}

/// What a hierarchical search goes by.
#[derive(Clone, Copy, Debug)]
pub struct FarSearch<'a> {
    /// The doors of the agent that asks, up to date.
    pub doors: &'a Doors,
    /// How legs are walked; exact, for the same agent, and heeding threat as the doors do.
    pub legs: LegSearch<'a>,
    /// Goals at most this many cells away are searched for exactly, without doors: the setting `short_path_threshold`. Unless that takes more
    /// nodes than a square of that side has cells, as before a long wall: then over doors after all.
    pub short: u32,
}

/// Finds a good route to a far goal by going over doors and then walking the way in exact legs.
///
/// Found whenever there is a way at all. Not always the cheapest: within a hundredth on average (docs/spec-notes.md has the
/// figures); what it costs to find grows with the number of sectors on the way instead of the area around it. Allocates nothing once
/// the scratches and `out` have grown to the map.
///
/// It can pause between two legs; see [`SearchScratch::pause_after`]. The way over doors is found in one go, and is there from then on
/// ([`FarScratch::doors`]).
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::planners::{FarScratch, FarSearch, LegSearch, hpa};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{JumpPlanes, Route, SearchScratch};
/// use waymarch::sectors::Doors;
///
/// let map = Map::flat("field", GridSize::new(1000, 300)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (foot, rule) = (LocomotorId(0).into(), StepRule::default());
/// let doors = Doors::new(&layer, foot, rule, Threat::Ignore)?;
/// let planes = JumpPlanes::full(layer.field(foot).unwrap());
/// let how = FarSearch { doors: &doors, legs: LegSearch::Planes(&planes), short: 64 };
/// let query = PathQuery::new(cell(3, 3), cell(990, 280), foot);
/// let mut route = Route::new();
/// hpa(&layer, &query, &how, &mut SearchScratch::new(), &mut FarScratch::new(), &mut route)?;
/// assert_eq!(route.cost.0, 277 * 1448 + (987 - 277) * 1024, "nothing in the way, no detour");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route; [`PlanError::Unsuited`] when doors or leg search are for another agent, do not
/// count threat as the query does, or have not followed the map.
pub fn hpa(
    layer: &CostLayer,
    query: &PathQuery,
    how: &FarSearch<'_>,
    scratch: &mut SearchScratch,
    far: &mut FarScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    hpa_with(layer, query, how, scratch, far, out, &mut NoProbe)
}

/// As [`hpa`], with a probe that sees the searches of all legs, one after another; what they cost counts from the start of each leg.
///
/// # Errors
/// As [`hpa`].
pub fn hpa_with(
    layer: &CostLayer,
    query: &PathQuery,
    how: &FarSearch<'_>,
    scratch: &mut SearchScratch,
    far: &mut FarScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Result<(), PlanError> {
    out.clear();
    let grid = layer.grid();
    let goes_on = scratch.resume_route(query, grid);
    let most = scratch.most_nodes(if goes_on { far.refiner.expanded() } else { 0 });
    if !goes_on {
        far.over.cells.clear();
        let mut expanded = 0;
        if is_short(query.from, query.to, how.short) {
            // Near goals can have a long wall before them.
            let search = |scratch: &mut _| how.legs.plan(layer, query, scratch, out, probe);
            match scratch.within(nodes_for(how.short), search) {
                Some(done) => return done,
                None => expanded = out.expanded,
            }
            out.clear();
        }
        refuse(layer, query, how.doors)?;
        let closed = |at| !layer.field(query.agent).is_some_and(|field| field.is_passable(at));
        if closed(query.from) || closed(query.to) || !layer.can_stop(query.to, query.agent) {
            // The exact search refuses it at once, and says why.
            return how.legs.plan(layer, query, scratch, out, probe);
        }
        if !how.doors.route(layer, query.from, query.to, &mut far.doors, &mut far.over) {
            return Err(PlanError::Unreachable { from: query.from, to: query.to });
        }
        far.refiner.begin(&far.over.cells, expanded + far.over.expanded);
        probe.begin(query.from, query.to);
    }
    let walk = Walk { layer, query, legs: how.legs };
    let over = &far.over.cells;
    let walked = scratch
        .without_pause(|scratch| far.refiner.walk(over, &walk, most, scratch, out, &mut OfLegs(probe)))?;
    if walked == Walked::Part {
        scratch.pause_route(query, grid, out.expanded);
        return Err(PlanError::Paused { nodes: out.expanded });
    }
    Ok(())
}

/// As many nodes of a search over cells take as long as going on from one door, which looks at all doors of a sector.
const DOOR_NODES: u32 = 4;
/// As many take as long as finding what the doors around the start and the goal cost.
const ENDS_NODES: u32 = 400;

/// What a way over doors took, in nodes of a search over cells, for budgets.
pub(crate) fn door_nodes(over: &DoorRoute) -> u32 {
    over.expanded.saturating_mul(DOOR_NODES).saturating_add(ENDS_NODES)
}

/// Why these doors cannot be gone by.
fn refuse(layer: &CostLayer, query: &PathQuery, doors: &Doors) -> Result<(), PlanError> {
    if query.agent != doors.agent() {
        return Err(PlanError::Unsuited("these doors are for another locomotor or size"));
    }
    if query.threat != doors.threat() && !layer.threat().padded().is_empty() {
        return Err(PlanError::Unsuited("these doors count threat otherwise than the question"));
    }
    if !doors.is_current(layer) {
        return Err(PlanError::Unsuited("the doors have not followed the latest changes of the map"));
    }
    Ok(())
}

/// How many nodes a search for a goal at most `short` cells away is worth: as many as a square of that side has cells.
fn nodes_for(short: u32) -> NonZeroU32 {
    let side = short.saturating_add(1);
    NonZeroU32::new(side.saturating_mul(side)).unwrap_or(NonZeroU32::MAX)
}

pub(super) fn is_short(from: CellPos, to: CellPos, short: u32) -> bool {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) <= short
}

/// Who walks, where, and how.
struct Walk<'a> {
    layer: &'a CostLayer,
    query: &'a PathQuery,
    legs: LegSearch<'a>,
}

impl Walk<'_> {
    /// The cheapest way from one cell to another on the way.
    fn leg(
        &self,
        from: CellPos,
        to: CellPos,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        self.legs.plan(self.layer, &PathQuery { from, to, ..*self.query }, scratch, out, probe)
    }

    /// Under what a leg can be remembered; none if it is not worth it, or if somebody wants to see how it is found.
    fn key<P: Probe>(&self, from: CellPos, to: CellPos, _: &P) -> Option<PathKey> {
        let LegSearch::Weighted(WeightedSearch { planes, bound: Bound::Octile, quality: Quality::Exact }) =
            self.legs
        else {
            return None;
        };
        let plain = planes.threat() == Threat::Ignore && self.query.threat == Threat::Ignore;
        // Hardly ever does another route start or end in the same cell.
        let shared = from != self.query.from && to != self.query.to;
        // Of equally cheap ways the search finds another when it counts more coarsely.
        (plain && shared && !P::WATCHES)
            .then(|| PathKey::new(&PathQuery { from, to, ..*self.query }, planes.coarseness()))
    }

    /// What a leg depends on.
    fn scope(&self, leg: &Route) -> Scope {
        let neighbours = match self.legs {
            LegSearch::Weighted(how) => how.planes.rule().neighbours,
            LegSearch::Astar(rule) => rule.neighbours,
            LegSearch::Planes(_) | LegSearch::Jumps(_) => Neighbours::Eight,
        };
        Scope { cost: leg.cost.0, grain: 1, neighbours }
    }

    /// Whether a leg may end at `at`.
    fn may_stop(&self, at: CellPos) -> bool {
        self.layer.can_stop(at, self.query.agent)
    }

    /// The cell nearest to the middle of a leg where another may end, from there on; its last cell is one.
    fn middle(&self, leg: &[CellPos]) -> CellPos {
        let onwards = leg[leg.len() / 2..].iter().find(|&&at| self.may_stop(at));
        onwards.or(leg.last()).copied().unwrap_or(self.query.to)
    }
}
