//! Planes for weighted ground, made when they are first needed and brought up to date when they are used.

use alloc::vec::Vec;

use super::navigator::Navigator;
use crate::base::Agent;
use crate::cost::{CostLayer, StepRule};
use crate::query::{PlanError, Threat};
use crate::search::WeightedPlanes;

/// Derived from the costs without threat: planes for the agents that have asked for routes over weighted ground.
///
/// They are a cache: whether they are there changes what a question costs, never its answer. An edit costs nothing here; the
/// next question of an agent brings its planes up to date, at the cost of what has changed since the last.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightedStore {
    planes: Vec<WeightedPlanes>,
}

impl WeightedStore {
    /// The planes of `agent`, as the layer is now.
    pub(super) fn up_to_date(
        &mut self,
        layer: &CostLayer,
        agent: Agent,
        rule: StepRule,
    ) -> Result<&WeightedPlanes, PlanError> {
        let known = self.planes.iter().position(|planes| planes.agent() == agent);
        let place = match known {
            Some(place) => place,
            None => {
                self.planes.push(WeightedPlanes::new(layer, agent, rule, Threat::Ignore)?);
                self.planes.len() - 1
            }
        };
        let planes = &mut self.planes[place];
        planes.follow(layer);
        Ok(planes)
    }

    fn memory_bytes(&self) -> usize {
        self.planes.iter().map(WeightedPlanes::memory_bytes).sum()
    }
}

impl Navigator {
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
            // An agent without costs has no planes, and its questions are refused.
            let _none = self.weighted.up_to_date(&self.layer, agent, self.config.step_rule()).err();
        }
    }

    /// Bytes held to find routes faster: jump planes, the planes and doors of agents that have asked, routes found before.
    #[must_use]
    pub fn planner_memory_bytes(&self) -> usize {
        self.jumps.memory_bytes()
            + self.weighted.memory_bytes()
            + self.doors.memory_bytes()
            + self.cache.memory_bytes()
            + self.far.legs().memory_bytes()
    }
}
