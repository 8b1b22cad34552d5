//! What a best-first search is about: its costs, its estimate, and when it is done.

use crate::base::{CellPos, Dir8};

/// Flag of a node that has been expanded, in [`Node::mark`](super::scratch::Node).
pub(super) const CLOSED: u32 = 1;
/// Flag of a start without a heading: the first step needs no turn.
pub(super) const FREE_TURN: u32 = 1 << 1;

/// What becomes of a node whose cheapest cost is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is expanded.
    Expand,
    /// It is the end of the search.
    Arrive,
    /// The search is given up before it is expanded.
    GiveUp,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// At this node.
    Arrived(u32),
    /// With nothing left to look at.
    Exhausted,
    /// Before it was done.
    GaveUp,
    /// For now; it can go on.
    Paused,
}

/// A search to be run. Each is compiled on its own, so that what one does not need costs it nothing.
pub(super) trait Task {
    /// Nodes per cell: 1, or 8 to tell apart from which direction a cell was entered.
    const STATES: u32 = 1;

    /// Whether a cell can be entered, by its place in padded order.
    fn is_open(&self, place: usize, at: CellPos) -> bool;

    /// What entering an open cell costs per length of step.
    fn cost(&self, place: usize, at: CellPos) -> u8;

    /// A lower bound on the cost from `at` to the goal; consistent, or nodes are expanded again.
    fn estimate(&mut self, at: CellPos) -> u32;

    /// Called for each node in the order of the search, once, when its cost is known to be the least.
    fn visit(&mut self, id: u32, cost: u64) -> Verdict;

    /// The state in which a start is left, and its flags.
    #[inline]
    fn start_state(&self) -> (u32, u32) {
        (0, 0)
    }

    /// What turning from a node's state to `dir` costs.
    #[inline]
    fn turn(&self, _state: u32, _flags: u32, _dir: Dir8) -> u64 {
        0
    }

    /// The node for entering `place` in direction `dir`.
    #[inline]
    fn node(place: usize, dir: Dir8) -> usize {
        if Self::STATES == 1 { place } else { place * Self::STATES as usize + usize::from(dir.index()) }
    }
}
