//! Contexts: how do many units with one goal share a search? One search per goal is kept, and later units continue it (as in Warzone 2100).
//!
//! The search goes outwards from the goal. The first query extends it to the start of that unit. The next query continues it, with the
//! heuristic pointing to the new start. A unit whose start is already settled just reads its route.
//!
//! This room owns [`Contexts`], which are Derived from the cost layer: an edit drops the searches that looked at an edited sector. It reads the
//! cost layer, and changes only its own searches.
//!
//! - `search.rs`, `nodes.rs`: one search; `planner.rs`: the planner `context`.

mod nodes;
mod planner;
mod search;

use alloc::vec::Vec;

use crate::base::{Agent, Tick};
use crate::cost::{CostLayer, StepRule};
use crate::query::{PathQuery, PlanError, Threat};
use crate::search::{NoProbe, Probe, Route, open_ends};

pub(super) use planner::ContextPlanner;
use search::{Ground, Search};

/// The key of a context: agent, threat and goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ContextKey {
    agent: Agent,
    threat: Threat,
    /// The goal as row, then column.
    goal: (i32, i32),
}

impl ContextKey {
    fn of(query: &PathQuery) -> Self {
        Self { agent: query.agent, threat: query.threat, goal: (query.to.y, query.to.x) }
    }
}

#[derive(Clone, Debug)]
struct Context {
    key: ContextKey,
    used: Tick,
    search: Search,
}

/// The work done so far, for reports only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ContextWork {
    /// Searches begun for a goal without one.
    pub begun: u64,
    /// Searches dropped to make room for another goal.
    pub evicted: u64,
    /// Searches begun again because the map changed where they had looked.
    pub outdated: u64,
    /// Queries that extended a search.
    pub extended: u64,
    /// Queries answered without extending a search.
    pub read: u64,
    /// Cells settled.
    pub expanded: u64,
}

/// Derived from a [`CostLayer`]: the searches for the goals that were asked for last.
///
/// Routes are the cheapest. Of several equally cheap routes, the answer is the one whose first step has the lowest direction number, then the
/// second step, and so on. So routes depend neither on earlier queries nor on the number of contexts.
///
/// An edit drops a context only if its search looked at a sector that changed. When a new goal needs room, the context used longest ago is
/// dropped. Ties are broken by agent, threat and goal.
///
/// The first unit costs as much as A\* from the goal, plus the cells of equally cheap routes. Later units cost only what is missing. Without a
/// route, the search covers everything connected to the goal, once; ask [`Sectors::reachable`](crate::sectors::Sectors::reachable) first. Each
/// context takes eight bytes per cell. A query that extends no search allocates nothing.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::planners::Contexts;
/// use waymarch::query::PathQuery;
/// use waymarch::search::Route;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let mut contexts = Contexts::new(StepRule::default(), Contexts::DEFAULT_CAPACITY);
/// let (mut route, goal) = (Route::new(), cell(50, 20));
/// contexts.plan(&layer, &PathQuery::new(cell(3, 4), goal, LocomotorId(0)), Tick(7), &mut route)?;
/// assert_eq!(route.cost.0, 16 * 1448 + 31 * 1024);
/// // A unit on the same route.
/// contexts.plan(&layer, &PathQuery::new(cell(19, 20), goal, LocomotorId(0)), Tick(7), &mut route)?;
/// assert_eq!((route.cost.0, route.expanded), (31 * 1024, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contexts {
    rule: StepRule,
    capacity: usize,
    /// By key.
    contexts: Vec<Context>,
    /// Searches without a goal, whose memory is used again.
    spare: Vec<Search>,
    work: ContextWork,
}

impl Contexts {
    /// The default number of contexts: 30, as in Warzone 2100.
    pub const DEFAULT_CAPACITY: u32 = 30;

    /// Keeps the searches for at most `capacity` goals; 0 counts as 1.
    #[must_use]
    pub fn new(rule: StepRule, capacity: u32) -> Self {
        let capacity = usize::try_from(capacity.max(1)).unwrap_or(usize::MAX);
        Self { rule, capacity, contexts: Vec::new(), spare: Vec::new(), work: ContextWork::default() }
    }

    /// Finds the cheapest route and writes it to `out`. Always pass the same layer.
    ///
    /// `now` decides which context is replaced first; no answer depends on it. The answer is the cost and the waypoints of the route, or the
    /// error. [`Route::expanded`] is not part of the answer: it counts the cells settled *for this query*, which depends on earlier queries. Do not
    /// hash it or compare it between machines.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route. `out` is then empty except for the node count.
    pub fn plan(
        &mut self,
        layer: &CostLayer,
        query: &PathQuery,
        now: Tick,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        self.plan_with(layer, query, now, out, &mut NoProbe)
    }

    /// As [`Contexts::plan`]. The probe sees the part of the search that this query adds. The search goes from the goal to the start.
    ///
    /// # Errors
    /// As [`Contexts::plan`].
    pub fn plan_with(
        &mut self,
        layer: &CostLayer,
        query: &PathQuery,
        now: Tick,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        out.clear();
        let field = open_ends(layer, query)?;
        let ground = Ground::new(layer, field, query.threat, self.rule);
        let at = self.context(layer, &ground, query, now);
        let search = &mut self.contexts[at].search;
        probe.begin(query.to, query.from);
        let total = search.reach(&ground, query.from, &mut out.expanded, probe);
        self.work.expanded += u64::from(out.expanded);
        *(if out.expanded == 0 { &mut self.work.read } else { &mut self.work.extended }) += 1;
        out.cost = total.ok_or(PlanError::Unreachable { from: query.from, to: query.to })?;
        search.write(&ground, query.from, out);
        Ok(())
    }

    /// Extends the search so that [`Contexts::read`] can answer `query`. Costs as much as [`Contexts::plan`] without writing the route.
    pub fn prepare(&mut self, layer: &CostLayer, query: &PathQuery, now: Tick) {
        // A query with closed ends is refused when it is asked.
        let Ok(field) = open_ends(layer, query) else { return };
        let ground = Ground::new(layer, field, query.threat, self.rule);
        let at = self.context(layer, &ground, query, now);
        let mut expanded = 0;
        self.contexts[at].search.reach(&ground, query.from, &mut expanded, &mut NoProbe);
        self.work.expanded += u64::from(expanded);
        self.work.extended += u64::from(expanded > 0);
    }

    /// Writes the route that [`Contexts::plan`] would find, without extending a search. Several threads can ask at once. [`Route::expanded`] is
    /// the number of steps of the route, which does not depend on earlier queries.
    ///
    /// # Errors
    /// As [`Contexts::plan`]. [`PlanError::Unsuited`] if the query was not prepared on the map as it is, or if its search was replaced since.
    pub fn read(&self, layer: &CostLayer, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        out.clear();
        let field = open_ends(layer, query)?;
        let ground = Ground::new(layer, field, query.threat, self.rule);
        let key = ContextKey::of(query);
        let found = self.contexts.binary_search_by(|context| context.key.cmp(&key)).ok();
        let search = found.map(|at| &self.contexts[at].search).filter(|one| one.is_current(layer, &ground));
        let search =
            search.ok_or(PlanError::Unsuited("no search is kept for this goal on the map as it is"))?;
        match search.cost_from(&ground, query.from) {
            Some(cost) => {
                out.cost = cost;
                out.expanded = search.write(&ground, query.from, out);
                Ok(())
            }
            None if search.is_exhausted() => Err(PlanError::Unreachable { from: query.from, to: query.to }),
            None => Err(PlanError::Unsuited("the search for this goal has not come to the start yet")),
        }
    }

    /// Changes the number of goals whose searches are kept; 0 counts as 1. Surplus searches are dropped when the next goal comes.
    pub fn set_capacity(&mut self, capacity: u32) {
        self.capacity = usize::try_from(capacity.max(1)).unwrap_or(usize::MAX);
    }

    /// The index of the context for `query`. It is made or brought up to date if necessary.
    fn context(&mut self, layer: &CostLayer, ground: &Ground<'_>, query: &PathQuery, now: Tick) -> usize {
        let key = ContextKey::of(query);
        let find = |contexts: &[Context]| contexts.binary_search_by(|context| context.key.cmp(&key));
        if let Ok(at) = find(&self.contexts) {
            let context = &mut self.contexts[at];
            context.used = now;
            if !context.search.holds(layer, ground) {
                self.work.outdated += 1;
                context.search.begin(layer, ground, query.to);
            }
            return at;
        }
        self.work.begun += 1;
        // After the capacity was lowered, surplus contexts are dropped with their memory.
        while self.contexts.len() > self.capacity {
            self.evict_one();
        }
        let search = match self.spare.pop().or_else(|| self.evict_one()) {
            Some(mut search) => {
                search.begin(layer, ground, query.to);
                search
            }
            None => Search::new(layer, ground, query.to),
        };
        let at = find(&self.contexts).unwrap_or_else(|at| at);
        self.contexts.insert(at, Context { key, used: now, search });
        at
    }

    /// Removes the context used longest ago if there is no room for another, and returns its search.
    fn evict_one(&mut self) -> Option<Search> {
        if self.contexts.len() < self.capacity {
            return None;
        }
        let age = |at: &usize| (self.contexts[*at].used, self.contexts[*at].key);
        let oldest = (0..self.contexts.len()).min_by_key(age)?;
        self.work.evicted += 1;
        Some(self.contexts.remove(oldest).search)
    }

    /// The rule of steps.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// The number of contexts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contexts.len()
    }

    /// Whether there are no contexts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// Drops all contexts and keeps the memory. Answers stay the same.
    pub fn clear(&mut self) {
        self.spare.extend(self.contexts.drain(..).map(|context| context.search));
    }

    /// The work done so far.
    #[must_use]
    pub fn work(&self) -> ContextWork {
        self.work
    }

    /// Bytes held by each context, by agent, threat and goal.
    pub fn memory_by_context(&self) -> impl Iterator<Item = usize> {
        self.contexts.iter().map(|context| context.search.memory_bytes())
    }

    /// Bytes held in all.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let spare: usize = self.spare.iter().map(Search::memory_bytes).sum();
        let lists =
            self.contexts.capacity() * size_of::<Context>() + self.spare.capacity() * size_of::<Search>();
        lists + spare + self.memory_by_context().sum::<usize>()
    }
}
