//! Domains: which cells are connected over the whole map. They are found with a tree of blocks of sectors.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::ids::RoomId;
use super::level::{DomainScratch, Level, LevelScratch, LevelShape, Link, SEALED, add_unless_last};
use super::rooms::Rooms;
use super::zones::Zones;
use crate::base::{CellPos, CellRect, MAX_SIDE};
use crate::cost::{SectorGrid, SectorId};

/// The low 29 bits of a domain's number name the block and its part; the bits above name the level. A block has at most half as many parts
/// as cells.
const PART_BITS: u32 = 29;

const _: () = assert!(MAX_SIDE as u64 * MAX_SIDE as u64 * 4 <= 1 << PART_BITS);

/// Derived from zones: for every field, which cells are connected over the whole map.
///
/// Sectors are joined in blocks of 8 × 8 sectors, these in blocks of 32 × 32 blocks, until there is one block. A query climbs
/// all levels; an edit seldom changes more than the first. Every block knows its connected parts, and to which part of
/// the block above each of them belongs.
///
/// A part that no step leads out of is *sealed*: it is a domain. The block above does not contain it. So closed pockets, of
/// which a map may have thousands, cost nothing further up. A change updates one block per level and its neighbours. It stops
/// at the first level where nothing changes. Parts are numbered by their first members, so the numbers are the same
/// after edits as after a rebuild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Domains {
    fields: usize,
    /// The lowest level has the sectors as blocks and the rooms as parts.
    levels: Vec<Level>,
}

/// A block has 2^3 = 8 sectors per side.
const FACTOR_OF_SECTORS: u32 = 3;
/// A block of blocks has 2^5 = 32 blocks per side.
const FACTOR_ABOVE: u32 = 5;

/// The search for a domain's extent looks at up to 2000 parts.
const MOST_LOOKS: u64 = 2000;

/// The search for the sectors that a domain extends over.
struct ExtentSearch {
    domain: u32,
    field: usize,
    /// The sectors found so far.
    extent: Option<CellRect>,
    looks_left: u64,
}

/// Which domains a search accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Any,
    Only(u32),
}

/// A cell, with the numbers of its sector and of its room there.
#[derive(Clone, Copy)]
pub(super) struct RoomCell {
    pub(super) at: CellPos,
    pub(super) sector: u32,
    pub(super) room: u32,
}

impl Domains {
    /// All cells closed. [`Domains::update`] with every sector finds the domains.
    pub(super) fn new(sectors: SectorGrid, fields: usize) -> Self {
        let (mut columns, mut rows) = (sectors.columns(), sectors.rows());
        let (mut side_bits, mut factor_bits) = (sectors.side().trailing_zeros(), FACTOR_OF_SECTORS);
        let mut levels = Vec::new();
        loop {
            levels.push(Level::new(LevelShape { columns, rows, side_bits, factor_bits }, fields));
            if columns * rows == 1 {
                break;
            }
            (columns, rows) = (columns.div_ceil(1 << factor_bits), rows.div_ceil(1 << factor_bits));
            side_bits += factor_bits;
            factor_bits = FACTOR_ABOVE;
        }
        Self { fields, levels }
    }

    /// The domain of a cell's room.
    #[inline]
    pub(super) fn domain(&self, at: CellPos, room: u16, field: usize) -> u32 {
        let mut part = u32::from(room);
        for (number, level) in (0..).zip(&self.levels) {
            let block = level.of(at);
            let up = level.up(block, part, field);
            if up == SEALED {
                return self.number(number, block, part);
            }
            part = up;
        }
        part
    }

    /// Whether two cells, given with their rooms, are in one domain. Climbs only until both are in the same part, or
    /// one part is sealed.
    #[inline]
    pub(super) fn are_connected(&self, a: (CellPos, RoomId), b: (CellPos, RoomId), field: usize) -> bool {
        let (mut block_a, mut block_b) = (a.1.sector.0, b.1.sector.0);
        let (mut part_a, mut part_b) = (u32::from(a.1.part), u32::from(b.1.part));
        let mut levels = self.levels.iter();
        while let Some(level) = levels.next() {
            if block_a == block_b && part_a == part_b {
                return true;
            }
            part_a = level.up(block_a, part_a, field);
            part_b = level.up(block_b, part_b, field);
            // A sealed part contains its whole domain, and the other cell is not in it.
            if part_a == SEALED || part_b == SEALED {
                return false;
            }
            let Some(above) = levels.as_slice().first() else { break };
            (block_a, block_b) = (above.of(a.0), above.of(b.0));
        }
        false
    }

    /// [`Domains::are_connected`] for cells in different sectors. It climbs to the top. For small room numbers it takes no branch that
    /// depends on the rooms.
    #[inline(always)]
    pub(super) fn are_joined(&self, a: RoomCell, b: RoomCell, field: usize) -> bool {
        let RoomCell { at: at_a, sector: mut block_a, room: mut part_a } = a;
        let RoomCell { at: at_b, sector: mut block_b, room: mut part_b } = b;
        let (mut joined, mut open) = (false, true);
        for pair in self.levels.windows(2) {
            let (up_a, up_b) = (pair[0].up(block_a, part_a, field), pair[0].up(block_b, part_b, field));
            // A sealed part contains its whole domain.
            open &= (up_a != SEALED) & (up_b != SEALED);
            (part_a, part_b) = (up_a & u32::from(open).wrapping_neg(), up_b & u32::from(open).wrapping_neg());
            (block_a, block_b) = (pair[1].of(at_a), pair[1].of(at_b));
            joined |= open & (block_a == block_b) & (part_a == part_b);
        }
        joined
    }

    /// The number of a domain, from the block that contains all of it and its part there.
    #[inline]
    fn number(&self, level: u32, block: u32, part: u32) -> u32 {
        level << PART_BITS | ((block << self.bits_of_parts(level)) + part)
    }

    fn bits_of_parts(&self, level: u32) -> u32 {
        // The top level has only one block.
        if level == self.top() { PART_BITS } else { 2 * self.levels[level as usize].side_bits - 1 }
    }

    /// The home of the wanted domains: the level and the block that contain all of them.
    pub(super) fn home(&self, wanted: Wanted) -> (u32, u32) {
        match wanted {
            Wanted::Any => (self.top(), 0),
            Wanted::Only(domain) => {
                let level = domain >> PART_BITS;
                (level, (domain & ((1 << PART_BITS) - 1)) >> self.bits_of_parts(level))
            }
        }
    }

    /// The number of domains. Costs a look at every block.
    pub(super) fn count(&self, field: usize) -> u32 {
        let sealed = |level: &Level| level.sealed(field);
        self.levels.iter().map(sealed).sum()
    }

    /// The number of the top level.
    fn top(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// The blocks below a block of `level`.
    pub(super) fn below(&self, level: u32, block: u32) -> impl Iterator<Item = u32> + use<> {
        self.levels[level as usize - 1].below(block)
    }

    /// The cells of a block. At the right and lower edge it may reach beyond the map.
    pub(super) fn area(&self, level: u32, block: u32) -> CellRect {
        let Level { columns, side_bits: shift, .. } = self.levels[level as usize];
        let at = CellPos::new(((block % columns) << shift) as i32, ((block / columns) << shift) as i32);
        CellRect::at(at, 1 << shift, 1 << shift)
    }

    /// A rectangle of sectors that contains a whole domain. It is the smallest one, unless the search for it looks at
    /// [`MOST_LOOKS`] parts; then it is the domain's home block.
    pub(super) fn extent(&self, domain: u32, field: usize) -> CellRect {
        let (level, block) = self.home(Wanted::Only(domain));
        let mut search = ExtentSearch { domain, field, extent: None, looks_left: MOST_LOOKS };
        self.extend(level, block, &mut search);
        search.extent.filter(|_| search.looks_left > 0).unwrap_or_else(|| self.area(level, block))
    }

    /// Grows the extent over the sectors of a domain in a block, while there are looks left.
    fn extend(&self, level: u32, block: u32, search: &mut ExtentSearch) {
        if level == 0 {
            let area = self.area(0, block);
            let CellRect { x0, y0, x1, y1 } = search.extent.unwrap_or(area);
            search.extent = Some(CellRect {
                x0: x0.min(area.x0),
                y0: y0.min(area.y0),
                x1: x1.max(area.x1),
                y1: y1.max(area.y1),
            });
            return;
        }
        for child in self.below(level, block) {
            let mut looked_at = 0;
            let wanted = Wanted::Only(search.domain);
            let there = self.any_in_block(level - 1, child, search.field, wanted, &mut looked_at);
            search.looks_left = search.looks_left.saturating_sub(looked_at);
            if search.looks_left == 0 {
                return;
            }
            if there {
                self.extend(level - 1, child, search);
            }
        }
    }

    /// Whether a block has a cell of a wanted domain. The block must lie in the home of the wanted domains. Adds the
    /// number of parts it looked at to `looked_at`.
    pub(super) fn any_in_block(
        &self,
        level: u32,
        block: u32,
        field: usize,
        wanted: Wanted,
        looked_at: &mut u64,
    ) -> bool {
        let of_level = &self.levels[level as usize];
        match wanted {
            Wanted::Any => {
                *looked_at += 1;
                of_level.is_inhabited(block, field)
            }
            Wanted::Only(domain) => {
                let parts = of_level.block(block, field).up.len() as u32;
                let found = (0..parts).find(|&part| self.climb(level, block, part, field) == domain);
                *looked_at += u64::from(found.unwrap_or(parts)) + 1;
                found.is_some()
            }
        }
    }

    /// The domain of a block's part.
    fn climb(&self, level: u32, mut block: u32, mut part: u32, field: usize) -> u32 {
        for (number, level) in (level..).zip(&self.levels[level as usize..]) {
            let up = level.block(block, field).up[part as usize];
            if up == SEALED {
                return self.number(number, block, part);
            }
            (part, block) = (up, level.above(block));
        }
        part
    }

    /// Sets how many rooms a sector has, for every field.
    pub(super) fn set_rooms(&mut self, sector: SectorId, counts: &[u32]) {
        for (field, &count) in counts.iter().enumerate() {
            self.set_rooms_of(sector, field, count);
        }
    }

    /// Follows a change of the zones of `sectors` (sorted), or of the zones that they touch. Their rooms must be found and
    /// [set](Self::set_rooms) before.
    pub(super) fn update(
        &mut self,
        zones: &Zones,
        rooms: &Rooms,
        sectors: &[SectorId],
        scratch: &mut DomainScratch,
    ) {
        scratch.changed.resize_with(self.fields, Vec::new);
        for &sector in sectors {
            self.link_sector(sector, zones, rooms, scratch);
        }
        let DomainScratch { changed, done, work, .. } = scratch;
        for (field, changed) in changed.iter_mut().enumerate().take(self.fields) {
            done.clear();
            done.extend(sectors.iter().map(|sector| sector.0));
            self.levels[0].mirror_links(field, done, work, changed);
            for level in 1..self.levels.len() {
                if changed.is_empty() {
                    break;
                }
                self.update_level(level, field, changed, done, work);
            }
            changed.clear();
        }
    }

    /// Sets how many rooms a sector has for one field. The block above depends on it only if links change too.
    fn set_rooms_of(&mut self, sector: SectorId, field: usize, count: u32) {
        let up = &mut self.levels[0].block_mut(sector.0, field).up;
        let (was_empty, is_empty) = (up.is_empty(), count == 0);
        up.resize(count as usize, SEALED);
        self.levels[0].copy_first_ups(sector.0, field);
        // Tell the blocks above if this is now their first sector with open cells, or was their last one.
        let (mut block, mut differs) = (sector.0, was_empty != is_empty);
        for level in 1..self.levels.len() {
            if !differs {
                break;
            }
            block = self.levels[level - 1].above(block);
            let inhabited = self.levels[level].inhabited_mut(block, field);
            *inhabited = if is_empty { *inhabited - 1 } else { *inhabited + 1 };
            differs = *inhabited == u32::from(!is_empty);
        }
    }

    /// Finds the neighbouring rooms that a sector's rooms are connected to, for every field.
    fn link_sector(&mut self, sector: SectorId, zones: &Zones, rooms: &Rooms, scratch: &mut DomainScratch) {
        // Fields that are open in the same zones here and in the neighbouring sectors have the same links.
        let DomainScratch { work: LevelScratch { links, .. }, marks, changed, .. } = scratch;
        marks.clear();
        for (field, changed) in changed.iter_mut().enumerate().take(self.fields) {
            let mark = |sector: SectorId| rooms.list_mark(sector, field);
            let around = zones.directions().iter().map(|&dir| zones.beside(sector, dir).map_or(0, mark));
            let mut own: SmallVec<[u32; 9]> = around.collect();
            own.push(mark(sector));
            match marks.iter().position(|other| *other == own) {
                Some(other) => {
                    links.clear();
                    links.extend_from_slice(&self.levels[0].block(sector.0, other).links);
                }
                None => find_links(sector, field, zones, rooms, links),
            }
            marks.push(own);
            self.levels[0].set_links(sector.0, field, links, changed);
        }
    }

    /// Follows the changed blocks of the level below. Replaces `changed` by the blocks of this level that changed.
    /// `dirty` is scratch.
    fn update_level(
        &mut self,
        level: usize,
        field: usize,
        changed: &mut Vec<u32>,
        dirty: &mut Vec<u32>,
        work: &mut LevelScratch,
    ) {
        let (below, above) = self.levels.split_at_mut(level);
        let (Some(below), Some(level)) = (below.last_mut(), above.first_mut()) else { return };
        dirty.clear();
        dirty.extend(changed.iter().map(|&block| below.above(block)));
        dirty.sort_unstable();
        dirty.dedup();
        changed.clear();
        for &block in &*dirty {
            level.join_parts(block, field, below, work);
        }
        for &block in &*dirty {
            level.link_block(block, field, below, work, changed);
        }
        level.mirror_links(field, dirty, work, changed);
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.levels.iter().map(Level::memory_bytes).sum()
    }
}

/// Lists the connections between the rooms of a sector and the rooms of its neighbours, for one field.
fn find_links(sector: SectorId, field: usize, zones: &Zones, rooms: &Rooms, links: &mut Vec<Link>) {
    links.clear();
    let mut beside = None;
    for touch in &zones.sector(sector).across {
        let other = match beside {
            Some((dir, other)) if dir == touch.dir => other,
            _ => {
                let Some(other) = zones.beside(sector, touch.dir) else { continue };
                beside = Some((touch.dir, other));
                other
            }
        };
        let Some(mine) = rooms.room(sector, touch.mine, field) else { continue };
        let Some(theirs) = rooms.room(other, touch.theirs, field) else { continue };
        add_unless_last(links, Link::new(touch.dir, mine.into(), theirs.into()));
    }
}
