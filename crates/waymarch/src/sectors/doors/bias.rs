//! How a search counts the costs of edges between doors.

use crate::base::{CellPos, Dir8};
use crate::sectors::Sectors;

/// How a search counts the costs of edges between doors.
pub(super) trait Bias {
    /// The weight of the estimate, in per cent. At 100 or less the estimate stays a lower bound, because every edge counts for
    /// at least this part of its cost.
    fn least_percent(&self) -> u32;

    /// The counted cost of an edge that costs `cost` and ends with a step through a door. `step` gives the step's cell
    /// and direction.
    fn counts(&self, cost: u64, step: impl FnOnce() -> (CellPos, Dir8)) -> u64;

    /// The rooms of the map, if costs inside sectors are to be estimated. `None`: they are exact.
    fn rooms(&self) -> Option<&Sectors> {
        None
    }
}

/// Edges count for their full cost.
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

/// Edges count for their full cost, and the estimate counts for 150 % (weighted A\*).
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
