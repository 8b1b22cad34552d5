//! From doors to cells.

use alloc::vec::Vec;

use super::Walk;
use crate::base::{CellPos, Tick};
use crate::plan::PathCache;
use crate::query::{Cost, PlanError};
use crate::search::{Probe, Route, SearchScratch, Way};

/// Where legs are not of even length they pass at least and at most so many sectors, three on average.
const SHORTEST: usize = 2;
const LONGEST: usize = 4;

/// Scratch: a route while it is walked; and legs that were walked before, if they are to be remembered.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Where legs meet.
    anchors: Vec<CellPos>,
    leg: Route,
    cells: Vec<CellPos>,
    pub(super) remembered: PathCache,
    /// Counts routes; legs not used for long are forgotten first.
    now: Tick,
}

impl Refiner {
    /// Writes the cheapest route it can find near a way over doors: start, both cells of each door, goal.
    pub(super) fn walk(
        &mut self,
        over: &[CellPos],
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<(), PlanError> {
        self.now = Tick(self.now.0.wrapping_add(1));
        let mut expanded = self.set_anchors(over, walk, scratch, probe)?;
        if self.anchors.len() > 2 && walk.legs.walks_twice() {
            expanded += self.move_anchors(walk, scratch, probe)?;
        }
        let mut cost = 0;
        let mut way = Way::default();
        out.waypoints.extend(self.anchors.first());
        for at in 1..self.anchors.len() {
            expanded += self.find_leg(self.anchors[at - 1], self.anchors[at], walk, scratch, probe)?;
            cost += self.leg.cost.0;
            self.leg.waypoints.iter().for_each(|&at| out.go_on_to(at, &mut way));
        }
        (out.cost, out.expanded) = (Cost(cost), expanded);
        Ok(())
    }

    /// Finds the cheapest way from one cell to another on the way, or remembers it. Says what finding it took.
    fn find_leg(
        &mut self,
        from: CellPos,
        to: CellPos,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        let Some(key) = walk.key(from, to, probe) else {
            walk.leg(from, to, scratch, &mut self.leg, probe)?;
            return Ok(self.leg.expanded);
        };
        if !self.remembered.get(key, walk.layer, self.now, &mut self.leg) {
            walk.leg(from, to, scratch, &mut self.leg, probe)?;
            self.remembered.put(key, &self.leg, walk.scope(&self.leg), walk.layer, self.now);
        }
        Ok(self.leg.expanded)
    }

    /// Moves where legs meet to the middle of each leg: the bends at its ends can then be taken out. Says what that took.
    fn move_anchors(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        let mut expanded = 0;
        // Each leg's end is replaced when the next leg, which starts there, is known.
        let mut start = self.anchors[0];
        for at in 1..self.anchors.len() {
            let end = self.anchors[at];
            expanded += self.find_leg(start, end, walk, scratch, probe)?;
            self.leg.write_cells(&mut self.cells);
            self.anchors[at] = walk.middle(&self.cells);
            start = end;
        }
        self.anchors.push(start);
        Ok(expanded)
    }

    /// Finds where legs meet: in the middle of every few sectors, on the cheapest way between the doors that are passed there. Says what that took.
    fn set_anchors(
        &mut self,
        over: &[CellPos],
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        self.anchors.clear();
        self.anchors.extend(over.first());
        // The way is a piece in each sector, from where it is entered to where it is left. A route of fewer sectors than two
        // legs is searched for exactly.
        let sectors = over.len() / 2;
        let legs = (sectors / walk.legs.sectors_per_leg()).max(1);
        let (mut expanded, mut last) = (0, 0);
        for sector in 1..sectors {
            let (entered, left) = (over[2 * sector], over[2 * sector + 1]);
            let ends = if walk.legs.walks_twice() {
                // As even as can be: the next leg begins where so many have ended.
                sector == sectors * (last + 1) / legs && last + 1 < legs
            } else {
                legs > 1 && is_end(sector - last, sectors - sector, entered, left)
            };
            if !ends {
                continue;
            }
            last = if walk.legs.walks_twice() { last + 1 } else { sector };
            if !walk.may_stop(left) {
                continue;
            }
            expanded += self.find_leg(entered, left, walk, scratch, probe)?;
            self.leg.write_cells(&mut self.cells);
            self.anchors.push(walk.middle(&self.cells));
        }
        self.anchors.extend(over.last());
        Ok(expanded)
    }
}

/// Whether a leg that passed so many sectors ends in this one, where so many are left. The doors of the sector decide, not how far the
/// route has come: routes that go the same way for a while then go the same legs, which can be remembered.
fn is_end(passed: usize, left: usize, entered: CellPos, leaves: CellPos) -> bool {
    let numbers = [entered.x, entered.y, leaves.x, leaves.y];
    let mixed = numbers
        .iter()
        .fold(0_u32, |sum, &number| (sum ^ number as u32).wrapping_mul(0x9e37_79b1).rotate_left(13));
    left >= SHORTEST && passed >= SHORTEST && (passed >= LONGEST || mixed >> 31 == 0)
}
