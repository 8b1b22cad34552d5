//! The frontier of a lazy field: cells found but not yet explored, by level.

use alloc::vec::Vec;
use core::mem::take;

use super::chunks::Local;
use crate::base::Dir8;

/// A level is 2^10 = 1024 of cost wide: the cheapest step.
const LEVEL_BITS: u32 = 10;
/// All costs are multiples of 2^3, because 1024 and 1448 are.
const COST_BITS: u32 = 3;
/// A direction takes 3 bits.
const DIR_BITS: u32 = 3;

/// A found cell in one number: chunk and cell, then the cost within its level, then the direction towards the goal.
///
/// Ordered so that of a cell's entries in one level the cheapest comes first; of equally cheap ones, the lowest direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Found(u64);

/// The chunk number starts 8 bits above the cell.
const CHUNK_SHIFT: u32 = LOCAL_SHIFT + 8;
/// The cell starts at bit 10, above the cost within the level (7 bits) and the direction (3 bits).
const LOCAL_SHIFT: u32 = LEVEL_BITS - COST_BITS + DIR_BITS;

impl Found {
    #[inline]
    pub(super) const fn chunk(self) -> u32 {
        (self.0 >> CHUNK_SHIFT) as u32
    }

    #[inline]
    pub(super) const fn local(self) -> Local {
        Local((self.0 >> LOCAL_SHIFT) as u8)
    }

    #[inline]
    pub(super) const fn dir(self) -> Dir8 {
        Dir8::from_index(self.0 as u8)
    }

    /// How much more its route to the goal costs than the least cost of its level.
    #[inline]
    pub(super) const fn beyond(self) -> u64 {
        (self.0 >> DIR_BITS & ((1 << (LEVEL_BITS - COST_BITS)) - 1)) << COST_BITS
    }
}

/// Derived, a part of [`LazyField`](super::LazyField): the found cells, in a ring of levels.
///
/// The ring has as many levels as the most expensive step so far needs: 4 levels if all cells cost 1, at most 512.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The found cells of each level, by level modulo the length. The length is a power of two, or 0.
    ring: Vec<Vec<Found>>,
    next: u64,
    len: u64,
}

impl Levels {
    /// The lowest level that may have cells; all below are explored.
    #[inline]
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The least cost of the next level.
    #[inline]
    pub(super) const fn floor(&self) -> u64 {
        self.next << LEVEL_BITS
    }

    /// Adds a cell whose route costs `cost`. Its level must be after the one that was taken last.
    #[inline]
    pub(super) fn push(&mut self, cost: u64, chunk: u32, local: Local, dir: Dir8) {
        let level = cost >> LEVEL_BITS;
        let ahead = level - self.next;
        if ahead >= self.ring.len() as u64 {
            self.widen(ahead);
        }
        let low = (cost & ((1 << LEVEL_BITS) - 1)) >> COST_BITS << DIR_BITS | dir.index() as u64;
        let found = (chunk as u64) << CHUNK_SHIFT | (local.0 as u64) << LOCAL_SHIFT | low;
        let slot = level as usize & (self.ring.len() - 1);
        self.ring[slot].push(Found(found));
        self.len += 1;
    }

    #[cold]
    fn widen(&mut self, ahead: u64) {
        let wide = (ahead as usize + 1).next_power_of_two().max(4);
        let mut ring = Vec::new();
        ring.resize_with(wide, Vec::new);
        let narrow = self.ring.len();
        for ahead in 0..narrow {
            let level = (self.next as usize).wrapping_add(ahead);
            ring[level & (wide - 1)] = take(&mut self.ring[level & (narrow - 1)]);
        }
        self.ring = ring;
    }

    /// Takes the cells of the lowest level that has some. Afterwards `next` is that level.
    pub(super) fn take_lowest(&mut self) -> Option<Vec<Found>> {
        if self.len == 0 {
            return None;
        }
        let mask = self.ring.len() - 1;
        // All levels are in the ring, so one round finds a level.
        while self.ring[self.next as usize & mask].is_empty() {
            self.next += 1;
        }
        let found = take(&mut self.ring[self.next as usize & mask]);
        self.len -= found.len() as u64;
        Some(found)
    }

    /// Ends the level that was taken, and takes back its memory.
    pub(super) fn done(&mut self, mut memory: Vec<Found>) {
        memory.clear();
        if self.len == 0 {
            self.ring = Vec::new();
        } else {
            let slot = self.next as usize & (self.ring.len() - 1);
            self.ring[slot] = memory;
        }
        self.next += 1;
    }

    /// The found cells, lowest level first, each with its level. A cell may occur several times.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Found)> {
        let wide = self.ring.len();
        (0..wide as u64).map(|ahead| self.next + ahead).flat_map(move |level| {
            self.ring[level as usize & (wide - 1)].iter().map(move |&found| (level, found))
        })
    }

    /// Keeps only the entries for which `keep` is true, and frees the rest of the memory.
    pub(super) fn retain(&mut self, keep: impl Fn(&Found) -> bool) {
        for level in &mut self.ring {
            level.retain(&keep);
            level.shrink_to_fit();
        }
        self.len = self.ring.iter().map(|level| level.len() as u64).sum();
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let found: usize = self.ring.iter().map(|level| level.capacity() * size_of::<Found>()).sum();
        found + self.ring.capacity() * size_of::<Vec<Found>>()
    }
}
