//! Tables made before the first query of an agent needs them.

use alloc::vec::Vec;

use crate::base::{Agent, Scratch};
use crate::nav::Navigator;
use crate::planners::{AheadWork, PlanView, Planner};
use crate::query::Threat;

impl Navigator {
    /// Poisons the scratch: fills it with rubbish. No answer changes. For tests.
    pub fn poison_scratch(&mut self) {
        self.scratch.poison();
        self.smoother.poison();
        self.snaps.poison_scratch();
    }

    /// Makes the tables that the first query of `agent` would otherwise make. Changes no answer.
    ///
    /// On weighted ground these are planes of about ten bytes per cell. A map of 512×512 cells of many costs takes about a tenth of a
    /// second. Call it for each agent of the game while a map is loaded. Does nothing for an agent without costs.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, TerrainId};
    /// use waymarch::world::Navigator;
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut nav = Navigator::new(map, Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// nav.set_terrain(CellRect::at(cell(10, 10), 5, 5), TerrainId(2))?; // rough ground
    /// let before = nav.planner_memory_bytes();
    /// nav.make_ready(foot);
    /// assert!(nav.planner_memory_bytes() > before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make_ready(&mut self, agent: impl Into<Agent>) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.prepare_exact(&PlanView { layer, sectors, config, now: *now }, agent.into(), Threat::Ignore);
    }

    /// Makes a part of the tables of an agent, about as much as `cells` cells of weighted planes. Changes no answer: a query makes what is missing.
    pub(crate) fn prepare_ahead(&mut self, agent: Agent, cells: u32) -> AheadWork {
        let Self { hybrid, layer, sectors, config, now, scratch, .. } = self;
        let view = PlanView { layer, sectors, config, now: *now };
        hybrid.prepare_ahead(&view, agent, cells, scratch.far.doors_scratch())
    }

    /// Begins the preparation of an agent if the map is huge, see [`Navigator::tables_are_made`]. Each tick makes tables of about `cells` cells.
    pub(crate) fn begin_tables(&mut self, agent: Agent, cells: u32) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.begin_tables(&PlanView { layer, sectors, config, now: *now }, agent, cells);
    }

    /// Whether the tables of an agent count as made. Until then, the path service gives its units rough routes, and exact searches are plain A\*.
    pub(crate) fn tables_are_made(&self, agent: Agent) -> bool {
        self.hybrid.table_waits().are_made(agent, self.now)
    }

    /// The agents whose tables do not count as made yet.
    pub(crate) fn unmade_agents(&self) -> impl Iterator<Item = Agent> {
        self.hybrid.table_waits().unmade(self.now)
    }

    /// Places the doors of these agents.
    pub(crate) fn place_doors_of_unmade(&mut self) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.place_doors_of_unmade(&PlanView { layer, sectors, config, now: *now });
    }

    /// Makes all tables of these agents now. From now on they count as made.
    pub(crate) fn finish_tables(&mut self) {
        let agents: Vec<Agent> = self.unmade_agents().collect();
        self.hybrid.table_waits_mut().end(self.now);
        for agent in agents {
            self.make_ready(agent);
            self.make_ready_far(agent);
        }
    }

    /// Bytes held to find routes faster: jump planes, the planes and doors of agents that have asked, remembered routes and nearest cells.
    #[must_use]
    pub fn planner_memory_bytes(&self) -> usize {
        self.hybrid.memory_bytes()
            + self.cache.memory_bytes()
            + self.snaps.memory_bytes()
            + self.scratch.far.legs().memory_bytes()
    }
}
