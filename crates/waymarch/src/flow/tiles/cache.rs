//! The tiles in use, kept while somebody follows them, shared by all goals for which they are the same.

use alloc::vec::Vec;

use super::frame::{Frame, NO_LABEL};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use crate::base::{Agent, CellPos, Tick};
use crate::cost::SectorId;
use crate::query::Threat;

/// Where a tile was last seen; it may be gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileRef {
    slot: u32,
    generation: u32,
}

impl TileRef {
    pub(super) const NONE: Self = Self { slot: u32::MAX, generation: 0 };
}

/// What a tile follows from, besides the ground of its sector. Equal keys have equal tiles.
///
/// Exits count less what all of them cost at least: goals behind one bottleneck share what lies before it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TileKey {
    sector: SectorId,
    /// Locomotor, size, threat.
    who: (u8, u8, u8),
    /// The goal's place, if it is inside.
    goal: Option<u32>,
    exits: Vec<u64>,
}

impl TileKey {
    /// Makes it that of a sector.
    pub(super) fn fill(&mut self, sector: SectorId, agent: Agent, threat: Threat, from: Sources<'_>) {
        self.sector = sector;
        self.who = (agent.locomotor.0, agent.size.side(), threat as u8);
        self.goal = from.goal.map(|goal| from.frame.place(goal) as u32);
        let base = from.base();
        self.exits.clear();
        let relative = |&exit: &u64| if exit == NO_LABEL { NO_LABEL } else { exit - base };
        self.exits.extend(from.exits.iter().map(relative));
    }

    fn copy_from(&mut self, other: &Self) {
        (self.sector, self.who, self.goal) = (other.sector, other.who, other.goal);
        self.exits.clone_from(&other.exits);
    }
}

#[derive(Clone, Debug, Default)]
struct Slot {
    key: TileKey,
    /// Row by row.
    flow: Vec<u8>,
    used: Tick,
    /// How many parts of corridors refer to it.
    users: u32,
    /// Counts what was in this slot before.
    generation: u32,
}

/// Derived: tiles by what they follow from.
///
/// How many are kept, and for how long, changes what headings cost, never what they are. The one given up is the one used
/// longest ago, of those the one with the fewest users, of those the first by key.
#[derive(Clone, Debug)]
pub(super) struct TileCache {
    capacity: u32,
    ttl: u32,
    slots: Vec<Slot>,
    /// Slots in use, by key.
    index: Vec<u32>,
    vacant: Vec<u32>,
    probe: TileKey,
    exits: Vec<u64>,
    /// Tiles made again because they were not kept.
    pub(super) made: u64,
    /// Tiles found that another goal had made, or the same goal before.
    pub(super) shared: u64,
}

/// A part of a corridor that wants its tile.
pub(super) struct Wanted<'a> {
    pub(super) sector: SectorId,
    pub(super) agent: Agent,
    pub(super) threat: Threat,
    pub(super) frame: Frame,
    pub(super) rim: &'a [u64],
    pub(super) goal: Option<CellPos>,
}

/// Whether the tile was integrated just now.
pub(super) enum Scratch<'a> {
    Holds(&'a TileScratch),
    Empty(&'a mut TileScratch),
}

impl TileCache {
    pub(super) fn new(capacity: u32, ttl: u32) -> Self {
        Self {
            capacity: capacity.max(1),
            ttl,
            slots: Vec::new(),
            index: Vec::new(),
            vacant: Vec::new(),
            probe: TileKey::default(),
            exits: Vec::new(),
            made: 0,
            shared: 0,
        }
    }

    /// The flow bytes of a tile, if it is still there.
    #[inline]
    pub(super) fn flow(&self, tile: TileRef) -> Option<&[u8]> {
        let slot = self.slots.get(tile.slot as usize)?;
        (slot.generation == tile.generation).then_some(&slot.flow)
    }

    /// Notes that somebody follows a tile.
    #[inline]
    pub(super) fn touch(&mut self, tile: TileRef, now: Tick) -> bool {
        match self.slots.get_mut(tile.slot as usize) {
            Some(slot) if slot.generation == tile.generation => {
                slot.used = now;
                true
            }
            _ => false,
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

    /// Finds or makes a tile.
    pub(super) fn get(
        &mut self,
        ground: TileGround<'_>,
        wanted: &Wanted<'_>,
        now: Tick,
        found: Scratch<'_>,
    ) -> TileRef {
        let Wanted { sector, agent, threat, frame, rim, goal } = *wanted;
        let mut exits = core::mem::take(&mut self.exits);
        exits.clear();
        exits.resize(frame.rim_len(), NO_LABEL);
        for at in frame.rim() {
            let place = frame.rim_place(at);
            if frame.is_exit(at, rim[place]) {
                exits[place] = rim[place];
            }
        }
        let from = Sources { frame, exits: &exits, goal };
        self.probe.fill(sector, agent, threat, from);
        let place = self.index.binary_search_by(|&slot| self.slots[slot as usize].key.cmp(&self.probe));
        let slot = match (place, found) {
            (Ok(at), _) => {
                self.shared += 1;
                self.index[at]
            }
            (Err(_), Scratch::Holds(tile)) => self.insert(frame, tile),
            (Err(_), Scratch::Empty(tile)) => {
                tile.integrate(ground, from);
                self.made += 1;
                self.insert(frame, tile)
            }
        };
        self.exits = exits;
        let tile = &mut self.slots[slot as usize];
        tile.used = now;
        tile.users += 1;
        TileRef { slot, generation: tile.generation }
    }

    /// Puts what was just integrated where there is room, under the key last asked for.
    fn insert(&mut self, frame: Frame, scratch: &TileScratch) -> u32 {
        if self.index.len() >= self.capacity as usize {
            let oldest = self.index.iter().enumerate().min_by_key(|&(at, &slot)| {
                let slot = &self.slots[slot as usize];
                (slot.used, slot.users, at)
            });
            if let Some((at, _)) = oldest {
                self.vacate(at);
            }
        }
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let tile = &mut self.slots[slot as usize];
        tile.key.copy_from(&self.probe);
        scratch.write_flow(frame, &mut tile.flow);
        tile.users = 0;
        let at = self.index.partition_point(|&slot| self.slots[slot as usize].key < self.probe);
        self.index.insert(at, slot);
        slot
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

    /// Gives up tiles that were not used for too long.
    pub(super) fn expire(&mut self, now: Tick) {
        let ttl = u64::from(self.ttl);
        self.vacate_where(|_, used| now.since(used) > ttl);
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_slot = |slot: &Slot| size_of::<Slot>() + slot.flow.capacity() + slot.key.exits.capacity() * 8;
        let lists = (self.index.capacity() + self.vacant.capacity()) * 4;
        self.slots.iter().map(of_slot).sum::<usize>() + lists + self.exits.capacity() * 8
    }
}
