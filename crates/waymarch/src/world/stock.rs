//! Memory that is made ahead of need when orders come, so that ticks make none.
//!
//! How many flows, routes and groups there are at a time varies, and now and then there are more than ever before. Whoever needs a list then
//! gets one that waits to be used; orders, which bring memory of their own anyway, see to it that some do.

use super::simulation::World;
use crate::base::make_room;

/// As many sectors are hardly ever changed between two looks at routes.
const AREAS: usize = 256;

impl World {
    /// Makes what the next ticks are likely to want beyond all that there is, for orders to groups of up to `called` units. Costs a few
    /// microseconds, mostly nothing.
    pub(super) fn stock_up(&mut self, called: usize) {
        let units = self.units.slots();
        self.service.stock_up(called);
        self.groups.stock_up();
        self.sergeant.stock_up(called, units);
        self.drill.stock_up(units);
        self.steward.stock_up(units);
        make_room(&mut self.areas, AREAS);
        // One for each group that is, and some to come.
        let groups = 2 * self.groups.list.slot_count() + 16;
        self.blocks.make_room(groups);
        make_room(&mut self.waits, groups);
        if self.service.has_flows() {
            self.chunks.iter_mut().for_each(|chunk| self.service.make_ready(&mut chunk.reader));
        }
    }
}
