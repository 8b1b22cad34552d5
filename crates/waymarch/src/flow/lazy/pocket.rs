//! Proof that a start is walled in, from the start's side.

use alloc::vec::Vec;

use super::chunks::{ChunkPos, Chunks, NONE, Rows};
use super::ground::SparseGround;
use crate::base::{CellPos, Dir8};

/// Scratch: a small flood around a start.
///
/// A goal in the open has no end of cells that can reach it, so its field never proves that a start is walled in; flooding
/// the start's own pocket does, and costs no more than the pocket's cells.
#[derive(Clone, Debug, Default)]
pub(super) struct PocketFlood {
    seen: Chunks<Rows>,
    cells: Vec<CellPos>,
}

impl PocketFlood {
    /// Whether the cells connected with `start` are at most `limit` and do not include `goal`.
    ///
    /// Straight steps are enough: where corners are not cut, a diagonal step joins nothing that straight ones do not.
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
                // At the ends of the world the step saturates and leads nowhere new.
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
