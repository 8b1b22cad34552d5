//! The saved state of a service, apart from its navigator.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::budget::Budget;
use super::flow::FlowGroupsState;
use super::queue::Queue;
use super::request::Request;
use super::search::Lane;
use super::status::{PathId, PathTag};
use crate::base::Slots;

/// World: the saved state of a service, apart from its navigator.
#[derive(Debug)]
pub(crate) struct ServiceState {
    pub(super) requests: Slots<PathTag, Request>,
    pub(super) queue: Queue,
    pub(super) budget: Budget,
    pub(super) lanes: Vec<Lane>,
    pub(super) unguided: VecDeque<PathId>,
    pub(super) flow: FlowGroupsState,
    /// Places edited since the last tick.
    pub(super) edits: u32,
}
