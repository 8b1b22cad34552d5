//! The ground under lazy fields: what each cell of a map of ±2 billion by ±2 billion cells costs.

use alloc::vec::Vec;
use core::fmt;

use super::chunks::{ChunkPos, Chunks, Local, NONE, Rows, SIDE};
use crate::base::{CellPos, HashState, StateHasher};

/// The cost 255 marks a cell that units cannot enter.
pub const CLOSED: u8 = 255;

/// The costs of a chunk's cells.
#[derive(Clone)]
pub(super) struct GroundChunk {
    cost: [u8; SIDE * SIDE],
    /// Bits that are set for cells that units can enter.
    pub(super) open: Rows,
    /// How many cells differ from the rest of the map.
    changed: u16,
}

impl fmt::Debug for GroundChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroundChunk({} changed)", self.changed)
    }
}

impl GroundChunk {
    fn all(cost: u8) -> Self {
        let open = if cost == CLOSED { 0 } else { u16::MAX };
        Self { cost: [cost; SIDE * SIDE], open: [open; SIDE], changed: 0 }
    }

    #[inline]
    pub(super) fn cost(&self, at: Local) -> u8 {
        self.cost[usize::from(at.0)]
    }

    #[inline]
    pub(super) fn is_open(&self, at: Local) -> bool {
        self.open[at.y()] & at.bit() != 0
    }
}

/// World: what every cell with `i32` coordinates costs, 1..=254 or [`CLOSED`].
///
/// Cells that were never changed all cost the same and take no memory. A changed cell takes at most the memory of a chunk of 16×16 cells,
/// about 300 bytes. Reading and writing a cell takes constant time. Two grounds with the same costs are equal and have equal hashes, even
/// if they were edited in different orders.
///
/// ```
/// use waymarch::base::cell;
/// use waymarch::flow::lazy::{SparseGround, CLOSED};
/// let mut ground = SparseGround::open();
/// ground.set_cost(cell(i32::MAX, -7), CLOSED);
/// assert!(!ground.is_open(cell(i32::MAX, -7)));
/// assert_eq!(ground.cost(cell(i32::MIN, 0)), 1);
/// ```
#[derive(Clone, Debug)]
pub struct SparseGround {
    chunks: Chunks<GroundChunk>,
    /// The chunk that stands for all unchanged chunks.
    rest: GroundChunk,
}

impl SparseGround {
    /// Open ground of cost 1 everywhere.
    #[must_use]
    pub fn open() -> Self {
        Self::new(1)
    }

    /// Closed everywhere; open cells one by one.
    #[must_use]
    pub fn closed() -> Self {
        Self::new(CLOSED)
    }

    /// All cells cost `rest`; 0 counts as 1.
    #[must_use]
    pub fn new(rest: u8) -> Self {
        Self { chunks: Chunks::default(), rest: GroundChunk::all(rest.max(1)) }
    }

    /// What unchanged cells cost.
    #[must_use]
    pub fn rest(&self) -> u8 {
        self.rest.cost(Local(0))
    }

    /// What a cell costs.
    #[inline]
    #[must_use]
    pub fn cost(&self, at: CellPos) -> u8 {
        let (place, local) = ChunkPos::of(at);
        self.chunk(place).cost(local)
    }

    /// Whether units can enter a cell.
    #[inline]
    #[must_use]
    pub fn is_open(&self, at: CellPos) -> bool {
        let (place, local) = ChunkPos::of(at);
        self.chunk(place).is_open(local)
    }

    #[inline]
    pub(super) fn chunk(&self, place: ChunkPos) -> &GroundChunk {
        match self.chunks.find(place) {
            NONE => &self.rest,
            number => self.chunks.get(number),
        }
    }

    /// Sets the cost of a cell (0 counts as 1). Returns what it cost before.
    pub fn set_cost(&mut self, at: CellPos, cost: u8) -> u8 {
        let (cost, rest) = (cost.max(1), self.rest());
        let (place, local) = ChunkPos::of(at);
        let mut number = self.chunks.find(place);
        if number == NONE {
            if cost == rest {
                return rest;
            }
            number = self.chunks.insert(place, self.rest.clone());
        }
        let chunk = self.chunks.get_mut(number);
        let before = core::mem::replace(&mut chunk.cost[usize::from(local.0)], cost);
        chunk.changed = chunk.changed + u16::from(cost != rest) - u16::from(before != rest);
        if cost == CLOSED {
            chunk.open[local.y()] &= !local.bit();
        } else {
            chunk.open[local.y()] |= local.bit();
        }
        if chunk.changed == 0 {
            self.chunks.remove(place);
        }
        before
    }

    /// The cells that do not cost [`rest`](Self::rest), with their costs, always in the same order: by chunks of 16×16.
    ///
    /// Together with `rest` this is all there is to save. Sorts the chunks first.
    pub fn changed_cells(&self) -> impl Iterator<Item = (CellPos, u8)> {
        let mut places: Vec<ChunkPos> = self.chunks.places().to_vec();
        places.sort_unstable();
        let rest = self.rest();
        places.into_iter().flat_map(move |place| {
            let chunk = self.chunk(place);
            let cells = (0..=255).map(Local).filter(move |&local| chunk.cost(local) != rest);
            cells.map(move |local| (place.cell(local), chunk.cost(local)))
        })
    }

    /// How many chunks of 16×16 cells take memory.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.chunks.memory_bytes()
    }
}

impl PartialEq for SparseGround {
    fn eq(&self, other: &Self) -> bool {
        self.rest() == other.rest() && self.changed_cells().eq(other.changed_cells())
    }
}

impl Eq for SparseGround {}

impl HashState for SparseGround {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u8(self.rest());
        h.write_len(self.chunks.places().iter().map(|&place| usize::from(self.chunk(place).changed)).sum());
        for (at, cost) in self.changed_cells() {
            at.hash_state(h);
            h.write_u8(cost);
        }
    }
}
