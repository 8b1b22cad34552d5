//! Random games as a test of everything: which game does a seed stand for, and do all ways to continue it agree?
//!
//! A game is a [`Scenario`](waymarch_maps::scenario::Scenario), so that a failing game is a file that `waymarch sim` plays. At every
//! action `reload` the game forks: one branch loads a save, another one restores an older World, and so on. All branches get the same
//! commands and must have equal hashes, events and saved bytes to the end.
//!
//! - `draw.rs` with `draw_map.rs`, `draw_settings.rs`, `draw_units.rs`, `draw_actions.rs`: a game from a seed
//! - `check.rs`: plays a game with its branches and compares them; `branch.rs`: the kinds of branches
//! - `probe.rs`: raw commands, most of them wrong, on copies of the World
//! - `shrink.rs` with `simpler.rs` and `crop.rs`: a smaller game that fails in the same way
//! - `run.rs`: many games for some time
//! - `fault.rs`: faulty branches, with which tests check the check

mod branch;
mod check;
mod crop;
mod draw;
mod draw_actions;
mod draw_map;
mod draw_settings;
mod draw_units;
#[cfg(test)]
mod fault;
mod probe;
mod run;
mod shrink;
mod simpler;
#[cfg(test)]
mod tests;

pub use branch::BranchKind;
pub use check::{Checker, Failure, GameStats, Thoroughness};
pub use draw::draw_game;
pub use run::{GameCampaign, GameFinding, GameReport, game_seed};
pub use shrink::{shrink, written};
