//! Memory that is made outside of ticks.

use super::flows::TileFlows;
use super::reader::TileReader;
use crate::base::make_room;

impl TileFlows {
    /// Makes memory ahead of need, so that ticks make none: a little each time, as much as is likely to be wanted before the next.
    pub fn stock_up(&mut self) {
        const FLOWS: usize = 8;
        self.spare.stock_up(self.settings.sight, self.size);
        self.scratch.lists.stock_up(self.grid.side() as usize);
        self.cache.stock_up();
        self.flows.reserve(FLOWS);
        // A few tiles for each flow, as a rule.
        make_room(&mut self.in_use, (64 * self.flows.slot_count()).min(1 << 14));
    }

    /// Gives a reader the memory that it needs for these flows.
    pub fn make_ready(&self, reader: &mut TileReader) {
        reader.make_room(self.grid.side() as usize);
    }
}
