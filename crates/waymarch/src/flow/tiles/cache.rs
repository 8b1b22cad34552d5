//! The tiles in use, kept while somebody follows them, shared by all goals for which they are the same.

use alloc::vec::Vec;

use super::key::TileKey;
use super::spare::more_ahead;
use crate::base::Tick;
use crate::cost::SectorId;

/// Where a tile was last seen; it may be gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileRef {
    slot: u32,
    generation: u32,
}

impl TileRef {
    pub(super) const NONE: Self = Self { slot: u32::MAX, generation: 0 };
}

/// Who follows a tile when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UsedBy {
    Units,
    Nobody,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    key: TileKey,
    /// Row by row.
    flow: Vec<u8>,
    /// The tick after the last one in which units followed it; if none did, the one in which it was made.
    used: Tick,
    /// How many parts of corridors refer to it.
    users: u32,
    /// Counts what was in this slot before.
    generation: u32,
}

/// Derived: tiles by what they follow from.
///
/// How many are kept, and for how long, changes what headings cost, never what they are. The one given up is the one used
/// longest ago, of those the one with the fewest users, of those the first by key; never one that is used in this tick.
///
/// Those that units follow do not count: with more of them than are to be kept, one that everybody has just left would be given up
/// at once, and be made again for the next who comes by.
#[derive(Clone, Debug)]
pub(super) struct TileCache {
    /// So many are kept beside those that units follow,
    capacity: u32,
    /// which were this many in the last tick.
    followed: usize,
    ttl: u32,
    slots: Vec<Slot>,
    /// Slots in use, by key.
    index: Vec<u32>,
    vacant: Vec<u32>,
    /// Exits of the largest tile so far.
    rim: usize,
}

impl TileCache {
    pub(super) fn new(capacity: u32, ttl: u32) -> Self {
        let (slots, index, vacant) = (Vec::new(), Vec::new(), Vec::new());
        Self { capacity: capacity.max(1), followed: 0, ttl, slots, index, vacant, rim: 0 }
    }

    /// How many tiles units follow in this tick, at most.
    pub(super) fn set_followed(&mut self, count: usize) {
        self.followed = count;
    }

    /// So many are kept, if there is memory for them.
    fn most(&self) -> usize {
        self.followed.saturating_add(self.capacity as usize)
    }

    /// How many tiles are kept, and how long unused ones are, from now on.
    pub(super) fn set_limits(&mut self, capacity: u32, ttl: u32) {
        (self.capacity, self.ttl) = (capacity.max(1), ttl);
    }

    /// The flow bytes of a tile, if it is still there.
    #[inline]
    pub(super) fn flow(&self, tile: TileRef) -> Option<&[u8]> {
        let slot = self.slots.get(tile.slot as usize)?;
        (slot.generation == tile.generation).then_some(&slot.flow)
    }

    /// Notes that somebody follows a tile; whether it is still there.
    pub(super) fn touch(&mut self, tile: TileRef, now: Tick) -> bool {
        match self.slots.get_mut(tile.slot as usize) {
            Some(slot) if slot.generation == tile.generation => {
                slot.used = now.next();
                true
            }
            _ => false,
        }
    }

    /// Somebody refers to a tile.
    pub(super) fn acquire(&mut self, tile: TileRef) {
        if let Some(slot) = self.slots.get_mut(tile.slot as usize) {
            slot.users += 1;
        }
    }

    /// Somebody refers to a tile no more.
    pub(super) fn release(&mut self, tile: TileRef) {
        if let Some(slot) = self.slots.get_mut(tile.slot as usize) {
            if slot.generation == tile.generation {
                slot.users = slot.users.saturating_sub(1);
            }
        }
    }

    /// The tile with a key, if it is kept.
    pub(super) fn find(&self, key: &TileKey) -> Option<TileRef> {
        let at = self.index.binary_search_by(|&slot| self.slots[slot as usize].key.cmp(key)).ok()?;
        let slot = self.index[at];
        Some(TileRef { slot, generation: self.slots[slot as usize].generation })
    }

    /// Keeps a tile that is not there yet. If there is no room but by giving up tiles used in the tick `now`, it is kept only if it is
    /// itself used then.
    pub(super) fn insert(
        &mut self,
        key: &TileKey,
        by: UsedBy,
        now: Tick,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Option<TileRef> {
        // Beyond what is kept in any case there are as many as there is memory for: none is made for those that might be used again.
        let most = if self.vacant.is_empty() { self.capacity as usize } else { self.most() };
        if self.index.len() >= most && !self.give_up_oldest(now) && by == UsedBy::Nobody {
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

    /// Makes slots with the memory that a tile takes: ahead of need where there are many, up to the number of tiles that are kept, so that a few
    /// tiles more than ever before mostly need none.
    fn make_slots(&mut self) {
        let (all, most) = (self.slots.len(), self.capacity as usize);
        self.make(more_ahead(all).min(most.saturating_sub(all)).max(1));
    }

    /// Makes some slots ahead of need if few are vacant, outside of ticks: also beyond the number of tiles that are kept, for a tick may use
    /// more. None as long as nobody has wanted one.
    pub(super) fn stock_up(&mut self) {
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
            made.key.make_room(self.rim);
            made.flow.reserve_exact((self.rim / 4).pow(2));
            self.slots.push(made);
            // Fewer than 2^32 tiles fit into memory.
            self.vacant.push(slot as u32);
        }
    }

    /// Gives up the tile used longest ago, unless that is now; whether there was one.
    fn give_up_oldest(&mut self, now: Tick) -> bool {
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

    /// Gives up the tiles of sectors that changed (sorted).
    pub(super) fn forget(&mut self, changed: &[SectorId]) {
        self.vacate_where(|key, _| changed.binary_search(&key.sector).is_ok());
    }

    /// Gives up tiles that were not used for too long, and those that are too many.
    pub(super) fn expire(&mut self, now: Tick) {
        let ttl = u64::from(self.ttl);
        self.vacate_where(|_, used| now.next().since(used) > ttl);
        while self.index.len() > self.most() && self.give_up_oldest(now) {}
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
