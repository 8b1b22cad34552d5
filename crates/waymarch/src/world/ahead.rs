//! Preparation ahead of need: what the first order on a map needs is made a little in each tick.
//!
//! Weighted planes, doors, the costs between them, and passages are Derived data of the map. Without this work, the first order of an agent makes them all in one tick,
//! which takes a quarter of a second on a map of 2048 × 2048 cells. No result depends on it: an order that comes earlier makes what is missing at once.
//!
//! On a huge map (wider or higher than 1024 cells) an order does not do that. From the tick in which a unit type is added, the tables of its agent count as unmade for
//! a number of ticks that follows from map and settings. Meanwhile, its units follow rough routes, and near goals are searched for by plain A\*.

use alloc::vec::Vec;

use crate::base::Agent;
use crate::config::Config;
use crate::passages::PassageStore;
use crate::planners::AheadWork;
use crate::world::state::{State, is_due};

/// The agents of units are listed again every 16 ticks.
const LIST_EVERY: u64 = 16;
/// One node of the budget takes as long as 24 cells of weighted planes: 170 nanoseconds. The nodes that searches left over in a tick are used for work ahead.
const CELLS_PER_NODE: u64 = 24;
/// Looking for passages in a row takes half as long as its cells of weighted planes.
const ROW_SHARE: u32 = 2;

/// The work that a tick does for an agent of a huge map whose tables are being made, in cells of weighted planes.
pub(crate) fn cells_per_tick(config: &Config) -> u32 {
    let cells = u64::from(config.max_path_nodes_per_tick) * CELLS_PER_NODE;
    u32::try_from(cells).unwrap_or(u32::MAX)
}

/// Scratch: the agents that have units, and those whose tables are being made.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrepareAhead {
    agents: Vec<Agent>,
}

impl PrepareAhead {
    /// Fills the list with rubbish.
    pub(crate) fn poison(&mut self) {
        self.agents.clear();
    }

    /// Does a part of the work for the first agent that needs some. `searched` is the number of nodes that searches took in this tick.
    ///
    /// Agents come in the order of the types of their units, so that all peers do the same work.
    pub(crate) fn work(&mut self, state: &mut State, passages: &mut PassageStore, searched: u64) {
        if is_due(state.now(), LIST_EVERY, 1) {
            self.list(state);
        }
        let budget = u64::from(state.config().max_path_nodes_per_tick);
        // Tables that count as made at a certain tick are made with the whole budget of each tick, so that they are there in time.
        let is_due = state.nav().unmade_agents().next().is_some();
        let left = if is_due { budget } else { budget.saturating_sub(searched) };
        let cells = (left * CELLS_PER_NODE).min(u64::from(u32::MAX)) as u32;
        if cells == 0 {
            return;
        }
        for &agent in &self.agents {
            let nav = state.service.nav_mut();
            if nav.prepare_ahead(agent, cells) == AheadWork::Done {
                return;
            }
            let rows = (cells.saturating_mul(ROW_SHARE) / nav.layer().grid().width()).max(1);
            if passages.prepare_ahead(nav.layer(), nav.config().step_rule(), agent, rows) {
                return;
            }
        }
    }

    /// Lists the agents of all units, in the order of unit types.
    fn list(&mut self, state: &State) {
        self.agents.clear();
        let State { units, types, service, .. } = state;
        let layer = service.nav().layer();
        for id in units.body.ids.ids() {
            let index = id.index() as usize;
            let Some(kind) = types.get(units.body.kind[index]) else { continue };
            let agent = units.agent(index, kind, layer);
            if !self.agents.contains(&agent) {
                self.agents.push(agent);
            }
        }
        for agent in state.nav().unmade_agents() {
            if !self.agents.contains(&agent) {
                self.agents.push(agent);
            }
        }
        let first = |agent: &Agent| {
            let usual = layer.as_anyone(*agent);
            (types.list.iter().position(|kind| kind.agent == usual), agent.locomotor)
        };
        self.agents.sort_unstable_by_key(first);
    }
}
