//! Making ready what the first questions of an agent would have to wait for.

use super::navigator::Navigator;
use crate::base::Agent;
use crate::planners::Planner;
use crate::query::Threat;

impl Navigator {
    /// Fills all scratch with rubbish; no answer changes. For tests.
    pub fn poison_scratch(&mut self) {
        self.scratch.search.forget_paused();
        self.scratch.search.poison();
    }

    /// Makes ready now what the first question of `agent` would have to wait for; changes no answer.
    ///
    /// On weighted ground these are planes of about ten bytes a cell; 512 × 512 cells of many costs take about a tenth of a second.
    /// Call it, for the agents that will be used, while a map is loaded. Nothing is done for an agent without costs.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, TerrainId};
    /// use waymarch::world::Navigator;
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
    /// let mut nav = Navigator::new(map, Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// nav.set_terrain(CellRect::at(cell(10, 10), 5, 5), TerrainId(2))?; // rough ground
    /// let before = nav.planner_memory_bytes();
    /// nav.make_ready(foot);
    /// assert!(nav.planner_memory_bytes() > before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make_ready(&mut self, agent: impl Into<Agent>) {
        let agent = agent.into();
        if self.is_weighted(agent) {
            self.hybrid.weighted.make(&self.layer, agent, self.config.step_rule(), Threat::Ignore);
        }
    }

    /// Bytes held to find routes faster: jump planes, the planes and doors of agents that have asked, routes and
    /// nearest cells found before.
    #[must_use]
    pub fn planner_memory_bytes(&self) -> usize {
        self.hybrid.memory_bytes()
            + self.cache.memory_bytes()
            + self.snaps.memory_bytes()
            + self.scratch.far.legs().memory_bytes()
    }
}
