//! What one search knows of each cell: eight bytes that are forgotten all at once.

use alloc::vec;
use alloc::vec::Vec;

/// Bits of a cost: the dearest route on the largest legal map is below this.
const COST_BITS: u32 = 45;
const COST: u64 = (1 << COST_BITS) - 1;
/// The cost is the least, and the cell's neighbours have been looked at.
const SETTLED: u64 = 1 << COST_BITS;
/// Above that the number of the search that wrote it; 0 is never one.
const STAMP_SHIFT: u32 = COST_BITS + 1;
const LAST_STAMP: u64 = u64::MAX >> STAMP_SHIFT;

/// Derived: the cost from each cell to the goal, as far as it is known. Places are those of padded arrays.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    nodes: Vec<u64>,
    stamp: u64,
}

impl Nodes {
    /// Nothing is known of `len` places. Memory that is never written to need never be backed by any.
    pub(super) fn new(len: usize) -> Self {
        Self { nodes: vec![0; len], stamp: 1 }
    }

    /// Forgets everything; in constant time but for once in a quarter of a million times.
    pub(super) fn clear(&mut self) {
        self.stamp += 1;
        if self.stamp > LAST_STAMP {
            self.nodes.fill(0);
            self.stamp = 1;
        }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn known(&self, place: usize) -> Option<u64> {
        let node = self.nodes[place];
        (node >> STAMP_SHIFT == self.stamp).then_some(node)
    }

    /// The least cost from `place`, if it is known to be that.
    #[inline]
    pub(super) fn settled(&self, place: usize) -> Option<u64> {
        self.known(place).filter(|node| node & SETTLED != 0).map(|node| node & COST)
    }

    /// The cost from `place` by the best way found yet, unless it is settled already.
    #[inline]
    pub(super) fn pending(&self, place: usize) -> Option<u64> {
        self.known(place).filter(|node| node & SETTLED == 0).map(|node| node & COST)
    }

    /// Notes a way from `place`; what came of it.
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

    /// No cheaper way from `place` will be found.
    #[inline]
    pub(super) fn settle(&mut self, place: usize) {
        self.nodes[place] |= SETTLED;
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u64>()
    }

    /// Makes the next clear the one that really wipes. For tests.
    #[cfg(test)]
    fn exhaust_stamps(&mut self) {
        self.stamp = LAST_STAMP;
    }
}

/// What came of offering a cell another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    /// It has one that is as good.
    NoBetter,
    /// It had none.
    First,
    /// It had a dearer one.
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
