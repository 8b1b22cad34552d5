//! Movement: what guides a unit in this tick, and where does it end up?
//!
//! The room owns Scratch only: the guidance of each unit. It reads orders, memberships, routes, flows and cost fields. It may:
//! - note how far a unit has come along its route and its gates, and whether it gets nearer to its goal;
//! - undo a step that is not legal;
//! - end the order of a unit that has arrived, and turn the unit to its ordered facing.
//!
//! Rules:
//! - What guides a unit depends only on the state at the start of the phase. Units are guided in parallel; results are applied by unit index.
//! - A member of a group heads for the first of these points that it sees:
//!   1. its slot, once it has crossed or may skip the gates;
//!   2. its place in the next gate;
//!   3. the point where the group's centre crosses that gate.
//! - While its group keeps its formation, a member heads for where its place in the moving frame will be in one second. If closed ground parts the
//!   formation, it heads for the nearest place towards the middle of the frame that it sees. Without one, the three points above lead it.
//! - A member that sees none of them follows its own route or flow. Beyond 128 cells, sight counts only where all ground costs the same.
//! - The place in a gate is where the unit's body fits, as near to its own lane as possible.
//! - A unit that skipped gates because it saw its slot resumes them when it loses sight of the slot. If a unit's own route
//!   leads back through the gate that it crossed last, the unit requests another route, once per gate. Meanwhile it walks forward.
//! - A slow unit whose body is blocked by a wall, although its centre sees the target, heads past the wall at the smallest angle that fits.
//! - A unit moves from cell to cell by legal steps only. Only a unit on ground that was closed under it may cross closed ground, to get out.
//! - If settled units keep a unit from its goal for 3 seconds, the unit counts as arrived (12 seconds if it has a slot).
//!
//! Limit: under `corner_rule: allow`, a unit that other units push between two corners may go back and forth there until it gives up.

pub(crate) mod arrival;
pub(crate) mod corners;
pub(crate) mod gate_guidance;
pub(crate) mod guidance;
pub(crate) mod guide_units;
pub(crate) mod legal_step;
pub(crate) mod march_guidance;
pub(crate) mod settle;
pub(crate) mod terrain;
