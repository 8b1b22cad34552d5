//! Playing a recorded game again.

use alloc::string::{String, ToString};

use super::{HashMark, Recorded, Recording};
use crate::base::Executor;
use crate::base::Tick;
use crate::world::command::CommandError;
use crate::world::navigator::NavigatorError;
use crate::world::simulation::World;

/// Why a recorded game cannot be played again, or comes out differently.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// Map or settings are wrong.
    #[error(transparent)]
    Setup(#[from] NavigatorError),
    /// A command is refused that was not.
    #[error("tick {tick}: command {number} is refused, and was not when it was recorded: {error}")]
    Refused {
        /// When.
        tick: Tick,
        /// Which, the first of the recording being 0.
        number: u64,
        /// Why.
        error: CommandError,
    },
    /// The World is another than it was.
    #[error("tick {tick}: `{part}` is another than was recorded; all was the same at tick {same}")]
    Diverged {
        /// The first mark that differs.
        tick: Tick,
        /// The first subsystem that does, by name.
        part: String,
        /// The last tick at which all was the same.
        same: Tick,
    },
}

/// Which marks of a recording are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// All of them, so that the first difference is found.
    #[default]
    Every,
    /// The last only: hashes cost time.
    Last,
}

/// A recorded game that is being played again, and compared with what it was.
#[derive(Debug)]
pub struct Replay<'a> {
    recording: &'a Recording,
    world: World,
    /// How many commands and marks are behind.
    commands: usize,
    marks: usize,
    /// How many of them were compared.
    compared: u64,
    checks: Checks,
    same: Tick,
}

impl<'a> Replay<'a> {
    /// As it began; every mark will be compared.
    ///
    /// # Errors
    /// [`ReplayError::Setup`] if map or settings are wrong.
    pub fn new(recording: &'a Recording) -> Result<Self, ReplayError> {
        Self::with_checks(recording, Checks::Every)
    }

    /// The same, with as many marks compared as `checks` says.
    ///
    /// # Errors
    /// [`ReplayError::Setup`] if map or settings are wrong.
    pub fn with_checks(recording: &'a Recording, checks: Checks) -> Result<Self, ReplayError> {
        let world = recording.setup.world()?;
        Ok(Self { recording, world, commands: 0, marks: 0, compared: 0, checks, same: Tick::ZERO })
    }

    /// The World as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How many marks were compared.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Gives the commands of this tick and lets it pass; whether there is more to come.
    ///
    /// # Errors
    /// [`ReplayError`] naming the tick, and the command or the subsystem.
    pub fn step(&mut self, executor: &impl Executor) -> Result<bool, ReplayError> {
        let Recording { commands, end, .. } = self.recording;
        let now = self.world.now();
        while let Some(Recorded { command, .. }) = commands.get(self.commands).filter(|next| next.tick <= now)
        {
            let number = self.commands as u64;
            self.world.apply(command).map_err(|error| ReplayError::Refused { tick: now, number, error })?;
            self.commands += 1;
        }
        if now < *end {
            self.world.tick_with(executor);
        }
        self.compare()?;
        Ok(self.world.now() < *end)
    }

    fn compare(&mut self) -> Result<(), ReplayError> {
        let now = self.world.now();
        let next: Option<&HashMark> = self.recording.marks.get(self.marks);
        let Some(mark) = next.filter(|mark| mark.tick <= now) else { return Ok(()) };
        self.marks += 1;
        if self.checks == Checks::Last && self.marks < self.recording.marks.len() {
            return Ok(());
        }
        let hash = self.world.state_hash();
        if let Some(part) = self.recording.first_difference(mark, &hash) {
            return Err(ReplayError::Diverged { tick: now, part: part.to_string(), same: self.same });
        }
        self.same = now;
        self.compared += 1;
        Ok(())
    }
}
