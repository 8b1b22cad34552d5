//! Congestion: when does the rear of a group take a detour around a crowded gate?
//!
//! The room owns the Scratch of its estimates. Its World data are part of each group (`groups/`): the alternate route and the search for it. It reads
//! gates, positions and orders. It may request a detour for a group, send members to the alternate route and back, and change the lanes of members.
//!
//! Rules:
//! - Once a second a group estimates how long its last members will wait before the gate that delays it most. Members of other groups at the
//!   same gate count.
//! - Units that stand in a gate and do not make way take lanes of it: units that hold, and units of enemies at rest. A gate that
//!   they fill counts as closed, and all members go around it.
//! - If the wait is long, the group requests one route that avoids the gate. [`Splitter`](crate::groups::Splitter) estimates when each member would
//!   pass, and how many rear members must take the detour for the last member to arrive earliest.
//! - The detour must gain `congestion_gain` seconds, and also a third of the additional walking time or an eighth of the total time.
//! - A group has at most one alternate route at a time, and no unit is sent back and forth between routes.
//! - After an attempt that gained nothing, the group waits twice as long before the next one: 4 to 32 seconds.
//! - A member that no detour leads around returns to the group's route. After an edit that cuts the detour, members follow their own routes.
//!
//! Limits: units without a group neither count nor take a detour. The search for a detour ends after 65,536 nodes.

pub(crate) mod blockers;
pub(crate) mod gate_queues;
pub(crate) mod queue_length;
pub(crate) mod review;
pub(crate) mod send_around;
