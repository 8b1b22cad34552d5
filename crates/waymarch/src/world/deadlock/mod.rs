//! Deadlocks: which units block each other in a circle, and how do they get out of it?
//!
//! - Owns: the deadlock zones (World), the scratch of their plans.
//! - Reads: units, routes, the ground.
//! - Changes: the zones, and the step that each unit in a zone is told to make (`Units::step`).
//!
//! Rules:
//! - A unit that is stalled waits for the unit before it (`units/wait_for.rs`). A circle of such units on tight ground is a deadlock. So is a stalled unit before an idle unit
//!   of its own player that does not make way there.
//! - A deadlock becomes a zone: an area in which all units step from cell to cell. The steps are planned together (`mapf`): the unit with the highest
//!   priority pushes others out of its way. Priorities change every 64 steps, so that every unit is first at some time.
//! - A unit leaves the zone where its route leaves the area. A zone ends when all its units get nearer to their goals for some steps.
//! - Units that hold their position, fight, or belong to another player and rest are never pushed.
//!
//! Unfinished: a unit that pushes an idle unit along a corridor, and is pushed back when that unit returns, keeps moving. It is not stalled, so no zone is made.
//!
//! | file | idea |
//! |---|---|
//! | `zone` | the zones, and when the next step is due |
//! | `exits` | where a unit's route leaves an area |
//! | `direct` | plans the steps of a zone |
//! | `clusters` | units that step together, and units that follow others around corners |

mod clusters;
pub(crate) mod direct;
pub(crate) mod exits;
#[cfg(test)]
mod tests;
pub(crate) mod zone;
