//! Plays a game with all its branches, and compares them after every tick.

use std::fmt;

use waymarch::base::{LoadError, StateHash};
use waymarch::world::{Event, Recording, Replay, Serial, World};
use waymarch_maps::scenario::{Action, Scenario, Simulation};
use waymarch_testkit::splitmix::SplitMix;

use super::branch::{Branch, BranchKind, Fork, Pools};
#[cfg(test)]
use super::fault::Fault;
use super::probe::probe;
use crate::panics;

/// Saved bytes are compared every 8 ticks, and at the end. Hashes and events are compared after every tick.
const COMPARE_BYTES_EVERY: u64 = 8;

/// The older World, into which saves are restored, is a copy that is made every 13 ticks.
const OLDER_EVERY: u64 = 13;

/// A recording holds a hash every 16 ticks.
const HASH_EVERY: u32 = 16;

/// Which branches a game gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thoroughness {
    /// One branch at each `reload`, and sometimes one from the start, chosen by the game's seed.
    Drawn,
    /// Only this kind, at each `reload` and from the start: for shrinking.
    Only(BranchKind),
    /// Every kind, at each `reload` and from the start: for kept games.
    Every,
}

/// Why a game fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The number of ticks before the failure.
    pub tick: u64,
    /// The branch that fails; `None` if the game itself does.
    pub branch: Option<BranchKind>,
    /// What happened.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, branch, what } = self;
        match branch {
            Some(kind) => write!(f, "tick {tick}, branch {kind:?}: {what}"),
            None => write!(f, "tick {tick}, the game: {what}"),
        }
    }
}

impl Failure {
    /// Whether two failures are probably one bug: their first lines are equal apart from numbers.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let outline = |failure: &Self| {
            let first = failure.what.lines().next().unwrap_or_default();
            let cut = first.find(", forked").unwrap_or(first.len());
            first[..cut].chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>()
        };
        outline(self) == outline(other)
    }
}

/// How much was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameStats {
    /// Ticks of the game itself.
    pub ticks: u64,
    /// Ticks of its branches.
    pub branch_ticks: u64,
    /// Branches.
    pub branches: u64,
    /// Commands that were given.
    pub commands: u64,
    /// Commands that were refused.
    pub refused: u64,
    /// Raw commands on copies of the World.
    pub probes: u64,
}

impl GameStats {
    /// Adds another game.
    pub fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.branch_ticks += other.branch_ticks;
        self.branches += other.branches;
        self.commands += other.commands;
        self.refused += other.refused;
        self.probes += other.probes;
    }
}

/// Scratch: what checks share.
#[derive(Debug)]
pub struct Checker {
    pub(super) pools: Pools,
    /// What a test breaks in branches of one kind, or in replays if there is no kind.
    #[cfg(test)]
    pub(super) fault: Option<(Option<BranchKind>, Fault)>,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

impl Checker {
    /// Starts thread pools.
    #[must_use]
    pub fn new() -> Self {
        Self {
            pools: Pools::new(),
            #[cfg(test)]
            fault: None,
        }
    }

    /// Plays a game. `alive` is called in every tick.
    ///
    /// # Errors
    /// [`Failure`] at the first difference, refused save or panic.
    pub fn check(
        &self,
        scenario: &Scenario,
        thoroughness: Thoroughness,
        alive: &mut dyn FnMut(),
    ) -> Result<GameStats, Failure> {
        // The tick and the branch of a panic.
        let place = std::cell::Cell::new((0, None));
        let play = || Play::new(self, scenario, thoroughness, &place)?.run(alive);
        match panics::caught(play) {
            Ok(done) => done,
            Err(what) => {
                let (tick, branch) = place.get();
                Err(Failure { tick, branch, what })
            }
        }
    }
}

#[cfg(test)]
impl Checker {
    fn fault_of(&self, kind: Option<BranchKind>) -> Option<Fault> {
        self.fault.filter(|(of, _)| *of == kind).map(|(_, fault)| fault)
    }
}

/// Scratch: a game that is played.
struct Play<'a> {
    checker: &'a Checker,
    thoroughness: Thoroughness,
    place: &'a std::cell::Cell<(u64, Option<BranchKind>)>,
    game: Simulation,
    branches: Vec<Branch>,
    older: World,
    /// The events of each tick of the game.
    heard: Vec<Vec<Event>>,
    stats: GameStats,
}

/// What random numbers are for. Numbers of one purpose do not depend on those of another, so that a smaller game keeps them.
#[derive(Clone, Copy)]
enum Purpose {
    Fork = 1,
    Probe,
    Replay,
}

impl<'a> Play<'a> {
    fn new(
        checker: &'a Checker,
        scenario: &Scenario,
        thoroughness: Thoroughness,
        place: &'a std::cell::Cell<(u64, Option<BranchKind>)>,
    ) -> Result<Self, Failure> {
        let game = Simulation::new(scenario.clone(), HASH_EVERY).map_err(|error| Failure {
            tick: 0,
            branch: None,
            what: format!("cannot begin: {error}"),
        })?;
        let older = game.world().clone();
        let (branches, heard, stats) = (Vec::new(), Vec::new(), GameStats::default());
        Ok(Self { checker, thoroughness, place, game, branches, older, heard, stats })
    }

    /// Random numbers for a purpose in this tick.
    fn rng(&self, purpose: Purpose) -> SplitMix {
        let tick = self.game.world().now().0.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        SplitMix::new(self.game.scenario().setup.seed ^ tick ^ ((purpose as u64) << 56))
    }

    fn run(mut self, alive: &mut dyn FnMut()) -> Result<GameStats, Failure> {
        self.fork_at_start()?;
        for tick in 0..self.game.scenario().ticks {
            alive();
            self.place.set((tick, None));
            if tick % OLDER_EVERY == 7 {
                self.older = self.game.world().clone();
            }
            self.give_commands()?;
            let mut rng = self.rng(Purpose::Probe);
            if rng.chance(120) {
                self.stats.probes +=
                    probe(self.game.world(), rng.next_u64()).map_err(|what| fail(&self.game, None, what))?;
            }
            // A recording may end right after a command.
            if self.rng(Purpose::Replay).chance(8) {
                self.replay()?;
            }
            self.tick()?;
        }
        for branch in &self.branches {
            self.place.set((self.game.scenario().ticks, Some(branch.kind)));
            compare_bytes(&self.game, branch)?;
        }
        self.place.set((self.game.scenario().ticks, None));
        self.replay()?;
        let metrics = self.game.metrics();
        (self.stats.commands, self.stats.refused) = (metrics.commands, metrics.refused);
        Ok(self.stats)
    }

    /// Some branches begin with the game.
    fn fork_at_start(&mut self) -> Result<(), Failure> {
        match self.thoroughness {
            Thoroughness::Drawn => {
                let mut rng = self.rng(Purpose::Fork);
                let kind = rng.chance(400).then(|| BranchKind::draw(&mut rng));
                kind.map_or(Ok(()), |kind| self.fork(kind))
            }
            Thoroughness::Only(kind) => self.fork(kind),
            Thoroughness::Every => BranchKind::ALL.into_iter().try_for_each(|kind| self.fork(kind)),
        }
    }

    fn fork(&mut self, kind: BranchKind) -> Result<(), Failure> {
        self.place.set((self.game.world().now().0, Some(kind)));
        let fork = Fork { game: &self.game, older: &self.older, number: self.rng(Purpose::Fork).next_u64() };
        let branch = Branch::new(kind, &fork).map_err(|error| refused(&self.game, kind, &error))?;
        #[cfg(test)]
        let branch = Branch { fault: self.checker.fault_of(Some(kind)), ..branch };
        let (hash, own) = (self.game.world().state_hash(), branch.state_hash());
        if hash != own {
            let what = format!("{} right after the fork", differing(&hash, &own));
            return Err(fail(&self.game, Some(kind), what));
        }
        compare_bytes(&self.game, &branch)?;
        self.branches.push(branch);
        self.stats.branches += 1;
        Ok(())
    }

    /// Gives the commands of this tick to the game and to all branches, and forks at each `reload`.
    fn give_commands(&mut self) -> Result<(), Failure> {
        for number in self.game.due_actions() {
            if self.game.scenario().actions[number].action == Action::Reload {
                match self.thoroughness {
                    Thoroughness::Drawn => {
                        let mut rng = self.rng(Purpose::Fork);
                        // The next reload of this tick gets another kind.
                        (0..=self.branches.len()).for_each(|_| _ = rng.next_u64());
                        self.fork(BranchKind::draw(&mut rng))?;
                    }
                    Thoroughness::Only(kind) => self.fork(kind)?,
                    Thoroughness::Every => {
                        BranchKind::ALL.into_iter().try_for_each(|kind| self.fork(kind))?;
                    }
                }
                continue;
            }
            let now = self.game.world().now().0;
            self.place.set((now, None));
            self.game.carry_out(number);
            for branch in &mut self.branches {
                self.place.set((now, Some(branch.kind)));
                branch.simulation.carry_out(number);
            }
        }
        Ok(())
    }

    fn tick(&mut self) -> Result<(), Failure> {
        let Self { checker, place, game, branches, heard, stats, .. } = self;
        let now = game.world().now().0;
        place.set((now, None));
        game.tick(&Serial);
        heard.push(game.world().events().to_vec());
        stats.ticks += 1;
        if branches.is_empty() {
            return Ok(());
        }
        let hash = game.world().state_hash();
        for branch in branches {
            let kind = branch.kind;
            place.set((now, Some(kind)));
            branch.tick(&checker.pools).map_err(|error| refused(game, kind, &error))?;
            stats.branch_ticks += 1;
            let own = branch.state_hash();
            if own != hash {
                let what = format!("{}, forked at tick {}", differing(&hash, &own), branch.since);
                return Err(fail(game, Some(kind), what));
            }
            if let Some(first) = differing_event(game.world().events(), &branch.events()) {
                let what = format!("events differ, forked at tick {}: {first}", branch.since);
                return Err(fail(game, Some(kind), what));
            }
            if now % COMPARE_BYTES_EVERY == 3 {
                compare_bytes(game, branch)?;
            }
        }
        Ok(())
    }

    /// Plays the recording, unless a planner was used, which recordings do not hold.
    fn replay(&self) -> Result<(), Failure> {
        let planner = |action: &Action| matches!(action, Action::Planner(Some(_)));
        if self.game.scenario().actions.iter().any(|scheduled| planner(&scheduled.action)) {
            return Ok(());
        }
        let fail = |what: String| fail(&self.game, None, format!("replay: {what}"));
        let bytes = self.game.recording().to_bytes();
        let recording = Recording::from_bytes(&bytes).map_err(|error| fail(error.to_string()))?;
        let mut replay = Replay::new(&recording).map_err(|error| fail(error.to_string()))?;
        let mut goes_on = true;
        while goes_on {
            goes_on = replay.step(&Serial).map_err(|error| fail(error.to_string()))?;
            let now = replay.world().now().0;
            let Some(heard) = now.checked_sub(1).map(|last| &self.heard[last as usize]) else { continue };
            let events = replay.world().events().to_vec();
            #[cfg(test)]
            let events = self.checker.fault_of(None).map_or(events.clone(), |fault| fault.events(events));
            if let Some(first) = differing_event(heard, &events) {
                return Err(fail(format!("events of tick {now} differ: {first}")));
            }
        }
        if replay.world().save() == self.game.world().save() {
            Ok(())
        } else {
            Err(fail(String::from("it ends with other bytes than the game")))
        }
    }
}

/// A failure at the present tick of the game.
fn fail(game: &Simulation, branch: Option<BranchKind>, what: impl Into<String>) -> Failure {
    Failure { tick: game.world().now().0, branch, what: what.into() }
}

fn refused(game: &Simulation, kind: BranchKind, error: &LoadError) -> Failure {
    fail(game, Some(kind), format!("the World's own save is refused: {error}"))
}

/// Compares the saved bytes of the game and of a branch.
fn compare_bytes(game: &Simulation, branch: &Branch) -> Result<(), Failure> {
    let (saved, own) = (game.world().save(), branch.save());
    if saved == own {
        return Ok(());
    }
    let at = saved.iter().zip(&own).take_while(|(a, b)| a == b).count();
    let what = format!("hashes agree, but saved bytes differ ({at} of {} equal)", saved.len());
    Err(fail(game, Some(branch.kind), what))
}

/// The first pair of events that differ; `None` if all are equal.
fn differing_event(game: &[Event], other: &[Event]) -> Option<String> {
    if game == other {
        return None;
    }
    let at = game.iter().zip(other).take_while(|(event, other)| event == other).count();
    Some(format!("event {at} is {:?}, not {:?}", other.get(at), game.get(at)))
}

/// The parts of two hashes that differ.
pub(super) fn differing(hash: &StateHash, other: &StateHash) -> String {
    let parts = hash.parts().iter().filter(|(name, part)| other.part(name) != Some(*part));
    let names: Vec<&str> = parts.map(|(name, _)| *name).collect();
    format!("differs in {}", names.join(", "))
}
