//! What a search needs while it runs, kept from one to the next so that none allocates.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::buckets::Buckets;
use super::hierarchy::Descent;
use crate::base::{OpenEntry, OpenList};

/// One cell's state in a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The cheapest cost from the start known so far.
    pub(super) cost: u64,
    /// The node that led here.
    pub(super) parent: u32,
    /// The number of the search it belongs to in the upper 24 bits, flags of the search's own in the lower 8.
    pub(super) mark: u32,
}

/// The parent of a node that nothing led to.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// Scratch: 16 bytes per cell, and open lists; rubbish between calls, shared by all queries and kinds of search of a thread.
///
/// A goal search in which turns cost takes eight times that, and a hierarchy 32 bytes per corner if that is more. Grows to the largest map it has seen and then allocates no more.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Vec<Node>,
    pub(super) open: OpenList,
    pub(super) buckets: Buckets,
    /// Links still to be walked down.
    pub(super) climbs: Vec<Descent>,
    /// The number of the present search, already shifted to its place in [`Node::mark`].
    pub(super) search: u32,
    pub(super) limit: NodeLimit,
}

/// How many nodes a search from cell to cell may expand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeLimit {
    /// None: as many as it takes.
    most: Option<NonZeroU32>,
    /// Whether the last search was stopped by it.
    was_met: bool,
}

impl NodeLimit {
    /// Whether a search that has expanded so many has to stop, having found nothing.
    #[inline(always)]
    pub(super) fn stops(&mut self, expanded: u32) -> bool {
        let stops = self.most.is_some_and(|most| expanded >= most.get());
        self.was_met |= stops;
        stops
    }
}

impl SearchScratch {
    /// An empty one; memory comes with the first query.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for `len` nodes and forgets the last search in constant time.
    pub(super) fn begin(&mut self, len: usize) {
        if self.nodes.len() < len {
            self.nodes.resize(len, Node::default());
        }
        self.open.clear();
        self.search = self.search.wrapping_add(1 << 8);
        if self.search == 0 {
            // The counter came round: forget for real, once in sixteen million searches.
            self.nodes.fill(Node::default());
            self.search = 1 << 8;
        }
    }

    /// Runs `search` with this scratch, at most so many nodes being expanded; `None` if that was not enough.
    ///
    /// Stopped are A\*, the jump point searches and the weighted one; what they say then means nothing.
    pub(crate) fn within<T>(&mut self, most: NonZeroU32, search: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.limit = NodeLimit { most: Some(most), was_met: false };
        let found = search(self);
        let was_met = core::mem::take(&mut self.limit).was_met;
        (!was_met).then_some(found)
    }

    /// Fills everything with rubbish as a search would leave it; answers must not change. For tests.
    pub fn poison(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            *node = Node { cost: at as u64, parent: 7, mark: self.search | 3 };
        }
        self.open.push(OpenEntry::new(0, 0, u32::MAX));
    }

    /// Bytes held per map cell, in all.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}
