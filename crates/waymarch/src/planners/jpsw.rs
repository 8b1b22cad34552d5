//! `jpsw` and its variants: jump point search for weighted ground, with different lower bounds on the remaining cost.

use alloc::boxed::Box;

use super::agent_store::{AgentStore, Rebuilt, TableKey};
use super::planner::{PlanRun, PlanScratch, PlanView, Planner, Promise, plan_and_watch};
use crate::query::{PathQuery, PlanError, Quality};
use crate::search::{
    Bound, Landmarks, Probe, SearchRun, WeightedPlanes, WeightedSearch, ZoneDistances, jpsw_towards_with,
    jpsw_with, open_ends,
};
use crate::sectors::{RimField, RimScratch, Rims};

/// Which lower bound a search uses besides the octile distance.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoundKind {
    Octile,
    Zones,
    Landmarks,
    Rims,
}

/// The tables of the bound, for each agent that a query has named. All ignore threat: threat only makes routes more expensive, so the
/// bounds stay true.
#[derive(Clone)]
enum BoundTables {
    Octile,
    Zones(AgentStore<Rebuilt<ZoneDistances>>),
    Landmarks(AgentStore<Rebuilt<Landmarks>>),
    /// The rims, and the scratch of the searches between them.
    Rims(AgentStore<Rims>, Box<RimScratch>),
}

/// Weighted jump point search, exact or within a bound of the cheapest.
///
/// The planes and rims follow edits. Landmarks and zone distances cannot, because node counts must not depend on the history of the map.
/// The first [`Planner::prepare`] after an edit rebuilds them. For landmarks this visits every cell 17 times.
#[derive(Clone)]
pub(super) struct Jpsw {
    name: &'static str,
    quality: Quality,
    planes: AgentStore<WeightedPlanes>,
    bounds: BoundTables,
}

impl Jpsw {
    pub(super) fn new(name: &'static str, bound: BoundKind, quality: Quality) -> Self {
        let bounds = match bound {
            BoundKind::Octile => BoundTables::Octile,
            BoundKind::Zones => BoundTables::Zones(AgentStore::default()),
            BoundKind::Landmarks => BoundTables::Landmarks(AgentStore::default()),
            BoundKind::Rims => BoundTables::Rims(AgentStore::default(), Box::default()),
        };
        Self { name, quality, planes: AgentStore::default(), bounds }
    }

    fn answer(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        run: PlanRun<'_, impl Probe>,
    ) -> Result<(), PlanError> {
        let PlanRun { scratch, out, probe } = run;
        out.clear();
        let (layer, query) = (view.layer, &view.effective(query));
        let PathQuery { agent, threat, .. } = *query;
        let planes = self.planes.get(layer, TableKey { agent, threat })?;
        let key = TableKey::plain(agent);
        let bound = match &self.bounds {
            BoundTables::Octile | BoundTables::Rims(..) => Bound::Octile,
            BoundTables::Zones(zones) => Bound::Zones(&zones.get(layer, key)?.table),
            BoundTables::Landmarks(landmarks) => Bound::Landmarks(&landmarks.get(layer, key)?.table),
        };
        let how = WeightedSearch::new(planes).with_bound(bound).with_quality(self.quality);
        let BoundTables::Rims(rims, _) = &self.bounds else {
            let run = SearchRun { scratch: &mut scratch.search, out, probe };
            return jpsw_with(layer, query, &how, run);
        };
        open_ends(layer, query)?;
        let PlanScratch { search, rims: memory, .. } = scratch;
        let run = SearchRun { scratch: search, out, probe };
        match RimField::new(rims.get(layer, key)?, layer, query.to, memory) {
            Some(mut left) => jpsw_towards_with(query, &how, &mut left, run),
            None => jpsw_with(layer, query, &how, run),
        }
    }
}

impl Planner for Jpsw {
    fn name(&self) -> &str {
        self.name
    }

    fn promise(&self) -> Promise {
        match self.quality {
            Quality::Exact => Promise::Optimal,
            Quality::Bounded(most) => Promise::Bounded(most),
        }
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        self.planes.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        let (layer, rule) = (view.layer, view.config.step_rule());
        for query in batch {
            let PathQuery { agent, threat, .. } = view.effective(query);
            self.planes.prepare(layer, TableKey { agent, threat }, rule);
            let key = TableKey::plain(agent);
            match &mut self.bounds {
                BoundTables::Octile => {}
                BoundTables::Zones(zones) => zones.prepare(layer, key, rule),
                BoundTables::Landmarks(landmarks) => landmarks.prepare(layer, key, rule),
                BoundTables::Rims(rims, scratch) => {
                    // An agent without costs has no rims; its queries are refused.
                    if let Ok(rims) = rims.up_to_date(layer, key, rule) {
                        rims.prepare_all(layer, scratch);
                    }
                }
            }
        }
    }

    plan_and_watch!();

    fn memory_bytes(&self) -> usize {
        let bounds = match &self.bounds {
            BoundTables::Octile => 0,
            BoundTables::Zones(zones) => zones.memory_bytes(),
            BoundTables::Landmarks(landmarks) => landmarks.memory_bytes(),
            BoundTables::Rims(rims, _) => rims.memory_bytes(),
        };
        bounds + self.planes.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
