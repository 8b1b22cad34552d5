//! The cell costs that a field was made with.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect};
use crate::cost::CostView;
use crate::flow::dijkstra::bucket_shift;

/// Derived: a copy of the costs that a field was made with. It shows what an edit changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// The cost of each cell, in padded order.
    pub(super) cost: Vec<u8>,
    /// Buckets are 2^shift wide.
    pub(super) shift: u32,
}

impl Ground {
    /// Copies all costs.
    pub(super) fn fill(&mut self, now: CostView<'_>) {
        self.shift = bucket_shift(now.field);
        now.copy_all(&mut self.cost);
    }

    /// Sets the bucket width for the new costs. Returns a width that suits both old and new costs.
    pub(super) fn follow_shift(&mut self, now: CostView<'_>) -> u32 {
        let (before, after) = (self.shift, bucket_shift(now.field));
        self.shift = after;
        before.min(after)
    }

    /// Copies the costs that differ within `area`. Calls `tell` with place, old and new cost.
    pub(super) fn follow(&mut self, now: CostView<'_>, area: CellRect, mut tell: impl FnMut(usize, u8, u8)) {
        let area = area.intersect(now.field.grid().rect());
        let wide = (area.x1 - area.x0).max(0) as usize;
        for y in area.y0..area.y1 {
            let first = now.field.padding().pad(CellPos::new(area.x0, y)).index();
            let row = first..first + wide;
            if !now.has_threat() && self.cost[row.clone()] == now.field.padded()[row.clone()] {
                continue;
            }
            for place in row {
                let (before, cost) = (self.cost[place], now.at_index(place));
                if before != cost {
                    self.cost[place] = cost;
                    tell(place, before, cost);
                }
            }
        }
    }
}
