//! Recording of a game while it is played.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{HashMark, Recorded, Recording, Setup};
use crate::base::Tick;
use crate::world::command::{Applied, Command, CommandError};
use crate::world::world::World;

/// Records a game while it is played: see [`Recording`].
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    every: u32,
    /// The number of commands before the last mark.
    marked: usize,
}

impl Recorder {
    /// A recorder for a game that begins with `setup`. It notes the hash every `every` ticks; 0 means only at the end.
    ///
    /// *Cost:* a hash costs about as much as saving the World.
    #[must_use]
    pub fn new(setup: Setup, every: u32) -> Self {
        let (parts, commands, marks) = (Vec::new(), Vec::new(), Vec::new());
        let engine = env!("CARGO_PKG_VERSION").to_string();
        let recording = Recording { setup, parts, commands, marks, end: Tick::ZERO, engine };
        Self { recording, every, marked: 0 }
    }

    /// Carries out a command on `world`, and records it unless it is refused.
    ///
    /// # Errors
    /// [`CommandError`] as for [`World::apply`].
    pub fn apply(&mut self, world: &mut World, command: Command) -> Result<Applied, CommandError> {
        let applied = world.apply(&command)?;
        self.recording.commands.push(Recorded { tick: world.now(), command });
        Ok(applied)
    }

    /// Notes the hash if it is due. Call it after each tick.
    pub fn ticked(&mut self, world: &World) {
        if self.every > 0 && world.now().is_multiple_of(self.every) {
            self.mark(world);
        }
    }

    /// Ends the recording, with the hash of the last tick.
    #[must_use]
    pub fn finish(mut self, world: &World) -> Recording {
        let Recording { marks, commands, .. } = &self.recording;
        let is_marked = marks.last().is_some_and(|mark| mark.tick == world.now());
        // Commands since the mark have changed the World.
        if !is_marked || commands.len() > self.marked {
            self.mark(world);
        }
        self.recording.end = world.now();
        self.recording
    }

    fn mark(&mut self, world: &World) {
        self.marked = self.recording.commands.len();
        let hash = world.state_hash();
        if self.recording.parts.is_empty() {
            self.recording.parts = hash.parts().iter().map(|(name, _)| (*name).to_string()).collect();
        }
        let parts = hash.parts().iter().map(|&(_, part)| part).collect();
        self.recording.marks.push(HashMark { tick: world.now(), total: hash.total(), parts });
    }
}
