//! The nodes of one search: eight bytes per cell, cleared all at once.

use alloc::vec;
use alloc::vec::Vec;

/// A cost takes 45 bits. Every route on the largest legal map costs less than 2^45.
const COST_BITS: u32 = 45;
/// The mask of the cost: the lower 45 bits.
const COST: u64 = (1 << COST_BITS) - 1;
/// The flag of a settled cell: bit 45. The cost of a settled cell is final, and its neighbours were updated.
const SETTLED: u64 = 1 << COST_BITS;
/// The lowest bit of the number of the search that wrote the node: bit 46. The number 0 is never used.
const STAMP_SHIFT: u32 = COST_BITS + 1;
/// The greatest number of a search: 262,143, which fits the upper 18 bits.
const LAST_STAMP: u64 = u64::MAX >> STAMP_SHIFT;

/// Derived: the cost from each cell to the goal, as far as it is known. Cells are indices in padded order.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    nodes: Vec<u64>,
    stamp: u64,
}

impl Nodes {
    /// `len` cells of unknown cost. The memory is zeroed, so the system need not back pages that are never written.
    pub(super) fn new(len: usize) -> Self {
        Self { nodes: vec![0; len], stamp: 1 }
    }

    /// Forgets all costs. Takes constant time, except once in 262,143 calls.
    pub(super) fn clear(&mut self) {
        self.stamp += 1;
        if self.stamp > LAST_STAMP {
            self.nodes.fill(0);
            self.stamp = 1;
        }
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn known(&self, place: usize) -> Option<u64> {
        let node = self.nodes[place];
        (node >> STAMP_SHIFT == self.stamp).then_some(node)
    }

    /// The least cost from `place`, if it is settled.
    #[inline]
    pub(super) fn settled(&self, place: usize) -> Option<u64> {
        self.known(place).filter(|node| node & SETTLED != 0).map(|node| node & COST)
    }

    /// The cost from `place` by the best route found so far, if it is not settled.
    #[inline]
    pub(super) fn pending(&self, place: usize) -> Option<u64> {
        self.known(place).filter(|node| node & SETTLED == 0).map(|node| node & COST)
    }

    /// Offers a route from `place` with this cost. Returns whether it is better than the one known.
    #[inline]
    pub(super) fn offer(&mut self, place: usize, cost: u64) -> Offer {
        let how = match self.known(place) {
            Some(node) if node & COST <= cost => return Offer::NoBetter,
            Some(_) => Offer::Cheaper,
            None => Offer::First,
        };
        self.nodes[place] = self.stamp << STAMP_SHIFT | cost & COST;
        how
    }

    /// Settles `place`: no cheaper route will be found.
    #[inline]
    pub(super) fn settle(&mut self, place: usize) {
        self.nodes[place] |= SETTLED;
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u64>()
    }

    /// Makes the next clear the one that writes all nodes. For tests.
    #[cfg(test)]
    fn exhaust_stamps(&mut self) {
        self.stamp = LAST_STAMP;
    }
}

/// The result of offering a cell a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    /// The cell has a route that is at least as cheap.
    NoBetter,
    /// The cell had no route.
    First,
    /// The cell had a more expensive route.
    Cheaper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_known_before_a_clear_never_comes_back() {
        let mut nodes = Nodes::new(4);
        assert_eq!(nodes.offer(2, COST), Offer::First);
        assert_eq!((nodes.offer(2, 7), nodes.offer(2, 7)), (Offer::Cheaper, Offer::NoBetter));
        nodes.settle(2);
        assert_eq!((nodes.settled(2), nodes.pending(2), nodes.settled(3)), (Some(7), None, None));
        nodes.clear();
        assert_eq!((nodes.settled(2), nodes.offer(2, 9)), (None, Offer::First));
        nodes.exhaust_stamps();
        nodes.offer(1, 5);
        nodes.clear();
        assert_eq!(nodes.stamp, 1);
        assert_eq!((nodes.pending(1), nodes.pending(2)), (None, None));
    }
}
