//! Deadlocks: which units block each other in a circle, and how do they get out of it?
//!
//! - Owns: the deadlock zones (World), the scratch of their plans.
//! - Reads: units, routes, the ground.
//! - Changes: the zones, and the step that each unit in a zone is told to make (`Units::step`).
//!
//! Rules:
//! - A unit that is stalled waits for the unit before it (`units/wait_for.rs`). A circle of such units is a deadlock: on tight ground at once, elsewhere after 20 or 60 seconds. So is a
//!   stalled unit before an idle unit of its own player or of an ally that does not make way there, a unit that is caught at a corner, and, on any ground, a unit that has tried all routes.
//! - A unit that an idle unit pushes back, when that unit returns to its place, walks but is stalled too.
//! - A deadlock becomes a zone: an area around the crowd of stalled units, in which all units step from cell to cell. The steps are planned together (`mapf`): the unit with the
//!   highest priority pushes others out of its way. Priorities change every 40 seconds, so that every unit is first at some time.
//! - All units of a zone step in one beat: the next step is planned when all have made their last one, or have had time for it. If they stepped one by one, each would
//!   find the cells around it taken by units that still step, and a crowd would hardly move.
//! - A unit that steps ignores other units (`avoid::STEPPING`): the plan keeps them apart. It follows another one around a corner when that one has made room. A unit whose step
//!   takes too long avoids others again, to get around a unit that is off its cell.
//! - Routes in a zone lead around units that do not make way. A zone grows while one of its units has no route to its goal. If it cannot grow, a unit that other units wall in gives
//!   up; a unit that has no route in the zone for another reason does not.
//! - A unit that makes way prefers cells off the way of the unit that it makes way for. Before a dead end without room for it, it follows that unit back to a junction
//!   with two free branches, where they exchange their order.
//! - A unit leaves the zone where guidance leads it out of the area, or up to 8 cells beside that: a member along the line over its places in the gates. In the zone it takes the shortest way
//!   there, so the gates on that line count as passed. If the zone has no way there, the unit takes the exit of its own route. On its way out it is not pushed back. In the cell of its goal it has arrived. A zone ends when all its units get nearer to their goals
//!   for some steps, and no other unit moves.
//! - Units that hold their position, fight, or belong to an enemy and rest are never pushed.
//! - Units that can meet no unit that takes part, because of their collision layers, are left out.
//! - In a large crowd, units with targets in one square of 8×8 cells share distances until they are near their targets. So a step costs little.
//!
//! Unfinished: zones are at most 128 cells wide, and have at most 2,048 units: a larger crowd goes on without a zone.
//!
//! | file | idea |
//! |---|---|
//! | `zone` | the zones, and when the next step is due |
//! | `exits` | where a unit's route leaves an area |
//! | `direct` | makes, grows and ends zones |
//! | `plan` | plans the steps of a zone |
//! | `targets` | the targets of its units, with distances for a limited number of cells |
//! | `timing` | the beat of a zone, and units that follow others around corners |

pub(crate) mod direct;
pub(crate) mod exits;
pub(crate) mod plan;
mod targets;
#[cfg(test)]
mod tests;
mod timing;
pub(crate) mod zone;
