//! Searches that are kept for each goal, as a planner of the program.

use std::sync::{Mutex, PoisonError};

use waymarch::base::Tick;
use waymarch::cost::{CostLayer, StepRule};
use waymarch::planners::Contexts;
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{Recorder, Route, SearchScratch};

use crate::planner::{Prepared, Work};

/// The planner with contexts. All threads share them, one asking at a time.
pub(crate) struct Shared<'a> {
    layer: &'a CostLayer,
    rule: StepRule,
    asked: Mutex<Asked>,
}

/// The contexts, and how many questions there were: each is a tick, so that the goal asked for longest ago is given up first.
struct Asked {
    contexts: Contexts,
    now: Tick,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(layer: &'a CostLayer, rule: StepRule) -> Self {
        let contexts = Contexts::new(rule, Contexts::DEFAULT_CAPACITY);
        Self { layer, rule, asked: Mutex::new(Asked { contexts, now: Tick::ZERO }) }
    }
}

impl Prepared for Shared<'_> {
    fn plan(&self, query: &PathQuery, _: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Asked { contexts, now } = &mut *asked;
        *now += 1;
        contexts.plan(self.layer, query, *now, out)
    }

    /// What is watched is a search of its own, so that there is all of it to see.
    fn watch(
        &self,
        query: &PathQuery,
        _: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        Contexts::new(self.rule, 1).plan_with(self.layer, query, Tick::ZERO, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).contexts.memory_bytes()
    }

    fn work(&self) -> Work {
        Work::OfWhatIsMissing
    }

    fn forget(&self) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).contexts.clear();
    }
}
