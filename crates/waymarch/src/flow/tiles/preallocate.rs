//! Memory that is made between ticks.

use super::flows::TileFlows;
use super::reader::TileReader;
use crate::base::{Scratch, reserve_total};

impl TileFlows {
    /// Allocates memory ahead of need, so that ticks allocate none. Each call makes about as much as is needed before the next call.
    pub fn preallocate(&mut self) {
        /// Each call makes room for 8 more flows.
        const FLOWS: usize = 8;
        self.corridor_pool.preallocate(self.settings.sight, self.size);
        self.scratch.search.lists.preallocate(self.grid.side() as usize);
        self.cache.preallocate();
        self.flows.reserve(FLOWS);
        // Most flows use fewer than 64 tiles.
        reserve_total(&mut self.in_use, (64 * self.flows.slot_count()).min(1 << 14));
    }

    /// Gives a reader the memory that it needs for these flows.
    pub fn make_ready(&self, reader: &mut TileReader) {
        reader.reserve(self.grid.side() as usize);
    }

    /// See [`TileFlows::preallocate`].
    #[deprecated(since = "0.2.0", note = "renamed to `preallocate`")]
    pub fn stock_up(&mut self) {
        self.preallocate();
    }
}
