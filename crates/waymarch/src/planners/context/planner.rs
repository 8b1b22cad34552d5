//! `context`: the planner that keeps one search per goal. The searches grow in `prepare`, and `plan` only reads them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{ContextKey, Contexts};
use crate::base::Tick;
use crate::planners::planner::{PlanScratch, PlanView, Planner, Promise};
use crate::query::{PathQuery, PlanError};
use crate::search::{Recorder, Route};

/// Derived: searches that units with the same goal share.
///
/// The planner can answer every query of the last batch. It keeps a search for each goal of that batch, and room for at least 30 goals.
/// Goals of earlier batches may have been dropped. Searches run in [`Planner::prepare`] and do not pause. The nodes counted for an answer
/// are the steps of its route, so they follow from the query; [`Planner::prepared_nodes`] counts the cells searched.
#[derive(Clone, Default)]
pub(in crate::planners) struct ContextPlanner {
    contexts: Option<Contexts>,
    /// Batches prepared so far. Of two goals, the one of the earlier batch is dropped first.
    batches: Tick,
    /// Scratch: the goals of a batch.
    goals: Vec<ContextKey>,
}

impl Planner for ContextPlanner {
    fn name(&self) -> &str {
        "context"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let Self { contexts, batches, goals } = self;
        let rule = view.config.step_rule();
        if contexts.as_ref().is_some_and(|contexts| contexts.rule() != rule) {
            *contexts = None;
        }
        let contexts = contexts.get_or_insert_with(|| Contexts::new(rule, Contexts::DEFAULT_CAPACITY));
        *batches += 1;
        goals.clear();
        goals.extend(batch.iter().map(|query| ContextKey::of(&view.effective(query))));
        goals.sort_unstable();
        goals.dedup();
        let wanted = u32::try_from(goals.len()).unwrap_or(u32::MAX);
        contexts.set_capacity(wanted.max(Contexts::DEFAULT_CAPACITY));
        for query in batch {
            // Without this check a query without a route would search everything that the goal is connected to.
            if view.refuse_unconnected(query).is_ok() {
                contexts.prepare(view.layer, &view.effective(query), *batches);
            }
        }
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        _: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        out.clear();
        view.refuse_unconnected(query)?;
        match &self.contexts {
            Some(contexts) => contexts.read(view.layer, &view.effective(query), out),
            None => Err(PlanError::Unsuited("the planner was not prepared")),
        }
    }

    /// Records a new search that begins at the goal with nothing known, so that the recorder sees all of it.
    fn watch(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        _: &mut PlanScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        let mut contexts = Contexts::new(view.config.step_rule(), 1);
        contexts.plan_with(view.layer, &view.effective(query), view.now, out, recorder)
    }

    fn prepared_nodes(&self) -> Option<u64> {
        Some(self.contexts.as_ref().map_or(0, |contexts| contexts.work().expanded))
    }

    fn forget_queries(&mut self) {
        if let Some(contexts) = &mut self.contexts {
            contexts.clear();
        }
    }

    fn memory_bytes(&self) -> usize {
        self.contexts.as_ref().map_or(0, Contexts::memory_bytes)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
