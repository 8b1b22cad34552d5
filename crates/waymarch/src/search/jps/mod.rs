//! What is a shortest route over ground of one cost, without cutting corners? Jump point search over planes of bits.
//!
//! Owns: [`JumpPlanes`], Derived from the closed cells of one field. They are bits that say where jumps stop, scanned 64 cells at a time.
//! They follow edits. Reads: the cost field. May change: its planes; a search changes only the scratch and the route of the caller.
//!
//! - `stops.rs`, `steps.rs`, `diagonals.rs`: the planes; `planes.rs`, `diagonal_lines.rs`: how their bits lie in memory.
//! - `search.rs`, `walks.rs`, `quarters.rs`, `turns.rs`, `along.rs`: the search; `goal.rs`: what it knows about its goal.
//! - `sight.rs`: from which cells a straight jump finds a jump point.

mod along;
mod diagonal_lines;
pub(in crate::search) mod diagonals;
mod goal;
pub(in crate::search) mod planes;
mod quarters;
mod search;
mod sight;
mod steps;
pub(in crate::search) mod stops;
pub(in crate::search) mod turns;
mod walks;

use diagonals::DiagonalPlanes;
use steps::StepPlanes;
use stops::StopPlanes;

use super::astar::open_ends;
use super::probe::{NoProbe, Probe};
use super::route::Route;
use super::run::SearchRun;
use super::scratch::SearchScratch;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};
use crate::cost::{CornerRule, CostField, CostLayer, Neighbours, StepRule};
use crate::query::{PathQuery, PlanError};

/// Derived from the passability of one field: bits that say where jumps stop, scanned 64 cells at a time.
///
/// [`JumpPlanes::straight`] has planes for the four straight directions and for legal diagonal steps. A change of one cell affects only the
/// 3×3 cells around it.
///
/// [`JumpPlanes::full`] adds planes for the four diagonal directions (JPS+). Searches are faster and the planes larger. A change affects the
/// rows and columns that it lies in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JumpPlanes {
    pub(in crate::search) stops: StopPlanes,
    steps: StepPlanes,
    pub(in crate::search) diagonals: Option<DiagonalPlanes>,
}

impl JumpPlanes {
    /// Planes for straight jumps.
    #[must_use]
    pub fn straight(field: &CostField) -> Self {
        Self::straight_of(field.closed_bits())
    }

    /// Planes for straight and diagonal jumps.
    #[must_use]
    pub fn full(field: &CostField) -> Self {
        Self::full_of(field.closed_bits())
    }

    /// Planes for straight and diagonal jumps over all cells that are not in `closed`.
    pub(in crate::search) fn full_of(closed: &RowColBits) -> Self {
        let straight = Self::straight_of(closed);
        let diagonals = Some(DiagonalPlanes::new(closed, &straight.stops));
        Self { diagonals, ..straight }
    }

    /// Planes for straight jumps over all cells that are not in `closed`.
    pub(in crate::search) fn straight_of(closed: &RowColBits) -> Self {
        Self { stops: StopPlanes::new(closed), steps: StepPlanes::new(closed), diagonals: None }
    }

    /// The size of the map that the planes were made for.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.stops.grid()
    }

    /// Follows a change of the field within `changed`. The result equals new planes. For a field of another size, new
    /// planes are made.
    pub fn update(&mut self, field: &CostField, changed: CellRect) {
        self.follow(field.closed_bits(), changed);
    }

    /// As [`JumpPlanes::update`], from the closed cells.
    pub(in crate::search) fn follow(&mut self, closed: &RowColBits, changed: CellRect) {
        if closed.grid() != self.grid() {
            *self = if self.diagonals.is_some() { Self::full_of(closed) } else { Self::straight_of(closed) };
            return;
        }
        self.stops.update(closed, changed);
        self.steps.update(closed, changed);
        if let Some(diagonals) = &mut self.diagonals {
            diagonals.update(closed, &self.stops, changed);
        }
    }

    /// The JPS+ jump table entry of an open cell:
    ///
    /// - above 0: the number of steps to a jump point, or on a diagonal to a cell from which a straight jump finds one;
    /// - 0: the first step is not legal;
    /// - below 0: minus the number of legal steps, without a jump point.
    ///
    /// `None` for a cell that is closed or off the map, for diagonals of straight planes, and for a field of another size.
    ///
    /// Hidden: no search uses it. Tests compare the planes with a table that is made cell by cell.
    #[doc(hidden)]
    #[must_use]
    pub fn jump_entry(&self, field: &CostField, at: CellPos, dir: Dir8) -> Option<i16> {
        if !field.is_passable(at) || field.grid() != self.grid() {
            return None;
        }
        if !dir.is_diagonal() {
            let stop = self.stops.jump_towards(at, dir);
            // The side of a map is at most 8192 cells, so every number of steps fits.
            return Some(if stop.closed { 1 - stop.steps as i16 } else { stop.steps as i16 });
        }
        let diagonals = self.diagonals.as_ref()?;
        let closed = |dir: Dir8| field.closed_bits().get(at.step(dir));
        if closed(dir) || closed(dir.turn(1)) || closed(dir.turn(-1)) {
            return Some(0);
        }
        let first = match dir {
            Dir8::NE => diagonals.first::<0>(at),
            Dir8::SE => diagonals.first::<1>(at),
            Dir8::SW => diagonals.first::<2>(at),
            _ => diagonals.first::<3>(at),
        };
        Some(first.map_or_else(|clear| -(clear as i16), |steps| steps as i16))
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.stops.memory_bytes()
            + self.steps.memory_bytes()
            + self.diagonals.as_ref().map_or(0, DiagonalPlanes::memory_bytes)
    }
}

/// Whether jump point search may be used on `field` under `rule`.
///
/// # Errors
/// The reason why not, in a sentence: it needs ground of one cost, eight neighbours, and corners that are never cut.
pub fn jps_suits(field: &CostField, rule: StepRule) -> Result<(), &'static str> {
    if rule.neighbours != Neighbours::Eight || rule.corners != CornerRule::Forbid {
        return Err("jump point search needs eight neighbours and corners that are never cut");
    }
    if field.cheapest() < field.dearest() {
        return Err("jump point search needs ground of one cost");
    }
    Ok(())
}

/// The cost field of the query's agent. Refuses ends that are wrong, and queries that jump point search cannot answer.
pub(super) fn suited_field<'a>(layer: &'a CostLayer, query: &PathQuery) -> Result<&'a CostField, PlanError> {
    let field = open_ends(layer, query)?;
    jps_suits(field, StepRule::default()).map_err(PlanError::Unsuited)?;
    if layer.threat().effective(query.threat).is_heeded() {
        return Err(PlanError::Unsuited("jump point search cannot heed threat"));
    }
    Ok(field)
}

/// Finds a shortest route by jumps from turning point to turning point. `planes` must be those of the query's field.
///
/// Exact and deterministic. Allocates nothing once `scratch` and `out` have grown to the map. Pauses after as many nodes as
/// [`SearchScratch::pause_after`] says.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{jps, JumpPlanes, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(3, 60), cell(100, 20), Tick::ZERO)?;
/// let foot = LocomotorId(0);
/// let planes = JumpPlanes::full(layer.field(foot.into()).unwrap());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(5, 50), cell(190, 50), foot);
/// jps(&layer, &query, &planes, &mut scratch, &mut route)?;
/// assert!(route.expanded < 20, "only corners are looked at");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] on ground of several costs, for a query that counts threat, and for
/// planes of a map of another size.
pub fn jps(
    layer: &CostLayer,
    query: &PathQuery,
    planes: &JumpPlanes,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jps_with(layer, query, planes, SearchRun { scratch, out, probe: &mut NoProbe })
}

/// [`jps`] with a probe that sees every step.
///
/// # Errors
/// As [`jps`].
pub fn jps_with(
    layer: &CostLayer,
    query: &PathQuery,
    planes: &JumpPlanes,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    run.out.clear();
    let field = suited_field(layer, query)?;
    if planes.grid() != field.grid() {
        return Err(PlanError::Unsuited("these jump planes were made for a map of another size"));
    }
    search::search(field, planes, query, run)
}
