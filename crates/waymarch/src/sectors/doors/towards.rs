//! Many ways over doors to one goal, each helped by those before it.

use alloc::vec::Vec;

use super::Doors;
use super::frontier::Frontier;
use super::inside::UNIT;
use super::merge::Unbiased;
use super::travel::{DoorRoute, DoorScratch};
use crate::base::{CellPos, StampedMap};
use crate::cost::{ChangeMark, CostLayer, SectorId};

/// Scratch: what ways over doors to one goal have taught about those that are still to be found.
///
/// A search knows afterwards how far every door it saw is from its start. What the whole way costs less that is a lower bound of what
/// is left from there, mostly a far better one than the distance, and as consistent (this is Adaptive A\*): if a door is nearer to the start by `d`
/// than the next one, its bound is greater by `d` at most. So the ways of a group, which begin near each other, take about half
/// the nodes after the first. One for each goal, layer and [`Doors`].
#[derive(Clone, Debug)]
pub struct DoorGoal {
    goal: CellPos,
    /// What was followed when something was learnt.
    known: Option<ChangeMark>,
    /// Where the doors of a sector begin, if something is known of them.
    starts: StampedMap<u32>,
    least: Vec<u32>,
    /// From the doors of the goal's sector.
    pub(super) to_goal: Vec<u32>,
}

impl DoorGoal {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(goal: CellPos) -> Self {
        let (starts, least, to_goal) = (StampedMap::new(0, 0), Vec::new(), Vec::new());
        Self { goal, known: None, starts, least, to_goal }
    }

    /// Begins anew for another goal, in the same memory.
    pub fn begin(&mut self, goal: CellPos) {
        (self.goal, self.known) = (goal, None);
    }

    /// Where to.
    #[must_use]
    pub fn goal(&self) -> CellPos {
        self.goal
    }

    /// What is left from a door at least, in units.
    #[inline]
    pub(super) fn least(&self, sector: SectorId, door: u16) -> u32 {
        let start = self.starts.get(sector.0);
        start.and_then(|start| self.least.get(start as usize + usize::from(door)).copied()).unwrap_or(0)
    }

    /// Forgets what may not be so any more.
    fn follow(&mut self, doors: &Doors, layer: &CostLayer) {
        let now = layer.changes().mark_now();
        if self.known != Some(now) {
            self.starts.resize(doors.grid.count());
            self.starts.clear();
            self.least.clear();
            self.to_goal.clear();
            self.known = Some(now);
        }
    }

    /// Learns from a search that found a way of so many units.
    fn learn(&mut self, doors: &Doors, search: &Frontier, units: u64) {
        for node in &search.nodes {
            let so_far = node.cost.min(node.within);
            let left = u32::try_from(units.saturating_sub(so_far)).unwrap_or(u32::MAX);
            if left == 0 {
                continue;
            }
            let start = self.starts.get(node.sector.0).unwrap_or_else(|| {
                let start = self.least.len();
                self.starts.set(node.sector.0, start as u32);
                self.least.resize(start + doors.sectors[node.sector.index()].doors.len(), 0);
                start as u32
            });
            if let Some(least) = self.least.get_mut(start as usize + usize::from(node.door)) {
                *least = left.max(*least);
            }
        }
    }
}

impl Doors {
    /// As [`Doors::route`], to a goal to which other ways have been found or will be. It costs the same; of ways that cost the same it may be
    /// another one.
    ///
    /// Maps that are so big that searches go from block to block gain nothing.
    pub fn route_towards(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &mut DoorGoal,
        scratch: &mut DoorScratch,
        out: &mut DoorRoute,
    ) -> bool {
        let to = goal.goal;
        if self.blocks.in_use() || !self.is_current(layer) {
            return self.route(layer, from, to, scratch, out);
        }
        goal.follow(self, layer);
        let found = self.find_knowing(layer, (from, to), &Unbiased, Some(goal), scratch, out);
        if found {
            goal.to_goal.clone_from(&scratch.to_goal);
            goal.learn(self, &scratch.far, out.cost / u64::from(UNIT));
        }
        found
    }
}
