//! Routes kept for later queries.
//!
//! *When a kept route is valid.* A route depends only on the cells that its search visited. A best-first search with an admissible
//! heuristic visits only cells over which a route could cost no more than the one it found. These cells lie in an ellipse around start and
//! goal. An edit outside the ellipse cannot change the answer.
//!
//! An edit inside may change it, even if the route does not touch the edited cells: removing a wall beside the route can open a
//! shorter one. So a route stays valid while nothing has changed in the sectors of its ellipse. The sectors that the route crosses are not
//! enough.

use alloc::vec::Vec;

use super::waypoints::{FIRST_LISTS, Kept, WaypointStore};
use crate::base::{Agent, CellPos, CellRect, Tick};
use crate::cost::{ChangeMark, CostField, CostLayer, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery, Threat};
use crate::search::{Route, octile};

/// The key of a kept route: its query, and the planner that found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PathKey {
    from: (i32, i32),
    to: (i32, i32),
    agent: Agent,
    threat: Threat,
    planner: u32,
}

impl PathKey {
    /// The key of `query` when the planner of this number answers it. The caller assigns the numbers.
    #[must_use]
    pub fn new(query: &PathQuery, planner: u32) -> Self {
        // Planners that answer for the cache do not heed the asker.
        let PathQuery { from, to, agent, threat, asker: _ } = *query;
        Self { from: (from.x, from.y), to: (to.x, to.y), agent, threat, planner }
    }

    /// Whether the route heeds threat.
    pub(crate) fn threat(&self) -> Threat {
        self.threat
    }
}

/// The part of the map that a route depends on. An edit outside it leaves the route valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The greatest cost that the search considered: that of the route, or of the route over doors that it was made from.
    pub cost: u64,
    /// The search treats squares with sides of this many cells as a whole; a power of two. It is 1 for a search over cells. For a search
    /// over doors it is the side of a sector or block. Edits in neighbouring squares count too.
    pub grain: u32,
    /// Whether the search steps to four neighbours or to eight.
    pub neighbours: Neighbours,
}

/// A kept route and what it depends on.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kept: Kept,
    cost: Cost,
    expanded: u32,
    scope: Scope,
    /// The cost of the cheapest cell when the route was found. The heuristic is scaled by it.
    cheapest: u8,
    /// All changes of the map up to this mark leave the route valid.
    known: ChangeMark,
    last_use: Tick,
}

/// Derived: the routes used last. The cache saves work and never changes an answer: it gives out a route only if a search would find
/// the same one, bit for bit.
///
/// A full cache evicts the route used longest ago. Ties are broken by key, so every machine evicts the same route. Memory is limited to 64
/// waypoints per route on average. The memory of up to 4096 routes is allocated when the first route is kept. Beyond that, it doubles
/// whenever it is full.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Neighbours, Rules, Stamp, StepRule};
/// use waymarch::plan::{PathCache, PathKey, Scope};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(300, 300)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let query = PathQuery::new(cell(5, 5), cell(60, 40), LocomotorId(0));
/// let mut route = Route::new();
/// astar(&layer, &query, StepRule::default(), &mut SearchScratch::new(), &mut route)?;
///
/// let mut cache = PathCache::new(100);
/// let (key, now) = (PathKey::new(&query, 0), Tick(7));
/// let scope = Scope { cost: route.cost.0, grain: 1, neighbours: Neighbours::Eight };
/// cache.put(key, &route, scope, &layer, now);
/// layer.place(&Stamp::solid(3, 3), cell(200, 200), now)?; // far away
/// let mut again = Route::new();
/// assert!(cache.get(key, &layer, now, &mut again));
/// assert_eq!(again, route);
/// layer.place(&Stamp::solid(3, 3), cell(30, 20), now)?; // on the route
/// assert!(!cache.get(key, &layer, now, &mut again));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathCache {
    capacity: usize,
    /// The kept routes, sorted by key.
    entries: Vec<(PathKey, Entry)>,
    waypoints: WaypointStore,
    hits: u64,
    misses: u64,
}

impl PathCache {
    /// A cache for at most `capacity` routes. With 0 it keeps none.
    #[must_use]
    pub fn new(capacity: u32) -> Self {
        Self { capacity: capacity as usize, ..Self::default() }
    }

    fn find(&self, key: &PathKey) -> Result<usize, usize> {
        self.entries.binary_search_by_key(key, |(key, _)| *key)
    }

    fn forget(&mut self, at: usize) {
        let (_, entry) = self.entries.remove(at);
        self.waypoints.give_back(entry.kept);
    }

    /// Writes the route of `key` to `out` and returns `true` if a search would find it again. Otherwise `out` stays as it is.
    pub fn get(&mut self, key: PathKey, layer: &CostLayer, now: Tick, out: &mut Route) -> bool {
        let Ok(at) = self.find(&key) else {
            self.misses += 1;
            return false;
        };
        let entry = &mut self.entries[at].1;
        if !entry.holds(&key, layer) {
            self.misses += 1;
            self.forget(at);
            return false;
        }
        self.hits += 1;
        entry.last_use = now;
        (out.cost, out.expanded) = (entry.cost, entry.expanded);
        self.waypoints.read(entry.kept, &mut out.waypoints);
        true
    }

    /// Keeps a route that was found just now. When the cache is full, it compares all kept routes to evict one.
    pub fn put(&mut self, key: PathKey, route: &Route, scope: Scope, layer: &CostLayer, now: Tick) {
        let Some(field) = layer.field(key.agent).filter(|_| self.capacity > 0) else { return };
        let first = self.capacity.min(FIRST_LISTS);
        self.entries.reserve_exact(first.saturating_sub(self.entries.len()));
        self.waypoints.reserve(self.capacity);
        if let Ok(at) = self.find(&key) {
            self.forget(at);
        }
        if !self.waypoints.could_hold(route.waypoints.len()) {
            return;
        }
        while self.entries.len() >= self.capacity || !self.waypoints.has_room(route.waypoints.len()) {
            let age = |at: &usize| (self.entries[*at].1.last_use, self.entries[*at].0);
            let Some(oldest) = (0..self.entries.len()).min_by_key(age) else { return };
            self.forget(oldest);
        }
        let entry = Entry {
            kept: self.waypoints.write(&route.waypoints),
            cost: route.cost,
            expanded: route.expanded,
            scope,
            cheapest: field.cheapest(),
            known: layer.changes().mark_now(),
            last_use: now,
        };
        let at = self.find(&key).unwrap_or_else(|at| at);
        self.entries.insert(at, (key, entry));
    }

    /// Forgets all routes. The memory stays allocated.
    pub fn clear(&mut self) {
        while let Some((_, entry)) = self.entries.pop() {
            self.waypoints.give_back(entry.kept);
        }
    }

    /// The number of kept routes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no route is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of hits and of misses.
    #[must_use]
    pub fn uses(&self) -> (u64, u64) {
        (self.hits, self.misses)
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(PathKey, Entry)>() + self.waypoints.memory_bytes()
    }
}

impl Entry {
    /// Whether a search would still find this route: no change since then can affect it.
    fn holds(&mut self, key: &PathKey, layer: &CostLayer) -> bool {
        let (Some(field), Some(changed)) = (layer.field(key.agent), layer.changes().since(self.known)) else {
            return false;
        };
        if field.cheapest() != self.cheapest {
            return false;
        }
        let sectors = layer.changes().sectors();
        let reach = Reach::new(key, self, field);
        let matters = changed.iter().any(|&sector| reach.contains(sectors.area(sector)));
        self.known = layer.changes().mark_now();
        !matters
    }
}

/// The cells over which a route can cost no more than the one that was found: an ellipse around start and goal.
struct Reach {
    from: CellPos,
    to: CellPos,
    scope: Scope,
    cheapest: u64,
    most: u64,
}

impl Reach {
    fn new(key: &PathKey, entry: &Entry, field: &CostField) -> Self {
        let at = |(x, y)| CellPos::new(x, y);
        // Searches with bucket queues visit cells up to a quarter of a step farther than they must. One whole step of the highest cost
        // covers that.
        let slack = u64::from(STRAIGHT) * u64::from(field.dearest());
        Self {
            from: at(key.from),
            to: at(key.to),
            scope: entry.scope,
            cheapest: entry.cheapest.into(),
            most: entry.scope.cost.saturating_add(slack),
        }
    }

    /// Whether a change in `area` could change the route.
    fn contains(&self, area: CellRect) -> bool {
        // A search that treats squares as a whole depends on the whole square, and neighbouring squares read its rim.
        let grain = i32::try_from(self.scope.grain.max(1)).unwrap_or(i32::MAX / 4);
        let down = |at: i32| at.div_euclid(grain).saturating_mul(grain);
        let rim = grain.max(2);
        let area = CellRect {
            x0: down(area.x0) - rim,
            y0: down(area.y0) - rim,
            x1: down(area.x1 - 1).saturating_add(grain + rim),
            y1: down(area.y1 - 1).saturating_add(grain + rim),
        };
        let by = |end: CellPos| octile(end, area.nearest(end), self.scope.neighbours);
        (by(self.from) + by(self.to)) * self.cheapest <= self.most
    }
}
