//! `jps-graph` and `jps-graph-flat`: jump point search over an explicit graph, for ground of one cost.

use alloc::boxed::Box;

use super::agent_store::{AgentStore, GraphTable, Rebuilt, TableKey};
use super::jps::{refuse, suits};
use super::planner::{PlanScratch, PlanView, Planner, Promise};
use crate::query::{PathQuery, PlanError};
use crate::search::{Hierarchy, Recorder, Route, hierarchical};

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

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        out.clear();
        refuse(view, query)?;
        let (layer, key) = (view.layer, TableKey::plain(query.agent));
        if let Some(hierarchies) = &self.hierarchies {
            if let Some(hierarchy) = &hierarchies.get(layer, key)?.table {
                return hierarchical(layer, query, hierarchy, &mut scratch.search, out);
            }
        }
        self.graphs.get(layer, key)?.data.plan(layer, query, &mut scratch.search, out)
    }

    /// Records the search of the graph, even where the hierarchy answers queries. A hierarchy searches from both ends and has no single
    /// search tree to record.
    fn watch(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        out.clear();
        refuse(view, query)?;
        let graph = self.graphs.get(view.layer, TableKey::plain(query.agent))?;
        graph.data.plan_with(view.layer, query, &mut scratch.search, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        self.graphs.memory_bytes() + self.hierarchies.as_ref().map_or(0, AgentStore::memory_bytes)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
