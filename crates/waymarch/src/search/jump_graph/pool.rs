//! Where the successors lie: one array, in blocks whose sizes come in classes, so that freed ones serve again.

use alloc::vec;
use alloc::vec::Vec;

/// A successor: a node and the length of the way there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Edge {
    /// The number of the jump cell times four, plus the straight direction it is reached by.
    pub(super) to: u32,
    /// 1024 to a straight step.
    pub(super) cost: u32,
}

const NONE: u32 = u32::MAX;

/// Classes of block sizes: twos up to 16, then four to a doubling, up to over 2^18, more than any cell can have.
const CLASSES: usize = 72;

/// Blocks of edges in one array; a freed block is given to the next who needs one of its class, latest freed first.
///
/// Nothing is ever moved, so an edit costs its own blocks. A block is at most a quarter larger than asked for
/// (or one edge).
#[derive(Clone, Debug)]
pub(super) struct EdgePool {
    edges: Vec<Edge>,
    /// The first free block of each class; a free block's first edge names the next.
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

/// How many edges the blocks of a class hold.
const fn room(class: u8) -> u32 {
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

    /// Writes `edges` into the block at `start` of class `class` if they fit without wasting half, else into another;
    /// gives where they are now.
    pub(super) fn put(&mut self, start: u32, class: u8, edges: &[Edge]) -> (u32, u8) {
        let needed = class_of(edges.len() as u32);
        let (start, class) = if needed <= class && room(needed) * 2 >= room(class) {
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
        self.edges.resize(start + room(class) as usize, Edge::default());
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

    /// Gives memory back that was taken in advance.
    pub(super) fn shrink(&mut self) {
        self.edges.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, Edge, EdgePool, class_of, room};

    #[test]
    fn every_length_has_a_class_that_fits_closely() {
        for len in 0..1_u32 << 18 {
            let class = class_of(len);
            assert!(usize::from(class) < CLASSES);
            assert!(room(class) >= len && room(class) <= len + (len / 4).max(1), "{len}: {}", room(class));
            assert!(class == 0 || room(class - 1) < len, "{len} has a smaller class");
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
