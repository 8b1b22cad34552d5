//! Memory that is made between ticks, and poisoned in tests.

use super::corridor_pool::CorridorDemand;
use super::flows::TileFlows;
use super::key::TileKey;
use super::reader::TileReader;
use super::state::FlowId;
use crate::base::{Scratch, poison_list, reserve_total};
use crate::cost::SectorId;

impl TileFlows {
    /// Allocates memory ahead of need, so that ticks allocate none. Each call makes about as much as is needed before the next call.
    pub fn preallocate(&mut self) {
        /// Each call makes room for 8 more flows.
        const FLOWS: usize = 8;
        self.corridor_pool.reserve(CorridorDemand { sight: self.settings.sight, map: self.size });
        self.scratch.reserve(self.grid.side() as usize);
        self.cache.preallocate();
        self.flows.reserve(FLOWS);
        // Most flows use fewer than 64 tiles.
        reserve_total(&mut self.in_use, (64 * self.flows.slot_count()).min(1 << 14));
    }

    /// Fills the scratch with rubbish. No heading changes.
    pub(crate) fn poison_scratch(&mut self) {
        self.scratch.poison();
        self.key = TileKey::default();
        poison_list(&mut self.changed, SectorId(7));
        poison_list(&mut self.in_use, (FlowId::DEAD, 7));
        self.corridor_pool.poison();
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
