//! Routes to far goals, over doors.

use crate::base::Agent;
use crate::nav::Navigator;
use crate::planners::{PlanRun, PlanView};
use crate::query::{PathQuery, PlanError};
use crate::search::{NoProbe, Route};

impl Navigator {
    /// Places the doors of `agent` and finds all costs between them, so that its first far queries do not have to. Changes no answer. Takes
    /// about half a millisecond per sector of weighted ground. That is seconds on huge maps, so call it while a map is loaded.
    pub fn make_ready_far(&mut self, agent: impl Into<Agent>) {
        let Self { hybrid, layer, sectors, config, now, scratch, .. } = self;
        let view = PlanView { layer, sectors, config, now: *now };
        hybrid.prepare_all_doors(&view, agent.into(), scratch.far.doors_scratch());
    }

    /// Writes a near-cheapest route for `query` to `out`. Use it for far goals: on huge maps it takes a fraction of the work of
    /// [`Navigator::path_into`]. The route goes over doors and is then refined into exact legs; see [`hpa`](crate::planners::hpa). Goals
    /// within `short_path_threshold` cells are searched for exactly, unless a long wall makes that too much work; see
    /// [`FarSearch::short`](crate::planners::FarSearch::short).
    ///
    /// The first query of an agent places its doors. The costs between doors are found when a route first needs them. So early queries cost
    /// more than later ones, unless [`Navigator::make_ready_far`] was called.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::PathQuery;
    /// use waymarch::search::{NoProbe, Route};
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("plain", GridSize::new(600, 600)?, Rules::standard()), Config::default())?;
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
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_far(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        out.clear();
        let Self { hybrid, layer, sectors, config, now, scratch, cache, .. } = self;
        let view = PlanView { layer, sectors, config, now: *now };
        view.refuse(query)?;
        hybrid.prepare_for(&view, query.agent, query.threat);
        hybrid.far_with(&view, query, Some(cache), PlanRun { scratch, out, probe: &mut NoProbe })
    }
}
