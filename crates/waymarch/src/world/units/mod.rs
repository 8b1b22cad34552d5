//! Units: what is each unit, what does it do, and what has it tried?
//!
//! Owns (World): the columns of [`Units`](columns::Units), the unit types. Derived: the [members](members) of each group, the
//! [occupancy] of cells. Reads the map only to check a unit type. Changes nothing but its own columns; orders, formation
//! and movement decide what is written there.
//!
//! Rules:
//! - Position and velocity of a unit are in the [`Crowd`](crate::avoid::Crowd) and nowhere else, in 65,536ths of a cell. Coarser positions are these, rounded down.
//! - Loops of any length are detected: the detector remembers one place at a time, each for twice the walked distance of the one before.
//!
//! | file | what it holds |
//! |---|---|
//! | `unit`, `unit_type` | ids, players, types |
//! | `columns`, `bodies`, `members` | one column per fact; the members of each group |
//! | `order_queue`, `order_progress` | the orders of a unit, and how far it has come with the present one |
//! | `membership` | the part of a unit in its group: formation slot, lane, progress along the group's route |
//! | `progress_monitor`, `no_progress` | detection of units that are stuck, walk in loops or come no nearer |
//! | `occupancy` | which units cover which cells |

pub(crate) mod bodies;
pub(crate) mod columns;
pub(crate) mod members;
pub(crate) mod membership;
pub(crate) mod no_progress;
pub(crate) mod occupancy;
pub(crate) mod order_progress;
pub(crate) mod order_queue;
pub(crate) mod progress_monitor;
pub(crate) mod unit;
pub(crate) mod unit_type;
