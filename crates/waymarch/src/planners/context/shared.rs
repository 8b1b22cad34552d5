//! Contexts behind the contract of planners: they grow while questions are prepared, and are only read while they are asked.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{ContextKey, Contexts};
use crate::base::Tick;
use crate::planners::builtin::as_heeded;
use crate::planners::contract::{PlanScratch, PlanView, Planner, Promise};
use crate::planners::hybrid::refuse;
use crate::query::{PathQuery, PlanError};
use crate::search::Route;

/// Derived: searches that units with one goal share.
///
/// All questions of the last batch can be asked: there is room for as many goals as it had, and for 30 at least. Those of batches before
/// may have been given up. Searches are done, without a pause, while questions are prepared; the nodes counted for an answer are
/// the steps of its route, so that they follow from the question.
#[derive(Clone, Default)]
pub(in crate::planners) struct Shared {
    contexts: Option<Contexts>,
    /// How many batches there were: of two goals the one of the earlier batch is given up.
    batches: Tick,
    /// Scratch: the goals of a batch.
    goals: Vec<ContextKey>,
}

impl Planner for Shared {
    fn name(&self) -> &str {
        "context"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let Self { contexts, batches, goals } = self;
        let rule = view.config.step_rule();
        let contexts = contexts.get_or_insert_with(|| Contexts::new(rule, Contexts::DEFAULT_CAPACITY));
        *batches += 1;
        goals.clear();
        goals.extend(batch.iter().map(|query| ContextKey::of(&as_heeded(view.layer, query))));
        goals.sort_unstable();
        goals.dedup();
        let wanted = u32::try_from(goals.len()).unwrap_or(u32::MAX);
        contexts.set_capacity(wanted.max(Contexts::DEFAULT_CAPACITY));
        for query in batch {
            // A search for a way that is not there would go over everything.
            if refuse(view, query).is_ok() {
                contexts.prepare(view.layer, &as_heeded(view.layer, query), *batches);
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
        refuse(view, query)?;
        match &self.contexts {
            Some(contexts) => contexts.read(view.layer, &as_heeded(view.layer, query), out),
            None => Err(PlanError::Unsuited("nothing was prepared")),
        }
    }

    fn memory_bytes(&self) -> usize {
        self.contexts.as_ref().map_or(0, Contexts::memory_bytes)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
