//! The parts of a best-first search that differ between searches: costs, heuristic, and when it ends.

use crate::base::{CellPos, Dir8};
use crate::levels::LinkStep;

/// Flag of an expanded node in [`Node::mark`](super::scratch::Node): bit 0.
pub(super) const CLOSED: u32 = 1;
/// Flag of a start without a heading, whose first step costs no turn: bit 1.
pub(super) const FREE_TURN: u32 = 1 << 1;

/// What the search does with a node whose cheapest cost is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It expands the node.
    Expand,
    /// It ends: the node is in the goal.
    Arrive,
    /// It gives up before it expands the node.
    GiveUp,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// It arrived at this node.
    Arrived(u32),
    /// No node was left to expand.
    Exhausted,
    /// It gave up.
    GaveUp,
    /// It paused and can go on.
    Paused,
}

/// One kind of search. Each is compiled separately, so a search does not pay for what only another needs.
pub(super) trait Task {
    /// Nodes per cell: 1, or 8 to distinguish the directions from which a cell is entered.
    const STATES: u32 = 1;

    /// Whether the search follows links.
    const LINKED: bool = false;

    /// Whether a cell can be entered; `place` is its index in padded order.
    fn is_open(&self, place: usize, at: CellPos) -> bool;

    /// The cost of an open cell. A step costs its length times this.
    fn cost(&self, place: usize, at: CellPos) -> u8;

    /// A consistent lower bound on the cost from `at` to the goal.
    fn estimate(&mut self, at: CellPos) -> u32;

    /// Decides about a node. Called once per node, in the order of the search, when its cost is the least.
    fn visit(&mut self, id: u32, cost: u64) -> Verdict;

    /// The links that start at a cell.
    #[inline]
    fn links(&self, _at: CellPos) -> &[LinkStep] {
        &[]
    }

    /// The state and the flags of a start node.
    #[inline]
    fn start_state(&self) -> (u32, u32) {
        (0, 0)
    }

    /// The cost of turning from a node's state to `dir`.
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
