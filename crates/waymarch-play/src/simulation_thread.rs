//! The simulation's thread: takes what the server sends it, runs the ticks that are due, sends frames. It never waits for a page.

use std::sync::mpsc::{Receiver, RecvTimeoutError};

use tokio::sync::oneshot;

use crate::game::Game;
use crate::game_loading::Asker;
use crate::outbox::Outbox;
use crate::session::Session;

/// After the first input, up to 64 more are handled before ticks and frames get their turn.
const INPUTS_PER_ROUND: usize = 64;

/// What the server sends to the simulation.
pub(crate) enum Input {
    /// A page has connected.
    Join(u64, Outbox),
    /// A page has disconnected.
    Leave(u64),
    /// A message from a page.
    Message(u64, String),
    /// A game that a page asked for, or why it cannot be played.
    Loaded(Asker, Result<Box<Game>, String>),
    /// The game of an uploaded map.
    Uploaded(Box<Game>, oneshot::Sender<()>),
    /// A request for the recording of the game so far.
    Recording(oneshot::Sender<Vec<u8>>),
}

impl Session {
    /// Runs until the server has dropped its end of the channel.
    pub(crate) fn run(mut self, inputs: &Receiver<Input>) {
        loop {
            match inputs.recv_timeout(self.idle_time()) {
                Ok(input) => {
                    self.take(input);
                    inputs.try_iter().take(INPUTS_PER_ROUND).for_each(|input| self.take(input));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.run_due_ticks();
            self.publish();
            self.drop_lost_clients();
        }
    }

    /// Handles one input.
    pub(crate) fn take(&mut self, input: Input) {
        match input {
            Input::Join(id, outbox) => self.join(id, outbox),
            Input::Leave(id) => self.leave(id),
            Input::Message(id, text) => self.handle_message(id, &text),
            Input::Loaded(asker, game) => self.loaded(asker, game),
            Input::Uploaded(game, answer) => {
                self.replace(*game);
                // The browser may have closed the upload by now.
                let _ = answer.send(());
            }
            Input::Recording(answer) => _ = answer.send(self.game.recording().to_bytes()),
        }
    }
}
