//! Random places that units can reach and stop on.

use waymarch::base::{Agent, CellId, CellPos, LocomotorId, Purpose, Rng, Tick};
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::query::PlanError;
use waymarch::world::Navigator;

use super::super::cells::random_cell;
use crate::diagnostics::Failure;

/// After 10,000 random cells of which none suits, all cells are looked at.
pub(super) const DRAWS: usize = 10_000;

/// A navigator with everything prepared that a game prepares while it loads a map.
pub(in super::super) fn prepared_navigator(
    map: &ValidMap,
    config: Config,
) -> Result<(Navigator, Agent), Failure> {
    let mut nav = Navigator::new(map.map().clone(), config).map_err(Failure::invalid)?;
    let agent = Agent::from(LocomotorId(0));
    nav.make_ready(agent);
    nav.make_ready_far(agent);
    Ok((nav, agent))
}

/// Draws random cells that are connected with `root`. Of 64 random cells, the root is the one that reaches the most others. So it
/// probably lies in the largest domain.
#[derive(Clone)]
pub(in super::super) struct Places {
    pub(super) random: Rng,
    pub(in super::super) root: CellPos,
    pub(super) agent: Agent,
}

impl Places {
    pub(in super::super) fn new(nav: &Navigator, agent: Agent, seed: u32) -> Result<Self, Failure> {
        let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(6));
        let grid = nav.layer().grid();
        let mut draw = || random_cell(&mut random, grid);
        let mut drawn: Vec<CellPos> = (0..64).map(|_| draw()).collect();
        let is_open = |at: &CellPos| nav.reachable(*at, *at, agent);
        if !drawn.iter().any(is_open) {
            // Almost all of the map is closed: take up to 64 of its open cells, evenly spread.
            let open: Vec<CellPos> = grid.rect().cells().filter(is_open).collect();
            drawn = open.iter().copied().step_by(open.len().div_ceil(64).max(1)).collect();
        }
        let reached = |root: CellPos| drawn.iter().filter(|&&at| nav.reachable(root, at, agent)).count();
        let root = drawn.iter().copied().max_by_key(|&root| reached(root));
        let root = root.ok_or_else(|| Failure::from(PlanError::GoalClosed))?;
        Ok(Self { random, root, agent })
    }

    /// A random cell that can be reached, that a unit can stop on, and for which `suits` holds. If none of 10,000 random
    /// cells suits, the result is the next suitable cell after a random one.
    ///
    /// # Errors
    /// If the map has none.
    pub(in super::super) fn draw(
        &mut self,
        nav: &Navigator,
        suits: impl Fn(CellPos) -> bool,
    ) -> Result<CellPos, Failure> {
        let grid = nav.layer().grid();
        for _ in 0..DRAWS {
            let at = random_cell(&mut self.random, grid);
            let good = nav.reachable(self.root, at, self.agent) && nav.layer().can_stop(at, self.agent);
            if good && suits(at) {
                return Ok(at);
            }
        }
        let count = grid.cells() as u64;
        let first = u64::from(self.random.below(u32::try_from(count).unwrap_or(u32::MAX)));
        let mut cells = (first..first + count).map(|number| grid.pos(CellId((number % count) as u32)));
        let good = |at: &CellPos| {
            nav.reachable(self.root, *at, self.agent) && nav.layer().can_stop(*at, self.agent) && suits(*at)
        };
        cells.find(good).ok_or_else(|| Failure::from(PlanError::GoalClosed))
    }
}
