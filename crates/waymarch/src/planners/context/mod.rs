//! Contexts: searches that are kept and gone on with, one for each goal that units are on their way to (spec 003, Warzone 2100).
//!
//! The search goes outwards from the goal. The first unit that asks has it find the way to where that unit is; the next one goes on
//! from there, its front re-estimated towards the new start, and whoever stands on known ground just reads the way off.

mod nodes;
mod search;
mod shared;

use alloc::vec::Vec;

use crate::base::{Agent, Tick};
use crate::cost::{CostLayer, StepRule};
use crate::query::{PathQuery, PlanError, Threat};
use crate::search::{NoProbe, Probe, Route, open_ends};

use search::{Ground, Search};
pub(super) use shared::Shared;

/// What a context is for: who goes, whether threat counts, and where to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ContextKey {
    agent: Agent,
    threat: Threat,
    /// By row, then column.
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

/// What was done so far, for reports: no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ContextWork {
    /// Searches begun at a goal that had none.
    pub begun: u64,
    /// Of these, how many took the place of another goal's.
    pub evicted: u64,
    /// Searches begun again because the map had changed where they had looked.
    pub outdated: u64,
    /// Questions for which a search was gone on with.
    pub extended: u64,
    /// Questions answered from what was known.
    pub read: u64,
    /// Cells settled in all.
    pub expanded: u64,
}

/// Derived from a [`CostLayer`]: the searches for goals that were asked for last.
///
/// Routes are the cheapest there are. Of several the one is given whose first step has the lowest direction number, then the
/// second, and so on: so routes depend neither on who asked before nor on how many contexts are kept. An edit takes a context away only
/// if it was looking at a sector that changed. The one given up for another is the one used longest ago, and of those the first by agent, threat
/// and goal.
///
/// Costs what A\* from the goal does for the first unit, plus the cells of equally cheap ways; what is missing for the others.
/// Where there is no way, everything that the goal can be reached from is searched, once: ask
/// [`Sectors::reachable`](crate::sectors::Sectors::reachable) first. Eight bytes a cell for each context. On known ground nothing
/// is allocated.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::planners::Contexts;
/// use waymarch::query::PathQuery;
/// use waymarch::search::Route;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let mut contexts = Contexts::new(StepRule::default(), Contexts::DEFAULT_CAPACITY);
/// let (mut route, goal) = (Route::new(), cell(50, 20));
/// contexts.plan(&layer, &PathQuery::new(cell(3, 4), goal, LocomotorId(0)), Tick(7), &mut route)?;
/// assert_eq!(route.cost.0, 16 * 1448 + 31 * 1024);
/// // A unit on the way there.
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
    /// Searches that are for nothing, whose memory others take over.
    spare: Vec<Search>,
    work: ContextWork,
}

impl Contexts {
    /// As many as Warzone 2100 keeps.
    pub const DEFAULT_CAPACITY: u32 = 30;

    /// Keeps the searches for at most so many goals; at least one.
    #[must_use]
    pub fn new(rule: StepRule, capacity: u32) -> Self {
        let capacity = usize::try_from(capacity.max(1)).unwrap_or(usize::MAX);
        Self { rule, capacity, contexts: Vec::new(), spare: Vec::new(), work: ContextWork::default() }
    }

    /// Finds the cheapest route and writes it to `out`. Always ask with the same layer.
    ///
    /// `now` decides which context is given up for another; no answer depends on it. The answer is the route's cost and waypoints, or the
    /// error. [`Route::expanded`] is no part of it: it counts the cells settled *for this question*, nothing where the way was known, and so says
    /// what was asked before. Keep it out of whatever is hashed or compared between machines.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route; `out` is then empty but for the work done.
    pub fn plan(
        &mut self,
        layer: &CostLayer,
        query: &PathQuery,
        now: Tick,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        self.plan_with(layer, query, now, out, &mut NoProbe)
    }

    /// As [`Contexts::plan`], with somebody watching what is still to be searched. The search is one from the goal to the start.
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

    /// Finds out what [`Contexts::read`] needs to answer `query`. Costs what [`Contexts::plan`] does, but for writing the route.
    pub fn prepare(&mut self, layer: &CostLayer, query: &PathQuery, now: Tick) {
        // What has no ends is refused when it is asked.
        let Ok(field) = open_ends(layer, query) else { return };
        let ground = Ground::new(layer, field, query.threat, self.rule);
        let at = self.context(layer, &ground, query, now);
        let mut expanded = 0;
        self.contexts[at].search.reach(&ground, query.from, &mut expanded, &mut NoProbe);
        self.work.expanded += u64::from(expanded);
        self.work.extended += u64::from(expanded > 0);
    }

    /// Writes the route that [`Contexts::plan`] would find, off what is known: many threads can ask at once. [`Route::expanded`] is how many
    /// steps were read, which says nothing of what was asked before.
    ///
    /// # Errors
    /// As [`Contexts::plan`]; [`PlanError::Unsuited`] if it was not prepared for this question on the map as it is, or has given it up for
    /// others since.
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

    /// Keeps the searches for at most so many goals from now on; at least one. What is too many goes when the next one comes.
    pub fn set_capacity(&mut self, capacity: u32) {
        self.capacity = usize::try_from(capacity.max(1)).unwrap_or(usize::MAX);
    }

    /// The place of the context for `query`, made or brought up to date if need be.
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
        // After the capacity was made smaller there may be several too many: they go, with their memory.
        while self.contexts.len() > self.capacity {
            self.give_up_one();
        }
        let search = match self.spare.pop().or_else(|| self.give_up_one()) {
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

    /// Takes away the context used longest ago if there is no room for another.
    fn give_up_one(&mut self) -> Option<Search> {
        if self.contexts.len() < self.capacity {
            return None;
        }
        let age = |at: &usize| (self.contexts[*at].used, self.contexts[*at].key);
        let oldest = (0..self.contexts.len()).min_by_key(age)?;
        self.work.evicted += 1;
        Some(self.contexts.remove(oldest).search)
    }

    /// By which steps routes go.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// How many contexts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contexts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// Forgets everything and keeps the memory; the answers stay the same.
    pub fn clear(&mut self) {
        self.spare.extend(self.contexts.drain(..).map(|context| context.search));
    }

    /// What was done so far.
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
