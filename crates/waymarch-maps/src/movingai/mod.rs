//! MovingAI benchmark files: `.map` grids and `.scen` query lists.
//!
//! The letters: `.` and `G` ground, `S` swamp, `W` water, `T` trees, `@` and `O` out of bounds. The benchmark's own rule
//! is [`rules`]: one locomotor walks `.`, `G` and `S` at one price. [`weighted_rules`] is the weighted variant.

mod grid;
mod rules;
mod scen;
#[cfg(test)]
mod tests;

pub use grid::{read_map, write_map};
pub use rules::{rules, weighted_rules};
pub use scen::{Optimum, Query, Scenario, read_scen};
