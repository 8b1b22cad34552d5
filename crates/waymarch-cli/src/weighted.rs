//! Weighted jump point search as a planner of the program.

use std::sync::{Mutex, PoisonError};

use waymarch::base::Agent;
use waymarch::cost::{CostLayer, StepRule};
use waymarch::query::{PathQuery, PlanError, Quality, Threat};
use waymarch::search::{
    Bound, Landmarks, NoProbe, Probe, Recorder, Route, SearchScratch, WeightedPlanes, WeightedSearch,
    ZoneDistances, jpsw_towards_with, jpsw_with,
};
use waymarch::sectors::{RimField, RimScratch, Rims};

use crate::planner::Prepared;

/// What it knows of far goals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FarBound {
    Octile,
    Zones,
    Landmarks,
    Rims,
}

/// The same once made.
enum Known {
    Octile,
    Zones(ZoneDistances),
    Landmarks(Landmarks),
    /// And scratches, one for each thread that asks at the same time.
    Rims(Rims, Mutex<Vec<RimScratch>>),
}

/// Weighted jump point search, ready for one agent.
pub(crate) struct Weighted<'a> {
    layer: &'a CostLayer,
    known: Known,
    /// Planes that ignore threat, then those that count it, if there is any.
    planes: Vec<WeightedPlanes>,
    quality: Quality,
}

impl<'a> Weighted<'a> {
    /// Ready for `agent`; for one without costs, ready to say so.
    pub(crate) fn build(
        layer: &'a CostLayer,
        agent: Agent,
        rule: StepRule,
        far: FarBound,
        quality: Quality,
    ) -> Box<dyn Prepared + 'a> {
        let threats = if layer.threat().padded().is_empty() {
            &[Threat::Ignore][..]
        } else {
            &[Threat::Ignore, Threat::Heed][..]
        };
        let planes =
            threats.iter().filter_map(|&threat| WeightedPlanes::new(layer, agent, rule, threat).ok());
        let known = match far {
            FarBound::Octile => None,
            FarBound::Zones => ZoneDistances::new(layer, agent, rule).ok().map(Known::Zones),
            FarBound::Landmarks => Landmarks::new(layer, agent, rule).ok().map(Known::Landmarks),
            FarBound::Rims => Rims::new(layer, agent, rule, Threat::Ignore).ok().map(|rims| {
                let mut scratch = RimScratch::new();
                rims.prepare_all(layer, &mut scratch);
                Known::Rims(rims, Mutex::new(vec![scratch]))
            }),
        };
        let known = known.unwrap_or(Known::Octile);
        Box::new(Self { layer, known, planes: planes.collect(), quality })
    }

    /// How a query is searched.
    fn how(&self, query: &PathQuery) -> Result<WeightedSearch<'_>, PlanError> {
        let fitting = self.planes.iter().find(|planes| planes.threat() == query.threat);
        let planes = fitting.or(self.planes.first()).ok_or(PlanError::UnknownAgent(query.agent))?;
        let bound = match &self.known {
            Known::Octile | Known::Rims(..) => Bound::Octile,
            Known::Zones(zones) => Bound::Zones(zones),
            Known::Landmarks(landmarks) => Bound::Landmarks(landmarks),
        };
        Ok(WeightedSearch::new(planes).with_bound(bound).with_quality(self.quality))
    }

    /// Answers a query; what is left to its goal by rims is found anew each time.
    fn ask(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        let how = self.how(query)?;
        let Known::Rims(rims, pool) = &self.known else {
            return jpsw_with(self.layer, query, &how, scratch, out, probe);
        };
        let pool = || pool.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = pool().pop().unwrap_or_default();
        let answer = match RimField::new(rims, self.layer, query.to, &mut memory) {
            Some(mut left) => jpsw_towards_with(query, &how, &mut left, scratch, out, probe),
            // A goal that is closed: it says so.
            None => jpsw_with(self.layer, query, &how, scratch, out, probe),
        };
        pool().push(memory);
        answer
    }
}

impl Prepared for Weighted<'_> {
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
        let known = match &self.known {
            Known::Octile => 0,
            Known::Zones(zones) => zones.memory_bytes(),
            Known::Landmarks(landmarks) => landmarks.memory_bytes(),
            Known::Rims(rims, _) => rims.memory_bytes(),
        };
        known + self.planes.iter().map(WeightedPlanes::memory_bytes).sum::<usize>()
    }
}
