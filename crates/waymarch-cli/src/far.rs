//! Hierarchical routes over doors as a planner of the program.

use std::sync::{Mutex, PoisonError};

use waymarch::base::Agent;
use waymarch::cost::{CostLayer, StepRule};
use waymarch::planners::{FarScratch, FarSearch, LegSearch, hpa_with};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    JumpPlanes, NoProbe, Probe, Recorder, Route, SearchScratch, WeightedPlanes, WeightedSearch, jps_suits,
};
use waymarch::sectors::Doors;

use crate::planner::{How, Prepared};

/// So many legs are remembered, as a navigator does by default.
const LEGS: u32 = 4096;

/// What walks the legs.
enum Legs {
    Even(Box<JumpPlanes>),
    Weighted(Box<WeightedPlanes>),
}

/// Doors and leg search for one way of counting threat.
struct Ready {
    doors: Doors,
    legs: Legs,
}

/// The hierarchical planner, ready for one agent.
pub(crate) struct Far<'a> {
    layer: &'a CostLayer,
    /// Ignoring threat, then counting it, if there is any.
    ready: Vec<Ready>,
    /// Goals at most so many cells away are searched for without doors.
    short: u32,
    /// One for each thread that asks at the same time.
    scratches: Mutex<Vec<FarScratch>>,
}

impl<'a> Far<'a> {
    /// Ready for `agent`; for one without costs, ready to say so.
    pub(crate) fn build(layer: &'a CostLayer, agent: Agent, how: How) -> Box<dyn Prepared + 'a> {
        let How { rule, short } = how;
        let some_threat = !layer.threat().padded().is_empty();
        let threats = [Some(Threat::Ignore), some_threat.then_some(Threat::Heed)];
        let ready = threats.into_iter().flatten().filter_map(|threat| Ready::new(layer, agent, rule, threat));
        Box::new(Self { layer, ready: ready.collect(), short, scratches: Mutex::default() })
    }
}

impl Ready {
    fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Option<Self> {
        let field = layer.field(agent)?;
        let doors = Doors::new(layer, agent, rule, threat).ok()?;
        let legs = if threat == Threat::Ignore && jps_suits(field, rule).is_ok() {
            Legs::Even(Box::new(JumpPlanes::full(field)))
        } else {
            Legs::Weighted(Box::new(WeightedPlanes::new(layer, agent, rule, threat).ok()?))
        };
        Some(Self { doors, legs })
    }

    fn memory_bytes(&self) -> usize {
        self.doors.memory_bytes()
            + match &self.legs {
                Legs::Even(planes) => planes.memory_bytes(),
                Legs::Weighted(planes) => planes.memory_bytes(),
            }
    }
}

impl Far<'_> {
    fn ask(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        let fitting = self.ready.iter().find(|ready| ready.doors.threat() == query.threat);
        let Ready { doors, legs } =
            fitting.or(self.ready.first()).ok_or(PlanError::UnknownAgent(query.agent))?;
        let legs = match legs {
            Legs::Even(planes) => LegSearch::Planes(planes),
            Legs::Weighted(planes) => LegSearch::Weighted(WeightedSearch::new(planes)),
        };
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut far = pool().pop().unwrap_or_else(|| FarScratch::remembering(LEGS));
        let how = FarSearch { doors, legs, short: self.short };
        let done = hpa_with(self.layer, query, &how, scratch, &mut far, out, probe);
        pool().push(far);
        done
    }
}

impl Prepared for Far<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        self.ask(query, scratch, out, &mut NoProbe)
    }

    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        self.ask(query, scratch, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        self.ready.iter().map(Ready::memory_bytes).sum()
    }
}
