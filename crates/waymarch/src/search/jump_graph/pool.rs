//! The memory of successors: one array of blocks in size classes, so that freed blocks are used again.

use alloc::vec;
use alloc::vec::Vec;

/// A successor: a node and the length of the route there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Edge {
    /// The number of the jump cell times four, plus the straight direction by which it is reached.
    pub(super) to: u32,
    /// The length; a straight step counts 1024.
    pub(super) cost: u32,
}

/// No block: 2^32 − 1.
const NONE: u32 = u32::MAX;

/// The number of block sizes: 72. They grow in steps of 2 up to 16 edges, then in four steps per doubling. The largest block holds 917,504
/// edges, more than any cell has.
const CLASSES: usize = 72;

/// Blocks of edges in one array. A freed block serves the next request of its class; the block freed last comes first.
///
/// Blocks are never moved, so an edit costs only its own blocks. A new block is at most a quarter, or one edge, larger than needed. A list
/// that gets shorter keeps its block while it fills about half of it.
#[derive(Clone, Debug)]
pub(super) struct EdgePool {
    edges: Vec<Edge>,
    /// The first free block of each class. The first edge of a free block names the next one.
    free: Vec<u32>,
}

/// The class of blocks that hold `len` edges; class 0 holds none.
const fn class_of(len: u32) -> u8 {
    if len <= 16 {
        return len.div_ceil(2) as u8;
    }
    let doubling = (len - 1).ilog2();
    (8 + (doubling - 4) * 4 + ((len - 1) >> (doubling - 2)) - 3) as u8
}

/// The number of edges that a block of a class holds.
const fn edges_in(class: u8) -> u32 {
    if class <= 8 {
        return class as u32 * 2;
    }
    let above = class as u32 - 9;
    (above % 4 + 5) << (above / 4 + 2)
}

impl EdgePool {
    pub(super) fn new() -> Self {
        Self { edges: Vec::new(), free: vec![NONE; CLASSES] }
    }

    #[inline]
    pub(super) fn all(&self) -> &[Edge] {
        &self.edges
    }

    /// Writes `edges` into the block at `start` of class `class` if they fit and fill about half of it, else into another block. Returns
    /// the start and the class of the block.
    pub(super) fn put(&mut self, start: u32, class: u8, edges: &[Edge]) -> (u32, u8) {
        let needed = class_of(edges.len() as u32);
        let (start, class) = if needed <= class && edges_in(needed) * 2 >= edges_in(class) {
            (start, class)
        } else {
            self.give_back(start, class);
            (self.take(needed), needed)
        };
        let at = start as usize;
        self.edges[at..at + edges.len()].copy_from_slice(edges);
        (start, class)
    }

    fn take(&mut self, class: u8) -> u32 {
        let head = &mut self.free[usize::from(class)];
        if class == 0 {
            return 0;
        }
        if *head != NONE {
            let start = *head;
            *head = self.edges[start as usize].to;
            return start;
        }
        let start = self.edges.len();
        self.edges.resize(start + edges_in(class) as usize, Edge::default());
        start as u32
    }

    /// Frees a block.
    pub(super) fn give_back(&mut self, start: u32, class: u8) {
        if class > 0 {
            let head = &mut self.free[usize::from(class)];
            self.edges[start as usize].to = *head;
            *head = start;
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>()
    }

    /// Frees memory that was allocated in advance.
    pub(super) fn shrink(&mut self) {
        self.edges.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, Edge, EdgePool, class_of, edges_in};

    #[test]
    fn every_length_has_a_class_that_fits_closely() {
        for len in 0..1_u32 << 18 {
            let class = class_of(len);
            assert!(usize::from(class) < CLASSES);
            assert!(
                edges_in(class) >= len && edges_in(class) <= len + (len / 4).max(1),
                "{len}: {}",
                edges_in(class)
            );
            assert!(class == 0 || edges_in(class - 1) < len, "{len} has a smaller class");
        }
    }

    #[test]
    fn freed_blocks_serve_again_and_the_array_does_not_grow() {
        let mut pool = EdgePool::new();
        let edges = [Edge { to: 1, cost: 2 }; 40];
        let (first, class) = pool.put(0, 0, &edges[..7]);
        let (second, _) = pool.put(0, 0, &edges[..20]);
        let size = pool.all().len();
        pool.give_back(first, class);
        assert_eq!(pool.put(0, 0, &edges[..8]).0, first);
        assert_eq!(pool.put(second, class_of(20), &edges[..15]).0, second, "it still fits");
        assert_eq!(pool.all().len(), size);
        let (elsewhere, _) = pool.put(second, class_of(20), &edges[..30]);
        assert_ne!(elsewhere, second);
        assert_eq!(pool.put(0, 0, &edges[..17]).0, second);
    }
}
