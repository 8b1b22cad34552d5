//! `astar`: plain A\*, which needs no tables and serves all ground.

use alloc::boxed::Box;

use super::planner::{PlanRun, PlanView, Planner, Promise, plan_and_watch};
use crate::query::{PathQuery, PlanError};
use crate::search::{Probe, SearchRun, astar_with};

/// The planner `astar`.
#[derive(Clone)]
pub(super) struct Astar;

impl Astar {
    fn answer(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch, out, probe } = run;
        let run = SearchRun { scratch: &mut scratch.search, out, probe };
        astar_with(view.layer, query, view.config.step_rule(), run)
    }
}

impl Planner for Astar {
    fn name(&self) -> &str {
        "astar"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    plan_and_watch!();

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
