//! What is a cheapest route over ground of any costs? Jump point search on weighted ground.
//!
//! Owns: [`WeightedPlanes`], Derived from the costs of one field. They follow edits. Reads: the cost layer, and a lower bound of `bounds/`.
//! May change: its planes; a search changes only the scratch and the route of the caller.
//!
//! Files: `dominance.rs` decides which steps are dropped, `turn_grid.rs` and `planes.rs` keep that for every cell, `search.rs` is the
//! search.
//!
//! *Which steps are dropped.* A cell `x` is reached from `p`. Take the other routes from `p` to a neighbour `n` that
//! stay within the 3×3 cells around `x` and avoid `x`. The step to `n` is dropped if one of them comes before `p x n`
//! in this order:
//!
//! 1. the cheaper route;
//! 2. of equally cheap routes, the one with fewer steps;
//! 3. of those, the one whose first differing step has the lower rank (diagonals, then north and south, then east and west).
//!
//! This depends only on the nine costs and the rule of legal steps, so the same code serves every corner rule and four neighbours.
//!
//! *Why the search is exact.* Consider all cheapest routes from start to goal. There are finitely many, because costs are positive. In the order
//! above, applied to whole routes, one of them is the first: `W`. Suppose a step of `W` were dropped. Then the other route within the 3×3
//! cells could replace it, and the result would come before `W`: a contradiction. So no step of `W` is dropped. Every part of `W` from the
//! start is a cheapest route, so no cell of `W` is refused because it was reached more cheaply. If it was reached equally cheaply from
//! another side, the directions of `W`'s side are added. So the search finds `W` or a route of the same cost.
//!
//! *Runs.* Where the only direction left is straight on and the cost stays the same, there is nothing to decide. Such
//! straight runs are scans for the next set bit (`planes.rs`). A diagonal starts runs to both sides at each cell. A
//! cell where a run stops gets a node. If the estimate of the cell falls into the present bucket, the run goes on at
//! once.
//!
//! *Bounded search.* The heuristic is inflated by a factor `w`. At any time, some cell of `W` that was reached at its
//! least cost `g` waits in the open list. Its estimate `g + w·h` is at most `w` times the least cost of a route. The
//! search ends when no waiting cell has an estimate below the best route found. So that route costs at most `w` times
//! the least.

mod dominance;
mod planes;
mod planes_in_work;
mod search;
mod turn_grid;

pub use planes::WeightedPlanes;
pub(crate) use planes_in_work::PlanesInWork;
pub(in crate::search) use search::{Estimate, search as search_planes};

use super::astar::open_ends;
use super::bounds::{Bound, Nothing, ToGoal, field_suits};
use super::octile::octile;
use super::probe::{NoProbe, Probe};
use super::route::Route;
use super::run::SearchRun;
use super::scratch::SearchScratch;
use crate::base::CellPos;
use crate::cost::{CostLayer, Neighbours};
use crate::query::{PathQuery, PlanError, Quality, Threat};
use crate::sectors::RimField;

/// The tables and the quality of a weighted search.
#[derive(Clone, Copy, Debug)]
pub struct WeightedSearch<'a> {
    /// The planes of the query's agent, up to date; see [`WeightedPlanes::follow`].
    pub planes: &'a WeightedPlanes,
    /// The lower bound on the rest of a route. The search ignores a bound that does not hold or is for another agent; then it expands more
    /// nodes and finds routes of the same cost.
    pub bound: Bound<'a>,
    /// How much more than the cheapest route the route may cost.
    pub quality: Quality,
}

impl<'a> WeightedSearch<'a> {
    /// The cheapest route, with planes only.
    #[must_use]
    pub const fn new(planes: &'a WeightedPlanes) -> Self {
        Self { planes, bound: Bound::Octile, quality: Quality::Exact }
    }

    /// The same search with a bound.
    #[must_use]
    pub const fn with_bound(mut self, bound: Bound<'a>) -> Self {
        self.bound = bound;
        self
    }

    /// The same search with another quality.
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }
}

/// Finds a cheapest route over ground of any costs, or one within a bound of it, by jumps to the cells where it may turn.
///
/// Exact unless `how.quality` says otherwise, and deterministic. Serves every step rule, and threat if the planes count it. Allocates
/// nothing once `scratch` and `out` have grown to the map. Pauses after as many nodes as [`SearchScratch::pause_after`] says.
///
/// ```
/// use waymarch::base::{cell, CellRect, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{jpsw, Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let rough = layer.rules().terrain("Rough").unwrap();
/// layer.set_terrain(CellRect::at(cell(100, 20), 8, 70), rough)?;
/// let foot = LocomotorId(0);
/// let planes = WeightedPlanes::new(&layer, foot.into(), StepRule::default(), Threat::Ignore)?;
/// let landmarks = Landmarks::new(&layer, foot.into(), StepRule::default())?;
/// let how = WeightedSearch::new(&planes).with_bound(Bound::Landmarks(&landmarks));
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// jpsw(&layer, &PathQuery::new(cell(5, 50), cell(190, 50), foot), &how, &mut scratch, &mut route)?;
/// assert!(route.expanded < 100, "only where it may turn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] if the planes are for another agent, do not
/// count threat as the query does, or are out of date. Also if the planes or the bound were made for a map of another
/// size.
pub fn jpsw(
    layer: &CostLayer,
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jpsw_with(layer, query, how, SearchRun { scratch, out, probe: &mut NoProbe })
}

/// [`jpsw`] with a probe that sees every step.
///
/// If a run goes on at once from a cell where it stopped, that cell is reported as reached, and never as expanded.
///
/// # Errors
/// As [`jpsw`].
pub fn jpsw_with(
    layer: &CostLayer,
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    run.out.clear();
    suits(layer, query, how)?;
    let planes = how.planes;
    let goal = planes.padding().pad(query.to).index();
    let bound = if how.bound.serves(layer, query.agent, planes.rule()) { how.bound } else { Bound::Octile };
    match bound {
        Bound::Octile => ask(how, Nothing, query, run),
        Bound::Zones(zones) => ask(how, zones.towards(goal), query, run),
        Bound::Landmarks(landmarks) => ask(how, landmarks.towards(goal), query, run),
    }
}

/// As [`jpsw`], with the lower bound over the rims of sectors. Use it for many starts to one goal, and keep the field. The bound of `how`
/// is not used.
///
/// The route costs as much as that of [`jpsw`], but it may be another one of the same cost.
///
/// ```
/// use waymarch::base::{cell, CellRect, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{jpsw_towards, Route, SearchScratch, WeightedPlanes, WeightedSearch};
/// use waymarch::sectors::{RimField, RimScratch, Rims};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let rough = layer.rules().terrain("Rough").unwrap();
/// layer.set_terrain(CellRect::at(cell(100, 20), 8, 70), rough)?;
/// let (foot, rule) = (LocomotorId(0), StepRule::default());
/// let planes = WeightedPlanes::new(&layer, foot.into(), rule, Threat::Ignore)?;
/// let rims = Rims::new(&layer, foot.into(), rule, Threat::Ignore)?;
/// let (goal, mut memory) = (cell(190, 50), RimScratch::new());
/// let mut left = RimField::new(&rims, &layer, goal, &mut memory).expect("an open goal");
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// for y in [5, 50, 95] {
///     let query = PathQuery::new(cell(5, y), goal, foot);
///     jpsw_towards(&query, &WeightedSearch::new(&planes), &mut left, &mut scratch, &mut route)?;
///     assert!(left.at_least(query.from) <= route.cost.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`jpsw`]. [`PlanError::Unsuited`] if the field is for another goal, locomotor, size or step rule, or if it counts threat and the
/// query does not.
pub fn jpsw_towards(
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    left: &mut RimField<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jpsw_towards_with(query, how, left, SearchRun { scratch, out, probe: &mut NoProbe })
}

/// [`jpsw_towards`] with a probe that sees every step.
///
/// # Errors
/// As [`jpsw_towards`].
pub fn jpsw_towards_with(
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    left: &mut RimField<'_>,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    run.out.clear();
    suits(left.layer(), query, how)?;
    field_suits(left, query, how.planes.rule())?;
    ask(how, left, query, run)
}

/// Refuses planes that do not fit the query.
fn suits(layer: &CostLayer, query: &PathQuery, how: &WeightedSearch<'_>) -> Result<(), PlanError> {
    open_ends(layer, query)?;
    let planes = how.planes;
    if planes.grid() != layer.grid() {
        return Err(PlanError::Unsuited("these planes were made for a map of another size"));
    }
    if how.bound.grid().is_some_and(|grid| grid != layer.grid()) {
        return Err(PlanError::Unsuited("this bound was made for a map of another size"));
    }
    if query.agent != planes.agent() {
        return Err(PlanError::Unsuited("these planes are for another locomotor or size"));
    }
    if !layer.threat().same_view(query.threat, planes.threat()) {
        return Err(PlanError::Unsuited(match (query.threat, planes.threat()) {
            (Threat::Ignore, _) => "these planes count threat",
            (_, Threat::Ignore) => "these planes do not count threat",
            _ => "these planes count threat as another observer",
        }));
    }
    if !planes.is_current(layer) {
        return Err(PlanError::Unsuited(
            "costs or threat have changed since these planes were last brought up to date",
        ));
    }
    Ok(())
}

fn ask(
    how: &WeightedSearch<'_>,
    bound: impl ToGoal,
    query: &PathQuery,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    let planes = how.planes;
    let mut guess = Guess {
        goal: query.to,
        neighbours: planes.rule().neighbours,
        cheapest: u64::from(planes.cheapest()),
        bound,
        per_mille: u64::from(how.quality.per_mille()),
    };
    search::search(planes, &mut guess, query, run)
}

/// The heuristic: the greater of the octile distance and a bound, inflated in a bounded search.
struct Guess<B> {
    goal: CellPos,
    neighbours: Neighbours,
    cheapest: u64,
    bound: B,
    per_mille: u64,
}

impl<B: ToGoal> Estimate for Guess<B> {
    #[inline]
    fn from(&mut self, place: usize, at: CellPos) -> u64 {
        let octile = octile(at, self.goal, self.neighbours) * self.cheapest;
        let least = octile.max(self.bound.at_least(place, at));
        if self.is_inflated() { least * self.per_mille / 1000 } else { least }
    }

    #[inline]
    fn is_inflated(&self) -> bool {
        self.per_mille > 1000
    }
}
