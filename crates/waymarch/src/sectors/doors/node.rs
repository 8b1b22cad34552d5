//! A node of a search over doors.

use crate::cost::SectorId;

/// 2^32 − 1: no node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A door through which a sector was entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) cost: u64,
    /// The cost of the door's cell from inside the sector or block. If it is at most `cost`, the node is not expanded: the search
    /// has already found all routes that continue from there.
    pub(super) within: u64,
    pub(super) parent: u32,
    pub(super) sector: SectorId,
    pub(super) door: u16,
    pub(super) done: bool,
}
