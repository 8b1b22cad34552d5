//! Writing a game down while it is played.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{HashMark, Recorded, Recording, Setup};
use crate::base::Tick;
use crate::world::command::{Applied, Command, CommandError};
use crate::world::simulation::World;

/// Writes a game down while it is played: see [`Recording`].
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    every: u32,
}

impl Recorder {
    /// A game that begins with `setup`, its hash noted every so many ticks (0: at the end only). A hash costs about as much as saving.
    #[must_use]
    pub fn new(setup: Setup, every: u32) -> Self {
        let (parts, commands, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { recording: Recording { setup, parts, commands, marks, end: Tick::ZERO }, every }
    }

    /// Does what a command says to `world`, and writes it down unless it is refused.
    ///
    /// # Errors
    /// [`CommandError`] as [`World::apply`] has it.
    pub fn apply(&mut self, world: &mut World, command: Command) -> Result<Applied, CommandError> {
        let applied = world.apply(&command)?;
        self.recording.commands.push(Recorded { tick: world.now(), command });
        Ok(applied)
    }

    /// A tick has passed.
    pub fn ticked(&mut self, world: &World) {
        if self.every > 0 && world.now().is_multiple_of(self.every) {
            self.mark(world);
        }
    }

    /// The game has ended.
    #[must_use]
    pub fn finish(mut self, world: &World) -> Recording {
        if self.recording.marks.last().is_none_or(|mark| mark.tick != world.now()) {
            self.mark(world);
        }
        self.recording.end = world.now();
        self.recording
    }

    fn mark(&mut self, world: &World) {
        let hash = world.state_hash();
        if self.recording.parts.is_empty() {
            self.recording.parts = hash.parts().iter().map(|(name, _)| (*name).to_string()).collect();
        }
        let parts = hash.parts().iter().map(|&(_, part)| part).collect();
        self.recording.marks.push(HashMark { tick: world.now(), total: hash.total(), parts });
    }
}
