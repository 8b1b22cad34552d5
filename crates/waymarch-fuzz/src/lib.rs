//! Hostile input for every parser: what must hold of any bytes whatsoever.
//!
//! | module | for |
//! |---|---|
//! | [`targets`] | the one list of parsers, which `cargo xtask fuzz` and the libFuzzer targets under `fuzz/` share |
//! | [`oracle`] | what is checked of a parser's answer, besides that it comes |
//! | [`lazy`] | the same for lazy fields: bytes as a history of edits and questions |
//! | [`page`] | the same for what pages say to the playground |
//! | [`saved`] | the same for saved states |
//! | [`seeds`] | small valid inputs to start from, and dictionaries |
//! | [`mutate`] | how inputs are spoilt |
//! | [`campaign`] | many cases, counted, timed and weighed |
//!
//! *Invariant:* a campaign is a function of target, seed and number of cases; a finding can always be had again.
#![allow(
    clippy::disallowed_types,
    reason = "fuzzing is outside the simulation: cases are timed with a clock"
)]

pub mod campaign;
pub mod lazy;
pub mod mutate;
mod openra_parts;
pub mod oracle;
pub mod page;
pub mod saved;
pub mod seeds;
pub mod targets;
