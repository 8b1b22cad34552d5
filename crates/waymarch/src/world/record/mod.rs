//! Recording: how did a game begin, which commands did it get in which tick, and what was its hash?
//!
//! The room owns nothing of a World. It reads hashes. It may change a World, but only by commands and ticks.
//!
//! - A [`Recording`] holds settings, map, seed, commands by tick, and hashes of every subsystem at some ticks.
//! - A [`Recorder`] writes a recording during a game.
//! - A [`Replay`] plays it again, and names the first tick and subsystem that differ.
//!
//! Every change of a World between ticks is a command, so a recording is complete. The exception is the game's own planner
//! ([`World::set_planner`]): a planner is code and is not recorded.

mod bytes;
mod recorder;
mod replay;

use alloc::string::String;
use alloc::vec::Vec;

pub use recorder::Recorder;
pub use replay::{Checks, Replay, ReplayError};

use super::command::Command;
use super::world::World;
use crate::base::{StateHash, Tick};
use crate::config::Config;
use crate::cost::Map;
use crate::nav::{Navigator, NavigatorError};

/// The start of a game: everything that decides the game besides its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The settings.
    pub config: Config,
    /// The map.
    pub map: Map,
    /// The seed of random numbers.
    pub seed: u64,
}

impl Setup {
    /// The World at the start of the game.
    ///
    /// # Errors
    /// [`NavigatorError`] if the map or the settings are not valid.
    pub fn world(&self) -> Result<World, NavigatorError> {
        let nav = Navigator::new(self.map.clone(), self.config.clone())?;
        Ok(World::with_seed(nav, self.seed))
    }
}

/// A command, and when it was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recorded {
    /// The number of ticks that had passed.
    pub tick: Tick,
    /// The command.
    pub command: Command,
}

/// The hashes of a World at a tick.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HashMark {
    /// The number of ticks that had passed.
    pub tick: Tick,
    /// The hash of the whole World.
    pub total: u64,
    /// The hash of each subsystem, in the order of [`Recording::parts`].
    pub parts: Vec<u64>,
}

/// A recorded game. A [`Replay`] plays it again and compares the hashes at every mark.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Command, Order, PlayerId, Recorder, Recording, Replay, Serial, Setup, UnitType, When};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recording {
    /// The start of the game.
    pub setup: Setup,
    /// The names of the subsystems in each mark, sorted.
    pub parts: Vec<String>,
    /// The commands, in order.
    pub commands: Vec<Recorded>,
    /// The hashes at some ticks, in order.
    pub marks: Vec<HashMark>,
    /// The last tick.
    pub end: Tick,
    /// The version of the engine that played the game, such as `0.1.0`; empty in recordings of saved version 10. Another version of the engine may load the
    /// recording and play another game: results change between versions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub engine: String,
}

impl Recording {
    /// The first subsystem, by name, whose hash differs between `mark` and `hash`; `None` if all are equal.
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
