//! The planners that come with the engine, each behind the contract.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::context::Shared;
use super::contract::{PlanScratch, PlanView, Planner, Promise};
use super::hpa::{FarSearch, LegSearch, hpa};
use super::hybrid::{DoorStore, Hybrid, WeightedStore};
use crate::cost::CostLayer;
use crate::query::{PathQuery, PerMille, PlanError, Quality, Threat};
use crate::search::{
    JumpDetail, JumpState, JumpStore, Route, WeightedSearch, astar, jps_suits, jpsw, open_ends,
};

/// All of them, the hybrid first.
pub(super) fn all() -> Vec<Box<dyn Planner>> {
    let bounded =
        PerMille::new(1050).map(|most| Box::new(Weighted::new("jpsw-1050", Some(most))) as Box<dyn Planner>);
    let mut all: Vec<Box<dyn Planner>> = vec![
        Box::new(Hybrid::new()),
        Box::new(Astar),
        Box::new(Jumps::new("jps", JumpDetail::Straight)),
        Box::new(Jumps::new("jps+", JumpDetail::Planes)),
        Box::new(Jumps::new("jps-graph", JumpDetail::Graph)),
        Box::new(Weighted::new("jpsw", None)),
        Box::new(Hpa::default()),
        Box::new(Shared::default()),
    ];
    all.extend(bounded);
    all
}

/// Without threat, where there is none to heed: so that all use the same tables.
pub(super) fn as_heeded(layer: &CostLayer, query: &PathQuery) -> PathQuery {
    if layer.threat().is_empty() { query.with_threat(Threat::Ignore) } else { *query }
}

/// A\*, which needs nothing.
#[derive(Clone)]
struct Astar;

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

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

/// Jump point search on ground of one cost, with more or less worked out beforehand.
#[derive(Clone)]
struct Jumps {
    name: &'static str,
    detail: JumpDetail,
    store: Option<JumpStore>,
}

impl Jumps {
    fn new(name: &'static str, detail: JumpDetail) -> Self {
        Self { name, detail, store: None }
    }
}

impl Planner for Jumps {
    fn name(&self) -> &str {
        self.name
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn suits(&self, view: &PlanView<'_>, query: &PathQuery) -> Result<(), &'static str> {
        if query.threat == Threat::Heed && !view.layer.threat().is_empty() {
            return Err("jump point search cannot heed threat");
        }
        let field = view.layer.field(query.agent);
        field.map_or(Ok(()), |field| jps_suits(field, view.config.step_rule()))
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        if let Some(store) = &mut self.store {
            store.follow(view.layer, view.now);
            store.advance(view.layer, view.now);
        }
    }

    fn prepare(&mut self, view: &PlanView<'_>, _batch: &[PathQuery]) {
        if self.store.is_none() {
            self.store = Some(JumpStore::new(view.layer, view.config.step_rule(), self.detail, 0));
        }
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        out.clear();
        match self.store.as_ref().map(|store| store.state(query.agent)) {
            Some(JumpState::Ready(data)) => data.plan(view.layer, query, &mut scratch.search, out),
            // Where every cell is closed, say, no search would do any better.
            Some(JumpState::Unsuited(why)) => open_ends(view.layer, query).and(Err(PlanError::Unsuited(why))),
            Some(JumpState::Building(_)) | None => Err(PlanError::Unsuited("the jump planes are not ready")),
        }
    }

    fn memory_bytes(&self) -> usize {
        self.store.as_ref().map_or(0, JumpStore::memory_bytes)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

/// Jump point search on weighted ground, exact or within a bound.
#[derive(Clone)]
struct Weighted {
    name: &'static str,
    most: Option<PerMille>,
    store: WeightedStore,
}

impl Weighted {
    fn new(name: &'static str, most: Option<PerMille>) -> Self {
        Self { name, most, store: WeightedStore::default() }
    }
}

impl Planner for Weighted {
    fn name(&self) -> &str {
        self.name
    }

    fn promise(&self) -> Promise {
        self.most.map_or(Promise::Optimal, Promise::Bounded)
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        self.store.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        for query in batch {
            let query = as_heeded(view.layer, query);
            self.store.make(view.layer, query.agent, view.config.step_rule(), query.threat);
        }
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        out.clear();
        let query = &as_heeded(view.layer, query);
        let planes = self.store.get(view.layer, query.agent, query.threat)?;
        let quality = self.most.map_or(Quality::Exact, Quality::Bounded);
        let how = WeightedSearch::new(planes).with_quality(quality);
        jpsw(view.layer, query, &how, &mut scratch.search, out)
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

/// Over doors, then cell by cell, whatever the ground and however near the goal.
#[derive(Clone, Default)]
struct Hpa {
    planes: WeightedStore,
    doors: DoorStore,
}

impl Planner for Hpa {
    fn name(&self) -> &str {
        "hpa"
    }

    fn promise(&self) -> Promise {
        Promise::Legal
    }

    fn map_changed(&mut self, view: &PlanView<'_>) {
        self.planes.follow(view.layer);
        self.doors.follow(view.layer);
    }

    fn prepare(&mut self, view: &PlanView<'_>, batch: &[PathQuery]) {
        for query in batch {
            let (query, rule) = (as_heeded(view.layer, query), view.config.step_rule());
            self.planes.make(view.layer, query.agent, rule, query.threat);
            self.doors.make(view.layer, query.agent, rule, query.threat);
        }
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        out.clear();
        let query = &as_heeded(view.layer, query);
        let planes = self.planes.get(view.layer, query.agent, query.threat)?;
        let doors = self.doors.get(view.layer, query.agent, query.threat)?;
        let legs = LegSearch::Weighted(WeightedSearch::new(planes));
        let how = FarSearch { doors, legs, short: 0 };
        let PlanScratch { search, far } = scratch;
        hpa(view.layer, query, &how, search, far, out)
    }

    fn memory_bytes(&self) -> usize {
        self.planes.memory_bytes() + self.doors.memory_bytes()
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}
