//! Many lists of cells in memory that is taken once.

use alloc::vec::Vec;

use crate::base::CellPos;

/// Cells per piece.
const PIECE: usize = 16;
/// Pieces per list that there is room for.
const PIECES_PER_LIST: usize = 4;
const NONE: u32 = u32::MAX;

/// Where a list is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    first: u32,
    len: u32,
}

/// Lists of cells in pieces, each of which knows the next.
#[derive(Clone, Debug, Default)]
pub(super) struct WaypointStore {
    cells: Vec<CellPos>,
    next: Vec<u32>,
    vacant: u32,
    vacant_count: usize,
}

impl WaypointStore {
    /// Takes the memory for `lists` lists of usual length, unless it has been taken.
    pub(super) fn reserve(&mut self, lists: usize) {
        let pieces = lists * PIECES_PER_LIST;
        if self.next.len() == pieces {
            return;
        }
        self.cells.resize(pieces * PIECE, CellPos::default());
        self.next.clear();
        self.next.extend((1..pieces as u32).chain([NONE]));
        (self.vacant, self.vacant_count) = (0, pieces);
    }

    /// Whether a list of this length fits when nothing else is kept.
    pub(super) fn could_hold(&self, len: usize) -> bool {
        len.div_ceil(PIECE) <= self.next.len()
    }

    /// Whether it fits now.
    pub(super) fn has_room(&self, len: usize) -> bool {
        len.div_ceil(PIECE) <= self.vacant_count
    }

    /// Keeps a list there is room for.
    pub(super) fn write(&mut self, cells: &[CellPos]) -> Kept {
        let mut first = NONE;
        // Last piece first, so that each knows the next.
        for piece in cells.chunks(PIECE).rev() {
            let taken = self.vacant;
            self.vacant = core::mem::replace(&mut self.next[taken as usize], first);
            self.vacant_count -= 1;
            self.cells[taken as usize * PIECE..][..piece.len()].copy_from_slice(piece);
            first = taken;
        }
        Kept { first, len: cells.len() as u32 }
    }

    /// Writes a list to `out`, after forgetting what was there.
    pub(super) fn read(&self, kept: Kept, out: &mut Vec<CellPos>) {
        out.clear();
        let (mut piece, mut left) = (kept.first, kept.len as usize);
        while left > 0 {
            let count = left.min(PIECE);
            out.extend_from_slice(&self.cells[piece as usize * PIECE..][..count]);
            left -= count;
            piece = self.next[piece as usize];
        }
    }

    /// Makes room again.
    pub(super) fn give_back(&mut self, kept: Kept) {
        let mut piece = kept.first;
        while piece != NONE {
            let next = core::mem::replace(&mut self.next[piece as usize], self.vacant);
            self.vacant = piece;
            self.vacant_count += 1;
            piece = next;
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<CellPos>() + self.next.capacity() * size_of::<u32>()
    }
}
