//! `jps` and `jps+`: jump point search over planes of bits, for ground of one cost.

use alloc::boxed::Box;

use super::agent_store::{AgentStore, FullPlanes, JumpTable, StraightPlanes, TableKey};
use super::planner::{PlanRun, PlanView, Planner, Promise, plan_and_watch};
use crate::query::{PathQuery, PlanError};
use crate::search::{Probe, jps_suits, open_ends};

/// Whether jump point search can answer `query`.
///
/// # Errors
/// The reason why not, in a sentence.
pub(super) fn suits(view: &PlanView<'_>, query: &PathQuery) -> Result<(), &'static str> {
    if view.layer.threat().effective(query.threat).is_heeded() {
        return Err("jump point search cannot heed threat");
    }
    let field = view.layer.field(query.agent);
    field.map_or(Ok(()), |field| jps_suits(field, view.config.step_rule()))
}

/// Refuses a query whose ends are wrong, then one that jump point search cannot answer.
pub(super) fn refuse(view: &PlanView<'_>, query: &PathQuery) -> Result<(), PlanError> {
    open_ends(view.layer, query)?;
    suits(view, query).map_err(PlanError::Unsuited)
}

/// Jump point search with planes for straight jumps only (`jps`) or for diagonal ones too (`jps+`).
#[derive(Clone)]
pub(super) struct Jps<const DETAIL: u8> {
    name: &'static str,
    planes: AgentStore<JumpTable<DETAIL>>,
}

/// `jps`: planes of about a byte per cell.
pub(super) fn straight() -> Box<dyn Planner> {
    Box::new(Jps { name: "jps", planes: AgentStore::<StraightPlanes>::default() })
}

/// `jps+`: planes of a few bytes per cell, and faster.
pub(super) fn plus() -> Box<dyn Planner> {
    Box::new(Jps { name: "jps+", planes: AgentStore::<FullPlanes>::default() })
}

impl<const DETAIL: u8> Jps<DETAIL> {
    fn answer(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch, out, probe } = run;
        out.clear();
        refuse(view, query)?;
        let planes = self.planes.get(view.layer, TableKey::plain(query.agent))?;
        planes.data.plan_with(view.layer, query, &mut scratch.search, out, probe)
    }
}

impl<const DETAIL: u8> Planner for Jps<DETAIL> {
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
        self.planes.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        for query in batch.iter().filter(|query| suits(view, query).is_ok()) {
            self.planes.prepare(view.layer, TableKey::plain(query.agent), view.config.step_rule());
        }
    }

    plan_and_watch!();

    fn memory_bytes(&self) -> usize {
        self.planes.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
