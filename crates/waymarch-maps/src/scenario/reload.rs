//! Saves and loads the World of a simulation in the middle of the game.

use waymarch::base::{LoadError, Tick};
use waymarch::world::World;

use super::simulation::Simulation;

/// Why a reload failed: the World's save was refused, or the loaded World differs from the saved one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("reload at tick {tick}: {problem}")]
pub struct ReloadError {
    /// The tick.
    pub tick: Tick,
    /// What is wrong.
    pub problem: ReloadProblem,
}

/// What is wrong with a World after it was saved and loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReloadProblem {
    /// The World's own bytes are refused.
    #[error("the World's own save is refused: {0}")]
    Refused(LoadError),
    /// The loaded World has another state hash.
    #[error("`{0}` of the loaded World differs")]
    Differs(&'static str),
}

impl Simulation {
    /// Continues with a World loaded from the bytes of the present one. An error is noted, and the game continues without the reload.
    pub(super) fn reload(&mut self) {
        if let Err(problem) = self.try_reload() {
            let tick = self.world.now();
            self.reload_error.get_or_insert(ReloadError { tick, problem });
        }
    }

    fn try_reload(&mut self) -> Result<(), ReloadProblem> {
        let loaded = World::load(&self.world.save()).map_err(ReloadProblem::Refused)?;
        let (before, after) = (self.world.state_hash(), loaded.state_hash());
        let differs = before.parts().iter().find(|(name, part)| after.part(name) != Some(*part));
        if let Some((name, _)) = differs {
            return Err(ReloadProblem::Differs(name));
        }
        self.replace_world(loaded);
        Ok(())
    }
}
