//! Traffic: which group goes first where two groups cross or meet?
//!
//! The room owns Scratch only: the blocks of units and the pairs that are near. Its World data are part of each group (`groups/`): the right of way and the
//! gates. It reads positions, slots and routes. It may set the pace of members to zero and add gates to groups.
//!
//! Rules:
//! - The check runs every 4 ticks. The members of a group that walk straight to their slots count as one block. Blocks of fewer than 8 units neither
//!   wait nor are waited for.
//! - Where the paths of two blocks of one team cross, members of the later group stop before the ground that the other is about to enter.
//!   Members behind them stop at the same time. A waiting unit has pace zero.
//! - No unit waits for a block that stops before the crossing, or before ground that the unit itself will not reach. No unit waits where ground is
//!   closed within 8 cells: in narrow ground a waiting group would block all others.
//! - A group that has waited for 15 seconds goes first for 8 seconds.
//! - Two blocks that meet head-on both get a gate where they will meet, and keep right in it. The gate is removed when all members have passed it,
//!   or when a new route of either group no longer crosses it.
//! - Of two groups at most one waits for the other. Which one follows from the present positions and the right of way.
//!
//! Limit: avoidance treats a waiting unit as if it walked, so other units expect it to move aside.

pub(crate) mod crossing;
pub(crate) mod head_on;
pub(crate) mod near_pairs;
pub(crate) mod wait_events;
