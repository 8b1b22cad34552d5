//! `hpa`: routes over doors, refined into cells, with tables for each agent that a query has named.

use alloc::boxed::Box;

use super::agent_store::{AgentStore, FullPlanes, TableKey};
use super::hpa::{ExactSearch, FarSearch, hpa};
use super::jps::suits;
use super::planner::{PlanRun, PlanScratch, PlanView, Planner, Promise, plan_and_watch};
use crate::query::{PathQuery, PlanError};
use crate::search::{Probe, SearchRun, WeightedPlanes, WeightedSearch};
use crate::sectors::Doors;

/// Hierarchical search over doors. Legs are jump point searches on ground of one cost, and weighted ones elsewhere and where threat counts.
///
/// All tables follow edits.
#[derive(Clone, Default)]
pub(super) struct Hpa {
    doors: AgentStore<Doors>,
    jumps: AgentStore<FullPlanes>,
    weighted: AgentStore<WeightedPlanes>,
}

impl Hpa {
    fn answer(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch: PlanScratch { search, far, .. }, out, probe } = run;
        out.clear();
        let (layer, query) = (view.layer, &view.effective(query));
        let key = TableKey { agent: query.agent, threat: query.threat };
        let doors = self.doors.get(layer, key)?;
        let legs = if suits(view, query).is_ok() {
            ExactSearch::Jumps(&self.jumps.get(layer, TableKey::plain(query.agent))?.data)
        } else {
            ExactSearch::Weighted(WeightedSearch::new(self.weighted.get(layer, key)?))
        };
        let how = FarSearch { doors, legs, short: view.config.get().short_path_threshold };
        hpa(layer, query, &how, far, SearchRun { scratch: search, out, probe })
    }
}

impl Planner for Hpa {
    fn name(&self) -> &str {
        "hpa"
    }

    fn promise(&self) -> Promise {
        Promise::Legal
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        self.doors.follow(view.layer);
        self.jumps.follow(view.layer);
        self.weighted.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let (layer, rule) = (view.layer, view.config.step_rule());
        for query in batch {
            let query = view.effective(query);
            let key = TableKey { agent: query.agent, threat: query.threat };
            self.doors.prepare(layer, key, rule);
            if suits(view, &query).is_ok() {
                self.jumps.prepare(layer, TableKey::plain(query.agent), rule);
            } else {
                self.weighted.prepare(layer, key, rule);
            }
        }
    }

    plan_and_watch!();

    fn memory_bytes(&self) -> usize {
        self.doors.memory_bytes() + self.jumps.memory_bytes() + self.weighted.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
