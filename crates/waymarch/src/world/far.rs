//! Routes to far goals, over doors.

use super::navigator::Navigator;
use crate::base::{Agent, Tick};
use crate::plan::PathKey;
use crate::planners::{FarSearch, Hybrid, LegSearch, PlanScratch, PlannerChoice, choose, heeds_threat, hpa};
use crate::query::{PathQuery, PlanError, Threat};
use crate::search::{JumpState, Route, WeightedSearch};

/// The number of hierarchical routes in cache keys, beside those of [`PlannerChoice`].
const FAR: u32 = 64;

impl Navigator {
    /// Makes ready now what the first far questions of `agent` would have to wait for: places its doors and finds all costs between them.
    /// Changes no answer. Takes about half a millisecond a sector of weighted ground, so seconds on huge maps: for loading screens.
    pub fn make_ready_far(&mut self, agent: impl Into<Agent>) {
        let (layer, rule) = (&self.layer, self.config.step_rule());
        if let Ok(doors) = self.hybrid.doors.up_to_date(layer, agent.into(), rule, Threat::Ignore) {
            doors.prepare_all(layer, self.scratch.far.doors_scratch());
        }
    }

    /// Answers `query`, as it stands, by a route over doors that is then walked in exact legs: near the cheapest, for a fraction of
    /// the work on huge maps; see [`hpa`](crate::planners::hpa). Goals within `short_path_threshold` cells are searched for exactly,
    /// unless a long wall before them makes that too much work; see [`FarSearch::short`].
    ///
    /// The first question of an agent places its doors, and what lies between doors is found when a route first
    /// needs it, so early questions cost more than later ones, unless [`Navigator::make_ready_far`] was called.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::PathQuery;
    /// use waymarch::search::Route;
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("plain", GridSize::new(600, 600)?, Rules::spec_000()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// let query = PathQuery::new(cell(10, 10), cell(590, 400), foot);
    /// let mut route = Route::new();
    /// nav.path_far(&query, &mut route)?;
    /// nav.place(&Stamp::solid(40, 40), cell(280, 180))?;
    /// let before = route.cost;
    /// nav.path_far(&query, &mut route)?;
    /// assert!(route.cost >= before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route.
    pub fn path_far(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        let domain = |at| self.sectors.domain(at, query.agent);
        let (Some(from), Some(to)) = (domain(query.from), domain(query.to)) else {
            // The exact search says what is wrong.
            return self.path_into(query, out);
        };
        if from != to {
            return self.path_into(query, out);
        }
        let (layer, rule) = (&self.layer, self.config.step_rule());
        let heeded = heeds_threat(layer, query);
        // Where there is no threat to heed, all go by the same doors.
        let query = &query.with_threat(if heeded { Threat::Heed } else { Threat::Ignore });
        let Hybrid { jumps, weighted, doors } = &mut self.hybrid;
        let state = jumps.as_ref().map_or(JumpState::Building(Tick::MAX), |jumps| jumps.state(query.agent));
        let (choice, _, data) = choose(layer, self.config.get(), state, query.threat);
        let planes = match choice {
            PlannerChoice::Jpsw => Some(weighted.up_to_date(layer, query.agent, rule, Threat::Ignore)?),
            _ => None,
        };
        let coarseness = planes.map_or(0, |planes| planes.coarseness());
        let key = (!heeded).then(|| PathKey::new(query, FAR | choice as u32 | coarseness << 8));
        if key.is_some_and(|key| self.cache.get(key, layer, self.now, out)) {
            return Ok(());
        }
        let legs = match (data, planes) {
            (Some(data), _) => LegSearch::Jumps(data),
            (None, Some(planes)) => LegSearch::Weighted(WeightedSearch::new(planes)),
            _ => LegSearch::Astar(rule),
        };
        let doors = doors.up_to_date(layer, query.agent, rule, query.threat)?;
        let how = FarSearch { doors, legs, short: self.config.get().short_path_threshold };
        let PlanScratch { search, far } = &mut self.scratch;
        hpa(layer, query, &how, search, far, out)?;
        if let Some(key) = key {
            self.cache.put(key, out, self.scratch.far.scope(&how, out), layer, self.now);
        }
        Ok(())
    }
}
