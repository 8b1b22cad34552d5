//! The remaining costs on the rim of a sector.

use alloc::vec::Vec;

use super::frame::{Frame, NO_LABEL, cost_of, dir_of};
use super::integrate::TileScratch;
use super::pool::Pool;
use super::state::Exit;

/// Derived: the label of each rim cell. Meaningless while nothing is known of the sector.
///
/// The labels can be computed from the sector's saved exits. After loading, they are computed when they are first needed. Most rims are not
/// needed before the ground changes.
#[derive(Clone, Debug)]
pub(super) struct Rim {
    /// The labels, by rim index. Empty while no exit is known, and after loading until the labels are needed.
    labels: Vec<u64>,
    /// More than the remaining cost of any rim cell.
    bound: u64,
    /// The sides that exits lead to, bit = direction number.
    sides: u8,
    is_found: bool,
}

impl Default for Rim {
    /// The rim of a sector without known exits.
    fn default() -> Self {
        Self { labels: Vec::new(), bound: 0, sides: 0, is_found: true }
    }
}

impl Rim {
    /// The rim of a sector with these exits. Its labels are found later.
    pub(super) fn to_be_found(frame: Frame, exits: &[Exit]) -> Self {
        let mut rim = Self { is_found: false, ..Self::default() };
        rim.find_sides(frame, exits);
        rim
    }

    /// Whether the labels are found.
    #[inline]
    pub(super) fn is_found(&self) -> bool {
        self.is_found
    }

    /// More than the remaining cost of any rim cell.
    #[inline]
    pub(super) fn bound(&self) -> u64 {
        self.bound
    }

    /// The label of a rim cell.
    #[inline]
    pub(super) fn label(&self, place: usize) -> u64 {
        self.labels.get(place).copied().unwrap_or(NO_LABEL)
    }

    /// The sides that exits lead to, bit = direction number.
    #[inline]
    pub(super) fn sides(&self) -> u8 {
        self.sides
    }

    /// Takes the labels from an integration.
    pub(super) fn write(&mut self, frame: Frame, tile: &TileScratch, spare: &mut Pool<u64>) {
        self.labels.clear();
        spare.reserve_list(&mut self.labels, frame.rim_len());
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

    /// Finds the sides that exits lead to.
    pub(super) fn find_sides(&mut self, frame: Frame, exits: &[Exit]) {
        self.sides = 0;
        for exit in exits {
            let next = frame.rim_cell(usize::from(exit.place())).map(|at| at.step(dir_of(exit.label())));
            if let Some(side) = next.and_then(|next| frame.side_of(next)) {
                self.sides |= 1 << side.index();
            }
        }
    }

    /// Gives back the list of labels.
    pub(super) fn into_memory(self) -> Vec<u64> {
        self.labels
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.labels.capacity() * 8
    }
}
