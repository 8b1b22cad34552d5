//! Optimal reciprocal collision avoidance (ORCA): which velocities does each neighbour allow, and which allowed velocity is best?
//!
//! - Owns: the half-planes of one unit in one tick (Scratch).
//! - Reads: the states of the unit and its neighbours.
//! - Changes: nothing else.
//!
//! Rules of behaviour:
//! - Right of way limits the speed of a unit, never its direction. It applies only within one stream or in a jam.
//! - Travelling units ignore idle allies. Idle allies make way and return.
//! - If no velocity keeps all half-planes, walls are kept and the others are violated as little as possible.
//!
//! | file | content |
//! |---|---|
//! | `share.rs` | a unit's share of a correction |
//! | `encounter.rs` | two units that approach each other, and the half-plane for one of them |
//! | `constraints.rs` | all half-planes of one unit, built only when they are needed |
//! | `linear_program.rs` | the velocity inside all half-planes that is nearest to the preferred velocity |
//! | `pair_rules.rs` | two tables: how a unit responds to a neighbour, and how far two overlapping units push each other |

mod constraints;
mod encounter;
mod linear_program;
mod pair_rules;
mod share;

pub(super) use constraints::Constraints;
pub(super) use encounter::Encounter;
pub(super) use linear_program::solve;
pub(super) use pair_rules::{Response, ordered_by_stream, push_share, respond, time_horizon};
pub(super) use share::Share;

#[cfg(test)]
mod tests;
