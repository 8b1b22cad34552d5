//! Rank 3: multi-agent path finding. Which cell does each of several units step to, so that all of them get on?
//!
//! [`StepPlanner`] is the entry. It plans one step of all units in a small window of the map: priority inheritance with backtracking (PIBT) and the swap
//! rule of its successors. A unit that wants a cell pushes the unit there, which pushes the next one, until one of them has a free cell. If none has, the
//! first unit tries another cell.
//!
//! - Owns: [`StepPlanner`] (Scratch: graphs, distances and reservations of one call).
//! - Reads: cost fields.
//! - Changes: nothing else.
//!
//! Rules:
//! - No two units step to one cell, and no two units exchange their cells.
//! - The unit with the highest priority always gets nearer to its target, unless all ground before it is taken by units that cannot move.
//! - Results depend only on the units in order of priority, the window, the cost fields and the seed.
//!
//! | file | idea |
//! |---|---|
//! | `window` | the cells of a small area by local number |
//! | `graph` | legal steps of one agent in the window, and distances to a target |
//! | `near` | distances near the targets of many units |
//! | `step_planner` | one step of all units |
//! | `swap` | two units that must exchange their order in a corridor |

mod graph;
mod near;
mod step_planner;
mod swap;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use step_planner::{Around, Kept, Mover, StepPlanner, Swaps, Target};
pub(crate) use window::{LocalCell, Window};
