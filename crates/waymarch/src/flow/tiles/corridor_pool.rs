//! Corridors that ended flows leave for new ones.

use alloc::vec::Vec;

use super::corridor::Corridor;
use super::pool::PartLists;
use super::state::FlowState;
use super::target::FlowTarget;
use crate::base::{Agent, CellPos, CellRect, GridSize, LocomotorId, Scratch, reserve_total};

/// A corridor reserves memory for 256 sectors, or for all sectors of a smaller map.
const SECTORS: usize = 256;
/// Preallocation keeps at least 4 unused corridors.
const CORRIDORS: usize = 4;

/// Scratch: corridors that no flow uses, without parts.
#[derive(Clone, Debug, Default)]
pub(super) struct CorridorPool {
    corridors: Vec<Corridor>,
    /// The number of corridors, used or not.
    all_corridors: usize,
    /// At least the number of parts of the longest corridor so far.
    longest: usize,
}

/// What decides how much memory an unused corridor needs for the cells that see its goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorridorDemand {
    /// How many cells away a goal can be seen.
    pub(super) sight: u32,
    pub(super) map: GridSize,
}

impl Scratch for CorridorPool {
    type Demand = CorridorDemand;

    /// The unused corridors see the goals of another map.
    fn poison(&mut self) {
        let elsewhere = CellPos::new(-7, -7);
        for corridor in &mut self.corridors {
            corridor.visible.reset(CellRect::at(elsewhere, 70, 70));
            corridor.visible.set(elsewhere.offset(8, 8));
        }
        (self.all_corridors, self.longest) = (7, 7);
    }

    /// Makes a corridor if few are unused. It makes none while there are no flows.
    fn reserve(&mut self, CorridorDemand { sight, map }: CorridorDemand) {
        let used = self.all_corridors.saturating_sub(self.corridors.len());
        if used > 0 && self.corridors.len() < CORRIDORS + used / 4 {
            let mut corridor = self.make(FlowTarget::new(Agent::from(LocomotorId(0)), CellPos::new(0, 0)));
            corridor.state.parts.reserve(self.longest);
            corridor.derived.reserve(self.longest);
            corridor.visible.reserve(sight, map);
            self.corridors.push(corridor);
        }
    }
}

impl CorridorPool {
    /// An empty pool for a map with this many sectors.
    pub(super) fn new(sectors: usize) -> Self {
        Self { longest: sectors.min(SECTORS), ..Self::default() }
    }

    /// A corridor without parts.
    pub(super) fn corridor(&mut self, target: FlowTarget) -> Corridor {
        let old = self.corridors.pop().unwrap_or_else(|| self.make(target));
        let mut parts = old.state.parts;
        // Corridors change owners, so each has memory for the longest so far.
        parts.reserve(self.longest);
        let mut corridor = Corridor::of(FlowState { target, goal_open: false, era: 0, parts });
        (corridor.derived, corridor.visible) = (old.derived, old.visible);
        corridor.derived.reserve(self.longest);
        corridor
    }

    /// Makes a new corridor, and memory to take it back later.
    fn make(&mut self, target: FlowTarget) -> Corridor {
        self.all_corridors += 1;
        reserve_total(&mut self.corridors, self.all_corridors);
        Corridor::new(target)
    }

    /// Takes back a corridor that is no longer needed.
    pub(super) fn keep(&mut self, mut corridor: Corridor, lists: &mut PartLists) {
        self.longest = self.longest.max(corridor.state.parts.len().next_power_of_two());
        for (part, derived) in corridor.state.parts.drain(..).zip(corridor.derived.drain(..)) {
            lists.exits.keep(part.exits);
            lists.rims.keep(derived.rim.into_memory());
        }
        self.corridors.push(corridor);
        self.all_corridors = self.all_corridors.max(self.corridors.len());
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.corridors.iter().map(Corridor::memory_bytes).sum()
    }
}
