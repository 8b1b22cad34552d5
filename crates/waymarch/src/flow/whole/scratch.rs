//! Memory that fields borrow while they are made or mended.

use alloc::vec::Vec;

use super::field::Kept;
use super::front::Front;
use super::spread::Seed;
use crate::cost::SectorId;

/// Scratch: what making and mending fields needs meanwhile; one serves any number of fields.
#[derive(Clone, Debug, Default)]
pub struct WholeScratch {
    pub(super) front: Front,
    /// For fields that keep no costs of their own.
    pub(super) kept: Kept,
    pub(super) sectors: Vec<SectorId>,
    /// Places whose cost, or whether they are in the goal, changed.
    pub(super) touched: Vec<u32>,
    /// Places whose label must be found anew.
    pub(super) pending: Vec<u32>,
    pub(super) seeds: Vec<Seed>,
}

impl WholeScratch {
    /// Memory to begin with; it grows with the first field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let lists = self.touched.capacity() + self.pending.capacity() + self.sectors.capacity();
        let seeds = self.seeds.capacity() * size_of::<Seed>();
        self.front.memory_bytes() + self.kept.memory_bytes() + lists * 4 + seeds
    }
}
