//! What a tile follows from, and making it.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::frame::{Frame, NO_LABEL, cost_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::state::DOORS;
use super::state::DoorStep;
use crate::base::CellPos;
use crate::cost::{DIAGONAL, STRAIGHT, SectorId, StepRule};

/// Bit of a tile's byte: steps from here are not cheaper than a straight line to the goal.
pub(super) const STRAIGHT_IS_BEST: u8 = 0x40;

/// Straight lines to a goal that is not on the cheapest ground: from where are they best?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Lines {
    pub(super) goal: CellPos,
    /// What the goal's cell costs.
    pub(super) cost: u8,
    /// What was taken away from the exits.
    pub(super) base: u64,
}

/// What the labels of an integrated tile say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Labels {
    /// All that is left to pay.
    Whole,
    /// That, less what a key took away.
    Relative,
}

/// What a tile follows from, besides the ground of its sector. Equal keys have equal tiles.
///
/// Exits count less what all of them cost at least: goals behind one bottleneck share what lies before it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TileKey {
    pub(super) sector: SectorId,
    /// Locomotor, size, threat, and how it steps.
    who: [u8; 5],
    /// The goal, if it is inside.
    pub(super) goal: Option<CellPos>,
    pub(super) lines: Option<Lines>,
    /// In the order of the rim.
    pub(super) exits: Vec<u64>,
    /// Ways out for rooms that exits do not lead to, the first that leads to a room counts.
    pub(super) doors: Vec<DoorStep>,
}

impl TileKey {
    /// Empties it, for one agent's tile of a sector.
    pub(super) fn begin(&mut self, sector: SectorId, aim: TileAim, rule: StepRule, frame: Frame) {
        let TileAim { agent, threat, .. } = aim;
        let StepRule { neighbours, corners } = rule;
        self.sector = sector;
        self.who = [agent.locomotor.0, agent.size.side(), threat as u8, neighbours as u8, corners as u8];
        (self.goal, self.lines) = (None, None);
        self.exits.clear();
        self.exits.resize(frame.rim_len(), NO_LABEL);
        self.doors.clear();
    }

    /// Takes away from all exits what they cost at least, so that none looks like a goal; gives what that is.
    pub(super) fn make_relative(&mut self) -> u64 {
        let least = self.exits.iter().copied().min().unwrap_or(NO_LABEL);
        if self.goal.is_some() || least == NO_LABEL {
            return 0;
        }
        // Every way out costs at least a step.
        let base = cost_of(least).saturating_sub(u64::from(STRAIGHT));
        for exit in &mut self.exits {
            *exit = if *exit == NO_LABEL { NO_LABEL } else { *exit - base };
        }
        base
    }

    /// Room for so many exits, and for doors: now rather than when a tile with doors comes into this memory.
    pub(super) fn make_room(&mut self, exits: usize) {
        self.exits.reserve_exact(exits.saturating_sub(self.exits.len()));
        self.doors.reserve_exact(DOORS.saturating_sub(self.doors.len()));
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.sector, self.who, self.goal, self.lines) = (other.sector, other.who, other.goal, other.lines);
        self.make_room(other.exits.len());
        self.exits.clone_from(&other.exits);
        self.doors.clone_from(&other.doors);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.exits.capacity() * 8 + self.doors.capacity() * size_of::<DoorStep>()
    }

    /// Integrates the tile. Costs one integration, and one more for each room that only doors lead out of.
    pub(super) fn integrate(&self, ground: TileGround<'_>, frame: Frame, tile: &mut TileScratch) {
        tile.integrate(ground, Sources { frame, exits: &self.exits, goal: self.goal });
        if self.doors.is_empty() {
            return;
        }
        let mut exits = core::mem::take(&mut tile.exits);
        exits.clone_from(&self.exits);
        for door in &self.doors {
            if tile.label(frame, door.at) == NO_LABEL {
                exits[frame.rim_place(door.at)] = u64::from(STRAIGHT) + u64::from(door.dir.index());
                tile.integrate(ground, Sources { frame, exits: &exits, goal: self.goal });
            }
        }
        tile.exits = exits;
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
            // A straight line is not dearer than steps; both counted with 1448 for the diagonal of a square.
            let line = (u128::from(DIAGONAL) * u128::from(lines.cost)).pow(2) * u128::from(dx * dx + dy * dy);
            let steps = u128::from(cost_of(label) + more);
            if 2 * steps * steps >= line {
                *byte |= STRAIGHT_IS_BEST;
            }
        }
    }
}
