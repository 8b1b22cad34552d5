//! Squares of 16×16 cells, found by position: the storage of a map without edges.

use alloc::vec::Vec;

use crate::base::CellPos;

/// A chunk has 2^4 cells per side.
const SIDE_BITS: u32 = 4;
/// A chunk has 16 cells per side.
pub(super) const SIDE: usize = 1 << SIDE_BITS;
/// The low 4 bits of a coordinate: the position within a chunk.
const MASK: i32 = SIDE as i32 - 1;

/// A chunk: cell coordinates divided by 16, rounded down. Ordered row by row.
///
/// The range of `i32` is a whole number of chunks, so its ends are edges of chunks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChunkPos {
    y: i32,
    x: i32,
}

/// A cell of a chunk: the column in the low 4 bits, the row in the high 4 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Local(pub(super) u8);

impl Local {
    #[inline]
    pub(super) const fn x(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub(super) const fn y(self) -> usize {
        (self.0 >> 4) as usize
    }

    #[inline]
    pub(super) const fn bit(self) -> u16 {
        1 << (self.0 & 15)
    }
}

impl ChunkPos {
    /// The first row and column of chunks: -2^27, because a chunk has 16 cells a side and cells have 32-bit coordinates.
    const LOW: i32 = i32::MIN >> SIDE_BITS;
    /// The last row and column of chunks: 2^27 - 1.
    const HIGH: i32 = i32::MAX >> SIDE_BITS;

    /// The chunk of a cell, and the cell's position in it.
    #[inline]
    pub(super) const fn of(at: CellPos) -> (Self, Local) {
        let chunk = Self { y: at.y >> SIDE_BITS, x: at.x >> SIDE_BITS };
        (chunk, Local(((at.y & MASK) << SIDE_BITS | (at.x & MASK)) as u8))
    }

    /// The position on the map of a cell of the chunk.
    #[inline]
    pub(super) const fn cell(self, local: Local) -> CellPos {
        CellPos::new(self.x << SIDE_BITS | local.x() as i32, self.y << SIDE_BITS | local.y() as i32)
    }

    /// The chunk `dx` columns and `dy` rows of chunks away, each -1..=1; `None` past the ends of the `i32` range.
    #[inline]
    pub(super) const fn beside(self, dx: i32, dy: i32) -> Option<Self> {
        let (x, y) = (self.x + dx, self.y + dy);
        if x < Self::LOW || x > Self::HIGH || y < Self::LOW || y > Self::HIGH {
            return None;
        }
        Some(Self { y, x })
    }

    /// A hash that is the same on every machine. No caller sees the order that it makes.
    #[inline]
    const fn hash(self) -> u64 {
        let mixed = (self.y as u32 as u64) << 32 | self.x as u32 as u64;
        let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

/// 2^32 − 1: no chunk.
pub(super) const NONE: u32 = u32::MAX;

/// Items by chunk, numbered in the order in which they were added; found in constant time.
///
/// Open addressing with a fixed hash. Memory is the items, 8 bytes each for their positions, and at most 12 to find them. It grows by one eighth at a
/// time, because there may be a million items.
#[derive(Clone, Debug)]
pub(super) struct Chunks<T> {
    /// Item numbers by hash; the length is a power of two, or 0.
    slots: Vec<u32>,
    places: Vec<ChunkPos>,
    items: Vec<T>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), places: Vec::new(), items: Vec::new() }
    }
}

impl<T> Chunks<T> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, number: u32) -> &mut T {
        &mut self.items[number as usize]
    }

    #[inline]
    pub(super) fn place(&self, number: u32) -> ChunkPos {
        self.places[number as usize]
    }

    /// The number of the item for `place`, or [`NONE`].
    #[inline]
    pub(super) fn find(&self, place: ChunkPos) -> u32 {
        if self.slots.is_empty() {
            return NONE;
        }
        self.slots[self.slot(place)]
    }

    /// The slot that `place` has or would have. There is always an empty one.
    #[inline]
    fn slot(&self, place: ChunkPos) -> usize {
        let mask = self.slots.len() - 1;
        // The high half is well mixed. There are fewer than 2^32 slots.
        let mut at = (place.hash() >> 32) as usize & mask;
        while self.slots[at] != NONE && self.places[self.slots[at] as usize] != place {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds `item` for a position without one. Returns its number.
    pub(super) fn insert(&mut self, place: ChunkPos, item: T) -> u32 {
        let number = self.items.len();
        if number == self.items.capacity() {
            let more = number / 8 + 4;
            self.items.reserve_exact(more);
            self.places.reserve_exact(more);
        }
        self.places.push(place);
        self.items.push(item);
        if (number + 1) * 4 > self.slots.len() * 3 {
            self.rehash();
        } else {
            let slot = self.slot(place);
            self.slots[slot] = number as u32;
        }
        number as u32
    }

    #[cold]
    fn rehash(&mut self) {
        let slots = (self.items.len() * 4 / 3 + 1).next_power_of_two().max(8);
        self.slots.clear();
        self.slots.resize(slots, NONE);
        for number in 0..self.places.len() {
            let slot = self.slot(self.places[number]);
            self.slots[slot] = number as u32;
        }
    }

    /// Removes the item of `place`, if any. The last item takes its number.
    pub(super) fn remove(&mut self, place: ChunkPos) {
        let number = self.find(place);
        if number == NONE {
            return;
        }
        self.unlink(place);
        let last = self.items.len() as u32 - 1;
        if number != last {
            let slot = self.slot(self.places[last as usize]);
            self.slots[slot] = number;
        }
        self.places.swap_remove(number as usize);
        self.items.swap_remove(number as usize);
    }

    /// Empties the slot of a position, and closes the gap that it leaves in its run of slots.
    fn unlink(&mut self, place: ChunkPos) {
        let mask = self.slots.len() - 1;
        let mut hole = self.slot(place);
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let number = self.slots[at];
            if number == NONE {
                break;
            }
            let home = (self.places[number as usize].hash() >> 32) as usize & mask;
            // The entry at `at` may move to the hole if its search passes the hole.
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(hole) & mask {
                self.slots[hole] = number;
                hole = at;
            }
        }
        self.slots[hole] = NONE;
    }

    /// Removes all items and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(NONE);
        self.places.clear();
        self.items.clear();
    }

    /// The positions, in no meaningful order.
    pub(super) fn places(&self) -> &[ChunkPos] {
        &self.places
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<ChunkPos>()
            + self.items.capacity() * size_of::<T>()
    }
}

/// One bit per cell of a chunk, by rows.
pub(super) type Rows = [u16; SIDE];

/// The bits of a cell's eight neighbours, by direction. The cell must not be at the edge of its chunk.
#[inline]
pub(super) fn around(rows: &Rows, at: Local) -> u8 {
    let (x, y) = (at.x(), at.y());
    let three = |row: u16| usize::from(row >> (x - 1) & 7);
    CLOCKWISE[three(rows[y - 1]) | three(rows[y]) << 3 | three(rows[y + 1]) << 6]
}

/// Three rows of three bits, as bits by direction.
static CLOCKWISE: [u8; 512] = {
    // The positions of north, north-east and so on among the nine bits.
    let places = [1, 2, 5, 8, 7, 6, 3, 0];
    let mut table = [0; 512];
    let mut nine = 0;
    while nine < 512 {
        let mut dir = 0;
        while dir < 8 {
            table[nine] |= ((nine >> places[dir] & 1) as u8) << dir;
            dir += 1;
        }
        nine += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Dir8, cell};

    #[test]
    fn the_ends_of_the_range_are_edges_of_chunks() {
        for at in [cell(i32::MIN, i32::MAX), cell(-1, 0), cell(17, -33), cell(i32::MAX, i32::MIN)] {
            let (chunk, local) = ChunkPos::of(at);
            assert_eq!(chunk.cell(local), at);
        }
        let (corner, local) = ChunkPos::of(cell(i32::MIN, i32::MAX));
        assert_eq!((local.x(), local.y()), (0, 15));
        assert!(corner.beside(-1, 0).is_none() && corner.beside(0, 1).is_none());
        assert!(corner.beside(1, -1).is_some());
    }

    #[test]
    fn items_are_found_after_any_removals() {
        let mut chunks = Chunks::default();
        let place = |i: i32| ChunkPos { y: i / 20 - 5, x: i % 20 * 1000 };
        let mut kept = std::collections::BTreeSet::new();
        let mut random = 1_u32;
        for _ in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let i = (random >> 16) as i32 % 300;
            if kept.remove(&i) {
                chunks.remove(place(i));
            } else {
                kept.insert(i);
                chunks.insert(place(i), i);
            }
            assert_eq!(chunks.len(), kept.len());
        }
        for i in 0..300 {
            let number = chunks.find(place(i));
            assert_eq!((number != NONE).then(|| *chunks.get(number)), kept.get(&i).copied());
        }
    }

    #[test]
    fn bits_around_a_cell_are_by_direction() {
        for dir in Dir8::ALL {
            let mut rows = [0; SIDE];
            rows[(7 + dir.dy()) as usize] = 1 << (4 + dir.dx());
            assert_eq!(around(&rows, Local(7 << 4 | 4)), 1 << dir.index());
        }
    }
}
