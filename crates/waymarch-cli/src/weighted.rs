//! Weighted jump point search as a planner of the program.

use waymarch::base::Agent;
use waymarch::cost::{CostLayer, StepRule};
use waymarch::query::{PathQuery, PlanError, Quality, Threat};
use waymarch::search::{
    Bound, Landmarks, Recorder, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, jpsw,
    jpsw_with,
};

use crate::planner::Prepared;

/// What it knows of far goals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FarBound {
    Octile,
    Zones,
    Landmarks,
}

/// The same once made.
enum Known {
    Octile,
    Zones(ZoneDistances),
    Landmarks(Landmarks),
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
        };
        let known = known.unwrap_or(Known::Octile);
        Box::new(Self { layer, known, planes: planes.collect(), quality })
    }

    /// How a query is searched.
    fn how(&self, query: &PathQuery) -> Result<WeightedSearch<'_>, PlanError> {
        let fitting = self.planes.iter().find(|planes| planes.threat() == query.threat);
        let planes = fitting.or(self.planes.first()).ok_or(PlanError::UnknownAgent(query.agent))?;
        let bound = match &self.known {
            Known::Octile => Bound::Octile,
            Known::Zones(zones) => Bound::Zones(zones),
            Known::Landmarks(landmarks) => Bound::Landmarks(landmarks),
        };
        Ok(WeightedSearch::new(planes).with_bound(bound).with_quality(self.quality))
    }
}

impl Prepared for Weighted<'_> {
    fn plan(&self, query: &PathQuery, scratch: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
        jpsw(self.layer, query, &self.how(query)?, scratch, out)
    }

    fn watch(
        &self,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
        recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        jpsw_with(self.layer, query, &self.how(query)?, scratch, out, recorder)
    }

    fn memory_bytes(&self) -> usize {
        let known = match &self.known {
            Known::Octile => 0,
            Known::Zones(zones) => zones.memory_bytes(),
            Known::Landmarks(landmarks) => landmarks.memory_bytes(),
        };
        known + self.planes.iter().map(WeightedPlanes::memory_bytes).sum::<usize>()
    }
}
