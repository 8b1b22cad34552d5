//! Memory that fields borrow while they are made or repaired.

use alloc::vec::Vec;

use super::kept::KeptCosts;
use crate::cost::SectorId;
use crate::flow::dijkstra::{BucketQueue, Seed};

/// Scratch for making and repairing fields. One serves any number of fields.
#[derive(Clone, Debug, Default)]
pub struct WholeScratch {
    /// The costs and labels for making fields that keep none of their own.
    pub(super) kept: KeptCosts,
    pub(super) repair: RepairScratch,
}

/// Scratch of the search that makes or repairs a field.
#[derive(Clone, Debug, Default)]
pub(super) struct RepairScratch {
    pub(super) queue: BucketQueue,
    pub(super) sectors: Vec<SectorId>,
    /// Places whose cost changed, or that entered or left the goal.
    pub(super) touched: Vec<u32>,
    /// Places whose label must be found again.
    pub(super) pending: Vec<u32>,
    pub(super) seeds: Vec<Seed>,
}

impl WholeScratch {
    /// Empty; it grows with the first field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let RepairScratch { queue, sectors, touched, pending, seeds } = &self.repair;
        let lists = touched.capacity() + pending.capacity() + sectors.capacity();
        let seeds = seeds.capacity() * size_of::<Seed>();
        queue.memory_bytes() + self.kept.memory_bytes() + lists * 4 + seeds
    }
}
