//! Replay of a recorded game.

use alloc::string::{String, ToString};

use super::{HashMark, Recorded, Recording};
use crate::base::Executor;
use crate::base::Tick;
use crate::nav::NavigatorError;
use crate::world::command::CommandError;
use crate::world::world::World;

/// Why a replay failed, or differs from the recording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The map or the settings are not valid.
    #[error(transparent)]
    Setup(#[from] NavigatorError),
    /// The World refuses a command that it carried out when the game was recorded.
    #[error(
        "tick {tick}: command {number} is refused, although it was carried out when the game was recorded: {error}"
    )]
    Refused {
        /// The number of ticks that had passed.
        tick: Tick,
        /// The number of the command; the first of the recording is 0.
        number: u64,
        /// Why the command is refused.
        error: CommandError,
    },
    /// A hash differs from the recorded one.
    #[error(
        "tick {tick}: the hash of `{part}` differs from the recording; all hashes were equal at tick {same}"
    )]
    Diverged {
        /// The tick of the first mark that differs.
        tick: Tick,
        /// The first subsystem that differs, by name.
        part: String,
        /// The last compared tick at which all hashes were equal; 0 if there is none.
        same: Tick,
    },
}

/// Which marks of a recording are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// All marks, so that the first difference is found.
    #[default]
    Every,
    /// Only the last mark, because hashes cost time.
    Last,
}

/// Plays a recorded game again, and compares its hashes with the recording.
#[derive(Debug)]
pub struct Replay<'a> {
    recording: &'a Recording,
    world: World,
    /// Commands that were carried out.
    commands: usize,
    /// Marks that were passed.
    marks: usize,
    /// Marks that were compared.
    compared: u64,
    checks: Checks,
    /// The last compared tick at which all hashes were equal.
    same: Tick,
}

impl<'a> Replay<'a> {
    /// A replay at the start of the game that compares every mark.
    ///
    /// # Errors
    /// [`ReplayError::Setup`] if the map or the settings are not valid.
    pub fn new(recording: &'a Recording) -> Result<Self, ReplayError> {
        Self::with_checks(recording, Checks::Every)
    }

    /// A replay at the start of the game that compares the marks selected by `checks`.
    ///
    /// # Errors
    /// [`ReplayError::Setup`] if the map or the settings are not valid.
    pub fn with_checks(recording: &'a Recording, checks: Checks) -> Result<Self, ReplayError> {
        let world = recording.setup.world()?;
        Ok(Self { recording, world, commands: 0, marks: 0, compared: 0, checks, same: Tick::ZERO })
    }

    /// The World at the present tick of the replay.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The number of marks that were compared.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Carries out the commands of this tick, runs the tick and compares the hashes. Returns whether there are more ticks.
    ///
    /// # Errors
    /// [`ReplayError`] names the tick, and the command or the subsystem.
    pub fn step(&mut self, executor: &impl Executor) -> Result<bool, ReplayError> {
        let end = self.recording.end;
        self.apply_commands()?;
        if self.world.now() < end {
            self.world.tick_with(executor);
        }
        let goes_on = self.world.now() < end;
        if goes_on {
            self.compare()?
        } else {
            self.compare_end()?
        }
        Ok(goes_on)
    }

    /// Compares the marks of the last tick, and carries out its commands. A mark that was made after the tick shows the World before the commands. A mark
    /// that was made at the end of the recording shows the World after them.
    fn compare_end(&mut self) -> Result<(), ReplayError> {
        let (marks, commands) = (self.marks, self.commands);
        let before = self.compare();
        self.apply_commands()?;
        if before.is_err() {
            if self.commands == commands {
                return before;
            }
            self.marks = marks;
        }
        while self.next_mark().is_some() {
            self.compare()?;
        }
        Ok(())
    }

    /// The next mark that is due.
    fn next_mark(&self) -> Option<&'a HashMark> {
        self.recording.marks.get(self.marks).filter(|mark| mark.tick <= self.world.now())
    }

    /// Carries out the commands that are due.
    fn apply_commands(&mut self) -> Result<(), ReplayError> {
        let (commands, now) = (&self.recording.commands, self.world.now());
        while let Some(Recorded { command, .. }) = commands.get(self.commands).filter(|next| next.tick <= now)
        {
            let number = self.commands as u64;
            self.world.apply(command).map_err(|error| ReplayError::Refused { tick: now, number, error })?;
            self.commands += 1;
        }
        Ok(())
    }

    fn compare(&mut self) -> Result<(), ReplayError> {
        let now = self.world.now();
        let Some(mark) = self.next_mark() else { return Ok(()) };
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
