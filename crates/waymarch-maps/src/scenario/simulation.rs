//! A scenario being played.

use waymarch::base::{Angle, Rng, Tick};
use waymarch::cost::{StampId, ThreatId};
use waymarch::query::Goal;
use waymarch::world::{
    Applied, Command, CommandError, Executor, NavigatorError, Order, Recorder, Recording, Target, TickPhase,
    UnitId, When, World,
};

use super::metrics::{Meter, Metrics};
use super::things::{cell_within, luck, opposite};
use super::{Deed, Plan, Scenario, Spot, Squad, What, Whom};

/// Why a scenario cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SimulationError {
    /// Map or settings are wrong.
    #[error(transparent)]
    Setup(#[from] NavigatorError),
    /// A kind of unit, or a unit, that cannot be on this map.
    #[error("squad {squad}: {error}")]
    Squad {
        /// Which, the first of the file being 1.
        squad: usize,
        /// What is wrong.
        error: CommandError,
    },
    /// A kind of unit that cannot be on this map.
    #[error(transparent)]
    Type(#[from] CommandError),
    /// Units that there is no room for.
    #[error("squad {squad}: there is room for {found} units, not for {wanted}")]
    NoRoom {
        /// Which, the first of the file being 1.
        squad: usize,
        /// How many were to be there.
        wanted: u32,
        /// For how many there is room.
        found: u32,
    },
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Named {
    Stamp(StampId),
    Threat(ThreatId),
}

/// A scenario being played: the World, with commands given when they are due, recorded and measured.
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
    scenario: Scenario,
    world: World,
    recorder: Recorder,
    /// The units of each squad.
    squads: Vec<Vec<UnitId>>,
    named: Vec<Option<Named>>,
    meter: Meter,
}

impl Simulation {
    /// The scenario as it begins, its hash recorded every so many ticks (0: at the end only).
    ///
    /// # Errors
    /// [`SimulationError`] naming what cannot be.
    pub fn new(scenario: Scenario, hash_every: u32) -> Result<Self, SimulationError> {
        let mut world = scenario.setup.world()?;
        let mut recorder = Recorder::new(scenario.setup.clone(), hash_every);
        for kind in &scenario.types {
            recorder.apply(&mut world, Command::AddType(kind.clone()))?;
        }
        let mut squads = Vec::new();
        for (number, squad) in scenario.squads.iter().enumerate() {
            squads.push(spawn(&mut world, &mut recorder, number + 1, squad)?);
        }
        let named = vec![None; scenario.names.len()];
        let mut meter = Meter::default();
        meter.metrics.units = world.unit_count() as u64;
        Ok(Self { scenario, world, recorder, squads, named, meter })
    }

    /// The World as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The World, to save it or to take it back.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The scenario.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// What it was like so far.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.meter.metrics
    }

    /// Does what is due and lets a tick pass.
    pub fn step(&mut self, executor: &impl Executor) {
        self.act();
        self.pass(executor);
    }

    /// Gives the commands that are due at this tick.
    pub fn act(&mut self) {
        let now = self.world.now();
        for number in 0..self.scenario.deeds.len() {
            if self.scenario.deeds[number].is_due(now) {
                self.carry_out(number, now);
            }
        }
    }

    /// Lets a tick pass.
    pub fn pass(&mut self, executor: &impl Executor) {
        self.pass_watched(executor, |_| {});
    }

    /// The same, and `done` is called after each phase of the tick.
    pub fn pass_watched(&mut self, executor: &impl Executor, done: impl FnMut(TickPhase) + Send) {
        self.world.tick_watched(executor, done);
        self.recorder.ticked(&self.world);
        self.meter.take(self.world.events(), self.world.now());
    }

    /// Gives a command that the scenario does not have: somebody plays along. It is recorded like the others.
    ///
    /// # Errors
    /// [`CommandError`] naming what is wrong; nothing was changed then.
    pub fn command(&mut self, command: Command) -> Result<Applied, CommandError> {
        self.recorder.apply(&mut self.world, command)
    }

    /// The recording of what was played so far; the game can go on.
    #[must_use]
    pub fn recording(&self) -> Recording {
        self.recorder.clone().finish(&self.world)
    }

    /// Ends it: the recording of all of it.
    #[must_use]
    pub fn finish(self) -> Recording {
        self.recorder.finish(&self.world)
    }

    fn carry_out(&mut self, number: usize, now: Tick) {
        let mut rng = luck(self.scenario.setup.seed, now, number);
        match self.scenario.deeds[number].what.clone() {
            What::Order { group, plan, when } => self.tell(group, plan, when, &mut rng),
            What::Place { stamp, spot, name } => {
                let at = match spot {
                    Spot::At(at) => at,
                    Spot::Within(area) => cell_within(&mut rng, area),
                };
                let made = self.give(Command::Place { stamp, at });
                self.call(name, made);
            }
            What::Remove(name) => match self.named[name].take() {
                Some(Named::Stamp(id)) => _ = self.give(Command::RemoveStamp(id)),
                Some(Named::Threat(id)) => _ = self.give(Command::RemoveThreat(id)),
                None => self.refuse(),
            },
            What::Gate(name, gate) => match self.named[name] {
                Some(Named::Stamp(id)) => _ = self.give(Command::SetGate { id, gate }),
                _ => self.refuse(),
            },
            What::Terrain(area, terrain) => _ = self.give(Command::SetTerrain { area, terrain }),
            What::Height(area, height) => _ = self.give(Command::SetElevation { area, height }),
            What::Threat(source, name) => match name.and_then(|name| self.named[name]) {
                Some(Named::Threat(id)) => _ = self.give(Command::SetThreat { id, source }),
                _ => {
                    let made = self.give(Command::AddThreat(source));
                    self.call(name, made);
                }
            },
        }
    }

    fn tell(&mut self, group: usize, plan: Plan, when: When, rng: &mut Rng) {
        let members =
            |group: usize| self.scenario.groups[group].squads.iter().flat_map(|&squad| &self.squads[squad]);
        let units: Vec<UnitId> = members(group).copied().collect();
        let together = match plan {
            Plan::Move(goal) => Order::Move(goal),
            Plan::Form { at, formation, facing } => Order::Form { at, formation, facing },
            Plan::Attack(goal, sight) => Order::AttackMove { goal, sight },
            Plan::FollowGroup(other, distance) => {
                Order::FollowGroup { units: members(other).copied().collect(), distance }
            }
            Plan::Guard(whom, leash) => match self.target(whom) {
                Some(target) => Order::Guard { target, leash },
                None => return self.refuse(),
            },
            Plan::Around(whom, how) => match self.target(whom) {
                Some(target) => Order::Around { target, how },
                None => return self.refuse(),
            },
            Plan::Spread(distance) => Order::Scatter { distance },
            Plan::Join(other) => {
                match members(other).copied().find(|&unit| self.world.unit(unit).is_some()) {
                    Some(with) => return self.tell_group(Command::Join { units, with }),
                    None => return self.refuse(),
                }
            }
            Plan::Reform(formation, facing) => {
                return self.tell_group(Command::Reform { units, formation, facing });
            }
            Plan::Engage => return self.tell_group(Command::Engage(units)),
            Plan::Resume => return self.tell_group(Command::Resume(units)),
            Plan::Patrol(stops) => Order::Patrol(stops),
            Plan::Stop => Order::Stop,
            Plan::Hold => Order::Hold,
            Plan::Follow(other, distance) => match members(other).next() {
                Some(&target) => Order::follow(target, distance),
                None => return self.refuse(),
            },
            Plan::Scatter(_) | Plan::Opposite(_) => {
                for unit in units {
                    let Some(at) = self.world.cell_of(unit) else { continue };
                    let to = match plan {
                        Plan::Scatter(area) => cell_within(rng, area),
                        Plan::Opposite(centre) => opposite(at, centre, self.world.nav().layer()),
                        _ => at,
                    };
                    self.order(vec![unit], Order::Move(Goal::point(to)), when);
                }
                return;
            }
        };
        self.order(units, together, when);
    }

    /// A command for a group under way, without those who are gone.
    fn tell_group(&mut self, mut command: Command) {
        if let Command::Join { units, .. }
        | Command::Reform { units, .. }
        | Command::Engage(units)
        | Command::Resume(units) = &mut command
        {
            units.retain(|&unit| self.world.unit(unit).is_some());
        }
        self.give(command);
    }

    /// What somebody is; `None` if it is gone.
    fn target(&self, whom: Whom) -> Option<Target> {
        match whom {
            Whom::Cell(at) => Some(Target::Cell(at)),
            Whom::Group(group) => {
                let mut squads =
                    self.scenario.groups[group].squads.iter().flat_map(|&squad| &self.squads[squad]);
                squads.find(|&&unit| self.world.unit(unit).is_some()).map(|&unit| Target::Unit(unit))
            }
            Whom::Stamp(name) => match self.named[name] {
                Some(Named::Stamp(stamp)) => Some(Target::Stamp(stamp)),
                _ => None,
            },
        }
    }

    fn order(&mut self, units: Vec<UnitId>, order: Order, when: When) {
        let now = self.world.now();
        for &unit in &units {
            let known = self.world.unit(unit).zip(self.world.cell_of(unit));
            match (order.goal(), when, known) {
                (Some(goal), When::Now, Some((unit, at))) => {
                    let Some(kind) = self.world.unit_type(unit.kind) else { continue };
                    let [speed, near] =
                        [kind.speed, kind.tolerance].map(|n| u64::from(n.raw().unsigned_abs()));
                    self.meter.set_out(unit.id, now, goal.gap(at), speed, near);
                }
                _ => self.meter.forget(unit),
            }
        }
        self.give(Command::Order { units, order, when });
    }

    fn give(&mut self, command: Command) -> Option<Applied> {
        self.meter.metrics.commands += 1;
        let applied = self.recorder.apply(&mut self.world, command).ok();
        if applied.is_none() {
            self.meter.metrics.refused += 1;
        }
        applied
    }

    fn refuse(&mut self) {
        self.meter.metrics.commands += 1;
        self.meter.metrics.refused += 1;
    }

    fn call(&mut self, name: Option<usize>, made: Option<Applied>) {
        let thing = match made {
            Some(Applied::Stamp(id)) => Some(Named::Stamp(id)),
            Some(Applied::Threat(id)) => Some(Named::Threat(id)),
            _ => None,
        };
        if let Some(name) = name {
            self.named[name] = thing;
        }
    }
}

fn spawn(
    world: &mut World,
    recorder: &mut Recorder,
    number: usize,
    squad: &Squad,
) -> Result<Vec<UnitId>, SimulationError> {
    let agent = world.unit_type(squad.kind).map(|kind| kind.agent).unwrap_or_default();
    let cells = squad.place.cells(world.nav().layer(), agent);
    let (wanted, found) = (squad.place.count(), cells.len() as u32);
    if found < wanted {
        return Err(SimulationError::NoRoom { squad: number, wanted, found });
    }
    let mut units = Vec::new();
    for at in cells {
        let command = Command::Spawn { kind: squad.kind, owner: squad.owner, at, facing: Angle::ZERO };
        match recorder.apply(world, command) {
            Ok(Applied::Unit(unit)) => units.push(unit),
            Ok(_) => {}
            Err(error) => return Err(SimulationError::Squad { squad: number, error }),
        }
    }
    Ok(units)
}

impl Deed {
    /// Whether it happens at `now`.
    #[must_use]
    pub fn is_due(&self, now: Tick) -> bool {
        match self.again {
            Some((every, until)) => {
                now >= self.tick
                    && now <= until
                    && now.since(self.tick).is_multiple_of(u64::from(every.max(1)))
            }
            None => now == self.tick,
        }
    }
}
