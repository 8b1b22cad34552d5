//! Several routes over doors to one goal: each search helps the next.

use alloc::vec::Vec;

use super::graph::Doors;
use super::node::Node;
use crate::base::{CellPos, StampedMap};
use crate::cost::{ChangeMark, CostLayer, SectorId};

/// Scratch: lower bounds that searches over doors to one goal have found for later searches.
///
/// After a search, the distance from its start to every door it saw is known. The cost of the whole route minus that
/// distance is a lower bound of the remaining cost from that door. This bound is mostly far better than the distance estimate, and
/// it is consistent (this is Adaptive A\*). The routes of a group start near each other, so all but the first need about half the
/// nodes. Use one `DoorGoal` for each goal, layer and [`Doors`].
#[derive(Clone, Debug)]
pub struct DoorGoal {
    goal: CellPos,
    /// The layer's latest change when the bounds were found.
    known: Option<ChangeMark>,
    /// By sector: where the bounds of its doors begin, if there are any.
    starts: StampedMap<u32>,
    least: Vec<u32>,
    /// The costs from the doors of the goal's sector to the goal, in units.
    pub(super) to_goal: Vec<u32>,
}

impl DoorGoal {
    /// Starts without bounds for `goal`.
    #[must_use]
    pub fn new(goal: CellPos) -> Self {
        let (starts, least, to_goal) = (StampedMap::new(0, 0), Vec::new(), Vec::new());
        Self { goal, known: None, starts, least, to_goal }
    }

    /// Starts again for another goal, in the same memory.
    pub fn begin(&mut self, goal: CellPos) {
        (self.goal, self.known) = (goal, None);
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> CellPos {
        self.goal
    }

    /// A lower bound of the remaining cost from a door, in units.
    #[inline]
    pub(super) fn least(&self, sector: SectorId, door: u16) -> u32 {
        let start = self.starts.get(sector.0);
        start.and_then(|start| self.least.get(start as usize + usize::from(door)).copied()).unwrap_or(0)
    }

    /// Drops all bounds if the layer changed.
    pub(super) fn follow(&mut self, doors: &Doors, layer: &CostLayer) {
        let now = layer.changes().mark_now();
        if self.known != Some(now) {
            self.starts.resize(doors.grid.count());
            self.starts.clear();
            self.least.clear();
            self.to_goal.clear();
            self.known = Some(now);
        }
    }

    /// Learns from the nodes of a search that found a route of `units`.
    pub(super) fn learn(&mut self, doors: &Doors, nodes: &[Node], units: u64) {
        for node in nodes {
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
