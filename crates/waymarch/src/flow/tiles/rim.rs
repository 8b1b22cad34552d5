//! What is left to pay on the rim of a sector.

use alloc::vec::Vec;

use super::corridor::{Corridor, CorridorScratch};
use super::frame::{Frame, NO_LABEL, cost_of, dir_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::spare::Pool;
use super::state::{Exit, Known};

/// Derived: what is left to pay from each cell of a rim, with directions; rubbish where nothing is known of the sector.
///
/// It follows from the ways out of the sector, which are saved. After loading it is found again when it is first asked for: most
/// rims are not before the ground changes.
#[derive(Clone, Debug)]
pub(super) struct Rim {
    /// By place; none as long as no way is known, or they were not found again.
    labels: Vec<u64>,
    /// More than any of its cells costs.
    bound: u64,
    /// The sides that ways out lead to, bit = direction number.
    sides: u8,
    is_found: bool,
}

impl Default for Rim {
    /// Of a sector from which no way is known.
    fn default() -> Self {
        Self { labels: Vec::new(), bound: 0, sides: 0, is_found: true }
    }
}

impl Rim {
    /// Of a sector with these ways out, to be found.
    pub(super) fn to_be_found(frame: Frame, exits: &[Exit]) -> Self {
        let mut rim = Self { is_found: false, ..Self::default() };
        rim.find_sides(frame, exits);
        rim
    }

    /// Whether it is there.
    #[inline]
    pub(super) fn is_found(&self) -> bool {
        self.is_found
    }

    /// What is left to pay from a cell.
    #[inline]
    pub(super) fn label(&self, place: usize) -> u64 {
        self.labels.get(place).copied().unwrap_or(NO_LABEL)
    }

    /// The sides that ways out lead to, bit = direction number.
    #[inline]
    pub(super) fn sides(&self) -> u8 {
        self.sides
    }

    /// Writes what an integration found.
    pub(super) fn write(&mut self, frame: Frame, tile: &TileScratch, spare: &mut Pool<u64>) {
        self.labels.clear();
        spare.make_room(&mut self.labels, frame.rim_len());
        self.labels.resize(frame.rim_len(), NO_LABEL);
        (self.bound, self.is_found) = (0, true);
        for at in frame.rim() {
            let label = tile.label(frame, at);
            self.labels[frame.rim_place(at)] = label;
            if label != NO_LABEL {
                self.bound = self.bound.max(cost_of(label) + 1);
            }
        }
    }

    /// Finds the sides that ways out lead to.
    pub(super) fn find_sides(&mut self, frame: Frame, exits: &[Exit]) {
        self.sides = 0;
        for exit in exits {
            let next = frame.rim_cell(usize::from(exit.place())).map(|at| at.step(dir_of(exit.label())));
            if let Some(side) = next.and_then(|next| frame.side_of(next)) {
                self.sides |= 1 << side.index();
            }
        }
    }

    /// Its memory.
    pub(super) fn into_memory(self) -> Vec<u64> {
        self.labels
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.labels.capacity() * 8
    }
}

impl Corridor {
    /// Makes sure that the rim of a part is there of which something is known. Costs an integration the first time after loading.
    #[inline]
    pub(super) fn find_rim(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut CorridorScratch) {
        if !self.made[at].rim.is_found {
            self.find_rim_again(ground, at, scratch);
        }
    }

    #[cold]
    fn find_rim_again(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut CorridorScratch) {
        let goal = self.goal_in(at);
        let frame = self.made[at].frame;
        scratch.exits.clear();
        scratch.exits.resize(frame.rim_len(), NO_LABEL);
        for exit in &self.state.parts[at].exits {
            scratch.exits[usize::from(exit.place())] = exit.label();
        }
        scratch.tile.integrate(ground, Sources { frame, exits: &scratch.exits, goal });
        self.made[at].rim.write(frame, &scratch.tile, &mut scratch.lists.rims);
    }

    /// The same for a part that is to be looked at and those around it.
    pub(super) fn find_rims(
        &mut self,
        ground: TileGround<'_>,
        at: usize,
        beside: &[Option<usize>; 8],
        scratch: &mut CorridorScratch,
    ) {
        if self.state.parts[at].known != Known::Nothing {
            self.find_rim(ground, at, scratch);
        }
        for other in beside.iter().copied().flatten() {
            if self.state.parts[other].known == Known::Reached {
                self.find_rim(ground, other, scratch);
            }
        }
    }

    /// Whether all cells on the rim of a part that was reached cost less than `least`.
    pub(super) fn is_below(
        &mut self,
        ground: TileGround<'_>,
        at: usize,
        least: u64,
        scratch: &mut CorridorScratch,
    ) -> bool {
        if !self.made[at].rim.is_found {
            // Ways out are on the rim, so some need not be found for that.
            if self.state.parts[at].exits.iter().any(|exit| cost_of(exit.label()) >= least) {
                return false;
            }
            self.find_rim_again(ground, at, scratch);
        }
        self.made[at].rim.bound <= least
    }
}
