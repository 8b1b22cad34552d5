//! The playground: games in the browser, on this machine only, and replay pages that need no server.
//!
//! `PROTOCOL.md` beside this crate says what page and program tell each other. The simulation has a thread of its own (`session`); the server
//! (`server`) hands messages to it and frames from it. *Invariant:* no page can slow the simulation: who reads too slowly misses
//! frames, and who leaves other messages lying is cut off. *Invariant:* everything done to a World is a command that is recorded.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the playground is outside the simulation: clocks for speed and reports, threads for the server"
)]

mod answers;
mod chart;
mod crowd;
mod details;
mod frame;
mod game;
mod guard;
mod hello;
mod message;
mod orders;
mod outbox;
mod overlay;
mod page;
mod paint;
mod paper;
mod recorded;
mod rehearsal;
mod server;
mod session;
mod showing;
mod survey;
mod timing;
mod upload;
mod ways;
mod words;

pub use recorded::{PageError, replay_page};
pub use rehearsal::Rehearsal;
pub use server::{Play, PlayError, Playground};
