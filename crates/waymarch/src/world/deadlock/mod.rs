//! Deadlocks: which units block each other in a circle, and how do they get out of it?
//!
//! - Owns: the deadlock zones (World), the scratch of their plans.
//! - Reads: units, routes, the ground.
//! - Changes: the zones, and the step that each unit in a zone is told to make (`Units::step`).
//!
//! Rules:
//! - A unit that is stalled waits for the unit before it (`units/wait_for.rs`). A circle of such units on tight ground is a deadlock. So is a stalled unit before an idle unit
//!   of its own player or of an ally that does not make way there. A unit that waits for a unit in a zone joins the zone.
//! - A unit that an idle unit pushes back, when that unit returns to its place, walks but is stalled too.
//! - A deadlock becomes a zone: an area in which all units step from cell to cell. The steps are planned together (`mapf`): the unit with the highest
//!   priority pushes others out of its way. Priorities change every 40 seconds, so that every unit is first at some time.
//! - A unit waits while units within 2 cells make their step. After 2 seconds these make no further step before it.
//! - A unit that has tried all routes, with a unit at rest before it, gets a zone on any ground. A crowd before standing units of an enemy gets around them.
//! - Routes in a zone lead around units that do not make way. A zone grows while such units wall in one of its units. If it cannot grow, that unit gives up.
//! - A unit that makes way prefers cells off the way of the unit that it makes way for. Before a dead end without room for it, it follows that unit back to a junction
//!   with two free branches, where they exchange their order.
//! - A unit leaves the zone where its route leaves the area. In the cell of its goal it has arrived. A zone ends when all its units get nearer to their goals
//!   for some steps, and no other unit moves.
//! - Units that hold their position, fight, or belong to an enemy and rest are never pushed.
//! - Units that can meet no unit that takes part, because of their collision layers, are left out.
//!
//! Unfinished: in crowds on small maps (1,000 units on 2,500 open cells) steps are slow, because each waits for the units around it. Zones are at most 128 cells wide, and have
//! at most 512 units: a larger crowd goes on without a zone.
//! Units that were pressed into one cell in a full corridor may stay so.
//!
//! | file | idea |
//! |---|---|
//! | `zone` | the zones, and when the next step is due |
//! | `exits` | where a unit's route leaves an area |
//! | `direct` | makes, grows and ends zones |
//! | `plan` | plans the steps of a zone |
//! | `timing` | units that still make a step, and units that follow others around corners |

pub(crate) mod direct;
pub(crate) mod exits;
pub(crate) mod plan;
#[cfg(test)]
mod tests;
mod timing;
pub(crate) mod zone;
