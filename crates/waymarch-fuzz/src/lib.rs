//! Fuzzing of every parser with mutated input.
//!
//! | module | for |
//! |---|---|
//! | [`targets`] | the list of parsers, which `cargo xtask fuzz` and the libFuzzer targets in `fuzz/` share |
//! | [`parser_checks`] | the checks of a parser's answer |
//! | [`commands`] | the same for commands, and whether a World refuses them unchanged |
//! | [`lazy_field`] | the same for lazy fields: bytes as a history of edits and queries |
//! | [`page_messages`] | the same for messages from pages to the playground |
//! | [`saved_state`] | the same for saved states |
//! | [`seeds`] | small valid inputs, and dictionaries |
//! | [`mutate`] | mutations of texts; `mutate_bytes.rs` has those of binary files |
//! | [`campaign`] | runs many cases and measures time and memory |
//! | [`games`] | random games whose branches must agree |
//!
//! *Invariant:* a campaign depends only on target, seed and number of cases, so every finding can be reproduced.
#![allow(
    clippy::disallowed_types,
    reason = "fuzzing is outside the simulation: cases are timed with a clock"
)]

pub mod campaign;
pub mod commands;
pub mod games;
pub mod lazy_field;
pub mod mutate;
mod mutate_bytes;
mod openra_parts;
pub mod page_messages;
mod panics;
pub mod parser_checks;
pub mod progress;
pub mod saved_state;
pub mod seeds;
pub mod targets;
