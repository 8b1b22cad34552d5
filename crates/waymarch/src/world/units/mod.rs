//! Units: which units exist, where are they, what do they do, and do they make progress?
//!
//! The room owns the columns of [`Units`](columns::Units) and the unit types (World), and two Derived lists: the [members](members) of each group and
//! the [occupancy] of cells. It reads the map only to check a unit type. It may change only its own columns. Orders, formation and movement decide
//! what is written there.
//!
//! Rules:
//! - Position and velocity of a unit are in the [`Crowd`](crate::avoid::Crowd) and nowhere else, in 65,536ths of a cell. Coarser positions are these, rounded down.
//! - Each unit has one progress monitor, with one clock. One function (`motion`) says in which state the unit is; the clock runs as fast as the state says.
//! - Loops of any length are detected: the unit walks far, and gets no nearer to its goal.
//!
//! | file | what it holds |
//! |---|---|
//! | `unit`, `unit_type` | ids, players, types |
//! | `teams` | which players are allies: the one place that says own, ally or enemy |
//! | `columns`, `bodies`, `members` | one column per fact; the members of each group |
//! | `condition` | what commands and rules have changed: in a transport, hidden, leaving closed ground |
//! | `order_queue`, `order_progress` | the orders of a unit, and how far it has come with the present one |
//! | `membership` | the part of a unit in its group: formation slot, lane, progress along the group's route |
//! | `motion` | the states of a unit: moving, queued, yielding, blocked, lost, trapped, hopeless |
//! | `progress_monitor` | the clock of ticks without progress, and what the unit tries then |
//! | `unit_threats` | threat sources that move with units |
//! | `occupancy` | which units cover which cells |
//! | `wait_for`, `tight` | the wait-for graph: which unit blocks which; how wide ground is |
//! | `zone_step`, `passage_wait` | the step of a unit in a deadlock zone; the passage that a unit waits before |

pub(crate) mod bodies;
pub(crate) mod columns;
pub(crate) mod condition;
pub(crate) mod members;
pub(crate) mod membership;
pub(crate) mod motion;
pub(crate) mod occupancy;
pub(crate) mod order_progress;
pub(crate) mod order_queue;
pub(crate) mod passage_wait;
pub(crate) mod progress_monitor;
pub(crate) mod teams;
pub(crate) mod tight;
pub(crate) mod unit;
pub(crate) mod unit_threats;
pub(crate) mod unit_type;
pub(crate) mod wait_for;
pub(crate) mod zone_step;
