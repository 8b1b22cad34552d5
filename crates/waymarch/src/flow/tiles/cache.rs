//! The tiles in memory, shared by all flows for which they are equal.

use alloc::vec::Vec;

use super::key::TileKey;
use super::pool::more_ahead;
use crate::base::Tick;
use crate::cost::SectorId;

/// A reference to a tile in the cache. The tile may have been evicted since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileRef {
    slot: u32,
    generation: u32,
}

impl TileRef {
    pub(super) const NONE: Self = Self { slot: u32::MAX, generation: 0 };
}

/// Whether units follow a tile when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UsedBy {
    Units,
    NoUnit,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    key: TileKey,
    /// The flow bytes, row by row.
    flow: Vec<u8>,
    /// The tick after the last tick in which units followed the tile. If no unit has followed it, the tick in which it was made.
    used: Tick,
    /// The number of corridor parts that refer to it.
    users: u32,
    /// Counts the tiles that were in this slot before.
    generation: u32,
}

/// Derived: tiles by their keys.
///
/// The capacity and the age limit change how much work a heading takes, never the heading. The cache evicts the tile that was used longest
/// ago. Of several it evicts the one with the fewest users, then the first by key. It never evicts a tile that is used in this tick.
///
/// Tiles that units follow do not count against the capacity. Otherwise a tile that all units have just left would be evicted at once, and
/// made again for the next unit that enters its sector.
#[derive(Clone, Debug)]
pub(super) struct TileCache {
    /// The number of tiles that are kept besides the followed ones.
    capacity: u32,
    /// The greatest number of tiles that units can follow in this tick.
    followed: usize,
    ttl: u32,
    slots: Vec<Slot>,
    /// The slots in use, sorted by key.
    index: Vec<u32>,
    vacant: Vec<u32>,
    /// The number of exits of the largest tile so far.
    rim: usize,
}

impl TileCache {
    pub(super) fn new(capacity: u32, ttl: u32) -> Self {
        let (slots, index, vacant) = (Vec::new(), Vec::new(), Vec::new());
        Self { capacity: capacity.max(1), followed: 0, ttl, slots, index, vacant, rim: 0 }
    }

    /// Sets the greatest number of tiles that units can follow in this tick.
    pub(super) fn set_followed(&mut self, count: usize) {
        self.followed = count;
    }

    /// The most tiles that are kept.
    fn most(&self) -> usize {
        self.followed.saturating_add(self.capacity as usize)
    }

    /// Sets how many tiles are kept, and for how many ticks an unused tile is kept.
    pub(super) fn set_limits(&mut self, capacity: u32, ttl: u32) {
        (self.capacity, self.ttl) = (capacity.max(1), ttl);
    }

    /// The flow bytes of a tile, if it is still in the cache.
    #[inline]
    pub(super) fn flow(&self, tile: TileRef) -> Option<&[u8]> {
        let slot = self.slots.get(tile.slot as usize)?;
        (slot.generation == tile.generation).then_some(&slot.flow)
    }

    /// Marks a tile as followed in this tick. Returns whether it is still in the cache.
    pub(super) fn touch(&mut self, tile: TileRef, now: Tick) -> bool {
        match self.slots.get_mut(tile.slot as usize) {
            Some(slot) if slot.generation == tile.generation => {
                slot.used = now.next();
                true
            }
            _ => false,
        }
    }

    /// A corridor part refers to a tile from now on.
    pub(super) fn acquire(&mut self, tile: TileRef) {
        if let Some(slot) = self.slots.get_mut(tile.slot as usize) {
            slot.users += 1;
        }
    }

    /// A corridor part no longer refers to a tile.
    pub(super) fn release(&mut self, tile: TileRef) {
        if let Some(slot) = self.slots.get_mut(tile.slot as usize) {
            if slot.generation == tile.generation {
                slot.users = slot.users.saturating_sub(1);
            }
        }
    }

    /// The tile with this key, if it is in the cache.
    pub(super) fn find(&self, key: &TileKey) -> Option<TileRef> {
        let at = self.index.binary_search_by(|&slot| self.slots[slot as usize].key.cmp(key)).ok()?;
        let slot = self.index[at];
        Some(TileRef { slot, generation: self.slots[slot as usize].generation })
    }

    /// Adds a tile that is not in the cache yet.
    ///
    /// If all tiles in a full cache are used in the tick `now`, the tile is added only if units follow it.
    pub(super) fn insert(
        &mut self,
        key: &TileKey,
        by: UsedBy,
        now: Tick,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Option<TileRef> {
        // Above `capacity` the cache uses the slots that it has. It allocates no slot for a tile that no unit follows.
        let most = if self.vacant.is_empty() { self.capacity as usize } else { self.most() };
        if self.index.len() >= most && !self.evict_oldest(now) && by == UsedBy::NoUnit {
            return None;
        }
        self.rim = self.rim.max(key.exits.len());
        if self.vacant.is_empty() {
            self.make_slots();
        }
        let slot = self.vacant.pop()?;
        let tile = &mut self.slots[slot as usize];
        tile.key.copy_from(key);
        write(&mut tile.flow);
        (tile.used, tile.users) = (if by == UsedBy::Units { now.next() } else { now }, 0);
        let at = self.index.partition_point(|&slot| self.slots[slot as usize].key < *key);
        self.index.insert(at, slot);
        Some(TileRef { slot, generation: self.slots[slot as usize].generation })
    }

    /// Makes at least one slot, with memory for a tile. A cache with many slots doubles, up to `capacity`, so that it rarely grows
    /// during a tick.
    fn make_slots(&mut self) {
        let (all, most) = (self.slots.len(), self.capacity as usize);
        self.make(more_ahead(all).min(most.saturating_sub(all)).max(1));
    }

    /// Makes 32 or 128 slots between ticks if fewer are vacant. The number of slots may exceed `capacity`, because one tick may use more
    /// tiles. Makes no slot before the first tile.
    pub(super) fn preallocate(&mut self) {
        let all = self.slots.len();
        let some = if all < self.most() { 128 } else { 32 };
        if all > 0 && self.vacant.len() < some {
            self.make(some);
        }
    }

    fn make(&mut self, more: usize) {
        let all = self.slots.len();
        self.slots.reserve(more);
        self.index.reserve(all + more - self.index.len());
        self.vacant.reserve(all + more);
        for slot in all..all + more {
            let mut made = Slot::default();
            made.key.reserve(self.rim);
            made.flow.reserve_exact((self.rim / 4).pow(2));
            self.slots.push(made);
            // Fewer than 2^32 tiles fit in memory.
            self.vacant.push(slot as u32);
        }
    }

    /// Evicts the tile that was used longest ago, unless it is used now. Returns whether a tile was evicted.
    fn evict_oldest(&mut self, now: Tick) -> bool {
        let oldest = self.index.iter().enumerate().min_by_key(|&(at, &slot)| {
            let slot = &self.slots[slot as usize];
            (slot.used, slot.users, at)
        });
        match oldest {
            Some((at, &slot)) if self.slots[slot as usize].used <= now => {
                self.vacate(at);
                true
            }
            _ => false,
        }
    }

    fn vacate(&mut self, at: usize) {
        let slot = self.index.remove(at);
        self.slots[slot as usize].generation += 1;
        self.vacant.push(slot);
    }

    fn vacate_where(&mut self, gone: impl Fn(&TileKey, Tick) -> bool) {
        for at in (0..self.index.len()).rev() {
            let slot = &self.slots[self.index[at] as usize];
            if gone(&slot.key, slot.used) {
                self.vacate(at);
            }
        }
    }

    /// Evicts the tiles of sectors that changed. `changed` is sorted.
    pub(super) fn forget(&mut self, changed: &[SectorId]) {
        self.vacate_where(|key, _| changed.binary_search(&key.sector).is_ok());
    }

    /// Evicts tiles that were not used for too long, then tiles above the limit.
    pub(super) fn expire(&mut self, now: Tick) {
        let ttl = u64::from(self.ttl);
        self.vacate_where(|_, used| now.next().since(used) > ttl);
        while self.index.len() > self.most() && self.evict_oldest(now) {}
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_slot = |slot: &Slot| size_of::<Slot>() + slot.flow.capacity() + slot.key.memory_bytes();
        let lists = (self.index.capacity() + self.vacant.capacity()) * 4;
        self.slots.iter().map(of_slot).sum::<usize>() + lists
    }
}
