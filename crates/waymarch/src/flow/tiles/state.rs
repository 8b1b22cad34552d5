//! The World data of flows: all that headings depend on besides the ground.

use alloc::vec::Vec;
use core::ops::Deref;

use super::frame::{Frame, NO_LABEL, cost_of, dir_of};
use super::target::FlowTarget;
use crate::base::{Agent, CellPos, Dir8, GridSize, HashState, Id, Slots, StateHasher, Tick};
use crate::cost::{CostLayer, SectorGrid, SectorId};

/// The tag type of [`FlowId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowTag {}

/// The id of a flow.
pub type FlowId = Id<FlowTag>;

/// 2^46: more than any route on a legal map costs.
const DEAREST: u64 = 1 << 46;

/// What is known of a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Known {
    /// Nothing that the present search may use: the sector was never reached, or its ground changed.
    Nothing,
    /// The labels of the search before. They hold if the exits turn out to cost the same.
    Kept,
    /// The present search's labels so far.
    Reached,
}

/// An exit of a sector: the index of a rim cell, and its label. Both fit in 8 bytes, because labels stay below [`DEAREST`]: 6 bytes for the
/// label, 2 for the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Exit(u64);

impl Exit {
    /// Makes an exit from a legal label.
    #[inline]
    pub(super) const fn new(label: u64, place: u16) -> Self {
        Self(label << 16 | place as u64)
    }

    /// Makes an exit from unchecked numbers; `None` if the label is too large.
    pub(super) fn checked(label: u64, place: u16) -> Option<Self> {
        (label < DEAREST).then(|| Self::new(label, place))
    }

    #[inline]
    pub(super) const fn label(self) -> u64 {
        self.0 >> 16
    }

    #[inline]
    pub(super) const fn place(self) -> u16 {
        self.0 as u16
    }
}

/// A step by which a route leaves a sector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct DoorStep {
    pub(super) at: CellPos,
    pub(super) dir: Dir8,
}

/// A sector keeps at most 8 doors: one for each of its rooms that routes pass. Few sectors have more rooms.
pub(super) const DOORS: usize = 8;

/// World: up to 8 doors, stored in place. Separate lists would take thousands of allocations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct DoorList {
    steps: [DoorStep; DOORS],
    len: u8,
}

impl Default for DoorList {
    fn default() -> Self {
        Self { steps: [DoorStep { at: CellPos::new(0, 0), dir: Dir8::N }; DOORS], len: 0 }
    }
}

impl Deref for DoorList {
    type Target = [DoorStep];

    fn deref(&self) -> &[DoorStep] {
        &self.steps[..usize::from(self.len).min(DOORS)]
    }
}

impl DoorList {
    /// Adds a door if there is room. Returns whether there was.
    pub(super) fn push(&mut self, door: DoorStep) -> bool {
        let Some(free) = self.steps.get_mut(usize::from(self.len)) else { return false };
        *free = door;
        self.len += 1;
        true
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// World: a sector of a corridor.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PartState {
    pub(super) sector: SectorId,
    pub(super) known: Known,
    /// The cost at which the search takes this sector next; `NO_LABEL` if it is not queued.
    #[cfg_attr(feature = "serde", serde(rename = "waits"))]
    pub(super) queue_cost: u64,
    /// The last tick in which units were in it.
    pub(super) used: Option<Tick>,
    /// The exits that its tile is made from, by rim index: the last ones found, even if the search has restarted since.
    pub(super) exits: Vec<Exit>,
    /// The steps by which routes leave the sector, the preferred one first. They lead units in rooms that the search has not reached.
    pub(super) doors: DoorList,
    /// The corridor's `era` when the doors were added.
    pub(super) era: u32,
}

/// World: one flow.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FlowState {
    #[cfg_attr(feature = "serde", serde(rename = "aim"))]
    pub(super) target: FlowTarget,
    /// Whether the goal is open and units may stop on it.
    pub(super) goal_open: bool,
    /// How often the corridor's ground changed.
    pub(super) era: u32,
    /// The sectors of the corridor, in ascending order.
    pub(super) parts: Vec<PartState>,
}

impl FlowState {
    /// Whether the search has ended.
    pub(super) fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.queue_cost == NO_LABEL)
    }

    fn check(
        &self,
        size: GridSize,
        grid: SectorGrid,
        has_costs: &dyn Fn(Agent) -> bool,
    ) -> Result<(), TileStateFault> {
        let FlowTarget { agent, goal, .. } = self.target;
        if !size.contains(goal) || !has_costs(agent) {
            return Err(TileStateFault::Aim(self.target));
        }
        let goals = self.parts.iter().filter(|part| part.sector == grid.of(goal)).count();
        if goals != 1 || self.parts.windows(2).any(|pair| pair[0].sector >= pair[1].sector) {
            return Err(TileStateFault::Order(self.target));
        }
        self.parts.iter().try_for_each(|part| part.check(size, grid))
    }
}

impl PartState {
    fn check(&self, size: GridSize, grid: SectorGrid) -> Result<(), TileStateFault> {
        let (sector, fault) = (self.sector, TileStateFault::Part(self.sector));
        if sector.index() >= grid.count() {
            return Err(fault);
        }
        let frame = Frame { area: grid.area(sector).intersect(size.rect()) };
        let leads_out = |exit: &Exit| {
            let (label, at) = (exit.label(), frame.rim_cell(usize::from(exit.place())));
            let costs = cost_of(label);
            let Some(at) = at.filter(|_| costs > 0 && costs < DEAREST) else { return false };
            let next = at.step(dir_of(label));
            size.contains(next) && !frame.area.contains(next)
        };
        let is_door = |door: &DoorStep| {
            let next = door.at.step(door.dir);
            frame.area.contains(door.at) && size.contains(next) && !frame.area.contains(next)
        };
        let is_sorted = self.exits.windows(2).all(|pair| pair[0].place() < pair[1].place());
        let is_legal = is_sorted && self.exits.iter().all(leads_out) && self.doors.iter().all(is_door);
        if is_legal { Ok(()) } else { Err(fault) }
    }
}

/// World: how far all flows have come, for snapshots. It is small: only the exits of the corridors' sectors. Tiles are made again from it.
///
/// [`TileFlows::state`](super::TileFlows::state) takes it, [`TileFlows::restore`](super::TileFlows::restore) continues from it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TileFlowsState {
    pub(super) now: Tick,
    /// The slot of the flow that the next tick serves first.
    pub(super) turn: u32,
    /// Work done between ticks that counts in the next tick's budget.
    pub(super) owed: u32,
    /// Sectors whose edits were not followed yet.
    pub(super) behind: Vec<SectorId>,
    pub(super) flows: Slots<FlowTag, FlowState>,
}

impl TileFlowsState {
    /// Whether there is a flow with this id.
    pub(crate) fn has(&self, id: FlowId) -> bool {
        self.flows.contains(id)
    }

    /// Whether the state can belong to this layer. A damaged file fails here.
    pub(super) fn check(&self, layer: &CostLayer) -> Result<(), TileStateFault> {
        let has_costs = |agent| layer.field(agent).is_some();
        self.check_for(layer.grid(), layer.changes().sectors(), &has_costs)
    }

    /// As [`TileFlowsState::check`], for a layer that is not built yet.
    pub(crate) fn check_for(
        &self,
        size: GridSize,
        grid: SectorGrid,
        has_costs: &dyn Fn(Agent) -> bool,
    ) -> Result<(), TileStateFault> {
        let count = grid.count();
        if let Some(&sector) = self.behind.iter().find(|sector| sector.index() >= count) {
            return Err(TileStateFault::Part(sector));
        }
        self.flows.values().try_for_each(|flow| flow.check(size, grid, has_costs))
    }
}

/// Why a state cannot be restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TileStateFault {
    /// A flow's goal is off the map, or its agent is unknown.
    #[error("a flow's goal or agent does not fit this map: {0:?}")]
    Aim(FlowTarget),
    /// A flow's sectors are not in order, or the goal's sector is missing.
    #[error("a flow's sectors are out of order, or its goal's sector is missing: {0:?}")]
    Order(FlowTarget),
    /// A sector is not on the map, or has an exit or a door that is not possible.
    #[error("sector {} of a flow is not on this map, or has an impossible exit", .0.0)]
    Part(SectorId),
}

impl HashState for PartState {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u32(self.sector.0);
        h.write_u8(self.known as u8);
        h.write_u64(self.queue_cost);
        self.used.hash_state(h);
        h.write_len(self.exits.len());
        for exit in &self.exits {
            h.write_u64(exit.label());
            h.write_u16(exit.place());
        }
        h.write_len(self.doors.len());
        for door in self.doors.iter() {
            (door.at, door.dir).hash_state(h);
        }
        h.write_u32(self.era);
    }
}

impl HashState for FlowState {
    fn hash_state(&self, h: &mut StateHasher) {
        self.target.hash_state(h);
        h.write_bool(self.goal_open);
        h.write_u32(self.era);
        self.parts.hash_state(h);
    }
}
