//! Games written down: how they began, what was done to them when, and what they were at some ticks.

mod bytes;
mod recorder;
mod replay;

use alloc::string::String;
use alloc::vec::Vec;

pub use recorder::Recorder;
pub use replay::{Checks, Replay, ReplayError};

use super::command::Command;
use super::navigator::{Navigator, NavigatorError};
use super::simulation::World;
use crate::base::{StateHash, Tick};
use crate::config::Config;
use crate::cost::Map;

/// How a game begins: all that is to be known besides the commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The settings.
    pub config: Config,
    /// The map.
    pub map: Map,
    /// The seed for what is left to luck.
    pub seed: u64,
}

impl Setup {
    /// The World as the game begins.
    ///
    /// # Errors
    /// [`NavigatorError`] if the map or the settings are wrong.
    pub fn world(&self) -> Result<World, NavigatorError> {
        let nav = Navigator::new(self.map.clone(), self.config.clone())?;
        Ok(World::with_seed(nav, self.seed))
    }
}

/// A command and when it was given: before the tick after `tick`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// How many ticks had passed.
    pub tick: Tick,
    /// What was to be done.
    pub command: Command,
}

/// What a World was at a tick: the hash of each subsystem, in the order of [`Recording::parts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HashMark {
    /// How many ticks had passed.
    pub tick: Tick,
    /// The hash of all.
    pub total: u64,
    /// The hash of each part.
    pub parts: Vec<u64>,
}

/// A game written down: it can be played again, and whether it comes out the same is known at every mark.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Command, Order, PlayerId, Recorder, Recording, Replay, Serial, Setup, UnitType, When};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
/// let setup = Setup { config: Config::default(), map, seed: 7 };
/// let mut world = setup.world()?;
/// let mut recorder = Recorder::new(setup, 10);
///
/// let foot = world.nav().locomotor("foot").unwrap();
/// let soldier = Command::AddType(UnitType::new("soldier", foot));
/// recorder.apply(&mut world, soldier)?;
/// let spawn = Command::Spawn { kind: Default::default(), owner: PlayerId(0), at: cell(3, 3), facing: Default::default() };
/// recorder.apply(&mut world, spawn)?;
/// let units = world.units().map(|unit| unit.id).collect();
/// recorder.apply(&mut world, Command::Order { units, order: Order::move_to(cell(40, 30)), when: When::Now })?;
/// for _ in 0..50 {
///     world.tick();
///     recorder.ticked(&world);
/// }
/// let bytes = recorder.finish(&world).to_bytes();
///
/// let recording = Recording::from_bytes(&bytes)?;
/// let mut replay = Replay::new(&recording)?;
/// while replay.step(&Serial)? {}
/// assert_eq!(replay.world().state_hash(), world.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// How it began.
    pub setup: Setup,
    /// The names of the subsystems that marks have hashes of, sorted.
    pub parts: Vec<String>,
    /// What was done, in order.
    pub commands: Vec<Recorded>,
    /// What it was at some ticks, in order.
    pub marks: Vec<HashMark>,
    /// When it ended.
    pub end: Tick,
}

impl Recording {
    /// The first subsystem, by name, that is another in `hash` than at `mark`; `None` if all are the same.
    #[must_use]
    pub fn first_difference<'a>(&'a self, mark: &HashMark, hash: &'a StateHash) -> Option<&'a str> {
        let names = self.parts.iter().map(String::as_str);
        let other = names.zip(&mark.parts).find(|(name, part)| hash.part(name) != Some(**part));
        let missing = || {
            let mut parts = hash.parts().iter().map(|(name, _)| *name);
            parts.find(|name| !self.parts.iter().any(|part| part == name))
        };
        other.map(|(name, _)| name).or_else(missing).or_else(|| (mark.total != hash.total()).then_some("all"))
    }
}
