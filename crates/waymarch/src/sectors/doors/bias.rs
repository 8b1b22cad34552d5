//! How much the edges between doors count in a search.

use crate::base::{CellPos, Dir8};

/// How much the edges between doors count.
pub(super) trait Bias {
    /// The estimate counts for this many per cent. Up to 100 it stays a lower bound: every edge counts for at least
    /// this part of its cost.
    fn least_percent(&self) -> u32;

    /// The counted cost of an edge that costs `cost` and ends with a step through a door. `step` gives the step's cell
    /// and direction.
    fn counts(&self, cost: u64, step: impl FnOnce() -> (CellPos, Dir8)) -> u64;
}

/// Edges count for what they cost.
pub(super) struct Unbiased;

impl Bias for Unbiased {
    #[inline]
    fn least_percent(&self) -> u32 {
        100
    }

    #[inline]
    fn counts(&self, cost: u64, _: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        cost
    }
}

/// Edges count for what they cost, and the estimate counts for 150 % (weighted A\*).
pub(super) struct Weighted;

impl Bias for Weighted {
    #[inline]
    fn least_percent(&self) -> u32 {
        150
    }

    #[inline]
    fn counts(&self, cost: u64, _: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        cost
    }
}
