//! Rooms: which zones of a sector are connected within it, for each field.

use alloc::vec;
use alloc::vec::Vec;

use super::union_find::UnionFind;
use super::zones::SectorZones;
use crate::cost::{SectorGrid, SectorId};

/// 65,535 stands for the room of a zone that is closed to the field.
const NO_ROOM: u16 = u16::MAX;

/// Derived from zones: the room of each zone, by sector and field.
///
/// Fields that are open in the same zones of a sector share a list there. In most sectors most fields do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rooms {
    fields: usize,
    /// By sector, then field: where its list begins among the sector's lists.
    starts: Vec<u32>,
    /// By sector: lists of one room per zone. Rooms are numbered by their first zone.
    lists: Vec<Vec<u16>>,
    /// By field, then sector: a short form of the list that answers most queries.
    outlines: Vec<Outline>,
}

/// The rooms of the first 64 zones of a sector, 4 bits each: a room's number, [`ASK`] or [`CLOSED`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outline([u64; 4]);

/// 14: only the sector's list has the room of this zone.
const ASK: u8 = 14;
/// 15: the zone is closed.
const CLOSED: u8 = 15;

/// The room of a zone according to an outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OutlineRoom(u8);

impl OutlineRoom {
    /// Whether the room is not in the outline, only in the list.
    #[inline(always)]
    pub(super) fn is_unknown(self) -> bool {
        self.0 == ASK
    }

    /// Whether the outline has the room.
    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.0 < ASK
    }

    /// The room's number; 0 if the zone is closed or the room is unknown.
    #[inline(always)]
    pub(super) fn part(self) -> u32 {
        u32::from(self.0) * u32::from(self.is_open())
    }
}

/// Scratch for finding rooms.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomScratch {
    joined: UnionFind,
    /// By pair of zones that touch: the fields in which both are open.
    both: Vec<u64>,
    masks: Vec<u64>,
    /// By field: the masks that have its bit.
    seen: Vec<u64>,
    lists: Vec<u16>,
    /// By field: the number of rooms in the last sector.
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
            outlines: vec![Outline([u64::MAX; 4]); count * fields],
        }
    }

    /// The room of a zone; `None` if it is closed.
    #[inline(always)]
    pub(super) fn room(&self, sector: SectorId, zone: u16, field: usize) -> Option<u16> {
        let nearby = self.outline_room(sector, zone, field);
        if nearby.is_open() {
            return Some(nearby.part() as u16);
        }
        self.room_by_list(sector, zone, field)
    }

    /// The room of a zone according to the outline, without a branch.
    #[inline(always)]
    pub(super) fn outline_room(&self, sector: SectorId, zone: u16, field: usize) -> OutlineRoom {
        let Outline(words) = &self.outlines[self.outline(sector, field)];
        let known = (words[usize::from(zone >> 4 & 3)] >> (4 * (zone & 15))) as u8 & 15;
        let beyond = if zone == super::labels::NO_ZONE { CLOSED } else { ASK };
        OutlineRoom(if zone < 64 { known } else { beyond })
    }

    #[inline(always)]
    fn outline(&self, sector: SectorId, field: usize) -> usize {
        field * self.lists.len() + sector.index()
    }

    /// The room of a zone from the sector's list; `None` if it is closed.
    #[inline(never)]
    fn room_by_list(&self, sector: SectorId, zone: u16, field: usize) -> Option<u16> {
        // No sector has a zone with this number, but the index could hit another list.
        if zone == super::labels::NO_ZONE {
            return None;
        }
        let start = self.starts[sector.index() * self.fields + field] as usize;
        let room = self.lists[sector.index()].get(start + usize::from(zone));
        room.copied().filter(|&room| room != NO_ROOM)
    }

    /// Where the field's list begins: fields that share a list have the same mark.
    #[inline]
    pub(super) fn list_mark(&self, sector: SectorId, field: usize) -> u32 {
        self.starts[sector.index() * self.fields + field]
    }

    /// Finds the rooms of a sector again. Writes the number of rooms per field to `scratch`.
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
            let mut outline = Outline([u64::MAX; 4]);
            for (zone, &room) in scratch.lists[start..start + zones].iter().take(64).enumerate() {
                let known = if room == NO_ROOM { CLOSED } else { room.min(ASK.into()) as u8 };
                outline.0[zone >> 4] ^= u64::from(CLOSED ^ known) << (4 * (zone & 15));
            }
            let place = self.outline(sector, field);
            self.outlines[place] = outline;
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let lists = self.lists.iter().map(|list| size_of::<Vec<u16>>() + list.capacity() * 2);
        lists.sum::<usize>() + self.starts.len() * 4 + self.outlines.len() * size_of::<Outline>()
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
            // More than 64 masks do not fit in the bits: every field gets a list of its own.
            self.seen.extend(0..fields as u64);
            return;
        }
        let masks = &self.masks;
        let seen_by = |field: usize| masks.iter().fold(0, |seen, mask| seen << 1 | (mask >> field & 1));
        self.seen.extend((0..fields).map(seen_by));
    }

    /// Adds a field's list. Returns the number of its rooms.
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
