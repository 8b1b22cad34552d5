//! `jps-graph` and `jps-graph-flat`: jump point search over an explicit graph, for ground of one cost.

use alloc::boxed::Box;

use super::agent_store::{AgentStore, GraphTable, Rebuilt, TableKey};
use super::jps::{refuse, suits};
use super::planner::{PlanRun, PlanView, Planner, Promise, plan_and_watch};
use crate::query::{PathQuery, PlanError};
use crate::search::{Hierarchy, Probe, hierarchical};

/// Jump point search over a graph. On maps where corners see few others, `jps-graph` uses a hierarchy of corners instead.
///
/// The graph follows edits. The hierarchy cannot: the first [`Planner::prepare`] after an edit rebuilds it.
#[derive(Clone)]
pub(super) struct JpsGraph {
    name: &'static str,
    graphs: AgentStore<GraphTable>,
    /// The hierarchies by agent; `None` in `jps-graph-flat`.
    hierarchies: Option<AgentStore<Rebuilt<Option<Hierarchy>>>>,
}

impl JpsGraph {
    /// `jps-graph`: with hierarchies.
    pub(super) fn with_hierarchy() -> Self {
        let (graphs, hierarchies) = (AgentStore::default(), Some(AgentStore::default()));
        Self { name: "jps-graph", graphs, hierarchies }
    }

    /// `jps-graph-flat`: without hierarchies.
    pub(super) fn flat() -> Self {
        Self { name: "jps-graph-flat", graphs: AgentStore::default(), hierarchies: None }
    }

    fn answer<P: Probe>(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, P>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch, out, probe } = run;
        out.clear();
        refuse(view, query)?;
        let (layer, key) = (view.layer, TableKey::plain(query.agent));
        // A hierarchy climbs from both ends and has no search tree. So a probe that watches gets the search of the graph.
        if let Some(hierarchies) = self.hierarchies.as_ref().filter(|_| !P::WATCHES) {
            if let Some(hierarchy) = &hierarchies.get(layer, key)?.table {
                return hierarchical(layer, query, hierarchy, &mut scratch.search, out);
            }
        }
        self.graphs.get(layer, key)?.data.plan_with(layer, query, &mut scratch.search, out, probe)
    }
}

impl Planner for JpsGraph {
    fn name(&self) -> &str {
        self.name
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn suits(&self, view: &PlanView<'_>, query: &PathQuery) -> Result<(), &'static str> {
        suits(view, query)
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        self.graphs.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let rule = view.config.step_rule();
        for query in batch.iter().filter(|query| suits(view, query).is_ok()) {
            let key = TableKey::plain(query.agent);
            self.graphs.prepare(view.layer, key, rule);
            if let Some(hierarchies) = &mut self.hierarchies {
                hierarchies.prepare(view.layer, key, rule);
            }
        }
    }

    plan_and_watch!();

    fn memory_bytes(&self) -> usize {
        self.graphs.memory_bytes() + self.hierarchies.as_ref().map_or(0, AgentStore::memory_bytes)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
