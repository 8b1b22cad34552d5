//! `astar`: plain A\*, which needs no tables and serves all ground.

use alloc::boxed::Box;

use super::planner::{PlanScratch, PlanView, Planner, Promise};
use crate::query::{PathQuery, PlanError};
use crate::search::{Recorder, Route, SearchRun, astar, astar_with};

/// The planner `astar`.
#[derive(Clone)]
pub(super) struct Astar;

impl Planner for Astar {
    fn name(&self) -> &str {
        "astar"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        astar(view.layer, query, view.config.step_rule(), &mut scratch.search, out)
    }

    fn watch(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        let run = SearchRun { scratch: &mut scratch.search, out, probe: recorder };
        astar_with(view.layer, query, view.config.step_rule(), run)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
