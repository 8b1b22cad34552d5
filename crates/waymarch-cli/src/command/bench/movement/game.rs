//! What a scene plays: a `World`, and the commands that it gets.

use waymarch::world::{Serial, World};
use waymarch_maps::scenario::Simulation;

use super::super::service::Army;
use crate::diagnostics::Failure;

/// A `World` that gets commands and ticks.
pub(super) trait Game {
    /// Gives the commands of the next tick.
    fn give_commands(&mut self) -> Result<(), Failure>;
    /// Runs one tick.
    fn tick(&mut self);
    fn world(&self) -> &World;
    /// Whether the game goes on even if no unit has an order.
    fn has_more_commands(&self) -> bool;
    /// The scene ends after this number of ticks, even if orders go on.
    fn max_ticks(&self) -> u64;
}

/// A `World` whose units have all their orders from the start.
pub(super) struct OrderedWorld {
    pub(super) world: World,
    pub(super) max_ticks: u64,
}

impl Game for OrderedWorld {
    fn give_commands(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn tick(&mut self) {
        self.world.tick();
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn has_more_commands(&self) -> bool {
        false
    }

    fn max_ticks(&self) -> u64 {
        self.max_ticks
    }
}

/// A scenario with its script. The script ends after the number of ticks that the scenario states.
pub(super) struct ScriptedGame {
    pub(super) simulation: Simulation,
    /// The ticks after the end of the script.
    pub(super) extra_ticks: u64,
}

impl Game for ScriptedGame {
    fn give_commands(&mut self) -> Result<(), Failure> {
        if self.has_more_commands() {
            self.simulation.give_due_commands();
        }
        Ok(())
    }

    fn tick(&mut self) {
        self.simulation.tick(&Serial);
    }

    fn world(&self) -> &World {
        self.simulation.world()
    }

    fn has_more_commands(&self) -> bool {
        self.world().now().0 < self.simulation.scenario().ticks
    }

    fn max_ticks(&self) -> u64 {
        self.simulation.scenario().ticks + self.extra_ticks
    }
}

/// The army of `bench service`.
pub(super) struct ArmyGame {
    pub(super) army: Army,
    pub(super) max_ticks: u64,
}

impl Game for ArmyGame {
    fn give_commands(&mut self) -> Result<(), Failure> {
        self.army.give_orders()
    }

    fn tick(&mut self) {
        self.army.tick();
    }

    fn world(&self) -> &World {
        self.army.world()
    }

    fn has_more_commands(&self) -> bool {
        self.army.has_more_orders()
    }

    fn max_ticks(&self) -> u64 {
        self.max_ticks
    }
}
