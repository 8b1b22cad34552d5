//! Memory that is made outside of ticks.

use super::PathService;
use crate::flow::tiles::TileReader;

impl PathService {
    /// Makes memory ahead of need, so that ticks make none. A group of `called` units that have come near the end of their flow all want routes of
    /// their own, in the same few ticks.
    pub(crate) fn stock_up(&mut self, called: usize) {
        let cells = self.nav.layer().grid().cells();
        self.spare.stock_up_for(called);
        self.flowing.stock_up(cells);
        self.requests.reserve(MORE);
        self.queue.stock_up(MORE);
        self.nav.snaps.make_room();
        self.lanes.iter_mut().for_each(|lane| lane.stock_up(cells));
    }

    /// Whether some follow flows.
    pub(crate) fn has_flows(&self) -> bool {
        !self.flowing.groups.is_empty()
    }

    /// Gives a reader of flows all the memory that it needs.
    pub(crate) fn make_ready(&self, reader: &mut TileReader) {
        self.flowing.flows.make_ready(reader);
    }
}

/// Room for so many requests beyond those that are there.
const MORE: usize = 64;
