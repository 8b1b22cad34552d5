//! From doors to cells.

use alloc::vec::Vec;

use super::Walk;
use crate::base::CellPos;
use crate::query::{Cost, PlanError};
use crate::search::{Probe, Route, SearchScratch, Way};

/// Scratch: a route while it is walked.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Where legs meet.
    anchors: Vec<CellPos>,
    leg: Route,
    cells: Vec<CellPos>,
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
        let mut expanded = self.set_anchors(over, walk, scratch, probe)?;
        if self.anchors.len() > 2 && walk.legs.walks_twice() {
            expanded += self.move_anchors(walk, scratch, probe)?;
        }
        let mut cost = 0;
        let (mut way, leg) = (Way::default(), &mut self.leg);
        out.waypoints.extend(self.anchors.first());
        for ends in self.anchors.windows(2) {
            walk.leg(ends[0], ends[1], scratch, leg, probe)?;
            expanded += leg.expanded;
            cost += leg.cost.0;
            leg.waypoints.iter().for_each(|&at| out.go_on_to(at, &mut way));
        }
        (out.cost, out.expanded) = (Cost(cost), expanded);
        Ok(())
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
            walk.leg(start, end, scratch, &mut self.leg, probe)?;
            expanded += self.leg.expanded;
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
        let mut expanded = 0;
        for leg in 1..legs {
            let at = 2 * (sectors * leg / legs);
            let (entered, left) = (over[at], over[at + 1]);
            if !walk.may_stop(left) {
                continue;
            }
            walk.leg(entered, left, scratch, &mut self.leg, probe)?;
            expanded += self.leg.expanded;
            self.leg.write_cells(&mut self.cells);
            self.anchors.push(walk.middle(&self.cells));
        }
        self.anchors.extend(over.last());
        Ok(expanded)
    }
}
