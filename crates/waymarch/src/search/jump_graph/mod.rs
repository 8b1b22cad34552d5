//! What is a shortest route over ground of one cost, if the successors of every jump point are found in advance? The explicit jump point
//! graph.
//!
//! Owns: [`JumpGraph`], Derived from the closed cells of one field. It follows edits. Reads: the cost field. May change: its graph; a
//! search changes only the scratch and the route of the caller.
//!
//! - `cells.rs`, `pool.rs`, `diagonal_bits.rs`: the jump cells, their lists of successors, and where they lie in memory.
//! - `fill.rs`, `jumps.rs`: making the lists, and finding the lists that an edit affects.
//! - `search.rs`: the search over the graph.

mod cells;
mod diagonal_bits;
mod fill;
mod jumps;
mod pool;
mod search;

use alloc::vec::Vec;
use core::fmt;

use cells::JumpCells;
use fill::{ListScratch, collect, fill, refill, renew_cells};
use jumps::Turns;

use super::jps::{JumpPlanes, suited_field};
use super::probe::{NoProbe, Probe};
use super::route::Route;
use super::run::SearchRun;
use super::scratch::SearchScratch;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};
use crate::cost::{CostField, CostLayer};
use crate::query::{PathQuery, PlanError};

/// Derived from the passability of one field: the jump points. Each has one list of successors per straight direction by which it is
/// reached.
///
/// The lists hold what jumps over the planes (see [`JumpPlanes::full`]) find. After an edit, only the lists of jumps that read an edited
/// cell are made again. The result equals a new graph, except for the numbers of nodes. No answer depends on these numbers.
#[derive(Clone)]
pub struct JumpGraph {
    /// The closed cells that planes and lists were made from.
    closed: RowColBits,
    planes: JumpPlanes,
    cells: JumpCells,
    work: ListScratch,
}

/// Searches pass through chains if a node has at most 2.5 successors on average: 5 for two nodes.
const PASSED_IF_TWO_LEAD_TO: usize = 5;

/// Searches pass through chains if there are at least 2 cells per node.
const PASSED_IF_SPREAD_OVER: usize = 2;

/// A successor of a node: a jump point, the straight direction by which it is reached, and the length of the route there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The jump point.
    pub to: CellPos,
    /// The direction of the last steps.
    pub by: Dir8,
    /// The length of the route; a straight step counts 1024.
    pub length: u32,
}

impl JumpGraph {
    /// Makes the graph of a field. For every jump point this takes a jump in each direction that searches follow.
    #[must_use]
    pub fn new(field: &CostField) -> Self {
        Self::of(field.closed_bits())
    }

    /// Makes the graph of all cells that are not in `closed`.
    pub(in crate::search) fn of(closed: &RowColBits) -> Self {
        let (planes, mut cells) = (JumpPlanes::full_of(closed), JumpCells::new(closed.grid()));
        for at in closed.grid().rect().cells() {
            if Turns::of(closed, at).came_by != 0 {
                cells.add(at);
            }
        }
        let mut work = ListScratch::default();
        for number in 0..cells.numbers_end() as u32 {
            fill(&mut cells, &planes, closed, number, &mut work.cell);
        }
        cells.shrink();
        Self { closed: closed.clone(), planes, cells, work }
    }

    /// Follows a change of the field within `changed`. The result equals a new graph. For a field of another size, a
    /// new graph is made.
    ///
    /// Updates the planes of the rows and columns of `changed`, and the lists whose jumps read a cell of it. Allocates nothing once grown.
    pub fn update(&mut self, field: &CostField, changed: CellRect) {
        self.follow(field.closed_bits(), &[changed]);
    }

    /// As [`JumpGraph::update`] for several areas at once, from the closed cells as they are now.
    pub(in crate::search) fn follow(&mut self, now_closed: &RowColBits, changed: &[CellRect]) {
        if now_closed.grid() != self.grid() {
            *self = Self::of(now_closed);
            return;
        }
        let Self { closed, planes, cells, work } = self;
        let whole = closed.grid().rect();
        // Jump points and legal steps change up to one cell around a change.
        let areas = || changed.iter().map(|rect| rect.grow(1, 1).intersect(whole));
        // All affected lists are found before the first change is made.
        work.begin();
        areas().for_each(|area| collect(cells, planes, closed, area, work));
        for at in changed.iter().flat_map(|rect| rect.intersect(whole).cells()) {
            closed.set(at, now_closed.get(at));
        }
        for rect in changed {
            planes.follow(closed, *rect);
        }
        areas().for_each(|area| renew_cells(cells, closed, area, work));
        refill(cells, planes, closed, work);
    }

    /// The planes that the graph was made from, for searches without the graph.
    #[must_use]
    pub fn planes(&self) -> &JumpPlanes {
        &self.planes
    }

    /// The size of the map.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.cells.grid()
    }

    /// The number of nodes: jump points, each counted once for every straight direction by which it is reached.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.cells.count().nodes
    }

    /// The number of successors in all lists.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.cells.count().edges
    }

    /// Whether searches pass through nodes with at most one successor at once, instead of queueing them.
    ///
    /// That saves time where lists are short and jump points far apart: in corridors, mazes and streets. In rubble most nodes passed
    /// through would never be needed (docs/experiments.md has the figures). It is a function of the map, so equal maps give equal routes.
    fn passes_chains(&self) -> bool {
        let cells::Count { nodes, edges } = self.cells.count();
        edges * 2 <= nodes * PASSED_IF_TWO_LEAD_TO && nodes * PASSED_IF_SPREAD_OVER <= self.grid().cells()
    }

    /// Bytes held, planes included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.closed.memory_bytes()
            + self.planes.memory_bytes()
            + self.cells.memory_bytes()
            + self.work.memory_bytes()
    }

    /// The successors of the node at `at` that is reached by the straight direction `by`, in order; `None` if there is no such node.
    #[must_use]
    pub fn successors(&self, at: CellPos, by: Dir8) -> Option<Vec<Successor>> {
        if !self.grid().contains(at) || by.is_diagonal() {
            return None;
        }
        let (number, by) = (self.cells.number(at), usize::from(by.index() / 2));
        if number == cells::NO_CELL || self.cells.upkeep(number).came_by >> by & 1 == 0 {
            return None;
        }
        let list = self.cells.list(self.cells.record(number), by);
        let successor = |edge: &pool::Edge| Successor {
            to: self.cells.record(edge.to >> 2).at(),
            by: Dir8::STRAIGHT[(edge.to & 3) as usize],
            length: edge.cost,
        };
        Some(list.iter().map(successor).collect())
    }
}

impl PartialEq for JumpGraph {
    /// Two graphs are equal if they have the same nodes with the same successors in the same order. The numbers of the nodes are not
    /// compared.
    fn eq(&self, other: &Self) -> bool {
        let cells = self.grid().rect().cells();
        self.planes == other.planes
            && self.cells.iter().count() == other.cells.iter().count()
            && cells.flat_map(|at| Dir8::STRAIGHT.map(|by| (at, by))).all(|(at, by)| {
                self.successors(at, by) == other.successors(at, by) && self.clear(at) == other.clear(at)
            })
    }
}

impl Eq for JumpGraph {}

impl JumpGraph {
    fn clear(&self, at: CellPos) -> Option<[u16; 4]> {
        let number = self.cells.number(at);
        (number != cells::NO_CELL).then(|| self.cells.record(number).clear)
    }
}

impl fmt::Debug for JumpGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("JumpGraph");
        out.field("grid", &self.grid()).field("nodes", &self.nodes()).field("edges", &self.edges()).finish()
    }
}

/// Finds a shortest route over `graph`, which must be that of the query's field.
///
/// Exact and deterministic. Allocates nothing once `scratch` and `out` have grown to the map. Does not pause.
///
/// ```
/// use waymarch::base::{cell, CellRect, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{jps_graph, JumpGraph, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let foot = LocomotorId(0);
/// let mut graph = JumpGraph::new(layer.field(foot.into()).unwrap());
/// assert_eq!(graph.nodes(), 0, "an empty field has no corners");
///
/// layer.place(&Stamp::solid(3, 60), cell(100, 20), Tick::ZERO)?;
/// graph.update(layer.field(foot.into()).unwrap(), CellRect::at(cell(100, 20), 3, 60));
/// assert_eq!(graph.nodes(), 8, "four corners, each reached from two sides");
///
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(5, 50), cell(190, 50), foot);
/// jps_graph(&layer, &query, &graph, &mut scratch, &mut route)?;
/// assert!(route.cost.0 > 185 * 1024);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] on ground of several costs (see [`jps_suits`](super::jps_suits)), for a query that
/// counts threat, and for a graph of a map of another size.
pub fn jps_graph(
    layer: &CostLayer,
    query: &PathQuery,
    graph: &JumpGraph,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    jps_graph_with(layer, query, graph, SearchRun { scratch, out, probe: &mut NoProbe })
}

/// [`jps_graph`] with a probe that sees every step.
///
/// # Errors
/// As [`jps_graph`].
pub fn jps_graph_with(
    layer: &CostLayer,
    query: &PathQuery,
    graph: &JumpGraph,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    run.out.clear();
    let field = suited_field(layer, query)?;
    if graph.grid() != field.grid() {
        return Err(PlanError::Unsuited("this jump graph was made for a map of another size"));
    }
    if search::search(field, graph, query, run) {
        return Ok(());
    }
    Err(PlanError::Unreachable { from: query.from, to: query.to })
}
