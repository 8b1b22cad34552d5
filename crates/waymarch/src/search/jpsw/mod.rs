//! Jump point search on weighted ground.
//!
//! *Which steps are dropped.* A cell `x` is reached from `p`. Going on to a neighbour `n` is dropped when `p` has another way to
//! `n` within the 3×3 around `x`, not over `x`, that comes before `p x n` in this order: first the cheaper; of equally
//! cheap ones that with fewer steps; of those the one whose first differing step has the lower rank (diagonals, then north and
//! south, then east and west). All of it follows from the nine costs and the legal-step rule, so that every corner
//! rule and four neighbours are served by the same few lines (`dominance.rs`).
//!
//! *Why nothing is lost.* Take the ways from start to goal of least cost. Costs are positive, so they are finitely many,
//! and the same order, read over whole ways, has a first one, `W`. Were a step of `W` dropped, the other way within the 3×3 could be
//! put in its place: the whole would be cheaper, or as cheap with fewer steps, or as cheap and as long and, the part before
//! being the same, lower at the first step that differs. Each contradicts that `W` is the first. So no step of `W` is ever
//! dropped, and as each drop goes strictly down one order, drops cannot chase each other in a circle. Every part of `W`
//! from the start is itself a cheapest way; a cell of `W` is therefore never refused for being reached more cheaply, and when
//! it was reached as cheaply from another side, the directions that `W`'s side opens are added. Hence the goal is reached by `W` or
//! by a way that costs as much, before the estimates left are as high as the best way found.
//!
//! *Runs.* Where arriving leaves nothing but straight on, and the ground costs the same as before, there is nothing to decide: straight
//! runs are scans for the next set bit (`planes.rs`). A diagonal starts such runs to both sides at each cell. A cell where a run
//! looks up takes part in the bookkeeping of costs, but goes on at once if its estimate is in the present bucket.
//!
//! *Bounded.* With estimates of what is left inflated by `w`, there is always a cell of `W` waiting that was reached at its
//! least cost `g`; its inflated estimate `g + w·h` is at most `w` times the least cost of all. The search ends when none that
//! waits is below the best way found; so that one costs at most `w` times the least.

mod dominance;
mod planes;
mod search;
mod turn_grid;

pub use planes::WeightedPlanes;
use search::Estimate;

use super::astar::open_ends;
use super::bounds::{Bound, Nothing, ToGoal, field_suits};
use super::octile::octile;
use super::probe::{NoProbe, Probe};
use super::route::Route;
use super::scratch::SearchScratch;
use crate::base::CellPos;
use crate::cost::{CostLayer, Neighbours};
use crate::query::{PathQuery, PlanError, Quality, Threat};
use crate::sectors::RimField;

/// What a weighted search goes by.
#[derive(Clone, Copy, Debug)]
pub struct WeightedSearch<'a> {
    /// The planes of the agent that asks, up to date (see [`WeightedPlanes::follow`]).
    pub planes: &'a WeightedPlanes,
    /// What it knows of far goals. One that does not hold, or is for other units, is left out: it costs work, never answers.
    pub bound: Bound<'a>,
    /// How good the route has to be.
    pub quality: Quality,
}

impl<'a> WeightedSearch<'a> {
    /// The cheapest route, by planes alone.
    #[must_use]
    pub const fn new(planes: &'a WeightedPlanes) -> Self {
        Self { planes, bound: Bound::Octile, quality: Quality::Exact }
    }

    /// The same with a bound.
    #[must_use]
    pub const fn with_bound(mut self, bound: Bound<'a>) -> Self {
        self.bound = bound;
        self
    }

    /// The same with routes of another quality.
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }
}

/// Finds a cheapest route over ground of any costs, or one that is not too dear, by jumping to where it may turn.
///
/// Exact unless told otherwise, and deterministic. Serves every rule of steps, and threat if the planes count it. Allocates
/// nothing once `scratch` and `out` have grown to the map.
///
/// ```
/// use waymarch::base::{cell, CellRect, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{jpsw, Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::spec_000()).validate()?;
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
/// [`PlanError`] saying why there is no route; [`PlanError::Unsuited`] when the planes are for another agent, do not
/// count threat as the query does, or are behind the layer's costs or threat, and when they or the bound were made for a map
/// of another size.
pub fn jpsw(
    layer: &CostLayer,
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jpsw_with(layer, query, how, scratch, out, &mut NoProbe)
}

/// [`jpsw`] with somebody watching.
///
/// A cell where a run looks up and goes on at once is told as reached, and never as expanded.
///
/// # Errors
/// As [`jpsw`].
pub fn jpsw_with(
    layer: &CostLayer,
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Result<(), PlanError> {
    out.clear();
    suits(layer, query, how)?;
    let planes = how.planes;
    let goal = planes.padding().pad(query.to).index();
    let bound = if how.bound.serves(layer, query.agent, planes.rule()) { how.bound } else { Bound::Octile };
    let found = match bound {
        Bound::Octile => ask(how, Nothing, query, scratch, out, probe),
        Bound::Zones(zones) => ask(how, zones.towards(goal), query, scratch, out, probe),
        Bound::Landmarks(landmarks) => ask(how, landmarks.towards(goal), query, scratch, out, probe),
    };
    if found { Ok(()) } else { Err(scratch.no_route(query)) }
}

/// As [`jpsw`], led by what is left at least over the rims of sectors: worth most for many starts to one goal, in which case
/// the field is kept. A bound of `how` is not used.
///
/// The route costs what [`jpsw`]'s does; of several equally cheap ones it may be another.
///
/// ```
/// use waymarch::base::{cell, CellRect, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{PathQuery, Threat};
/// use waymarch::search::{jpsw_towards, Route, SearchScratch, WeightedPlanes, WeightedSearch};
/// use waymarch::sectors::{RimField, RimScratch, Rims};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::spec_000()).validate()?;
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
/// As [`jpsw`], and [`PlanError::Unsuited`] when the field is for another goal, locomotor, size or rule of steps, or counts threat that
/// the query does not.
pub fn jpsw_towards(
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    left: &mut RimField<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jpsw_towards_with(query, how, left, scratch, out, &mut NoProbe)
}

/// [`jpsw_towards`] with somebody watching.
///
/// # Errors
/// As [`jpsw_towards`].
pub fn jpsw_towards_with(
    query: &PathQuery,
    how: &WeightedSearch<'_>,
    left: &mut RimField<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Result<(), PlanError> {
    out.clear();
    suits(left.layer(), query, how)?;
    field_suits(left, query, how.planes.rule())?;
    let found = ask(how, left, query, scratch, out, probe);
    if found { Ok(()) } else { Err(scratch.no_route(query)) }
}

/// Whether the planes are those of the question; if not, why.
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
    if query.threat != planes.threat() && !layer.threat().padded().is_empty() {
        return Err(PlanError::Unsuited(match query.threat {
            Threat::Heed => "these planes do not count threat",
            Threat::Ignore => "these planes count threat",
        }));
    }
    if !planes.is_up_to_date(layer) {
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
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> bool {
    let planes = how.planes;
    let mut guess = Guess {
        goal: query.to,
        neighbours: planes.rule().neighbours,
        cheapest: u64::from(planes.cheapest()),
        bound,
        per_mille: u64::from(how.quality.per_mille()),
    };
    search::search(planes, &mut guess, query, scratch, out, probe)
}

/// The better of the octile distance and a bound, inflated if a bounded search asks.
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
