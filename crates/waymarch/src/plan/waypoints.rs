//! Many lists of cells in memory that grows with their number, up to a limit.

use alloc::vec::Vec;

use crate::base::CellPos;

/// Cells per piece: 16.
const PIECE: usize = 16;
/// Pieces per list that the limit counts: 4, so 64 cells per list on average.
const PIECES_PER_LIST: usize = 4;
/// Memory for up to 4096 lists is allocated at once. Beyond that it doubles when it is full.
pub(super) const FIRST_LISTS: usize = 4096;
/// The index that stands for no piece: 2^32 - 1, which no list of pieces reaches.
const NONE: u32 = u32::MAX;

/// Where a kept list is: its first piece and its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    first: u32,
    len: u32,
}

/// Lists of cells. Each list is a chain of pieces.
#[derive(Clone, Debug)]
pub(super) struct WaypointStore {
    cells: Vec<CellPos>,
    next: Vec<u32>,
    vacant: u32,
    vacant_count: usize,
    /// The store grows to at most this number of pieces.
    max_pieces: usize,
}

impl Default for WaypointStore {
    fn default() -> Self {
        Self { cells: Vec::new(), next: Vec::new(), vacant: NONE, vacant_count: 0, max_pieces: 0 }
    }
}

impl WaypointStore {
    /// Sets the limit to `lists` lists of average length, and allocates the memory of the first 4096.
    pub(super) fn reserve(&mut self, lists: usize) {
        self.max_pieces = lists * PIECES_PER_LIST;
        if self.next.is_empty() {
            self.grow_to(lists.min(FIRST_LISTS) * PIECES_PER_LIST);
        }
    }

    /// Adds vacant pieces until there are `pieces` in all.
    fn grow_to(&mut self, pieces: usize) {
        let first = self.next.len();
        self.cells.resize(pieces * PIECE, CellPos::default());
        self.next.extend((first as u32 + 1..pieces as u32).chain([self.vacant]));
        self.vacant = first as u32;
        self.vacant_count += pieces - first;
    }

    /// Whether a list of this length fits into the empty store.
    pub(super) fn could_hold(&self, len: usize) -> bool {
        len.div_ceil(PIECE) <= self.max_pieces
    }

    /// Whether a list of this length fits now.
    pub(super) fn has_room(&self, len: usize) -> bool {
        len.div_ceil(PIECE) <= self.vacant_count + (self.max_pieces - self.next.len())
    }

    /// Keeps a list. It must fit; see [`WaypointStore::has_room`].
    pub(super) fn write(&mut self, cells: &[CellPos]) -> Kept {
        let missing = cells.len().div_ceil(PIECE).saturating_sub(self.vacant_count);
        if missing > 0 {
            let pieces = self.next.len();
            self.grow_to((pieces * 2).max(pieces + missing).min(self.max_pieces));
        }
        let mut first = NONE;
        // The last piece first, so that each piece can be linked to the next.
        for piece in cells.chunks(PIECE).rev() {
            let taken = self.vacant;
            self.vacant = core::mem::replace(&mut self.next[taken as usize], first);
            self.vacant_count -= 1;
            self.cells[taken as usize * PIECE..][..piece.len()].copy_from_slice(piece);
            first = taken;
        }
        Kept { first, len: cells.len() as u32 }
    }

    /// Writes a kept list to `out`, which loses its old contents.
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

    /// Frees the pieces of a list.
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
