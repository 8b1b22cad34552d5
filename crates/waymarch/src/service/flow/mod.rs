//! Flow groups: which requests follow a flow instead of a route of their own?
//!
//! If many requests lead to one destination, one flow field leads their units. This folder counts requests by destination, opens and
//! closes flows, and extends each flow's corridor of sectors to where its units are.
//!
//! Owns: the groups, their door routes and the flows (World); the requests that follow a flow, and the doors in use (Derived). Reads: the
//! map, through the [`Navigator`](crate::nav::Navigator). May change: requests that join or leave a flow, and the node budget.
//!
//! *Invariant:* a group keeps at most one door route for each room that its units started in or strayed to.
//!
//! - `groups.rs`: the types, and how requests are counted.
//! - `corridor.rs`: extends a corridor, at once by a quickly found route, later by the best route.
//! - `membership.rs`: requests join and leave flows.
//! - `changed.rs`, `review.rs`: best routes are found again after edits, and followers are told.
//! - `save.rs`: groups as bytes.

mod changed;
mod corridor;
mod groups;
mod membership;
mod review;
mod save;

pub(crate) use changed::FlowChange;
pub(crate) use groups::{FlowGroup, FlowGroups};
pub(crate) use membership::FlowContext;
pub(crate) use save::{FlowGroupsState, check_flows};
