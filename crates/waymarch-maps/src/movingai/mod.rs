//! MovingAI benchmark files: `.map` grids and `.scen` query lists.
//!
//! Letters: `.` and `G` ground, `S` swamp, `W` water, `T` trees, `@` and `O` out of bounds. The benchmark's own rules
//! are [`rules`]: one locomotor crosses `.`, `G` and `S` at equal cost. [`weighted_rules`] are the weighted variant.

mod grid;
mod rules;
mod scen;
#[cfg(test)]
mod tests;

pub use grid::{read_map, write_map};
pub use rules::{rules, weighted_rules};
pub use scen::{Optimum, Query, Scenario, read_scen};
