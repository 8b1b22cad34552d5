//! What was done for requests, for people to read. No answer depends on it, and it is not saved.

use crate::base::Tick;
use crate::planners::{PlannerChoice, PlannerReason};

/// How a request was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PathReport {
    /// The planner that answered.
    pub planner: PlannerChoice,
    /// Why that planner was chosen.
    pub reason: PlannerReason,
    /// Nodes counted for the request. 0 if it got a neighbour's route.
    pub nodes: u32,
    /// The tick of the request.
    pub asked: Tick,
    /// The tick in which its search began.
    pub begun: Tick,
    /// The tick in which it was answered.
    pub answered: Tick,
}

/// The work of a service since it was made or loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ServiceWork {
    /// Requests answered.
    pub answered: u64,
    /// Requests answered by a neighbour's route; counted in `answered` too.
    pub shared: u64,
    /// Nodes counted for requests.
    pub nodes: u64,
    /// How often a search paused until the next tick.
    pub pauses: u64,
    /// Interim routes given to requests that had to wait.
    pub temporary: u64,
    /// Cells, and parts of blocks and sectors, tested to find the nearest reachable cell of a goal. Remembered answers add nothing, so
    /// this number depends on earlier requests.
    pub looked_at: u64,
}
