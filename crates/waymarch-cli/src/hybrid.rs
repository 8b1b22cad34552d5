//! The engine's default planner, through the contract that the path service uses too.

use std::sync::{Mutex, PoisonError};

use waymarch::base::{Agent, Tick, cell};
use waymarch::config::{Config, ValidConfig};
use waymarch::cost::CostLayer;
use waymarch::planners::{Hybrid, PlanScratch, PlanView, Planner, PlannerChoice};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{Recorder, Route, SearchScratch};
use waymarch::sectors::Sectors;

use crate::planner::{How, PLANNERS, Prepared};

/// The hybrid planner, ready for one agent.
pub(crate) struct Composed<'a> {
    layer: &'a CostLayer,
    sectors: Sectors,
    config: ValidConfig,
    hybrid: Hybrid,
    agent: Agent,
    how: How,
    /// One for each thread that asks at the same time.
    scratches: Mutex<Vec<PlanScratch>>,
}

impl<'a> Composed<'a> {
    /// Ready for `agent`; for one without costs, ready to say so.
    pub(crate) fn build(layer: &'a CostLayer, agent: Agent, how: How) -> Box<dyn Prepared + 'a> {
        let config = Config {
            neighbours: how.rule.neighbours,
            corner_rule: how.rule.corners,
            short_path_threshold: how.short,
            ..Config::default()
        };
        // What is not taken over from settings that were checked before is the default.
        let config = config.validate().unwrap_or_default();
        let sectors = Sectors::new(layer, how.rule);
        let scratches = Mutex::default();
        let mut ready = Self { layer, sectors, config, hybrid: Hybrid::new(), agent, how, scratches };
        // One question that is near and one as far as can be, with threat and without: everything is made for them.
        let size = layer.grid();
        let corner = cell(size.width() as i32 - 1, size.height() as i32 - 1);
        let near = PathQuery::new(cell(0, 0), cell(0, 0), agent);
        let far = PathQuery::new(cell(0, 0), corner, agent);
        let batch = [near, far, near.with_threat(Threat::Heed), far.with_threat(Threat::Heed)];
        let mut hybrid = core::mem::take(&mut ready.hybrid);
        hybrid.prepare(&ready.view(), &batch);
        ready.hybrid = hybrid;
        Box::new(ready)
    }

    fn view(&self) -> PlanView<'_> {
        PlanView { layer: self.layer, sectors: &self.sectors, config: &self.config, now: Tick::ZERO }
    }
}

impl Prepared for Composed<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut plan = pool().pop().unwrap_or_default();
        core::mem::swap(&mut plan.search, scratch);
        let done = self.hybrid.plan(&self.view(), query, &mut plan, out);
        core::mem::swap(&mut plan.search, scratch);
        pool().push(plan);
        done
    }

    /// What is watched is the search that is chosen for the question, made ready once more.
    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        let chosen = match self.hybrid.choice(&self.view(), query).0 {
            PlannerChoice::Hpa => "hpa",
            PlannerChoice::Jps => "jps",
            PlannerChoice::JpsPlus => "jps+",
            PlannerChoice::Jpsw => "jpsw-octile",
            _ => "astar",
        };
        let planner = PLANNERS.iter().find(|planner| planner.name == chosen).unwrap_or(&PLANNERS[0]);
        (planner.build)(self.layer, self.agent, self.how).watch(query, scratch, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        self.hybrid.memory_bytes()
    }
}
