//! The engine's planners by name, and one of them made ready for a map and an agent.
//!
//! The program has no planners of its own: `--planner NAME` runs the planner of this name in [`PlannerList::builtin`].

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;
use waymarch::base::{Agent, cell};
use waymarch::config::{Config, ValidConfig};
use waymarch::cost::StepRule;
use waymarch::planners::{FarScratch, PlanScratch, PlanView, Planner, PlannerList, Promise};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{Recorder, Route};

use crate::diagnostics::Failure;

/// The default planner of `path`. Tables compare the others with it.
pub(crate) const DEFAULT: &str = "astar";

/// Legs of far routes that a scratch keeps: 4,096, as a navigator does by default.
const LEGS: u32 = 4096;

static PLANNERS: LazyLock<PlannerList> = LazyLock::new(PlannerList::builtin);

/// Every planner of the engine. The hybrid, which is first in the engine's list, is last here. So plain A\* is first, and tables compare the
/// others with it.
pub(crate) fn planners() -> impl Iterator<Item = &'static dyn Planner> {
    PLANNERS.iter().skip(1).chain(PLANNERS.iter().take(1))
}

/// The planner called `name`.
pub(crate) fn planner(name: &str) -> Result<&'static dyn Planner, Failure> {
    let names: Vec<&str> = planners().map(Planner::name).collect();
    PLANNERS.get(name).ok_or_else(|| Failure::unknown("planner", name, &names))
}

/// What a planner promises, as documents and tables say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PromiseDocument {
    /// The cheapest route.
    Optimal,
    /// At most this many thousandths of the cheapest.
    Bounded(u32),
    /// Close to the cheapest as measured, without a bound.
    Near,
}

impl From<Promise> for PromiseDocument {
    fn from(promise: Promise) -> Self {
        match promise {
            Promise::Optimal => Self::Optimal,
            Promise::Bounded(most) => Self::Bounded(most.get()),
            Promise::Legal => Self::Near,
        }
    }
}

impl PromiseDocument {
    /// The name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Bounded(_) => "bounded",
            Self::Near => "near",
        }
    }
}

/// Default settings with another step rule.
pub(crate) fn settings(rule: StepRule) -> ValidConfig {
    let config = Config { neighbours: rule.neighbours, corner_rule: rule.corners, ..Config::default() };
    // Every step rule is valid.
    config.validate().unwrap_or_default()
}

/// Scratch for one thread and one map. It serves no other map, because it keeps legs of far routes.
pub(crate) fn scratch() -> PlanScratch {
    PlanScratch { far: FarScratch::remembering(LEGS), ..PlanScratch::new() }
}

/// A planner of the engine, ready for one map and one agent.
pub(crate) struct Prepared<'a> {
    view: PlanView<'a>,
    asked: Asked,
    prep_ms: f64,
}

/// How threads share a planner.
enum Asked {
    /// Any number of threads use it at once: it was prepared for all queries.
    Shared(Box<dyn Planner>),
    /// One thread uses it at a time. It searches while it prepares a query. The time and nodes of this search count for the query.
    InTurn(Mutex<Box<dyn Planner>>),
}

impl<'a> Prepared<'a> {
    /// Makes a copy of `planner` ready for the queries of `agent`; for an agent without costs, ready to refuse.
    pub(crate) fn new(planner: &dyn Planner, view: PlanView<'a>, agent: Agent) -> Self {
        let mut planner = planner.boxed();
        let start = Instant::now();
        let asked = if planner.prepared_nodes().is_some() {
            Asked::InTurn(Mutex::new(planner))
        } else {
            planner.prepare(&view, &typical(&view, agent));
            Asked::Shared(planner)
        };
        let prep_ms = start.elapsed().as_secs_f64() * 1e3;
        Self { view, asked, prep_ms }
    }

    /// Answers `query` into `out`. Nodes that were expanded to prepare the query count as nodes of the route.
    pub(crate) fn plan(
        &self,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        let planner = match &self.asked {
            Asked::Shared(planner) => return planner.plan(&self.view, query, scratch, out),
            Asked::InTurn(planner) => planner,
        };
        let (view, mut planner) = (&self.view, lock(planner));
        let before = planner.prepared_nodes().unwrap_or(0);
        planner.prepare(view, std::slice::from_ref(query));
        let nodes = planner.prepared_nodes().unwrap_or(0) - before;
        let done = planner.plan(view, query, scratch, out);
        out.expanded = u32::try_from(nodes).unwrap_or(u32::MAX);
        done
    }

    /// As [`Prepared::plan`], and records the steps of the search.
    pub(crate) fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        match &self.asked {
            Asked::Shared(planner) => planner.watch(&self.view, query, scratch, out, recorder),
            Asked::InTurn(planner) => lock(planner).watch(&self.view, query, scratch, out, recorder),
        }
    }

    /// The time to prepare the planner in milliseconds, without cost layer and sectors.
    pub(crate) fn prep_ms(&self) -> f64 {
        self.prep_ms
    }

    /// The bytes that the planner holds, without cost layer and sectors.
    pub(crate) fn memory_bytes(&self) -> usize {
        match &self.asked {
            Asked::Shared(planner) => planner.memory_bytes(),
            Asked::InTurn(planner) => lock(planner).memory_bytes(),
        }
    }

    /// Whether the nodes of an answer depend on the query alone. If not, they depend on earlier queries too; the answer itself never does.
    pub(crate) fn counts_by_query(&self) -> bool {
        matches!(self.asked, Asked::Shared(_))
    }

    /// Drops what the planner kept of earlier queries, so that the next query can be measured.
    pub(crate) fn forget(&self) {
        if let Asked::InTurn(planner) = &self.asked {
            lock(planner).forget_queries();
        }
    }
}

fn lock(planner: &Mutex<Box<dyn Planner>>) -> MutexGuard<'_, Box<dyn Planner>> {
    planner.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Queries that need every table of a planner: a near and a far goal, each with and without threat.
pub(crate) fn typical(view: &PlanView<'_>, agent: Agent) -> [PathQuery; 4] {
    let size = view.layer.grid();
    let corner = cell(size.width() as i32 - 1, size.height() as i32 - 1);
    let near = PathQuery::new(cell(0, 0), cell(0, 0), agent);
    let far = PathQuery::new(cell(0, 0), corner, agent);
    [near, far, near.with_threat(Threat::Heed), far.with_threat(Threat::Heed)]
}

/// Whether `planner` supports queries of `agent` without threat; the reason if not.
pub(crate) fn suits(planner: &dyn Planner, view: &PlanView<'_>, agent: Agent) -> Result<(), &'static str> {
    planner.suits(view, &PathQuery::new(cell(0, 0), cell(0, 0), agent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waymarch::base::{CellPos, Tick};
    use waymarch::cost::{CostLayer, CostSettings};
    use waymarch::sectors::Sectors;
    use waymarch_maps::generate::builtin;

    /// All parts of an answer: result, cost, expanded nodes, waypoints.
    type Answer = (Result<(), PlanError>, u64, u32, Vec<CellPos>);

    /// The answers of the engine's planner of this name, used as a game uses it: prepare, then plan.
    fn engine(name: &str, view: &PlanView<'_>, batch: &[PathQuery]) -> Vec<Answer> {
        let mut planner = PlannerList::builtin().take(name).unwrap();
        let ask = |query: &PathQuery| {
            let (mut scratch, mut route) = (PlanScratch::new(), Route::new());
            let before = planner.prepared_nodes();
            planner.prepare(view, &[*query]);
            let done = planner.plan(view, query, &mut scratch, &mut route);
            // For a planner that searches while it prepares, these nodes count.
            let searched =
                planner.prepared_nodes().zip(before).map(|(after, before)| (after - before) as u32);
            (done, route.cost.0, searched.unwrap_or(route.expanded), route.waypoints)
        };
        batch.iter().map(ask).collect()
    }

    #[test]
    fn a_name_means_the_same_algorithm_to_the_program_and_to_a_game() {
        for (map, side) in [("maze", 96), ("valley", 128), ("islands", 128), ("open", 96)] {
            let map = builtin(map).unwrap().validate().unwrap();
            let layer = CostLayer::new(&map, CostSettings::default());
            let config = settings(StepRule::default());
            let sectors = Sectors::new(&layer, config.step_rule());
            let view = PlanView { layer: &layer, sectors: &sectors, config: &config, now: Tick::ZERO };
            let agent = layer.agents().next().unwrap();
            let spots: Vec<CellPos> = (0..40).map(|i| cell(i * 37 % side, i * 53 % side)).collect();
            let batch: Vec<PathQuery> =
                spots.windows(2).map(|ends| PathQuery::new(ends[0], ends[1], agent)).collect();
            for name in PlannerList::builtin().names() {
                let planner = planner(name).unwrap();
                if suits(planner, &view, agent).is_err() {
                    continue;
                }
                let prepared = Prepared::new(planner, view, agent);
                let (mut scratch, mut route) = (scratch(), Route::new());
                let mut ask = |query: &PathQuery| {
                    let done = prepared.plan(query, &mut scratch, &mut route);
                    (done, route.cost.0, route.expanded, route.waypoints.clone())
                };
                let program: Vec<Answer> = batch.iter().map(&mut ask).collect();
                assert!(program.iter().any(|answer| answer.0.is_ok()), "{name} finds no route");
                assert_eq!(program, engine(name, &view, &batch), "{name}");
            }
        }
    }

    #[test]
    fn the_program_offers_every_planner_of_the_engine_and_no_other() {
        let mut offered: Vec<&str> = planners().map(Planner::name).collect();
        assert_eq!(offered.first(), Some(&DEFAULT));
        let (list, mut names) = (PlannerList::builtin(), Vec::new());
        names.extend(list.names());
        offered.sort_unstable();
        names.sort_unstable();
        assert_eq!(offered, names);
    }
}
