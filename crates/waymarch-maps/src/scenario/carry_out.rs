//! Carries out the actions of a scenario: each becomes one command, or one for each unit of a group.

use waymarch::base::{CellPos, Rng};
use waymarch::cost::ThreatSource;
use waymarch::query::Goal;
use waymarch::world::{Applied, Command, Order, SpawnPlace, Target, ThreatOwner, UnitId, When, WhenTaken};

use super::placement::{action_rng, opposite, random_cell};
use super::random_command::random_command;
use super::simulation::{Named, Simulation, SimulationError};
use super::types::{Action, GroupOrder, OrderTarget, SourceOwner, StampPosition};
use crate::yaml::with_setting;

impl Simulation {
    /// Carries out one action of [`Scenario::actions`](super::Scenario::actions) now, whether it is due or not.
    ///
    /// # Panics
    /// If the scenario does not have that many actions.
    pub fn carry_out(&mut self, number: usize) {
        let mut rng = action_rng(self.scenario.setup.seed, self.world.now(), number);
        match self.scenario.actions[number].action.clone() {
            Action::Order { group, order, when } => self.order_group(group, order, when, &mut rng),
            Action::Place { stamp, position, name } => {
                let at = match position {
                    StampPosition::At(at) => at,
                    StampPosition::Within(area) => random_cell(&mut rng, area),
                };
                let made = self.give(Command::Place { stamp, at });
                self.remember(name, made);
            }
            Action::Remove(name) => match self.named[name].take() {
                Some(Named::Stamp(id)) => _ = self.give(Command::RemoveStamp(id)),
                Some(Named::Threat(id)) => _ = self.give(Command::RemoveThreat(id)),
                None => self.refuse(),
            },
            Action::Gate(name, gate) => match self.named[name] {
                Some(Named::Stamp(id)) => _ = self.give(Command::SetGate { id, gate }),
                _ => self.refuse(),
            },
            Action::Team(player, team) => _ = self.give(Command::SetTeam { player, team }),
            Action::Terrain(area, terrain) => _ = self.give(Command::SetTerrain { area, terrain }),
            Action::Height(area, height) => _ = self.give(Command::SetElevation { area, height }),
            Action::Threat(source, name) => match name.and_then(|name| self.named[name]) {
                Some(Named::Threat(id)) => _ = self.give(Command::SetThreat { id, source }),
                _ => {
                    let made = self.give(Command::AddThreat(source));
                    self.remember(name, made);
                }
            },
            Action::ThreatOf(source, name, owner) => self.add_threat(source, name, owner),
            Action::Spawn(squad) => self.spawn_later(squad),
            Action::Configure(changes) => self.change_settings(&changes),
            Action::Reload => self.reload(),
            Action::Planner(name) => {
                self.planner = name;
                self.set_planner();
            }
            Action::Random(number) => self.give_random(number),
        }
    }

    /// Changes the present settings. A planner is set again, because new settings can drop it.
    fn change_settings(&mut self, changes: &[(String, String)]) {
        let present = self.world.nav().config().get().clone();
        let changed =
            changes.iter().try_fold(present, |config, (key, value)| with_setting(&config, key, value));
        match changed {
            Ok(config) => _ = self.give(Command::Configure(Box::new(config))),
            Err(_) => self.refuse(),
        }
        if self.planner.is_some() {
            self.set_planner();
        }
    }

    /// Gives a random command. It may change the settings, which can drop a planner.
    fn give_random(&mut self, number: u64) {
        let command = random_command(&self.world, number);
        match &command {
            Command::Order { units, .. } | Command::OrderWith { units, .. } | Command::Join { units, .. } => {
                units.iter().for_each(|&unit| self.meter.forget(unit));
            }
            Command::Put { unit, .. } | Command::Remove(unit) => self.meter.forget(*unit),
            Command::SetOwner { units, .. } => units.iter().for_each(|&unit| self.meter.forget(unit)),
            _ => {}
        }
        if let Some(Applied::Unit(_)) = self.give(command) {
            self.meter.metrics.units += 1;
        }
        if self.planner.is_some() {
            self.set_planner();
        }
    }

    fn order_group(&mut self, group: usize, order: GroupOrder, when: When, rng: &mut Rng) {
        let members =
            |group: usize| self.scenario.groups[group].squads.iter().flat_map(|&squad| &self.squads[squad]);
        let living = |group: usize| members(group).filter(|&&unit| self.world.unit(unit).is_some());
        let units: Vec<UnitId> = living(group).copied().collect();
        let order = match order {
            GroupOrder::Move(goal) => Order::Move(goal),
            GroupOrder::Form { at, formation, facing, layout } => {
                Order::Form { at, formation, facing, layout }
            }
            GroupOrder::Attack(goal, sight) => Order::AttackMove { goal, sight },
            GroupOrder::FollowGroup(other, distance) => {
                Order::FollowGroup { units: living(other).copied().collect(), distance }
            }
            GroupOrder::Guard(target, leash) => match self.target(target) {
                Some(target) => Order::Guard { target, leash },
                None => return self.refuse(),
            },
            GroupOrder::Around(target, how) => match self.target(target) {
                Some(target) => Order::Around { target, how },
                None => return self.refuse(),
            },
            GroupOrder::Spread(distance) => Order::Scatter { distance },
            GroupOrder::Join(other) => match living(other).next().copied() {
                Some(with) => return self.give_only(Command::Join { units, with }),
                None => return self.refuse(),
            },
            GroupOrder::Reform(formation, facing) => {
                return self.give_only(Command::Reform { units, formation, facing });
            }
            GroupOrder::Engage => return self.give_only(Command::Engage(units)),
            GroupOrder::Resume => return self.give_only(Command::Resume(units)),
            GroupOrder::Kill | GroupOrder::Put { .. } => {
                for unit in units {
                    self.meter.forget(unit);
                    self.give(match order {
                        GroupOrder::Put { at, velocity } => Command::Put { unit, at, velocity },
                        _ => Command::Remove(unit),
                    });
                }
                return;
            }
            GroupOrder::Capture(owner) => {
                units.iter().for_each(|&unit| self.meter.forget(unit));
                return self.give_only(Command::SetOwner { units, owner });
            }
            GroupOrder::Become(kind) => {
                if self.kinds[kind].is_none() && self.add_type(kind).is_err() {
                    return self.refuse();
                }
                let Some(kind) = self.kinds[kind] else { return self.refuse() };
                return self.give_only(Command::SetKind { units, kind });
            }
            GroupOrder::Speed(percent) => return self.give_only(Command::SetSpeed { units, percent }),
            GroupOrder::Conceal(concealment) => {
                return self.give_only(Command::SetConcealment { units, concealment });
            }
            GroupOrder::Board(other) => {
                let transports = living(other).copied().collect();
                return self.board(units, transports);
            }
            GroupOrder::Unboard => {
                let aboard =
                    |unit: &UnitId| self.world.unit(*unit).is_some_and(|unit| unit.transport.is_some());
                let aboard = units.into_iter().filter(aboard).collect();
                return self.give_only(Command::Unboard(aboard));
            }
            GroupOrder::Patrol(stops) => Order::Patrol(stops),
            GroupOrder::Stop => Order::Stop,
            GroupOrder::Hold => Order::Hold,
            GroupOrder::Follow(other, distance) => match living(other).next() {
                Some(&target) => Order::follow(target, distance),
                None => return self.refuse(),
            },
            GroupOrder::Scatter(_) | GroupOrder::Opposite(_) => {
                for unit in units {
                    let Some(at) = self.world.cell_of(unit) else { continue };
                    let to = match order {
                        GroupOrder::Scatter(area) => random_cell(rng, area),
                        GroupOrder::Opposite(centre) => opposite(at, centre, self.world.nav().layer()),
                        _ => at,
                    };
                    self.order(vec![unit], Order::Move(Goal::point(to)), when);
                }
                return;
            }
        };
        self.order(units, order, when);
    }

    /// Lets units board transports: each transport gets as many of the units that are left as it has places for. Units without a place count as one refused command.
    fn board(&mut self, mut units: Vec<UnitId>, transports: Vec<UnitId>) {
        units.retain(|unit| {
            self.world.unit(*unit).is_some_and(|unit| unit.transport.is_none()) && !transports.contains(unit)
        });
        for transport in transports {
            let mut left = self.world.places_left(transport).unwrap_or(0);
            let bulk = |unit: &UnitId| {
                let kind = self.world.unit(*unit).and_then(|unit| self.world.unit_type(unit.kind));
                kind.map_or(1, |kind| u32::from(kind.bulk))
            };
            let fits = |unit: &UnitId| {
                let enough = bulk(unit) <= left;
                left -= if enough { bulk(unit) } else { 0 };
                enough
            };
            let (aboard, others): (Vec<UnitId>, Vec<UnitId>) = units.into_iter().partition(fits);
            units = others;
            if !aboard.is_empty() {
                self.give(Command::Board { units: aboard, transport });
            }
        }
        if !units.is_empty() {
            self.refuse();
        }
    }

    /// The target of an order; `None` if it no longer exists.
    fn target(&self, target: OrderTarget) -> Option<Target> {
        match target {
            OrderTarget::Cell(at) => Some(Target::Cell(at)),
            OrderTarget::Group(group) => {
                let mut squads =
                    self.scenario.groups[group].squads.iter().flat_map(|&squad| &self.squads[squad]);
                squads.find(|&&unit| self.world.unit(unit).is_some()).map(|&unit| Target::Unit(unit))
            }
            OrderTarget::Stamp(name) => match self.named[name] {
                Some(Named::Stamp(stamp)) => Some(Target::Stamp(stamp)),
                _ => None,
            },
        }
    }

    fn order(&mut self, mut units: Vec<UnitId>, order: Order, when: When) {
        if !self.leave_out_released(&mut units) {
            return;
        }
        let now = self.world.now();
        for &unit in &units {
            let known = self.world.unit(unit).zip(self.world.cell_of(unit));
            match (order.goal(), when, known) {
                (Some(goal), When::Now, Some((unit, at))) => {
                    let Some(kind) = self.world.unit_type(unit.kind) else { continue };
                    let [speed, near] =
                        [kind.speed, kind.tolerance].map(|n| u64::from(n.raw().unsigned_abs()));
                    self.meter.start_journey(unit.id, now, goal.gap(at), speed, near);
                }
                _ => self.meter.forget(unit),
            }
        }
        self.give(Command::Order { units, order, when });
    }

    /// Removes the units that a player commands from the units of a command. Returns `false` if that leaves none: then the command is not given.
    fn leave_out_released(&self, units: &mut Vec<UnitId>) -> bool {
        let all = units.len();
        units.retain(|&unit| !self.is_released(unit));
        units.len() == all || !units.is_empty()
    }

    /// Gives a command of the script. Units that a player commands are left out of orders.
    fn give(&mut self, mut command: Command) -> Option<Applied> {
        let units = match &mut command {
            Command::Order { units, .. }
            | Command::OrderWith { units, .. }
            | Command::Join { units, .. }
            | Command::Reform { units, .. } => Some(units),
            Command::Engage(units) | Command::Resume(units) | Command::Unboard(units) => Some(units),
            Command::Board { units, .. } => Some(units),
            _ => None,
        };
        if units.is_some_and(|units| !self.leave_out_released(units)) {
            return None;
        }
        self.meter.metrics.commands += 1;
        let applied = self.recorder.apply(&mut self.world, command).ok();
        if applied.is_none() {
            self.meter.metrics.refused += 1;
        }
        applied
    }

    /// Adds a threat source with an owner. If the name already has a source, that one is changed and given to the owner.
    fn add_threat(&mut self, source: ThreatSource, name: Option<usize>, owner: SourceOwner) {
        let owner = match owner {
            SourceOwner::Player(player) => ThreatOwner::Player(player),
            SourceOwner::Group(group) => {
                let squads = &self.scenario.groups[group].squads;
                let mut units = squads.iter().flat_map(|&squad| &self.squads[squad]);
                match units.find(|&&unit| self.world.unit(unit).is_some()) {
                    Some(&unit) => ThreatOwner::Unit(unit),
                    None => return self.refuse(),
                }
            }
        };
        if let Some(Named::Threat(id)) = name.and_then(|name| self.named[name]) {
            self.give(Command::SetThreat { id, source });
            self.give(Command::SetThreatOwner { id, owner });
        } else {
            let made = self.give(Command::AddThreatOf { source, owner });
            self.remember(name, made);
        }
    }

    fn refuse(&mut self) {
        self.meter.metrics.commands += 1;
        self.meter.metrics.refused += 1;
    }

    fn remember(&mut self, name: Option<usize>, made: Option<Applied>) {
        let thing = match made {
            Some(Applied::Stamp(id)) => Some(Named::Stamp(id)),
            Some(Applied::Threat(id)) => Some(Named::Threat(id)),
            _ => None,
        };
        if let Some(name) = name {
            self.named[name] = thing;
        }
    }

    /// Gives a command and ignores what it creates.
    fn give_only(&mut self, command: Command) {
        self.give(command);
    }

    /// Adds a unit type.
    pub(super) fn add_type(&mut self, kind: usize) -> Result<(), SimulationError> {
        let command = Command::AddType(self.scenario.types[kind].clone());
        if let Applied::Type(id) = self.recorder.apply(&mut self.world, command)? {
            self.kinds[kind] = Some(id);
        }
        Ok(())
    }

    /// Spawns a squad before the first tick. Every unit must find a place.
    pub(super) fn spawn_at_start(&mut self, squad: usize) -> Result<(), SimulationError> {
        let cells = self.squad_cells(squad);
        let (wanted, found) = (self.scenario.squads[squad].place.count(), cells.len() as u32);
        if found < wanted {
            return Err(SimulationError::NoRoom { squad: squad + 1, wanted, found });
        }
        for at in cells {
            let Some(command) = self.spawn_command(squad, at) else { continue };
            match self.recorder.apply(&mut self.world, command) {
                Ok(Applied::Unit(unit)) => self.squads[squad].push(unit),
                Ok(_) => {}
                Err(error) => return Err(SimulationError::Squad { squad: squad + 1, error }),
            }
        }
        Ok(())
    }

    /// Spawns a squad in the middle of the game. Units without a place do not appear.
    fn spawn_later(&mut self, squad: usize) {
        let kind = self.scenario.squads[squad].kind.index();
        if self.kinds[kind].is_none() && self.add_type(kind).is_err() {
            return self.refuse();
        }
        let cells = self.squad_cells(squad);
        for _ in cells.len()..self.scenario.squads[squad].place.count() as usize {
            self.refuse();
        }
        for at in cells {
            let Some(command) = self.spawn_command(squad, at) else { continue };
            if let Some(Applied::Unit(unit)) = self.give(command) {
                self.squads[squad].push(unit);
                self.meter.metrics.units += 1;
            }
        }
    }

    /// The cells on which the units of a squad start.
    fn squad_cells(&self, squad: usize) -> Vec<CellPos> {
        let squad = &self.scenario.squads[squad];
        squad.place.cells(self.world.nav().layer(), self.scenario.types[squad.kind.index()].agent)
    }

    fn spawn_command(&self, squad: usize, at: CellPos) -> Option<Command> {
        let squad = &self.scenario.squads[squad];
        let kind = self.kinds[squad.kind.index()]?;
        let (owner, facing) = (squad.owner, squad.facing);
        Some(match squad.taken {
            WhenTaken::Overlap => Command::Spawn { kind, owner, at, facing },
            taken => Command::SpawnAt { kind, owner, place: SpawnPlace { at, facing, taken } },
        })
    }
}
