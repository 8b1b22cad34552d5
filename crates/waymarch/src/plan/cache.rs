//! Routes that were found before.
//!
//! *What may not change.* A route is a function of the cells its search looked at. A best-first search with an admissible estimate
//! looks only at cells over which a route could cost as little as the one it found; they lie in an ellipse around
//! start and goal. So an edit outside that ellipse cannot change the answer, and an edit inside may, even one that the
//! route does not touch: taking away a wall beside it can open a shorter way. Spec 004's "valid while the sectors the path
//! crosses have not changed" would go on giving the old route then. Here a route is valid while nothing changed in the
//! sectors of its ellipse; a building placed elsewhere leaves it alone.

use alloc::vec::Vec;

use super::waypoints::{Kept, WaypointStore};
use crate::base::{Agent, CellPos, CellRect, Tick};
use crate::cost::{ChangeMark, CostField, CostLayer, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery, Threat};
use crate::search::{Route, octile};

/// What a route answers: the question, and who found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PathKey {
    from: (i32, i32),
    to: (i32, i32),
    agent: Agent,
    threat: Threat,
    planner: u32,
}

impl PathKey {
    /// The key of `query` when answered by the planner of this number; numbers are the caller's.
    #[must_use]
    pub fn new(query: &PathQuery, planner: u32) -> Self {
        let PathQuery { from, to, agent, threat } = *query;
        Self { from: (from.x, from.y), to: (to.x, to.y), agent, threat, planner }
    }
}

/// How far around the cells that a planner goes by its answers may still depend on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The dearest way it considered: what the route costs, or the way over doors it was made from.
    pub cost: u64,
    /// It considers squares of so many cells as a whole, a power of two, and those around them: 1 for a search over cells, the
    /// sector's or block's side for one over doors.
    pub grain: u32,
    /// Which steps it counts with.
    pub neighbours: Neighbours,
}

/// A route and what it depends on.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kept: Kept,
    cost: Cost,
    expanded: u32,
    scope: Scope,
    /// The cheapest cell there was: estimates scale with it.
    cheapest: u8,
    /// Up to here the map's changes are known not to matter.
    known: ChangeMark,
    last_use: Tick,
}

/// Derived: the routes found last. It saves work and never changes an answer: a route is given again only if a search would find the
/// same one, bit for bit.
///
/// Eviction is by last use, then by key: the same on every machine. Memory is bounded, a few dozen waypoints per route on average, and
/// all of it is taken when the first route is kept.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Neighbours, Rules, Stamp, StepRule};
/// use waymarch::plan::{PathCache, PathKey, Scope};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(300, 300)?, Rules::spec_000()).validate()?;
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
/// layer.place(&Stamp::solid(3, 3), cell(30, 20), now)?; // in the way
/// assert!(!cache.get(key, &layer, now, &mut again));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathCache {
    capacity: usize,
    /// By key.
    entries: Vec<(PathKey, Entry)>,
    waypoints: WaypointStore,
    hits: u64,
    misses: u64,
}

impl PathCache {
    /// Keeps at most so many routes; none at all with 0.
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

    /// Writes the route of `key` to `out`, if a search would find it again; otherwise `out` stays as it is.
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

    /// Remembers a route that was found just now. Costs a look at all the others when there is no room left.
    pub fn put(&mut self, key: PathKey, route: &Route, scope: Scope, layer: &CostLayer, now: Tick) {
        let Some(field) = layer.field(key.agent).filter(|_| self.capacity > 0) else { return };
        self.entries.reserve_exact(self.capacity - self.entries.len());
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

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        while let Some((_, entry)) = self.entries.pop() {
            self.waypoints.give_back(entry.kept);
        }
    }

    /// How many routes it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often a route was found in it, and how often not.
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
    /// Whether nothing changed that could matter.
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

/// The cells over which a route can cost no more than the one that was found.
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
        // Bucket queues look a little further than they must: by a quarter of a step at the most.
        let slack = u64::from(STRAIGHT) * u64::from(field.dearest());
        Self {
            from: at(key.from),
            to: at(key.to),
            scope: entry.scope,
            cheapest: entry.cheapest.into(),
            most: entry.scope.cost.saturating_add(slack),
        }
    }

    /// Whether a change in `area` could matter.
    fn contains(&self, area: CellRect) -> bool {
        // What is looked at as a whole counts as a whole, and its neighbours read its rim.
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
