//! Memory of the path service: reserved outside of ticks, and poisoned in tests.

use super::path_service::PathService;
use super::search::Lane;
use crate::base::Scratch;
use crate::flow::tiles::TileReader;

/// Memory is preallocated for 64 requests more than exist.
const MORE_REQUESTS: usize = 64;

impl PathService {
    /// Reserves memory outside of ticks, so that ticks allocate none. A group of `called` units that comes near the end of its flow asks
    /// for as many routes within a few ticks.
    pub(crate) fn preallocate(&mut self, called: usize) {
        let cells = self.nav.layer().grid().cells();
        self.requests.spare.reserve(called);
        self.flow.preallocate(cells);
        self.requests.all.reserve(MORE_REQUESTS);
        self.requests.queue.reserve(MORE_REQUESTS);
        self.nav.snaps.reserve();
        self.lanes.iter_mut().for_each(|lane| lane.reserve(cells));
    }

    /// Whether there are flow groups.
    pub(crate) fn has_flows(&self) -> bool {
        !self.flow.is_empty()
    }

    /// Reserves all memory that a reader of flows needs.
    pub(crate) fn prepare_reader(&self, reader: &mut TileReader) {
        self.flow.flows.make_ready(reader);
    }

    /// For tests: fills all scratch with rubbish, as other work could have left it. No answer and no hash changes.
    pub fn poison_scratch(&mut self) {
        self.lanes.iter_mut().for_each(Lane::poison);
        self.batch.poison();
        self.requests.spare.poison();
        self.flow.poison_scratch();
        self.nav.poison_scratch();
    }
}
