//! Proof that a start is walled in, from the start's side.

use alloc::vec::Vec;

use super::chunks::{ChunkPos, Chunks, NONE, Rows};
use super::ground::SparseGround;
use crate::base::{CellPos, Dir8};

/// Scratch: a small flood around a start.
///
/// On open ground, the field of a goal grows up to its limit without reaching a start that is walled in. So the field proves nothing about
/// that start. A flood of the start's pocket does, and visits no more cells than the pocket has.
#[derive(Clone, Debug, Default)]
pub(super) struct PocketFlood {
    seen: Chunks<Rows>,
    cells: Vec<CellPos>,
}

impl PocketFlood {
    /// Whether at most `limit` cells are connected with `start`, and `goal` is not among them.
    ///
    /// Straight steps are enough: if corners must not be cut, a diagonal step connects nothing new.
    pub(super) fn encloses(
        &mut self,
        ground: &SparseGround,
        start: CellPos,
        goal: CellPos,
        limit: u32,
    ) -> bool {
        self.seen.clear();
        self.cells.clear();
        self.visit(start);
        let mut next = 0;
        while let Some(&at) = self.cells.get(next) {
            if self.cells.len() as u64 > u64::from(limit) || at == goal {
                return false;
            }
            next += 1;
            for dir in Dir8::STRAIGHT {
                // At the ends of the map the step saturates and leads nowhere new.
                let to = at.step(dir);
                if ground.is_open(to) {
                    self.visit(to);
                }
            }
        }
        true
    }

    fn visit(&mut self, at: CellPos) {
        let (place, local) = ChunkPos::of(at);
        let number = match self.seen.find(place) {
            NONE => self.seen.insert(place, Rows::default()),
            number => number,
        };
        let row = &mut self.seen.get_mut(number)[local.y()];
        if *row & local.bit() == 0 {
            *row |= local.bit();
            self.cells.push(at);
        }
    }
}
