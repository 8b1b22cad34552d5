//! What a search needs while it runs, kept from one to the next so that none allocates.

use alloc::vec::Vec;

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
    /// Nodes to be expanded before any that wait in the open list.
    pub(super) passed: Vec<u32>,
    /// The number of the present search, already shifted to its place in [`Node::mark`].
    pub(super) search: u32,
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

    /// Fills everything with rubbish as a search would leave it; answers must not change. For tests.
    pub fn poison(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            *node = Node { cost: at as u64, parent: 7, mark: self.search | 3 };
        }
        self.open.push(OpenEntry::new(0, 0, u32::MAX));
        self.passed.push(u32::MAX);
    }

    /// Bytes held per map cell, in all.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}
