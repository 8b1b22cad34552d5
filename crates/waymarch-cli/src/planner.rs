//! The ways of finding ways that the program offers, by name.

use serde::Serialize;
use waymarch::base::Agent;
use waymarch::config::{Config, ValidConfig};
use waymarch::cost::{CostField, CostLayer, StepRule};
use waymarch::query::{PathQuery, PlanError, Quality};
use waymarch::search::{
    Hierarchy, JumpGraph, JumpPlanes, Recorder, Route, SearchScratch, astar, astar_with, hierarchical, jps,
    jps_graph, jps_graph_with, jps_suits, jps_with,
};

use crate::context::Shared;
use crate::diagnostics::Failure;
use crate::far::Far;
use crate::hybrid::Composed;
use crate::weighted::{FarBound, Weighted};

/// What a planner promises about its routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Promise {
    /// The cheapest there is.
    Optimal,
    /// At most so many thousandths of the cheapest.
    Bounded(u32),
    /// Close to the cheapest as measured, without a bound.
    Near,
}

impl Promise {
    /// In a word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Bounded(_) => "bounded",
            Self::Near => "near",
        }
    }
}

/// The settings that planners go by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct How {
    /// How units step.
    pub(crate) rule: StepRule,
    /// The setting `short_path_threshold`.
    pub(crate) short: u32,
}

impl From<&ValidConfig> for How {
    fn from(config: &ValidConfig) -> Self {
        Self { rule: config.step_rule(), short: config.get().short_path_threshold }
    }
}

impl From<StepRule> for How {
    /// The other settings as they are by default.
    fn from(rule: StepRule) -> Self {
        Self { rule, short: Config::default().short_path_threshold }
    }
}

/// A planner in the list.
#[derive(Debug)]
pub(crate) struct PlannerDef {
    /// As given to `--planner`.
    pub(crate) name: &'static str,
    /// What its routes are.
    pub(crate) promise: Promise,
    /// Whether it can work for this agent under this rule; if not, why.
    pub(crate) suits: fn(&CostLayer, Agent, StepRule) -> Result<(), &'static str>,
    /// Makes it ready; the time this takes and the memory it keeps are reported.
    pub(crate) build: for<'a> fn(&'a CostLayer, Agent, How) -> Box<dyn Prepared + 'a>,
}

/// A planner made ready for one map and one agent.
pub(crate) trait Prepared: Sync {
    /// Answers `query` into `out`.
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError>;

    /// The same, and tells what it looked at.
    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError>;

    /// Bytes it keeps beside the cost layer.
    fn memory_bytes(&self) -> usize;

    /// What the work it counts depends on; what it answers never depends on more than the question.
    fn work(&self) -> Work {
        Work::OfTheQuestion
    }

    /// Forgets what earlier questions left behind that would save work, so that the next one can be measured.
    fn forget(&self) {}
}

/// What the work that a planner counts depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// The question alone.
    OfTheQuestion,
    /// Also what was asked before, by whatever thread.
    OfWhatIsMissing,
}

/// Every planner; the first is what `path` uses unless told otherwise.
pub(crate) const PLANNERS: &[PlannerDef] = &[
    PlannerDef {
        name: "astar",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, _, how| Box::new(Astar { layer, rule: how.rule }),
    },
    PlannerDef {
        name: "jps",
        promise: Promise::Optimal,
        suits: one_cost,
        build: |layer, agent, _| Box::new(Jps { layer, planes: planes(layer, agent, JumpPlanes::straight) }),
    },
    PlannerDef {
        name: "jps+",
        promise: Promise::Optimal,
        suits: one_cost,
        build: |layer, agent, _| Box::new(Jps { layer, planes: planes(layer, agent, JumpPlanes::full) }),
    },
    PlannerDef {
        name: "jps-graph",
        promise: Promise::Optimal,
        suits: one_cost,
        build: |layer, agent, _| {
            let field = layer.field(agent);
            let (graph, hierarchy) = (field.map(JumpGraph::new), field.and_then(Hierarchy::new));
            Box::new(Graph { layer, graph, hierarchy })
        },
    },
    PlannerDef {
        name: "jps-graph-flat",
        promise: Promise::Optimal,
        suits: one_cost,
        build: |layer, agent, _| {
            Box::new(Graph { layer, graph: layer.field(agent).map(JumpGraph::new), hierarchy: None })
        },
    },
    PlannerDef {
        name: "jpsw",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| {
            Weighted::build(layer, agent, how.rule, FarBound::Landmarks, Quality::Exact)
        },
    },
    PlannerDef {
        name: "jpsw-zones",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| Weighted::build(layer, agent, how.rule, FarBound::Zones, Quality::Exact),
    },
    PlannerDef {
        name: "jpsw-rims",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| Weighted::build(layer, agent, how.rule, FarBound::Rims, Quality::Exact),
    },
    PlannerDef {
        name: "jpsw-octile",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| Weighted::build(layer, agent, how.rule, FarBound::Octile, Quality::Exact),
    },
    PlannerDef {
        name: "jpsw-1050",
        promise: Promise::Bounded(1050),
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| {
            let quality = Quality::from_per_mille(1050).unwrap_or_default();
            Weighted::build(layer, agent, how.rule, FarBound::Landmarks, quality)
        },
    },
    PlannerDef {
        name: "hpa",
        promise: Promise::Near,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| Far::build(layer, agent, how),
    },
    PlannerDef {
        name: "context",
        promise: Promise::Optimal,
        suits: |_, _, _| Ok(()),
        build: |layer, _, how| Box::new(Shared::new(layer, how.rule)),
    },
    PlannerDef {
        name: "hybrid",
        promise: Promise::Near,
        suits: |_, _, _| Ok(()),
        build: |layer, agent, how| Composed::build(layer, agent, how),
    },
];

fn one_cost(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<(), &'static str> {
    layer.field(agent).map_or(Ok(()), |field| jps_suits(field, rule))
}

/// The planes of the agent's field; none for an agent without a field, whose queries are refused before planes are looked at.
fn planes(layer: &CostLayer, agent: Agent, make: fn(&CostField) -> JumpPlanes) -> Option<JumpPlanes> {
    layer.field(agent).map(make)
}

/// Jump point search, with or without planes for the diagonals.
struct Jps<'a> {
    layer: &'a CostLayer,
    planes: Option<JumpPlanes>,
}

impl Prepared for Jps<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        match &self.planes {
            Some(planes) => jps(self.layer, query, planes, scratch, out),
            None => Err(PlanError::UnknownAgent(query.agent)),
        }
    }

    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        match &self.planes {
            Some(planes) => jps_with(self.layer, query, planes, scratch, out, recorder),
            None => Err(PlanError::UnknownAgent(query.agent)),
        }
    }

    fn memory_bytes(&self) -> usize {
        self.planes.as_ref().map_or(0, JumpPlanes::memory_bytes)
    }
}

/// Jump point search over an explicit graph, and a hierarchy where it pays.
struct Graph<'a> {
    layer: &'a CostLayer,
    graph: Option<JumpGraph>,
    hierarchy: Option<Hierarchy>,
}

impl Prepared for Graph<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        match (&self.hierarchy, &self.graph) {
            (Some(hierarchy), _) => hierarchical(self.layer, query, hierarchy, scratch, out),
            (None, Some(graph)) => jps_graph(self.layer, query, graph, scratch, out),
            (None, None) => Err(PlanError::UnknownAgent(query.agent)),
        }
    }

    /// What is watched is the graph, also where a hierarchy answers: that climbs from both ends and has no tree to tell of.
    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        match &self.graph {
            Some(graph) => jps_graph_with(self.layer, query, graph, scratch, out, recorder),
            None => Err(PlanError::UnknownAgent(query.agent)),
        }
    }

    fn memory_bytes(&self) -> usize {
        self.graph.as_ref().map_or(0, JumpGraph::memory_bytes)
            + self.hierarchy.as_ref().map_or(0, Hierarchy::memory_bytes)
    }
}

/// The planner called `name`.
pub(crate) fn planner(name: &str) -> Result<&'static PlannerDef, Failure> {
    let names: Vec<&str> = PLANNERS.iter().map(|planner| planner.name).collect();
    let found = PLANNERS.iter().find(|planner| planner.name == name);
    found.ok_or_else(|| Failure::unknown("planner", name, &names))
}

/// Plain A*, which needs nothing made ready.
struct Astar<'a> {
    layer: &'a CostLayer,
    rule: StepRule,
}

impl Prepared for Astar<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        astar(self.layer, query, self.rule, scratch, out)
    }

    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        astar_with(self.layer, query, self.rule, scratch, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        0
    }
}
