//! Rooms: which zones of a sector are connected within it, for each field.

use alloc::vec;
use alloc::vec::Vec;

use super::joined::Joined;
use super::zones::SectorZones;
use crate::cost::{SectorGrid, SectorId};

/// The room of a zone that is closed to the field.
const NO_ROOM: u16 = u16::MAX;

/// Derived from zones: the room each zone belongs to, by sector, for every field.
///
/// Fields that are open in the same zones of a sector share a list there: most of a map looks alike to most of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rooms {
    fields: usize,
    /// By sector and field: where its list begins among the sector's.
    starts: Vec<u32>,
    /// By sector: lists of as many rooms as it has zones. Rooms are numbered by their first zone.
    lists: Vec<Vec<u16>>,
    /// By field and sector: which of the first 64 zones are in the first room, a bit for each. Most cells are, so most questions end here.
    first_rooms: Vec<u64>,
}

/// Scratch for finding rooms.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomScratch {
    joined: Joined,
    /// By pair of zones that touch: the fields both are open in.
    both: Vec<u64>,
    masks: Vec<u64>,
    /// By field: which masks it is in.
    seen: Vec<u64>,
    lists: Vec<u16>,
    /// By field: how many rooms it has in the sector that was looked at last.
    pub(super) counts: Vec<u32>,
}

impl Rooms {
    /// No zones yet.
    pub(super) fn new(sectors: SectorGrid, fields: usize) -> Self {
        let count = sectors.count();
        Self {
            fields,
            starts: vec![0; count * fields],
            lists: vec![Vec::new(); count],
            first_rooms: vec![0; count * fields],
        }
    }

    /// The room of a zone; none if it is closed.
    #[inline(always)]
    pub(super) fn room(&self, sector: SectorId, zone: u16, field: usize) -> Option<u16> {
        let in_first = self.first_rooms[field * self.lists.len() + sector.index()];
        if zone < 64 && in_first >> (zone & 63) & 1 != 0 {
            return Some(0);
        }
        self.room_by_list(sector, zone, field)
    }

    /// The same by looking it up in the sector's list.
    #[inline(never)]
    fn room_by_list(&self, sector: SectorId, zone: u16, field: usize) -> Option<u16> {
        // A cell closed to everybody has a number that no sector has a zone for; but there may be another list behind.
        if zone == super::zones::NO_ZONE {
            return None;
        }
        let start = self.starts[sector.index() * self.fields + field] as usize;
        let room = self.lists[sector.index()].get(start + usize::from(zone));
        room.copied().filter(|&room| room != NO_ROOM)
    }

    /// A mark of the field's list: fields with the same share it.
    #[inline]
    pub(super) fn list_mark(&self, sector: SectorId, field: usize) -> u32 {
        self.starts[sector.index() * self.fields + field]
    }

    /// Finds the rooms of a sector anew; how many each field has is left in `scratch`.
    pub(super) fn find(&mut self, sector: SectorId, zones: &SectorZones, scratch: &mut RoomScratch) {
        let fields = self.fields;
        scratch.find_masks(zones, fields);
        let open_to = &zones.open_to;
        scratch.both.clear();
        let both = |&(a, b): &(u16, u16)| open_to[usize::from(a)] & open_to[usize::from(b)];
        scratch.both.extend(zones.inside.iter().map(both));
        scratch.lists.clear();
        scratch.counts.clear();
        for field in 0..fields {
            let alike = scratch.seen[..field].iter().position(|&seen| seen == scratch.seen[field]);
            let (start, count) = match alike {
                Some(other) => (self.starts[sector.index() * fields + other], scratch.counts[other]),
                None => (scratch.lists.len() as u32, scratch.add_list(zones, field)),
            };
            self.starts[sector.index() * fields + field] = start;
            scratch.counts.push(count);
        }
        self.lists[sector.index()].clone_from(&scratch.lists);
        let zones = zones.open_to.len();
        for field in 0..fields {
            let start = self.starts[sector.index() * fields + field] as usize;
            let first = scratch.lists[start..start + zones].iter().take(64).enumerate();
            let bits = first.filter(|&(_, &room)| room == 0).fold(0, |bits, (zone, _)| bits | 1 << zone);
            self.first_rooms[field * self.lists.len() + sector.index()] = bits;
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let lists = self.lists.iter().map(|list| size_of::<Vec<u16>>() + list.capacity() * 2);
        lists.sum::<usize>() + self.starts.len() * 4 + self.first_rooms.len() * 8
    }
}

impl RoomScratch {
    /// Finds out which fields are open in the same zones.
    fn find_masks(&mut self, zones: &SectorZones, fields: usize) {
        self.masks.clear();
        for &mask in &zones.open_to {
            if !self.masks.contains(&mask) {
                self.masks.push(mask);
            }
        }
        self.seen.clear();
        if self.masks.len() > 64 {
            // Too many to tell apart by bits: every field has a list of its own.
            self.seen.extend(0..fields as u64);
            return;
        }
        let masks = &self.masks;
        let seen_by = |field: usize| masks.iter().fold(0, |seen, mask| seen << 1 | (mask >> field & 1));
        self.seen.extend((0..fields).map(seen_by));
    }

    /// Adds a field's list; how many rooms it has.
    fn add_list(&mut self, zones: &SectorZones, field: usize) -> u32 {
        self.joined.start(zones.open_to.len() as u32);
        for (&(a, b), both) in zones.inside.iter().zip(&self.both) {
            if both >> field & 1 != 0 {
                self.joined.join(a.into(), b.into());
            }
        }
        let start = self.lists.len();
        let mut count = 0;
        for (zone, open_to) in (0..).zip(&zones.open_to) {
            let room = if open_to >> field & 1 == 0 {
                NO_ROOM
            } else {
                let first = self.joined.first(zone);
                if first == zone {
                    count += 1;
                    (count - 1) as u16
                } else {
                    self.lists[start + first as usize]
                }
            };
            self.lists.push(room);
        }
        count
    }
}
