//! Plays games and searches with the engine, and prints hashes of all results.
//!
//! The lines are the same on every platform, in every build profile and with any number of threads. `cargo xtask cross` builds this crate
//! for seven platforms and compares the lines. It uses only the engine and std, so that it builds with the cross compilers (Rust 1.85).
//!
//! | section | what it plays or asks |
//! |---|---|
//! | `base` | fixed point, angles, vectors, random numbers, hashes, queues, bit sets, slots, cells, goals as text |
//! | `bytes` | values, frames, Worlds and navigators as bytes; changed bytes, and where loading refuses them |
//! | `queries` | every planner and search on six maps, before and after edits; fields, tiles, doors, smoothing |
//! | `crowds` | avoidance alone: every model and way of pushing |
//! | `groups` | formations, assignment, gates, lanes, splits and exchanges alone |
//! | `service` | the path service alone |
//! | `settings` | short games, each with other settings |
//! | `games` | whole games with all orders and commands, saved, loaded, restored, recorded and replayed |
//! | `scenarios` | recordings of the built-in scenarios, given as input; their hashes are golden values |
//! | `control` | a short game that can be given a [`Fault`] |

mod base;
mod bytes;
mod control;
mod crowds;
mod digest;
mod games;
mod groups;
mod maps;
mod options;
mod queries;
mod scenarios;
mod service;
mod settings;
#[cfg(target_arch = "wasm32")]
mod wasm;

use waymarch::base::Executor;

pub use control::Fault;
pub(crate) use digest::{Digest, Lines, SplitMix};
pub use options::{Amount, Options};

/// Runs the chosen sections and calls `sink` for each line. Ticks use `executor`.
///
/// `recordings` is the output of the example `record_scenarios` of `waymarch-maps`, or empty.
pub fn run<E: Executor>(executor: &E, options: &Options, recordings: &[u8], sink: &mut dyn FnMut(&str)) {
    let out = &mut Lines { sink };
    let wants = |section: &str| options.wants_section(section);
    if wants("base") {
        base::run(out);
    }
    if wants("bytes") {
        bytes::run(out, options);
    }
    if wants("queries") {
        queries::run(out, options);
    }
    if wants("crowds") {
        crowds::run(executor, out, options);
    }
    if wants("groups") {
        groups::run(out, options);
    }
    if wants("service") {
        service::run(executor, out, options);
    }
    if wants("settings") {
        settings::run(executor, out, options);
    }
    if wants("games") {
        games::run(executor, out, options);
    }
    if wants("scenarios") {
        scenarios::run(executor, out, options, recordings);
    }
    if wants("control") {
        control::run(executor, out, options);
    }
    report!(out, "end");
}
