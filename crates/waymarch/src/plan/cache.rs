//! Routes that were found before.
//!
//! *What may not change.* A route is a function of the cells its search looked at. A best-first search with an admissible estimate
//! looks only at cells over which a route could cost as little as the one it found; they lie in an ellipse around
//! start and goal. So an edit outside that ellipse cannot change the answer, and an edit inside may, even one that the
//! route does not touch: taking away a wall beside it can open a shorter way. Spec 004's "valid while the sectors the path
//! crosses have not changed" would go on giving the old route then. Here a route is valid while nothing changed in the
//! sectors of its ellipse; a building placed elsewhere leaves it alone.

use alloc::collections::BTreeMap;

use crate::base::{Agent, CellPos, CellRect, Tick};
use crate::cost::{ChangeMark, CostField, CostLayer, DIAGONAL, Neighbours, STRAIGHT};
use crate::query::{PathQuery, Threat};
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
#[derive(Clone, Debug)]
struct Entry {
    route: Route,
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
/// Eviction is by last use, then by key: the same on every machine.
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
/// assert_eq!(cache.get(key, &layer, now), Some(&route));
/// layer.place(&Stamp::solid(3, 3), cell(30, 20), now)?; // in the way
/// assert_eq!(cache.get(key, &layer, now), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathCache {
    capacity: usize,
    entries: BTreeMap<PathKey, Entry>,
    hits: u64,
    misses: u64,
}

impl PathCache {
    /// Keeps at most so many routes; none at all with 0.
    #[must_use]
    pub fn new(capacity: u32) -> Self {
        Self { capacity: capacity as usize, ..Self::default() }
    }

    /// The route of `key`, if a search would find it again.
    pub fn get(&mut self, key: PathKey, layer: &CostLayer, now: Tick) -> Option<&Route> {
        let valid = self.entries.get_mut(&key).map(|entry| entry.holds(&key, layer));
        match valid {
            Some(true) => self.hits += 1,
            Some(false) => {
                self.entries.remove(&key);
                self.misses += 1;
            }
            None => self.misses += 1,
        }
        let entry = self.entries.get_mut(&key)?;
        entry.last_use = now;
        Some(&entry.route)
    }

    /// Remembers a route that was found just now.
    pub fn put(&mut self, key: PathKey, route: &Route, scope: Scope, layer: &CostLayer, now: Tick) {
        let Some(field) = layer.field(key.agent).filter(|_| self.capacity > 0) else { return };
        if self.entries.len() >= self.capacity && !self.entries.contains_key(&key) {
            let oldest = self.entries.iter().min_by_key(|(key, entry)| (entry.last_use, **key));
            if let Some((&oldest, _)) = oldest {
                self.entries.remove(&oldest);
            }
        }
        let (cheapest, known) = (field.cheapest(), layer.changes().mark_now());
        self.entries.insert(key, Entry { route: route.clone(), scope, cheapest, known, last_use: now });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
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
        // Bucket queues look a little further than they must, by less than a step.
        let slack = 8 * u64::from(DIAGONAL.max(STRAIGHT)) * u64::from(field.dearest());
        Self {
            from: at(key.from),
            to: at(key.to),
            scope: entry.scope,
            cheapest: entry.cheapest.into(),
            most: entry.scope.cost + slack,
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
