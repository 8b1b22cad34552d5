//! From doors to cells.

use alloc::vec::Vec;

use super::Walk;
use crate::base::CellPos;
use crate::query::{Cost, PlanError};
use crate::search::{Probe, Route, SearchScratch};

/// Doors a leg passes: longer legs leave less to gain and cost more to search.
const DOORS_PER_LEG: usize = 3;

/// Scratch: the legs of a route while it is walked.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Where legs meet.
    anchors: Vec<CellPos>,
    /// A cell about the middle of each leg.
    middles: Vec<CellPos>,
    leg: Route,
    /// The way from the start to the first middle, and that from the last to the goal.
    head: Vec<CellPos>,
    tail: Vec<CellPos>,
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
        self.set_anchors(over, walk);
        if let &[from, to] = self.anchors.as_slice() {
            return walk.leg(from, to, scratch, out, probe);
        }
        let Self { anchors, middles, leg, head, tail } = self;
        middles.clear();
        let mut expanded = 0;
        for ends in anchors.windows(2) {
            walk.leg(ends[0], ends[1], scratch, leg, probe)?;
            expanded += leg.expanded;
            // Of all but the first and the last leg only the middle is of use.
            leg.write_cells(tail);
            let middle = walk.middle(tail);
            if middles.is_empty() {
                head.clone_from(tail);
                head.truncate(middle + 1);
            }
            middles.push(tail[middle]);
            tail.drain(..middle);
        }
        let mut cost = append(head, walk, out);
        for ends in middles.windows(2) {
            walk.leg(ends[0], ends[1], scratch, leg, probe)?;
            expanded += leg.expanded;
            cost += leg.cost.0;
            leg.cells().for_each(|cell| out.extend_to(cell));
        }
        cost += append(tail, walk, out);
        (out.cost, out.expanded) = (Cost(cost), expanded);
        Ok(())
    }

    /// Divides a way over doors evenly into legs that end behind doors, where one may stop.
    fn set_anchors(&mut self, over: &[CellPos], walk: &Walk<'_>) {
        let doors = (over.len() / 2).saturating_sub(1);
        let legs = doors.div_ceil(DOORS_PER_LEG).max(1);
        let between = (1..legs).map(|leg| over[2 * (doors * leg / legs)]);
        self.anchors.clear();
        self.anchors.extend(over.first());
        self.anchors.extend(between.filter(|&at| walk.may_stop(at)));
        self.anchors.extend(over.last());
    }
}

/// Adds a piece of the way that is known cell by cell, and says what it costs.
fn append(cells: &[CellPos], walk: &Walk<'_>, out: &mut Route) -> u64 {
    cells.iter().for_each(|&cell| out.extend_to(cell));
    cells.windows(2).map(|step| walk.step(step[0], step[1])).sum()
}
