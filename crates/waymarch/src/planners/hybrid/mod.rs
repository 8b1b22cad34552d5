//! The default planner: it puts layers 1 to 3 together and chooses for every question.

mod choice;
mod stores;

use alloc::boxed::Box;

pub use choice::{PlannerChoice, PlannerReason};

pub(crate) use choice::{choose, detail, heeds_threat};
pub(crate) use stores::{DoorStore, WeightedStore};

use super::builtin::as_heeded;
use super::contract::{PlanScratch, PlanView, Planner, Promise};
use super::hpa::{FarSearch, LegSearch, hpa, is_short};
use crate::base::{Agent, HashState, StateHasher, Tick};
use crate::config::ValidConfig;
use crate::cost::CostLayer;
use crate::query::{PathQuery, PlanError, Threat};
use crate::search::{JumpState, JumpStore, JumpWaits, Route, WeightedSearch, astar, jpsw};

/// Jump planes asked for at a tick are published so many ticks later, on every machine (ERRATA 14).
const JUMP_DELAY: u32 = 8;

/// Derived, but for the ticks at which jump planes are published: everything that is worked out beforehand to answer questions, and the
/// rule by which a search is chosen for each.
///
/// Near goals get the cheapest route, by jump point search where the ground is of one cost and by its weighted kind elsewhere; goals
/// farther than `short_path_threshold` get one over doors.
#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    pub(crate) jumps: Option<JumpStore>,
    pub(crate) weighted: WeightedStore,
    pub(crate) doors: DoorStore,
}

impl Hybrid {
    /// With nothing worked out.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With jump planes for the fields of one cost: a map that is being loaded is waited for.
    #[must_use]
    pub fn ready(layer: &CostLayer, config: &ValidConfig) -> Self {
        let mut jumps = JumpStore::new(layer, config.step_rule(), detail(config.get()), 0);
        jumps.set_delay(JUMP_DELAY);
        Self { jumps: Some(jumps), ..Self::default() }
    }

    /// The state of an agent's jump planes.
    pub(crate) fn jump_state(&self, agent: Agent) -> JumpState<'_> {
        self.jumps.as_ref().map_or(JumpState::Building(Tick::MAX), |jumps| jumps.state(agent))
    }

    /// Who waits for jump planes until when.
    pub(crate) fn waits(&self) -> JumpWaits {
        self.jumps.as_ref().map_or_else(JumpWaits::default, JumpStore::waits)
    }

    /// Follows `layer`, which was taken back to another time, and makes those wait that waited then.
    pub(crate) fn restore(&mut self, layer: &CostLayer, waits: &JumpWaits) {
        if let Some(jumps) = &mut self.jumps {
            jumps.restore(layer, waits);
        }
        self.weighted.follow(layer);
        self.doors.follow(layer);
    }

    /// Which search answers `query`, and why: by the map, the settings and the tick, never by the machine or by earlier questions.
    #[must_use]
    pub fn choice(&self, view: &PlanView<'_>, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        let short = view.config.get().short_path_threshold;
        let (exact, reason) = self.exact_choice(view, query);
        if is_short(query.from, query.to, short) {
            (exact, reason)
        } else {
            (PlannerChoice::Hpa, PlannerReason::Far)
        }
    }

    /// Which exact search answers `query`, and why.
    #[must_use]
    pub fn exact_choice(&self, view: &PlanView<'_>, query: &PathQuery) -> (PlannerChoice, PlannerReason) {
        let (choice, reason, _) =
            choose(view.layer, view.config.get(), self.jump_state(query.agent), query.threat);
        (choice, reason)
    }

    /// Makes ready whatever questions of an agent may need, near and far.
    pub(crate) fn prepare_for(&mut self, view: &PlanView<'_>, agent: Agent, threat: Threat) {
        let threat = if view.layer.threat().is_empty() { Threat::Ignore } else { threat };
        let rule = view.config.step_rule();
        let (choice, _, _) = choose(view.layer, view.config.get(), self.jump_state(agent), threat);
        if choice == PlannerChoice::Jpsw {
            self.weighted.make(view.layer, agent, rule, Threat::Ignore);
        }
        self.doors.make(view.layer, agent, rule, threat);
    }

    /// The cheapest route, whatever the distance; within `route_per_mille` of it on weighted ground.
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
        out.clear();
        refuse(view, query)?;
        let (layer, rule) = (view.layer, view.config.step_rule());
        let query = &as_heeded(layer, query);
        let (choice, _, data) = choose(layer, view.config.get(), self.jump_state(query.agent), query.threat);
        match (choice, data) {
            (_, Some(data)) => data.plan(layer, query, &mut scratch.search, out),
            (PlannerChoice::Jpsw, None) => {
                let planes = self.weighted.get(layer, query.agent, Threat::Ignore)?;
                let how = WeightedSearch::new(planes).with_quality(view.config.quality());
                jpsw(layer, query, &how, &mut scratch.search, out)
            }
            _ => astar(layer, query, rule, &mut scratch.search, out),
        }
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
        out.clear();
        refuse(view, query)?;
        let (layer, rule) = (view.layer, view.config.step_rule());
        let query = &as_heeded(layer, query);
        let (choice, _, data) = choose(layer, view.config.get(), self.jump_state(query.agent), query.threat);
        let legs = match (choice, data) {
            (_, Some(data)) => LegSearch::Jumps(data),
            (PlannerChoice::Jpsw, None) => LegSearch::Weighted(WeightedSearch::new(self.weighted.get(
                layer,
                query.agent,
                Threat::Ignore,
            )?)),
            _ => LegSearch::Astar(rule),
        };
        let doors = self.doors.get(layer, query.agent, query.threat)?;
        let how = FarSearch { doors, legs, short: view.config.get().short_path_threshold };
        let PlanScratch { search, far } = scratch;
        hpa(layer, query, &how, search, far, out)
    }
}

/// That there is no way at all costs a look at two tables.
pub(crate) fn refuse(view: &PlanView<'_>, query: &PathQuery) -> Result<(), PlanError> {
    let domain = |at| view.sectors.domain(at, query.agent);
    match domain(query.from).zip(domain(query.to)) {
        // A goal that may not be stopped on is refused as such, whether or not it can be reached.
        Some((from, to)) if from != to && view.layer.can_stop(query.to, query.agent) => {
            Err(PlanError::Unreachable { from: query.from, to: query.to })
        }
        _ => Ok(()),
    }
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
        if self.jumps.is_none() {
            self.jumps = Self::ready(view.layer, view.config).jumps;
        }
        let rule = view.config.step_rule();
        for query in batch {
            let query = as_heeded(view.layer, query);
            if self.exact_choice(view, &query).0 == PlannerChoice::Jpsw {
                self.weighted.make(view.layer, query.agent, rule, Threat::Ignore);
            }
            if self.choice(view, &query).0 == PlannerChoice::Hpa {
                self.doors.make(view.layer, query.agent, rule, query.threat);
            }
        }
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        match self.choice(view, query).0 {
            PlannerChoice::Hpa => self.far(view, query, scratch, out),
            _ => self.exact(view, query, scratch, out),
        }
    }

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
    }
}
