//! How far flows have come: all that headings depend on besides the ground.

use alloc::vec::Vec;
use core::ops::Deref;

use super::aim::TileAim;
use super::flows::{FlowId, FlowTag};
use super::frame::{Frame, NO_LABEL, cost_of, dir_of};
use crate::base::{Agent, CellPos, Dir8, GridSize, HashState, Slots, StateHasher, Tick};
use crate::cost::{CostLayer, SectorGrid, SectorId};

/// No way on any legal map costs as much.
const DEAREST: u64 = 1 << 46;

/// What is known of a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Known {
    /// Nothing that the present search may use: it was never reached, or its ground changed since.
    Nothing,
    /// Its rim, if its exits turn out to cost what they did.
    Kept,
    /// Its rim, as far as the present search has come.
    Reached,
}

/// A way out of a sector: the place of a cell on the rim, and what is left to pay from there with the first step's direction. Both in
/// eight bytes, as there are many: no way on a legal map costs more than [`DEAREST`], so six are enough for the latter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Exit(u64);

impl Exit {
    /// Of a label that is one.
    #[inline]
    pub(super) const fn new(label: u64, place: u16) -> Self {
        Self(label << 16 | place as u64)
    }

    /// The same of numbers that may be anything; `None` if there is no such way out.
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

/// Doors remembered per sector at most: one for each of its rooms that routes pass, and few sectors have more rooms.
pub(super) const DOORS: usize = 8;

/// World: a few doors, in place: lists of their own would be thousands.
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
    /// Adds a door if there is room for it; whether there is.
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
    /// The cost from which on it is to be looked at again; `NO_LABEL` if it is not.
    pub(super) waits: u64,
    /// When units were last in it.
    pub(super) used: Option<Tick>,
    /// The ways out that its tile follows from, by place; those found last, even if the search has begun anew.
    pub(super) exits: Vec<Exit>,
    /// Where routes leave it, the one to be preferred first; for units in rooms that the search has not come to.
    pub(super) doors: DoorList,
    /// After how many changes of the corridor's ground the doors were found.
    pub(super) era: u32,
}

/// World: one flow.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FlowState {
    pub(super) aim: TileAim,
    /// Whether the goal is open and may be stopped on.
    pub(super) goal_open: bool,
    /// How often the corridor's ground changed.
    pub(super) era: u32,
    /// By sector.
    pub(super) parts: Vec<PartState>,
}

impl FlowState {
    /// Whether a search has come to its end.
    pub(super) fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.waits == NO_LABEL)
    }

    fn check(
        &self,
        size: GridSize,
        grid: SectorGrid,
        has_costs: &dyn Fn(Agent) -> bool,
    ) -> Result<(), TileStateFault> {
        let TileAim { agent, goal, .. } = self.aim;
        if !size.contains(goal) || !has_costs(agent) {
            return Err(TileStateFault::Aim(self.aim));
        }
        let goals = self.parts.iter().filter(|part| part.sector == grid.of(goal)).count();
        if goals != 1 || self.parts.windows(2).any(|pair| pair[0].sector >= pair[1].sector) {
            return Err(TileStateFault::Order(self.aim));
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

/// World: how far all flows have come, for snapshots. Small: what is left to pay at the ways out of the sectors of corridors; tiles
/// are made again from that.
///
/// [`TileFlows::state`](super::TileFlows::state) takes it, [`TileFlows::restore`](super::TileFlows::restore) goes on from it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TileFlowsState {
    pub(super) now: Tick,
    /// Whose turn is next.
    pub(super) turn: u32,
    /// Work done outside of ticks that the next one has to make up for.
    pub(super) owed: u32,
    /// Sectors that changed and were not followed yet.
    pub(super) behind: Vec<SectorId>,
    pub(super) flows: Slots<FlowTag, FlowState>,
}

impl TileFlowsState {
    /// Whether there is a flow of that name.
    pub(crate) fn has(&self, id: FlowId) -> bool {
        self.flows.contains(id)
    }

    /// Whether it can be one of this layer: what a damaged file says is refused here.
    pub(super) fn check(&self, layer: &CostLayer) -> Result<(), TileStateFault> {
        let has_costs = |agent| layer.field(agent).is_some();
        self.check_for(layer.grid(), layer.changes().sectors(), &has_costs)
    }

    /// The same, for a layer that is not there yet.
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

/// Why a state cannot be gone on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TileStateFault {
    /// A flow leads off the map, or is for somebody unknown.
    #[error("a flow's aim does not fit this map: {0:?}")]
    Aim(TileAim),
    /// A flow's sectors are not in order, or its goal's is missing.
    #[error("sectors out of order, or without the goal's: {0:?}")]
    Order(TileAim),
    /// A sector that is not on the map, or has ways out that cannot be.
    #[error("sector {} does not fit this map", .0.0)]
    Part(SectorId),
}

impl HashState for TileAim {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u8(self.agent.locomotor.0);
        h.write_u8(self.agent.size.side());
        h.write_u8(self.threat as u8);
        self.goal.hash_state(h);
    }
}

impl HashState for PartState {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u32(self.sector.0);
        h.write_u8(self.known as u8);
        h.write_u64(self.waits);
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
        self.aim.hash_state(h);
        h.write_bool(self.goal_open);
        h.write_u32(self.era);
        self.parts.hash_state(h);
    }
}
