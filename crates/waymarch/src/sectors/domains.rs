//! Domains: what is connected, by blocks of blocks of sectors.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::RoomId;
use super::level::{DomainScratch, Level, Link, SEALED, add_unless_last};
use super::rooms::{RoomScratch, Rooms};
use super::zones::Zones;
use crate::base::{CellPos, CellRect, MAX_SIDE};
use crate::cost::{SectorGrid, SectorId};

/// The bits of a domain's number below its level's. A block of some cells has at most half as many parts.
const PART_BITS: u32 = 29;

const _: () = assert!(MAX_SIDE as u64 * MAX_SIDE as u64 * 4 <= 1 << PART_BITS);

/// Derived from zones: for every field, what is connected, over all the map.
///
/// Sectors are gathered in blocks of 8 × 8, those in blocks of 32 × 32 blocks, until there is one: a question climbs as
/// many levels as there are, and edits seldom get above the first. Every block knows its connected parts, and
/// to which part of the block above each belongs. A part that nothing leads out of is a domain; the block above does not hear of it, so
/// that pockets, of which a map has thousands, cost nothing further up. A change is felt in one block
/// of each level and the blocks around it, and no further up than where it makes a difference. All
/// numbers are by first members, so they are the same after edits as after a rebuild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Domains {
    fields: usize,
    /// The lowest are the sectors, their parts are rooms.
    levels: Vec<Level>,
}

/// Sectors per side of a block, and blocks per side of one above, as powers of two.
const FACTOR_OF_SECTORS: u32 = 3;
const FACTOR_ABOVE: u32 = 5;

/// So much is looked at to find where a domain extends to.
const MOST_LOOKS: u64 = 2000;

/// Which domains will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Any,
    Only(u32),
}

impl Domains {
    /// Nothing is open yet: [`Domains::update`] with every sector makes it true.
    pub(super) fn new(sectors: SectorGrid, fields: usize) -> Self {
        let (mut columns, mut rows) = (sectors.columns(), sectors.rows());
        let (mut side_bits, mut factor_bits) = (sectors.side().trailing_zeros(), FACTOR_OF_SECTORS);
        let mut levels = Vec::new();
        loop {
            levels.push(Level::new((columns, rows), (side_bits, factor_bits), fields));
            if columns * rows == 1 {
                break;
            }
            (columns, rows) = (columns.div_ceil(1 << factor_bits), rows.div_ceil(1 << factor_bits));
            side_bits += factor_bits;
            factor_bits = FACTOR_ABOVE;
        }
        Self { fields, levels }
    }

    /// The domain of the room of a cell at `at`.
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

    /// Whether two cells, given with their rooms, are in one domain. Climbs only to where they meet, or one cannot.
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
            // All of a sealed part's domain is in it, and the other cell is not.
            if part_a == SEALED || part_b == SEALED {
                return false;
            }
            let Some(above) = levels.as_slice().first() else { break };
            (block_a, block_b) = (above.of(a.0), above.of(b.0));
        }
        false
    }

    /// The same for cells in different sectors, given with these and their rooms. Climbs to the top, whatever it finds on the way: it takes no
    /// branch that depends on the rooms but where their numbers are great.
    #[inline(always)]
    pub(super) fn are_joined(&self, a: (CellPos, u32, u32), b: (CellPos, u32, u32), field: usize) -> bool {
        let ((at_a, mut block_a, mut part_a), (at_b, mut block_b, mut part_b)) = (a, b);
        let (mut joined, mut open) = (false, true);
        for pair in self.levels.windows(2) {
            let (up_a, up_b) = (pair[0].up(block_a, part_a, field), pair[0].up(block_b, part_b, field));
            // All of a sealed part's domain is in it.
            open &= (up_a != SEALED) & (up_b != SEALED);
            (part_a, part_b) = (up_a & u32::from(open).wrapping_neg(), up_b & u32::from(open).wrapping_neg());
            (block_a, block_b) = (pair[1].of(at_a), pair[1].of(at_b));
            joined |= open & (block_a == block_b) & (part_a == part_b);
        }
        joined
    }

    /// The number of a domain by the block that holds all of it and its part of that.
    #[inline]
    fn number(&self, level: u32, block: u32, part: u32) -> u32 {
        level << PART_BITS | ((block << self.bits_of_parts(level)) + part)
    }

    fn bits_of_parts(&self, level: u32) -> u32 {
        // The topmost block is the only one of its level.
        if level == self.top() { PART_BITS } else { 2 * self.levels[level as usize].side_bits - 1 }
    }

    /// The level and the block that hold all of what is wanted.
    pub(super) fn home(&self, wanted: Wanted) -> (u32, u32) {
        match wanted {
            Wanted::Any => (self.top(), 0),
            Wanted::Only(domain) => {
                let level = domain >> PART_BITS;
                (level, (domain & ((1 << PART_BITS) - 1)) >> self.bits_of_parts(level))
            }
        }
    }

    /// How many domains there are. Costs a look at every block.
    pub(super) fn count(&self, field: usize) -> u32 {
        let sealed = |level: &Level| level.sealed(field);
        self.levels.iter().map(sealed).sum()
    }

    /// The number of the topmost level.
    fn top(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// The blocks below one of `level`.
    pub(super) fn below(&self, level: u32, block: u32) -> impl Iterator<Item = u32> + use<> {
        self.levels[level as usize - 1].below(block)
    }

    /// The cells of a block; at the right and lower edge it may reach over the edge of the map.
    pub(super) fn area(&self, level: u32, block: u32) -> CellRect {
        let Level { columns, side_bits: shift, .. } = self.levels[level as usize];
        let at = CellPos::new(((block % columns) << shift) as i32, ((block / columns) << shift) as i32);
        CellRect::at(at, 1 << shift, 1 << shift)
    }

    /// A rectangle of sectors that all of a domain lies in: the least, unless it has very many sectors; then its home.
    pub(super) fn extent(&self, domain: u32, field: usize) -> CellRect {
        let (level, block) = self.home(Wanted::Only(domain));
        let (mut extent, mut looks_left) = (None, MOST_LOOKS);
        self.extend(level, block, (domain, field), &mut extent, &mut looks_left);
        extent.filter(|_| looks_left > 0).unwrap_or_else(|| self.area(level, block))
    }

    /// Grows `extent` over the sectors of a domain in a block that has some, as long as there are looks left.
    fn extend(
        &self,
        level: u32,
        block: u32,
        (domain, field): (u32, usize),
        extent: &mut Option<CellRect>,
        looks_left: &mut u64,
    ) {
        if level == 0 {
            let area = self.area(0, block);
            let CellRect { x0, y0, x1, y1 } = extent.unwrap_or(area);
            *extent = Some(CellRect {
                x0: x0.min(area.x0),
                y0: y0.min(area.y0),
                x1: x1.max(area.x1),
                y1: y1.max(area.y1),
            });
            return;
        }
        for child in self.below(level, block) {
            let mut looked_at = 0;
            let there = self.any_in_block(level - 1, child, field, Wanted::Only(domain), &mut looked_at);
            *looks_left = looks_left.saturating_sub(looked_at);
            if *looks_left == 0 {
                return;
            }
            if there {
                self.extend(level - 1, child, (domain, field), extent, looks_left);
            }
        }
    }

    /// Whether a block, which lies in the home of what is wanted, has a cell of it. Adds to `looked_at` at how many parts it looked.
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

    /// Follows a change of the zones of `sectors` (sorted), or of what they touch; finds their rooms anew.
    pub(super) fn update(
        &mut self,
        zones: &Zones,
        rooms: &mut Rooms,
        sectors: &[SectorId],
        (room_scratch, scratch): (&mut RoomScratch, &mut DomainScratch),
    ) {
        scratch.changed.resize_with(self.fields, Vec::new);
        for &sector in sectors {
            rooms.find(sector, zones.sector(sector), room_scratch);
            for (field, &count) in room_scratch.counts.iter().enumerate() {
                self.set_rooms(sector, field, count);
            }
        }
        for &sector in sectors {
            self.link_sector(sector, zones, rooms, scratch);
        }
        for field in 0..self.fields {
            let mut changed = core::mem::take(&mut scratch.changed[field]);
            let mut done = core::mem::take(&mut scratch.done);
            done.clear();
            done.extend(sectors.iter().map(|sector| sector.0));
            self.levels[0].mirror_links(field, &done, scratch, &mut changed);
            scratch.done = done;
            for level in 1..self.levels.len() {
                if changed.is_empty() {
                    break;
                }
                self.update_level(level, field, &mut changed, scratch);
            }
            changed.clear();
            scratch.changed[field] = changed;
        }
    }

    /// Notes how many rooms a sector has. A room more or less is no business of the block above, unless links change with it.
    fn set_rooms(&mut self, sector: SectorId, field: usize, count: u32) {
        let up = &mut self.levels[0].block_mut(sector.0, field).up;
        let (was_empty, is_empty) = (up.is_empty(), count == 0);
        up.resize(count as usize, SEALED);
        self.levels[0].moved(sector.0, field);
        // Tell those above that somebody lives here now, or nobody any more.
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

    /// Finds to which rooms of the sectors around its own are connected, for every field.
    fn link_sector(&mut self, sector: SectorId, zones: &Zones, rooms: &Rooms, scratch: &mut DomainScratch) {
        // Fields to whom this sector and those around it look alike have the same links.
        let DomainScratch { links, marks, changed, .. } = scratch;
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

    /// Follows the changed blocks of the level below; the blocks that changed in turn are left in `changed`.
    fn update_level(
        &mut self,
        level: usize,
        field: usize,
        changed: &mut Vec<u32>,
        scratch: &mut DomainScratch,
    ) {
        let (below, above) = self.levels.split_at_mut(level);
        let (Some(below), Some(level)) = (below.last_mut(), above.first_mut()) else { return };
        let mut dirty = core::mem::take(&mut scratch.done);
        dirty.clear();
        dirty.extend(changed.iter().map(|&block| below.above(block)));
        dirty.sort_unstable();
        dirty.dedup();
        changed.clear();
        for &block in &dirty {
            level.join_parts(block, field, below, scratch);
        }
        for &block in &dirty {
            level.link_block(block, field, below, scratch, changed);
        }
        level.mirror_links(field, &dirty, scratch, changed);
        scratch.done = dirty;
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.levels.iter().map(Level::memory_bytes).sum()
    }
}

/// Lists the connections between the rooms of a sector and those around it, as `field` sees them.
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
