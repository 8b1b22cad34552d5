//! Refinement: from a route over doors to legs, and from legs to a route of cells.

use alloc::vec::Vec;

use super::Walk;
use crate::base::{CellPos, Scratch, Tick, poison_list, reserve_total};
use crate::plan::PathCache;
use crate::query::{Cost, PlanError};
use crate::search::{LegDirection, Probe, Route, SearchRun, SearchScratch};

/// A leg over weighted ground passes at least 2 sectors.
const SHORTEST: usize = 2;
/// A leg over weighted ground passes at most 4 sectors. The average is 3.
const LONGEST: usize = 4;

/// The stage of refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// Finding the cells where legs meet: every few sectors, in the middle of the cheapest route between the doors of that sector.
    #[default]
    Anchors,
    /// Moving these cells to the middle of each leg. The new legs need not pass the old meeting cells, so the bends there are removed.
    Moves,
    /// Searching the legs.
    Legs,
}

/// Whether a route is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walked {
    All,
    /// It has paused and can go on.
    Part,
}

/// Scratch: a route while it is refined, leg by leg, and the kept legs of earlier routes.
///
/// *Invariant:* it can pause between two legs, and a pause does not change the route.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// The cells where legs meet.
    anchors: Vec<CellPos>,
    leg: Route,
    cells: Vec<CellPos>,
    pub(super) remembered: PathCache,
    /// Counts routes. The leg that was used longest ago is dropped first.
    now: Tick,
    stage: Stage,
    /// The next sector or leg.
    at: usize,
    /// The sector in which the last leg ended; on ground of one cost, the number of legs so far.
    last: usize,
    /// The start of the next leg in the stage [`Stage::Moves`].
    start: CellPos,
    /// The route so far, and the direction in which it ends. Its node count includes all stages.
    walked: Route,
    direction: LegDirection,
}

impl Scratch for Refiner {
    /// The number of turns of a route.
    type Demand = usize;

    /// The kept legs stay: they are Derived.
    fn poison(&mut self) {
        let rubbish = CellPos::new(-7, 7);
        let cells = [&mut self.anchors, &mut self.cells, &mut self.leg.waypoints, &mut self.walked.waypoints];
        cells.into_iter().for_each(|list| poison_list(list, rubbish));
        for route in [&mut self.leg, &mut self.walked] {
            (route.cost, route.expanded) = (Cost(7), 7);
        }
        (self.stage, self.at, self.last, self.start) = (Stage::Legs, 7, 7, rubbish);
    }

    fn reserve(&mut self, turns: usize) {
        reserve_total(&mut self.anchors, turns / 2);
        reserve_total(&mut self.leg.waypoints, turns);
        reserve_total(&mut self.cells, turns);
        reserve_total(&mut self.walked.waypoints, turns);
    }
}

impl Refiner {
    /// Begins to refine a route over doors, which took `expanded` nodes.
    pub(super) fn begin(&mut self, over: &[CellPos], expanded: u32) {
        self.now = Tick(self.now.0.wrapping_add(1));
        self.anchors.clear();
        self.anchors.extend(over.first());
        (self.stage, self.at, self.last, self.direction) = (Stage::Anchors, 1, 0, LegDirection::default());
        self.walked.clear();
        self.walked.expanded = expanded;
    }

    /// The nodes counted so far.
    pub(super) fn expanded(&self) -> u32 {
        self.walked.expanded
    }

    /// Refines the route until `most` nodes have been counted. When it returns [`Walked::All`], `out` is the route.
    pub(super) fn walk(
        &mut self,
        walk: &Walk<'_>,
        most: u32,
        run: SearchRun<'_, impl Probe>,
    ) -> Result<Walked, PlanError> {
        let SearchRun { scratch, out, probe } = run;
        loop {
            if self.walked.expanded >= most {
                out.expanded = self.walked.expanded;
                return Ok(Walked::Part);
            }
            let expanded = match self.stage {
                Stage::Anchors => self.set_anchor(walk, scratch, probe)?,
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

    /// Adds the next leg to the route. Returns the nodes that it took.
    fn add_leg(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        let expanded =
            self.find_leg(self.anchors[self.at - 1], self.anchors[self.at], walk, scratch, probe)?;
        self.at += 1;
        let Self { leg, walked, direction, .. } = self;
        walked.cost = Cost(walked.cost.0 + leg.cost.0);
        leg.waypoints.iter().for_each(|&at| walked.go_on_to(at, direction));
        Ok(expanded)
    }

    /// Searches the leg from one cell to another, or takes it from the kept legs. Returns the nodes that the search took.
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

    /// Moves the end of the next leg to its middle. Returns the nodes that it took.
    fn move_anchor(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        // The next leg starts at the old end of this one.
        let end = self.anchors[self.at];
        let expanded = self.find_leg(self.start, end, walk, scratch, probe)?;
        self.leg.write_cells(&mut self.cells);
        self.anchors[self.at] = walk.middle(&self.cells);
        (self.start, self.at) = (end, self.at + 1);
        Ok(expanded)
    }

    /// Finds the next cell where legs meet, or goes on to the next stage. Returns the nodes that it took.
    fn set_anchor(
        &mut self,
        walk: &Walk<'_>,
        scratch: &mut SearchScratch,
        probe: &mut impl Probe,
    ) -> Result<u32, PlanError> {
        // The route over doors has one part per sector, from the cell where it enters to the cell where it leaves. If a route is too short
        // for two legs, it is one exact search.
        let over = walk.over;
        let sectors = over.len() / 2;
        let legs = (sectors / walk.legs.sectors_per_leg()).max(1);
        while self.at < sectors {
            let (sector, last) = (self.at, self.last);
            self.at += 1;
            let (entered, left) = (over[2 * sector], over[2 * sector + 1]);
            let ends = if walk.legs.walks_twice() {
                // Legs pass the same number of sectors, as far as possible.
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

/// Whether a leg that passed `passed` sectors ends in this one, with `left` sectors to go. The doors of the sector decide, not the length of the
/// route so far. So routes through the same sectors share legs, which can be kept.
fn is_end(passed: usize, left: usize, entered: CellPos, leaves: CellPos) -> bool {
    let numbers = [entered.x, entered.y, leaves.x, leaves.y];
    let mixed = numbers
        .iter()
        .fold(0_u32, |sum, &number| (sum ^ number as u32).wrapping_mul(0x9e37_79b1).rotate_left(13));
    left >= SHORTEST && passed >= SHORTEST && (passed >= LONGEST || mixed >> 31 == 0)
}
