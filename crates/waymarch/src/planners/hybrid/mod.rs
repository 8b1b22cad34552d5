//! `hybrid`, the default planner: which search answers this query? It depends on the map, the settings and the distance.
//!
//! Owns: the tables of all searches (Derived), and the ticks at which jump planes are published and tables count as made (World).
//! Reads: the cost layer, the sectors, the settings and the tick.
//! May change: its own tables.
//!
//! - `ahead.rs`: tables that are made a little in each tick, before a query needs them.
//! - `choice.rs`: which search answers a query, and why.
//! - `table_waits.rs`: when the tables of an agent count as made on a huge map.

mod ahead;
mod choice;
mod table_waits;

use alloc::boxed::Box;

pub(crate) use ahead::AheadWork;
pub use choice::{PlannerChoice, PlannerReason};
pub(crate) use table_waits::TableWaits;

use super::agent_store::{AgentStore, TableKey};
use super::hpa::{ExactSearch, FarSearch, hpa, is_short};
use super::planner::{PlanRun, PlanScratch, PlanView, Planner, Promise, plan_and_watch};
use crate::base::{Agent, HashState, StateHasher, Tick};
use crate::config::ValidConfig;
use crate::cost::CostLayer;
use crate::plan::{PathCache, PathKey, Scope};
use crate::query::{PathQuery, PlanError, Threat};
use crate::search::{
    JumpState, JumpStore, JumpWaits, NoProbe, Probe, Route, SearchRun, WeightedPlanes, WeightedSearch,
};
use crate::sectors::{DoorScratch, Doors};
use ahead::Ahead;
use choice::{choose, detail};

/// Jump planes are published 8 ticks after the edit that makes them necessary, on fast and slow machines alike.
const JUMP_DELAY: u32 = 8;

/// Derived, except the ticks at which jump planes are published and tables count as made, which are World: the tables of all searches, and the rule that chooses
/// among them.
///
/// Near goals get the cheapest route: by jump point search where the ground has one cost, by its weighted kind elsewhere. A\* answers while
/// jump planes are being made, and on weighted ground if `jps_precomputed` is off. Where threat counts, ground is weighted. Goals farther than
/// `short_path_threshold` get a route over doors. All tables follow edits.
///
/// [`Hybrid::ready`] publishes jump planes 8 ticks after an edit: a navigator saves these ticks. [`Hybrid::new`] is for a game that sets a
/// planner of its own, which is not saved: it publishes them at once.
#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    jumps: Option<JumpStore>,
    weighted: AgentStore<WeightedPlanes>,
    doors: AgentStore<Doors>,
    ahead: Ahead,
    waits: TableWaits,
}

/// 64: the bit that marks a far route in cache keys. The other bits are the number of its leg search.
const FAR: u32 = 64;

/// The exact search chosen for a query.
#[derive(Clone, Copy, Debug)]
struct Chosen<'a> {
    choice: PlannerChoice,
    search: ExactSearch<'a>,
}

impl Chosen<'_> {
    /// Distinguishes the searches that may find different routes of the same cost: a part of cache keys.
    fn cache_number(&self) -> u32 {
        self.choice as u32 | self.search.coarseness() << 8
    }
}

fn jump_state(jumps: Option<&JumpStore>, agent: Agent) -> JumpState<'_> {
    jumps.map_or(JumpState::Building(Tick::MAX), |jumps| jumps.state(agent))
}

impl Hybrid {
    /// A planner without tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A planner with jump planes for all fields of one cost. Makes them now, so call it while a map is loaded.
    #[must_use]
    pub fn ready(layer: &CostLayer, config: &ValidConfig) -> Self {
        let mut jumps = JumpStore::new(layer, config.step_rule(), detail(config.get()), 0);
        jumps.set_delay(JUMP_DELAY);
        Self { jumps: Some(jumps), ..Self::default() }
    }

    /// The jump planes.
    pub(crate) fn jumps(&self) -> Option<&JumpStore> {
        self.jumps.as_ref()
    }

    /// The jump planes, to follow an edit or a tick.
    pub(crate) fn jumps_mut(&mut self) -> Option<&mut JumpStore> {
        self.jumps.as_mut()
    }

    /// The doors of an agent, which must have been made and be up to date.
    ///
    /// # Errors
    /// [`PlanError`] as for a query that was not prepared.
    pub(crate) fn doors(&self, layer: &CostLayer, agent: Agent, threat: Threat) -> Result<&Doors, PlanError> {
        self.doors.get(layer, TableKey { agent, threat })
    }

    /// Which agents wait for jump planes, and until when.
    pub(crate) fn waits(&self) -> JumpWaits {
        self.jumps.as_ref().map_or_else(JumpWaits::default, JumpStore::waits)
    }

    /// When the tables of agents count as made.
    pub(crate) fn table_waits(&self) -> &TableWaits {
        &self.waits
    }

    /// When the tables of agents count as made, to be changed.
    pub(crate) fn table_waits_mut(&mut self) -> &mut TableWaits {
        &mut self.waits
    }

    /// Follows `layer`, which was taken back to another time; the agents in `waits` wait for jump planes again.
    pub(crate) fn restore(&mut self, layer: &CostLayer, waits: &JumpWaits) {
        if let Some(jumps) = &mut self.jumps {
            jumps.restore(layer, waits);
        }
        self.weighted.follow(layer);
        self.doors.follow(layer);
    }

    /// Which search answers `query`, and why. It depends on the map, the settings and the tick; never on the machine or on earlier queries.
    #[must_use]
    pub fn choice(&self, view: &PlanView<'_>, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        if is_short(query.from, query.to, view.config.get().short_path_threshold) {
            self.exact_choice(view, query)
        } else {
            (PlannerChoice::Hpa, PlannerReason::Far)
        }
    }

    /// Which exact search answers `query`, and why.
    #[must_use]
    pub fn exact_choice(&self, view: &PlanView<'_>, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        self.exact_choice_for(view, query.agent, query.threat)
    }

    /// Which exact search answers the queries of `agent`, and why.
    pub(crate) fn exact_choice_for(
        &self,
        view: &PlanView<'_>,
        agent: Agent,
        threat: Threat,
    ) -> (PlannerChoice, PlannerReason) {
        if !self.waits.are_made(agent, view.now) {
            return (PlannerChoice::Astar, PlannerReason::Preparing);
        }
        self.choice_with_tables(view, agent, threat)
    }

    /// Which exact search answers the queries of `agent` once its tables are made, and why.
    fn choice_with_tables(
        &self,
        view: &PlanView<'_>,
        agent: Agent,
        threat: Threat,
    ) -> (PlannerChoice, PlannerReason) {
        let state = jump_state(self.jumps.as_ref(), agent);
        let (choice, reason, _) = choose(view.layer, view.config.get(), state, threat);
        (choice, reason)
    }

    /// Makes the tables that exact queries of an agent need.
    pub(crate) fn prepare_exact(&mut self, view: &PlanView<'_>, agent: Agent, threat: Threat) {
        if self.exact_choice_for(view, agent, threat).0 == PlannerChoice::Jpsw {
            self.finish_planes(view, agent);
            let threat = view.layer.threat().effective(threat);
            self.weighted.prepare(view.layer, TableKey { agent, threat }, view.config.step_rule());
        }
    }

    /// Makes the tables that queries of an agent need, near and far.
    pub(crate) fn prepare_for(&mut self, view: &PlanView<'_>, agent: Agent, threat: Threat) {
        let threat = view.layer.threat().effective(threat);
        self.prepare_exact(view, agent, threat);
        if threat == Threat::Ignore {
            self.finish_doors(view, agent);
        }
        self.doors.prepare(view.layer, TableKey { agent, threat }, view.config.step_rule());
    }

    /// Makes the doors of an agent that ignores threat, and finds all costs between them.
    pub(crate) fn prepare_all_doors(&mut self, view: &PlanView<'_>, agent: Agent, scratch: &mut DoorScratch) {
        self.finish_doors(view, agent);
        // An agent without costs has no doors; its queries are refused.
        if let Ok(doors) = self.doors.up_to_date(view.layer, TableKey::plain(agent), view.config.step_rule())
        {
            doors.prepare_all(view.layer, scratch);
        }
    }

    /// The exact search for `query`. Its tables must have been prepared.
    fn exact_search(&self, view: &PlanView<'_>, query: &PathQuery) -> Result<Chosen<'_>, PlanError> {
        if !self.waits.are_made(query.agent, view.now) {
            let search = ExactSearch::Astar(view.config.step_rule());
            return Ok(Chosen { choice: PlannerChoice::Astar, search });
        }
        let state = jump_state(self.jumps.as_ref(), query.agent);
        let (choice, _, data) = choose(view.layer, view.config.get(), state, query.threat);
        let search = match (choice, data) {
            (_, Some(data)) => ExactSearch::Jumps(data),
            (PlannerChoice::Jpsw, None) => {
                let threat = view.layer.threat().effective(query.threat);
                let planes = self.weighted.get(view.layer, TableKey { agent: query.agent, threat })?;
                ExactSearch::Weighted(WeightedSearch::new(planes))
            }
            _ => ExactSearch::Astar(view.config.step_rule()),
        };
        Ok(Chosen { choice, search })
    }

    fn answer(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        match self.choice(view, query).0 {
            PlannerChoice::Hpa => self.far_with(view, query, None, run),
            _ => self.exact_with(view, query, None, run),
        }
    }

    /// The cheapest route, whatever the distance; on weighted ground a route within `route_per_mille` of the cheapest.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn exact(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        self.exact_with(view, query, None, PlanRun { scratch, out, probe: &mut NoProbe })
    }

    /// As [`Hybrid::exact`]. A route in `cache` is not searched for again. The tables must have been prepared.
    pub(crate) fn exact_with(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        cache: Option<&mut PathCache>,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch, out, probe } = run;
        out.clear();
        view.refuse_unconnected(query)?;
        let query = &view.effective(query);
        let chosen = self.exact_search(view, query)?;
        let (quality, neighbours) = (view.config.quality(), view.config.step_rule().neighbours);
        let search = chosen.search.with_quality(quality);
        cached(view, PathKey::new(query, chosen.cache_number()), cache, out, |out| {
            search.plan(view.layer, query, SearchRun { scratch: &mut scratch.search, out, probe })?;
            // A bounded search considers routes up to the greatest cost it may return. An edit on any of them may change its answer.
            Ok(Scope { cost: quality.most(out.cost.0), grain: 1, neighbours })
        })
    }

    /// A route over doors, walked in exact legs.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn far(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        self.far_with(view, query, None, PlanRun { scratch, out, probe: &mut NoProbe })
    }

    /// As [`Hybrid::far`]. A route in `cache` is not searched for again. The tables must have been prepared.
    pub(crate) fn far_with(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        cache: Option<&mut PathCache>,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch: PlanScratch { search, far, .. }, out, probe } = run;
        out.clear();
        view.refuse_unconnected(query)?;
        let query = &view.effective(query);
        let legs = self.exact_search(view, query)?;
        let doors = self.doors(view.layer, query.agent, query.threat)?;
        let how = FarSearch { doors, legs: legs.search, short: view.config.get().short_path_threshold };
        cached(view, PathKey::new(query, FAR | legs.cache_number()), cache, out, |out| {
            hpa(view.layer, query, &how, far, SearchRun { scratch: search, out, probe })?;
            Ok(far.scope(&how, out))
        })
    }
}

/// Writes the route of `key` to `out`: from `cache`, or from `search`, which returns what the route depends on.
fn cached(
    view: &PlanView<'_>,
    key: PathKey,
    cache: Option<&mut PathCache>,
    out: &mut Route,
    search: impl FnOnce(&mut Route) -> Result<Scope, PlanError>,
) -> Result<(), PlanError> {
    // Routes that heed threat are not cached: threat changes too often.
    let Some(cache) = cache.filter(|_| key.threat() == Threat::Ignore) else {
        return search(out).map(drop);
    };
    if !cache.get(key, view.layer, view.now, out) {
        let scope = search(out)?;
        cache.put(key, out, scope, view.layer, view.now);
    }
    Ok(())
}

impl Planner for Hybrid {
    fn name(&self) -> &str {
        "hybrid"
    }

    fn promise(&self) -> Promise {
        Promise::Legal
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        if let Some(jumps) = &mut self.jumps {
            jumps.follow(view.layer, view.now);
            jumps.advance(view.layer, view.now);
        }
        self.weighted.follow(view.layer);
        self.doors.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let (rule, detail) = (view.config.step_rule(), detail(view.config.get()));
        if !self.jumps.as_ref().is_some_and(|jumps| jumps.is_made_for(rule, detail)) {
            // A planner of the game is not saved, so its answers must not depend on the tick at which it was made.
            self.jumps = Some(JumpStore::new(view.layer, rule, detail, 0));
        }
        for query in batch {
            let query = view.effective(query);
            let PathQuery { agent, threat, .. } = query;
            self.prepare_exact(view, agent, threat);
            if self.choice(view, &query).0 == PlannerChoice::Hpa {
                self.doors.prepare(view.layer, TableKey { agent, threat }, view.config.step_rule());
            }
        }
    }

    plan_and_watch!();

    fn memory_bytes(&self) -> usize {
        let jumps = self.jumps.as_ref().map_or(0, JumpStore::memory_bytes);
        jumps + self.weighted.memory_bytes() + self.doors.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

impl HashState for Hybrid {
    fn hash_state(&self, hasher: &mut StateHasher) {
        if let Some(jumps) = &self.jumps {
            jumps.hash_state(hasher);
        }
        self.waits.hash_state(hasher);
    }
}
