//! From doors to cells.

use alloc::vec::Vec;

use super::Walk;
use crate::base::{CellPos, Tick, make_room};
use crate::plan::PathCache;
use crate::query::{Cost, PlanError};
use crate::search::{Probe, Route, SearchScratch, Way};

/// Where legs are not of even length they pass at least and at most so many sectors, three on average.
const SHORTEST: usize = 2;
const LONGEST: usize = 4;

/// What of a route is found next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// Where legs meet: in the middle of every few sectors, on the cheapest way between the doors that are passed there.
    #[default]
    Anchors,
    /// Where they meet instead, in the middle of each leg: the bends at its ends can then be taken out.
    Moves,
    /// The legs themselves.
    Legs,
}

/// Whether a route has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walked {
    All,
    /// It can go on from here.
    Part,
}

/// Scratch: a route while it is walked, leg by leg; and legs that were walked before, if they are to be remembered.
///
/// *Invariant:* between two legs it can stop and go on later, and what comes out is the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Where legs meet.
    anchors: Vec<CellPos>,
    leg: Route,
    cells: Vec<CellPos>,
    pub(super) remembered: PathCache,
    /// Counts routes; legs not used for long are forgotten first.
    now: Tick,
    stage: Stage,
    /// The sector or the leg that is next.
    at: usize,
    /// The sector in which the last leg ended, or how many have.
    last: usize,
    /// Where the next leg starts while ends are moved.
    start: CellPos,
    /// The route as far as it has come, and which way it goes there. Its nodes are those of all that was done.
    walked: Route,
    way: Way,
}

impl Refiner {
    /// Makes memory ahead of need, for routes of so many turns.
    pub(super) fn make_room(&mut self, turns: usize) {
        make_room(&mut self.anchors, turns / 2);
        make_room(&mut self.leg.waypoints, turns);
        make_room(&mut self.cells, turns);
        make_room(&mut self.walked.waypoints, turns);
    }

    /// Begins with a route, for which so many nodes have been counted.
    pub(super) fn begin(&mut self, over: &[CellPos], expanded: u32) {
        self.now = Tick(self.now.0.wrapping_add(1));
        self.anchors.clear();
        self.anchors.extend(over.first());
        (self.stage, self.at, self.last, self.way) = (Stage::Anchors, 1, 0, Way::default());
        self.walked.clear();
        self.walked.expanded = expanded;
    }

    /// How many nodes have been counted so far.
    pub(super) fn expanded(&self) -> u32 {
        self.walked.expanded
    }

    /// Fills it with rubbish.
    pub(super) fn poison(&mut self) {
        self.anchors.push(CellPos::new(-7, 7));
        (self.stage, self.at, self.last) = (Stage::Legs, 7, 7);
        self.walked.expanded = 7;
    }

    /// Goes on with the cheapest route it can find near a way over doors (start, both cells of each door, goal), until `most` nodes have been
    /// counted. Once all is walked `out` is the route.
    pub(super) fn walk(
        &mut self,
        over: &[CellPos],
        walk: &Walk<'_>,
        most: u32,
        scratch: &mut SearchScratch,
        out: &mut Route,
        probe: &mut impl Probe,
    ) -> Result<Walked, PlanError> {
        loop {
            if self.walked.expanded >= most {
                out.expanded = self.walked.expanded;
                return Ok(Walked::Part);
            }
            let expanded = match self.stage {
                Stage::Anchors => self.set_anchor(over, walk, scratch, probe)?,
                Stage::Moves if self.at < self.anchors.len() => self.move_anchor(walk, scratch, probe)?,
                Stage::Moves => {
                    self.anchors.push(self.start);
                    self.begin_legs();
                    0
                }
                Stage::Legs if self.at < self.anchors.len() => self.add_leg(walk, scratch, probe)?,
                Stage::Legs => break,
            };
            self.walked.expanded = self.walked.expanded.saturating_add(expanded);
        }
        core::mem::swap(out, &mut self.walked);
        Ok(Walked::All)
    }

    fn begin_legs(&mut self) {
        (self.stage, self.at) = (Stage::Legs, 1);
        self.walked.waypoints.extend(self.anchors.first());
    }

    /// Walks the next leg. Says what that took.
    fn add_leg(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        let expanded =
            self.find_leg(self.anchors[self.at - 1], self.anchors[self.at], walk, scratch, probe)?;
        self.at += 1;
        let Self { leg, walked, way, .. } = self;
        walked.cost = Cost(walked.cost.0 + leg.cost.0);
        leg.waypoints.iter().for_each(|&at| walked.go_on_to(at, way));
        Ok(expanded)
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

    /// Moves the end of the next leg to its middle. Says what that took.
    fn move_anchor(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        // The next leg starts where this one ended before.
        let end = self.anchors[self.at];
        let expanded = self.find_leg(self.start, end, walk, scratch, probe)?;
        self.leg.write_cells(&mut self.cells);
        self.anchors[self.at] = walk.middle(&self.cells);
        (self.start, self.at) = (end, self.at + 1);
        Ok(expanded)
    }

    /// Finds the next place where legs meet, or that there are no more. Says what that took.
    fn set_anchor(
        &mut self,
        over: &[CellPos],
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        // The way is a piece in each sector, from where it is entered to where it is left. A route of fewer sectors than two
        // legs is searched for exactly.
        let sectors = over.len() / 2;
        let legs = (sectors / walk.legs.sectors_per_leg()).max(1);
        while self.at < sectors {
            let (sector, last) = (self.at, self.last);
            self.at += 1;
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
            self.last = if walk.legs.walks_twice() { last + 1 } else { sector };
            if !walk.may_stop(left) {
                continue;
            }
            let expanded = self.find_leg(entered, left, walk, scratch, probe)?;
            self.leg.write_cells(&mut self.cells);
            self.anchors.push(walk.middle(&self.cells));
            return Ok(expanded);
        }
        self.anchors.extend(over.last());
        if self.anchors.len() > 2 && walk.legs.walks_twice() {
            (self.stage, self.at, self.start) = (Stage::Moves, 1, self.anchors[0]);
        } else {
            self.begin_legs();
        }
        Ok(0)
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
