//! The key of a tile: all that the tile depends on besides its ground. And how a tile is made from its key.

use alloc::vec::Vec;

use super::frame::{Frame, NO_LABEL, cost_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::state::{DOORS, DoorStep};
use super::target::FlowTarget;
use crate::base::CellPos;
use crate::cost::{DIAGONAL, STRAIGHT, SectorId, StepRule};
use crate::query::Threat;

/// Bit 0x40 (bit 6) of a tile's byte: a route of steps from here costs at least as much as a straight line to the goal.
pub(super) const STRAIGHT_IS_BEST: u8 = 0x40;

/// A goal whose cell is not the cheapest ground. The tile marks the cells from which a straight line to this goal costs no more than steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Lines {
    pub(super) goal: CellPos,
    /// What the goal's cell costs.
    pub(super) cost: u8,
    /// What was subtracted from the exits.
    pub(super) base: u64,
}

/// What the labels of an integrated tile count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Labels {
    /// The whole remaining cost.
    Whole,
    /// The remaining cost minus what the key subtracted.
    Relative,
}

/// All that a tile depends on besides the ground of its sector. Equal keys have equal tiles.
///
/// Exits count relative to the cheapest one, so goals behind one bottleneck share the tiles before it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TileKey {
    pub(super) sector: SectorId,
    /// Locomotor, size, neighbours and corner rule.
    agent_and_rule: [u8; 4],
    threat: Threat,
    /// The goal, if it is in this sector.
    pub(super) goal: Option<CellPos>,
    pub(super) lines: Option<Lines>,
    /// The label of each exit, by rim index; `NO_LABEL` for other rim cells.
    pub(super) exits: Vec<u64>,
    /// Doors for rooms that no exit leads out of. The first door that leads out of a room counts.
    pub(super) doors: Vec<DoorStep>,
}

impl TileKey {
    /// Starts a key for one agent's tile of a sector.
    pub(super) fn begin(&mut self, sector: SectorId, target: FlowTarget, rule: StepRule, frame: Frame) {
        let FlowTarget { agent, threat, .. } = target;
        let StepRule { neighbours, corners } = rule;
        self.sector = sector;
        self.agent_and_rule = [agent.locomotor.0, agent.size.side(), neighbours as u8, corners as u8];
        self.threat = threat;
        (self.goal, self.lines) = (None, None);
        self.exits.clear();
        self.exits.resize(frame.rim_len(), NO_LABEL);
        self.doors.clear();
    }

    /// Makes all exits relative to the cheapest one: subtracts its cost minus one straight step, so that no exit has cost 0 like a goal.
    /// Returns what was subtracted.
    pub(super) fn make_relative(&mut self) -> u64 {
        let least = self.exits.iter().copied().min().unwrap_or(NO_LABEL);
        if self.goal.is_some() || least == NO_LABEL {
            return 0;
        }
        // Leaving a sector costs at least one step.
        let base = cost_of(least).saturating_sub(u64::from(STRAIGHT));
        for exit in &mut self.exits {
            *exit = if *exit == NO_LABEL { NO_LABEL } else { *exit - base };
        }
        base
    }

    /// Reserves memory for this many exits and for all doors, so that a later tile with doors needs no memory.
    pub(super) fn reserve(&mut self, exits: usize) {
        self.exits.reserve_exact(exits.saturating_sub(self.exits.len()));
        self.doors.reserve_exact(DOORS.saturating_sub(self.doors.len()));
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.sector, self.agent_and_rule, self.threat) = (other.sector, other.agent_and_rule, other.threat);
        (self.goal, self.lines) = (other.goal, other.lines);
        self.reserve(other.exits.len());
        self.exits.clone_from(&other.exits);
        self.doors.clone_from(&other.doors);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.exits.capacity() * 8 + self.doors.capacity() * size_of::<DoorStep>()
    }

    /// Integrates the tile. Costs one integration, plus one for each room that only a door leads out of.
    pub(super) fn integrate(&self, ground: TileGround<'_>, frame: Frame, tile: &mut TileScratch) {
        tile.integrate(ground, Sources { frame, exits: &self.exits, goal: self.goal });
        if self.doors.is_empty() {
            return;
        }
        let TileScratch { labels, exits } = tile;
        exits.clone_from(&self.exits);
        for door in &self.doors {
            if labels.label(frame, door.at) == NO_LABEL {
                exits[frame.rim_place(door.at)] = u64::from(STRAIGHT) + u64::from(door.dir.index());
                labels.integrate(ground, Sources { frame, exits, goal: self.goal });
            }
        }
    }

    /// Writes the tile's bytes after it was integrated.
    pub(super) fn write(&self, frame: Frame, tile: &TileScratch, labels: Labels, flow: &mut Vec<u8>) {
        tile.write_flow(frame, flow);
        let Some(lines) = self.lines else { return };
        let more = if labels == Labels::Whole { 0 } else { lines.base };
        for (byte, at) in flow.iter_mut().zip(frame.area.cells()) {
            let label = tile.label(frame, at);
            if label == NO_LABEL {
                continue;
            }
            let (dx, dy) = (u64::from(at.x.abs_diff(lines.goal.x)), u64::from(at.y.abs_diff(lines.goal.y)));
            // Compare the cost of a straight line with the cost of the steps. Both count a diagonal as 1448.
            let line = (u128::from(DIAGONAL) * u128::from(lines.cost)).pow(2) * u128::from(dx * dx + dy * dy);
            let steps = u128::from(cost_of(label) + more);
            if 2 * steps * steps >= line {
                *byte |= STRAIGHT_IS_BEST;
            }
        }
    }
}
