//! What jump point search remembers of each cell.

use alloc::vec::Vec;

/// Bits of a dated cost that are cost: enough for the longest way over the largest map.
const COST_BITS: u32 = 40;

/// One cell's state in a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpNode {
    /// The lowest cost from the start known so far, dated (see [`JumpNodes`]).
    pub(super) cost: u64,
    /// The node that led here, packed.
    pub(super) parent: u32,
    /// Directions it was reached by and not yet left (bits 0 to 3), and already left (bits 4 to 7).
    pub(super) flags: u32,
}

const UNTOUCHED: JumpNode = JumpNode { cost: u64::MAX, parent: 0, flags: 0 };

/// Scratch: 16 bytes per cell, rubbish between searches.
///
/// Costs are *dated*: the date of the search in the upper 24 bits, the cost below. Dates run backwards, so whatever an earlier
/// search left is dearer than anything the present one writes, and one comparison says both that a node is new and that a way
/// to it is shorter. Dated costs are added to and compared like costs.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct JumpNodes {
    nodes: Vec<JumpNode>,
    /// The date of the present search, in its place.
    date: u64,
}

impl JumpNodes {
    /// Makes room for `len` nodes and forgets the last search in constant time.
    pub(super) fn begin(&mut self, len: usize) {
        if self.nodes.len() < len {
            self.nodes.resize(len, UNTOUCHED);
        }
        self.date = self.date.wrapping_sub(1 << COST_BITS);
        if self.date >> COST_BITS == u64::MAX >> COST_BITS {
            // The first search, or the dates have run out: forget for real, once in sixteen million searches.
            self.nodes.fill(UNTOUCHED);
            self.date = u64::MAX - (u64::MAX >> (64 - COST_BITS)) - (1 << COST_BITS);
        }
    }

    /// The nodes, by cell, and the dated cost of nothing.
    pub(super) fn parts(&mut self) -> (&mut [JumpNode], u64) {
        (&mut self.nodes, self.date)
    }

    /// Fills everything with rubbish as a search would leave it. For tests.
    pub(in crate::search) fn poison(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            *node = JumpNode { cost: self.date + at as u64, parent: 7, flags: 3 };
        }
    }

    /// Bytes held.
    pub(in crate::search) fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<JumpNode>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_search_left_is_dearer_than_anything_new_also_when_the_dates_run_out() {
        let mut nodes = JumpNodes::default();
        nodes.begin(3);
        // As if nearly all dates were used up.
        nodes.date = 2 << COST_BITS;
        for _ in 0..6 {
            let (cells, nothing) = nodes.parts();
            cells[1].cost = nothing;
            nodes.begin(3);
            let (cells, nothing) = nodes.parts();
            let dearest = nothing + (1 << COST_BITS) - 1;
            assert!(cells.iter().all(|cell| cell.cost > dearest), "{nothing:#x}");
        }
    }
}
