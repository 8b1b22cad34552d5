//! The playground: games in the browser, on this machine only, and replay pages that need no server.
//!
//! `PROTOCOL.md` in this crate describes all messages between page and program.
//!
//! - `server.rs` serves the page (`page_files.rs`), takes uploads (`upload.rs`) and connects pages; `origin_check.rs` refuses foreign ones
//! - `connections.rs` accepts connections, within limits
//! - `simulation_thread.rs` runs the game on a thread of its own: inputs, ticks, frames
//! - `game_loading.rs` loads another game while the present one goes on
//! - `session.rs` has the game (`game.rs`), the pages (`client.rs`, `outbox.rs`) and the clock; `requests.rs` handles messages from pages
//! - messages from pages: `page_message.rs`; as commands: `order_commands.rs`, `edit_commands.rs`
//! - messages to pages: `hello_message.rs`, `frame.rs`, `map_planes.rs`, `unit_details.rs` (with `labels.rs`, `route_line.rs`), `event_message.rs`
//! - `overlay/` draws overlays, `overlay_scheduler.rs` decides when; `tick_times.rs` measures the tick
//! - `replay_page.rs` writes replay pages; `headless.rs` is a playground without a server, for tests
//!
//! *Invariant:* no page can slow down the simulation. A page that reads too slowly misses frames; if its outbox is full, it is disconnected.
//!
//! *Invariant:* every change of a World is a command, and every command is recorded.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the playground is outside the simulation: clocks for speed and reports, threads for the server"
)]

mod client;
mod connections;
mod edit_commands;
mod event_message;
mod frame;
mod game;
mod game_loading;
mod headless;
mod hello_message;
mod labels;
mod map_planes;
mod order_commands;
mod origin_check;
mod outbox;
mod overlay;
mod overlay_scheduler;
mod page_files;
mod page_message;
mod replay_page;
mod requests;
mod route_line;
mod server;
mod session;
mod simulation_thread;
mod tick_times;
mod unit_details;
mod upload;

pub use headless::HeadlessPlayground;
pub use replay_page::{PageError, replay_page};
pub use server::{PlayError, PlayOptions, Playground};

/// Renamed to [`PlayOptions`].
#[deprecated(since = "0.2.0", note = "renamed to `PlayOptions`")]
pub type Play = PlayOptions;
/// Renamed to [`HeadlessPlayground`].
#[deprecated(since = "0.2.0", note = "renamed to `HeadlessPlayground`")]
pub type Rehearsal = HeadlessPlayground;
