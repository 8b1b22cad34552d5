//! What is a shortest route on a map that seldom changes? A contraction hierarchy over the corners of the map: a query expands a few dozen
//! nodes.
//!
//! Owns: [`Hierarchy`], Derived from the closed cells of one field. It cannot follow edits. Reads: that field. May change: only the scratch
//! and the route of the caller.
//!
//! - `corners.rs`: the corners of a map, and which of them see each other.
//! - `contract.rs`, `witness.rs`, `link.rs`: building the hierarchy by taking corners out one by one.
//! - `query.rs`: the search from both ends.

mod contract;
mod corners;
mod link;
mod query;
mod witness;

use alloc::vec;
use alloc::vec::Vec;

use contract::contract;
use corners::Corners;
use link::{Halves, Link};

use super::astar::open_ends;
use super::jps::jps_suits;
use super::route::Route;
use super::scratch::SearchScratch;
use crate::base::{CellPos, GridSize};
use crate::cost::{CostField, CostLayer, StepRule};
use crate::query::{PathQuery, PlanError};

/// Derived from the passability of one field: a contraction hierarchy over its corners. Corners that see each other are linked, then taken
/// out one by one, the least important first. A query climbs from both ends to more important corners.
///
/// It does not follow edits. After an edit, make a new hierarchy, and use another search until then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hierarchy {
    corners: Corners,
    /// The rank of each corner in the order of importance, by the number of the corner.
    rank: Vec<u32>,
    /// The cell of each corner, by rank.
    cell: Vec<CellPos>,
    /// The lowest rank of the core.
    core: u32,
    /// The index of each corner's first link, by rank. A last entry holds the number of links.
    first: Vec<u32>,
    /// Links to more important corners.
    links: Vec<Up>,
    /// The two links that each link is made of; `via` is a rank.
    halves: Vec<Halves>,
}

/// A link to a more important corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Up {
    /// The rank of that corner.
    to: u32,
    cost: u32,
}

impl Hierarchy {
    /// The hierarchy of a field; `None` on open ground, where it would not be worth its cost.
    ///
    /// Use it in mazes, rooms and rubble, where a corner sees few others. On open ground a corner sees many others, and taking it out makes
    /// more links than it saves. Use [`JumpPlanes`](super::JumpPlanes) there.
    #[must_use]
    pub fn new(field: &CostField) -> Option<Self> {
        let corners = Corners::new(field.closed_bits());
        let links = sights(&corners);
        let seen: usize = links.iter().map(Vec::len).sum();
        (seen * 2 <= links.len() * MOST_SEEN_BY_TWO)
            .then(|| Self::contracted(corners, links, WORK_PER_CORNER))
    }

    /// The hierarchy of a field, also on open ground. The build stops after reading `work_per_corner` links per corner on average.
    ///
    /// When the limit is reached, the remaining corners are the core. A query searches the core as a plain graph. With a limit of 0, all
    /// corners are in the core.
    ///
    /// Hidden: games use [`Hierarchy::new`]. Tests make hierarchies with other limits, and on open ground.
    #[doc(hidden)]
    #[must_use]
    pub fn with_work(field: &CostField, work_per_corner: u32) -> Self {
        let corners = Corners::new(field.closed_bits());
        let links = sights(&corners);
        Self::contracted(corners, links, work_per_corner)
    }

    fn contracted(corners: Corners, links: Vec<Vec<Link>>, work_per_corner: u32) -> Self {
        let count = links.len();
        let contracted = contract(links, u64::from(work_per_corner) * count as u64);
        let mut rank = vec![0; count];
        for (place, &node) in contracted.order.iter().enumerate() {
            rank[node as usize] = place as u32;
        }
        let by_number: Vec<CellPos> = corners.cells().collect();
        let mut hierarchy = Self {
            cell: contracted.order.iter().map(|&node| by_number[node as usize]).collect(),
            corners,
            core: (count - contracted.core) as u32,
            first: vec![0],
            links: Vec::new(),
            halves: Vec::new(),
            rank,
        };
        for &node in &contracted.order {
            for link in &contracted.links[node as usize] {
                hierarchy.links.push(Up { to: hierarchy.rank[link.to as usize], cost: link.cost });
                let via = hierarchy.rank.get(link.halves.via as usize).copied();
                hierarchy.halves.push(via.map_or(Halves::NONE, |via| Halves { via, ..link.halves }));
            }
            hierarchy.first.push(hierarchy.links.len() as u32);
        }
        hierarchy
    }

    /// The size of the map that it was made for.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.corners.grid()
    }

    /// The number of corners.
    #[must_use]
    pub fn corners(&self) -> u32 {
        self.corners.count()
    }

    /// The number of corners in the core.
    #[must_use]
    pub fn core(&self) -> u32 {
        self.corners() - self.core
    }

    /// The number of links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.corners.memory_bytes()
            + (self.rank.len() + self.first.len()) * size_of::<u32>()
            + self.cell.len() * size_of::<CellPos>()
            + self.links.len() * (size_of::<Up>() + size_of::<Halves>())
    }
}

/// [`Hierarchy::new`] makes a hierarchy if a corner sees at most 3.5 others on average: 7 for two corners.
const MOST_SEEN_BY_TWO: usize = 7;

/// [`Hierarchy::new`] stops after reading 4,000 links per corner on average. All known maps need less, so their core is empty.
const WORK_PER_CORNER: u32 = 4_000;

/// The links between corners that see each other.
fn sights(corners: &Corners) -> Vec<Vec<Link>> {
    let seen_by = |at| {
        let mut seen = Vec::new();
        corners.seen_from(at, |to, cost| {
            if let Some(to) = corners.number(to) {
                seen.push(Link { to, cost, hops: 1, halves: Halves::NONE });
            }
        });
        seen
    };
    corners.cells().map(seen_by).collect()
}

/// Finds a shortest route with `hierarchy`, which was made for the query's field as it is now.
///
/// Exact and deterministic. Allocates nothing once `scratch` and `out` have grown to the map. Does not pause.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{hierarchical, Hierarchy, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(200, 60)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// for wall in 0..19 {
///     layer.place(&Stamp::solid(1, 55), cell(wall * 10 + 8, wall % 2 * 5), Tick::ZERO)?;
/// }
/// let foot = LocomotorId(0);
/// let field = layer.field(foot.into()).unwrap();
/// let hierarchy = Hierarchy::new(field).expect("a maze");
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(199, 0), foot);
/// hierarchical(&layer, &query, &hierarchy, &mut scratch, &mut route)?;
/// assert!(route.expanded < 20, "few corners are looked at, however long the route is");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] on ground of several costs, for a query that counts threat, and for
/// a hierarchy of a map of another size.
pub fn hierarchical(
    layer: &CostLayer,
    query: &PathQuery,
    hierarchy: &Hierarchy,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    let field = open_ends(layer, query)?;
    jps_suits(field, StepRule::default()).map_err(PlanError::Unsuited)?;
    if layer.threat().effective(query.threat).is_heeded() {
        return Err(PlanError::Unsuited("a hierarchy of corners cannot heed threat"));
    }
    if hierarchy.grid() != field.grid() {
        return Err(PlanError::Unsuited("this hierarchy was made for a map of another size"));
    }
    if query::search(hierarchy, query, u64::from(field.cheapest()), scratch, out) {
        return Ok(());
    }
    Err(PlanError::Unreachable { from: query.from, to: query.to })
}
