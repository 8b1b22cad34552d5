//! Plays a scenario.

use std::collections::BTreeSet;

use waymarch::cost::{StampId, ThreatId};
use waymarch::planners::PlannerList;
use waymarch::world::{
    Applied, Command, CommandError, Executor, NavigatorError, Recorder, Recording, TickPhase, UnitId,
    UnitTypeId, World,
};

use super::metrics::{Meter, Metrics};
use super::reload::ReloadError;
use super::types::{Action, GroupOrder, Scenario};

/// Why a scenario cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SimulationError {
    /// The map or the settings are not valid.
    #[error(transparent)]
    Setup(#[from] NavigatorError),
    /// A unit of a squad cannot be spawned on this map.
    #[error("squad {squad}: {error}")]
    Squad {
        /// The squad's number; the first one in the file is 1.
        squad: usize,
        /// What the World refused.
        error: CommandError,
    },
    /// A unit type is not valid on this map.
    #[error(transparent)]
    Type(#[from] CommandError),
    /// There is not enough room for a squad.
    #[error(
        "squad {squad}: there is room for {found} units, but it has {wanted}; give it a larger area or a smaller `count`"
    )]
    NoRoom {
        /// The squad's number; the first one in the file is 1.
        squad: usize,
        /// The number of its units.
        wanted: u32,
        /// How many of them found an open cell.
        found: u32,
    },
}

/// What a name of the scenario refers to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Stamp(StampId),
    Threat(ThreatId),
}

/// A scenario that is played: a World that gets the scenario's commands when they are due, is recorded and measured.
///
/// ```
/// use waymarch::world::Serial;
/// use waymarch_maps::scenario::{Simulation, builtin_scenario};
/// let mut simulation = Simulation::new(builtin_scenario("door").unwrap(), 0)?;
/// for _ in 0..100 {
///     simulation.step(&Serial);
/// }
/// assert_eq!(simulation.world().now().0, 100);
/// # Ok::<(), waymarch_maps::scenario::SimulationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(super) scenario: Scenario,
    pub(super) world: World,
    pub(super) recorder: Recorder,
    /// The World's id of each unit type; `None` until the first squad of the type appears.
    pub(super) kinds: Vec<Option<UnitTypeId>>,
    /// The units of each squad.
    pub(super) squads: Vec<Vec<UnitId>>,
    pub(super) named: Vec<Option<Named>>,
    pub(super) meter: Meter,
    /// The planner that an action chose.
    pub(super) planner: Option<String>,
    pub(super) reload_error: Option<ReloadError>,
    /// Units that the script gives no commands any more: a player commands them.
    pub(super) released: BTreeSet<UnitId>,
}

impl Simulation {
    /// Starts a scenario. A state hash is recorded every `hash_every` ticks, or only at the end if that is 0.
    ///
    /// # Errors
    /// [`SimulationError`] if the scenario does not fit its map.
    pub fn new(scenario: Scenario, hash_every: u32) -> Result<Self, SimulationError> {
        let world = scenario.setup.world()?;
        let recorder = Recorder::new(scenario.setup.clone(), hash_every);
        let mut simulation = Self {
            kinds: vec![None; scenario.types.len()],
            squads: vec![Vec::new(); scenario.squads.len()],
            named: vec![None; scenario.names.len()],
            meter: Meter::default(),
            planner: None,
            reload_error: None,
            released: BTreeSet::new(),
            scenario,
            world,
            recorder,
        };
        simulation.begin()?;
        Ok(simulation)
    }

    /// Adds unit types and squads. A type whose squads all appear later is added with the first of them.
    fn begin(&mut self) -> Result<(), SimulationError> {
        let mut later = vec![false; self.squads.len()];
        for scheduled in &self.scenario.actions {
            if let Action::Spawn(squad) = scheduled.action {
                later[squad] = true;
            }
        }
        for kind in 0..self.kinds.len() {
            let mut users =
                (0..later.len()).filter(|&squad| self.scenario.squads[squad].kind.index() == kind);
            if users.clone().next().is_none() || users.any(|squad| !later[squad]) {
                self.add_type(kind)?;
            }
        }
        for squad in (0..later.len()).filter(|&squad| !later[squad]) {
            self.spawn_at_start(squad)?;
        }
        self.meter.metrics.units = self.world.unit_count() as u64;
        Ok(())
    }

    /// The World as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The World, for example to save it or to restore a snapshot.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The scenario.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The numbers so far.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.meter.metrics
    }

    /// Gives the commands that are due, then runs one tick.
    pub fn step(&mut self, executor: &impl Executor) {
        self.give_due_commands();
        self.tick(executor);
    }

    /// Gives the commands that are due at this tick.
    pub fn give_due_commands(&mut self) {
        for number in self.due_actions() {
            self.carry_out(number);
        }
    }

    /// The indices in [`Scenario::actions`] of the actions that are due at this tick, in order.
    #[must_use]
    pub fn due_actions(&self) -> Vec<usize> {
        let now = self.world.now();
        let actions = self.scenario.actions.iter().enumerate();
        actions.filter(|(_, scheduled)| scheduled.is_due(now)).map(|(number, _)| number).collect()
    }

    /// Continues with another World, such as one that was loaded. It must be in the same state as the present one.
    ///
    /// A planner that an action chose is set again, because a planner is not saved.
    pub fn replace_world(&mut self, world: World) {
        self.world = world;
        self.set_planner();
    }

    /// Why an action [`Action::Reload`] failed; the first one if several did. The game has then continued without it.
    #[must_use]
    pub fn reload_error(&self) -> Option<&ReloadError> {
        self.reload_error.as_ref()
    }

    /// Gives the chosen planner to the World.
    pub(super) fn set_planner(&mut self) {
        let planner = self.planner.as_deref().and_then(|name| PlannerList::builtin().take(name));
        self.world.set_planner(planner);
    }

    /// Runs one tick.
    pub fn tick(&mut self, executor: &impl Executor) {
        self.tick_watched(executor, |_| {});
    }

    /// Runs one tick and calls `done` after each phase.
    pub fn tick_watched(&mut self, executor: &impl Executor, done: impl FnMut(TickPhase) + Send) {
        self.world.tick_watched(executor, done);
        self.recorder.ticked(&self.world);
        self.meter.count(self.world.events(), self.world.now());
    }

    /// Gives a command that is not in the scenario, for example from a player. It is recorded like the others.
    ///
    /// # Errors
    /// [`CommandError`] if the World refuses it; then nothing has changed.
    pub fn command(&mut self, command: Command) -> Result<Applied, CommandError> {
        self.recorder.apply(&mut self.world, command)
    }

    /// Takes units out of the script: orders of the scenario leave them out from now on, because a player commands them.
    /// Other actions, such as [`GroupOrder::Kill`](super::GroupOrder::Kill), still apply to them.
    ///
    /// Returns how many of the units the script would have commanded at this tick or later.
    ///
    /// ```
    /// use waymarch::world::{Command, Order, When};
    /// use waymarch_maps::scenario::{Simulation, builtin_scenario};
    /// let mut simulation = Simulation::new(builtin_scenario("door").unwrap(), 0)?;
    /// let units: Vec<_> = simulation.world().units().map(|unit| unit.id).take(3).collect();
    /// simulation.command(Command::Order { units: units.clone(), order: Order::Hold, when: When::Now })?;
    /// assert_eq!(simulation.release(&units), 3);
    /// assert_eq!(simulation.release(&units), 0, "they are released already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release(&mut self, units: &[UnitId]) -> usize {
        let fresh: Vec<UnitId> = units.iter().copied().filter(|&unit| self.released.insert(unit)).collect();
        if fresh.is_empty() {
            return 0;
        }
        let commanded = self.commanded_later();
        fresh.iter().filter(|unit| commanded.contains(unit)).count()
    }

    /// Whether the script leaves a unit out, because a player commands it; see [`Self::release`].
    #[must_use]
    pub fn is_released(&self, unit: UnitId) -> bool {
        self.released.contains(&unit)
    }

    /// The units that the script orders at this tick or later.
    fn commanded_later(&self) -> BTreeSet<UnitId> {
        let now = self.world.now();
        let mut units = BTreeSet::new();
        for scheduled in self.scenario.actions.iter().filter(|scheduled| !scheduled.is_over(now)) {
            match &scheduled.action {
                Action::Order { order: GroupOrder::Kill | GroupOrder::Put { .. }, .. } => {}
                Action::Order { group, .. } => {
                    let squads = self.scenario.groups[*group].squads.iter();
                    units.extend(squads.flat_map(|&squad| &self.squads[squad]).copied());
                }
                Action::Random(_) => units.extend(self.world.units().map(|unit| unit.id)),
                _ => {}
            }
        }
        units
    }

    /// Whether the script still gives orders, at this tick or later.
    #[must_use]
    pub fn orders_later(&self) -> bool {
        let now = self.world.now();
        let mut later = self.scenario.actions.iter().filter(|scheduled| !scheduled.is_over(now));
        later.any(|scheduled| matches!(scheduled.action, Action::Order { .. } | Action::Random(_)))
    }

    /// The recording so far. The simulation can continue.
    #[must_use]
    pub fn recording(&self) -> Recording {
        self.recorder.clone().finish(&self.world)
    }

    /// Ends the simulation; returns its recording.
    #[must_use]
    pub fn finish(self) -> Recording {
        self.recorder.finish(&self.world)
    }

    /// Renamed to [`Self::give_due_commands`].
    #[deprecated(since = "0.2.0", note = "renamed to `give_due_commands`")]
    pub fn act(&mut self) {
        self.give_due_commands();
    }

    /// Renamed to [`Self::tick`].
    #[deprecated(since = "0.2.0", note = "renamed to `tick`")]
    pub fn pass(&mut self, executor: &impl Executor) {
        self.tick(executor);
    }

    /// Renamed to [`Self::tick_watched`].
    #[deprecated(since = "0.2.0", note = "renamed to `tick_watched`")]
    pub fn pass_watched(&mut self, executor: &impl Executor, done: impl FnMut(TickPhase) + Send) {
        self.tick_watched(executor, done);
    }
}
