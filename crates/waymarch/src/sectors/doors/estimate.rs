//! The heuristic of searches over doors.

use super::distances::UNIT;
use super::goal::DoorGoal;
use crate::base::CellPos;
use crate::cost::{DIAGONAL, Neighbours, STRAIGHT};

/// An estimate of the remaining cost, in units. It is a lower bound if `percent` is at most 100.
#[derive(Clone, Copy)]
pub(super) struct Estimate<'a> {
    pub(super) goal: CellPos,
    /// The cheapest cell cost; 0 for no estimate.
    pub(super) cheapest: u32,
    pub(super) neighbours: Neighbours,
    /// The weight of the estimate, in per cent.
    pub(super) percent: u32,
    /// Lower bounds that other searches to the goal have found.
    pub(super) learnt: Option<&'a DoorGoal>,
}

impl Estimate<'_> {
    #[inline]
    pub(super) fn from(&self, at: CellPos) -> u32 {
        let (dx, dy) = (at.x.abs_diff(self.goal.x), at.y.abs_diff(self.goal.y));
        let (short, long) = (dx.min(dy), dx.max(dy));
        let steps = match self.neighbours {
            Neighbours::Four => (short + long) * (STRAIGHT / UNIT),
            Neighbours::Eight => long * (STRAIGHT / UNIT) + short * ((DIAGONAL - STRAIGHT) / UNIT),
        };
        let units = steps * self.cheapest;
        if self.percent == 100 { units } else { (u64::from(units) * u64::from(self.percent) / 100) as u32 }
    }
}
