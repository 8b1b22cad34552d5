//! One request: what was asked, how far it has come, and what was found.

use alloc::vec::Vec;

use super::status::PathStatus;
use crate::base::{Tick, WorldPos};
use crate::flow::tiles::FlowId;
use crate::plan::{Destination, Stage};
use crate::planners::{PlannerChoice, PlannerReason};
use crate::query::PathAsk;

/// How a request came by its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PathReport {
    /// What answered it.
    pub planner: PlannerChoice,
    /// Why that.
    pub reason: PlannerReason,
    /// How many nodes were expanded for it.
    pub nodes: u32,
    /// When it was asked.
    pub asked: Tick,
    /// When a search was begun for it.
    pub begun: Tick,
    /// When it was answered.
    pub answered: Tick,
}

/// What has to be done for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// A new route.
    Find,
    /// A way from where the unit is now back to the route it has, which an edit has cut at this point.
    Rejoin,
}

/// World: one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) ask: PathAsk,
    pub(super) status: PathStatus,
    pub(super) task: Task,
    /// The order in which requests came; unique.
    pub(super) number: u64,
    pub(super) asked: Tick,
    /// Where it leads in the end: the goal, or as near as can be.
    pub(super) end: WorldPos,
    /// From point to point; empty while nothing is known.
    pub(super) points: Vec<WorldPos>,
    /// The flow that leads it, if it is one of many.
    pub(super) flow: Option<FlowId>,
    /// How it is counted among those that go to its destination.
    pub(super) counted: Option<(Destination, Stage)>,
    /// Whether it may take a neighbour's route; not after one turned out not to serve.
    pub(super) may_share: bool,
    pub(super) report: Option<PathReport>,
}
