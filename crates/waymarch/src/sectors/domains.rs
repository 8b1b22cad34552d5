//! Domains of one field: what is connected, by blocks of blocks of sectors.

use alloc::vec;
use alloc::vec::Vec;

use super::joined::Joined;
use super::zones::{SectorZones, Zones};
use crate::base::{CellPos, CellRect, Dir8};
use crate::cost::{SectorGrid, SectorId};

/// Blocks per side of the block above.
const FACTOR_BITS: u32 = 3;

/// The part of a zone that is closed to the field.
const NO_PART: u16 = u16::MAX;

/// A part of a block that is connected to one of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Link {
    dir: Dir8,
    mine: u32,
    theirs: u32,
}

/// A sector, or a square of blocks: its parts, each connected within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Block {
    /// By part: the part of the block above it belongs to. In the topmost block: the part itself.
    up: Vec<u32>,
    /// Connections to the blocks around, sorted.
    links: Vec<Link>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Level {
    columns: u32,
    rows: u32,
    blocks: Vec<Block>,
}

/// Derived from zones: for one field, which are connected, over all the map.
///
/// Sectors are gathered in blocks of 8 × 8, those in blocks of blocks, until there is one. Every block knows its connected parts, and
/// to which part of the block above each belongs; the parts of the topmost are the domains. A change is felt in one block
/// of each level and the blocks around it, and no further up than where it makes a difference. All
/// numbers are by first members, so they are the same after edits as after a rebuild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Domains {
    /// The field's bit in [`SectorZones::open_to`].
    bit: u32,
    sector_bits: u32,
    /// By sector and zone: the part of the sector.
    parts: Vec<Vec<u16>>,
    /// The lowest are the sectors.
    levels: Vec<Level>,
}

/// Scratch for finding domains.
#[derive(Clone, Debug, Default)]
pub(super) struct DomainScratch {
    joined: Joined,
    links: Vec<Link>,
    parts: Vec<u16>,
    /// Blocks to look at, and those that turned out to have changed.
    around: Vec<u32>,
    changed: Vec<u32>,
    dirty: Vec<u32>,
    /// Where each child's parts begin.
    starts: Vec<u32>,
}

impl Level {
    fn beside(&self, block: u32, dir: Dir8) -> Option<u32> {
        let (x, y) = ((block % self.columns) as i32 + dir.dx(), (block / self.columns) as i32 + dir.dy());
        let on_map = x >= 0 && y >= 0 && (x as u32) < self.columns && (y as u32) < self.rows;
        on_map.then(|| y as u32 * self.columns + x as u32)
    }

    /// The block above.
    fn above(&self, block: u32) -> u32 {
        let (x, y) = ((block % self.columns) >> FACTOR_BITS, (block / self.columns) >> FACTOR_BITS);
        y * self.columns.div_ceil(1 << FACTOR_BITS) + x
    }

    /// The blocks below a block of the level above.
    fn below(&self, above: u32) -> impl Iterator<Item = u32> + use<> {
        let columns_above = self.columns.div_ceil(1 << FACTOR_BITS);
        let corner = |at: u32| at << FACTOR_BITS;
        let (x, y) = (corner(above % columns_above), corner(above / columns_above));
        let (columns, rows) = (self.columns, self.rows);
        let end = |from: u32, all: u32| (from + (1 << FACTOR_BITS)).min(all);
        (y..end(y, rows)).flat_map(move |y| (x..end(x, columns)).map(move |x| y * columns + x))
    }
}

impl Domains {
    /// Nothing is open yet: [`Domains::update`] with every sector makes it true.
    pub(super) fn new(sectors: SectorGrid, bit: u32) -> Self {
        let (mut columns, mut rows) = (sectors.columns(), sectors.rows());
        let mut levels = Vec::new();
        loop {
            let blocks = vec![Block::default(); (columns * rows) as usize];
            levels.push(Level { columns, rows, blocks });
            if columns * rows == 1 {
                break;
            }
            (columns, rows) = (columns.div_ceil(1 << FACTOR_BITS), rows.div_ceil(1 << FACTOR_BITS));
        }
        let sector_bits = sectors.side().trailing_zeros();
        Self { bit, sector_bits, parts: vec![Vec::new(); sectors.count()], levels }
    }

    /// The part of its sector that a zone belongs to; none if it is closed.
    #[inline]
    pub(super) fn part(&self, sector: SectorId, zone: u16) -> Option<u16> {
        self.parts[sector.index()].get(usize::from(zone)).copied().filter(|&part| part != NO_PART)
    }

    /// The domain of a zone of a cell at `at`; none if it is closed.
    #[inline]
    pub(super) fn domain(&self, at: CellPos, sector: SectorId, zone: u16) -> Option<u32> {
        let mut part = u32::from(self.part(sector, zone)?);
        let mut shift = self.sector_bits;
        for level in &self.levels {
            let block = (at.y as u32 >> shift) * level.columns + (at.x as u32 >> shift);
            part = level.blocks[block as usize].up[part as usize];
            shift += FACTOR_BITS;
        }
        Some(part)
    }

    /// How many domains there are.
    pub(super) fn count(&self) -> u32 {
        self.levels.last().and_then(|level| level.blocks.first()).map_or(0, |block| block.up.len() as u32)
    }

    /// The number of the topmost level.
    pub(super) fn top(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// The blocks below one of `level`.
    pub(super) fn below(&self, level: u32, block: u32) -> impl Iterator<Item = u32> + use<> {
        self.levels[level as usize - 1].below(block)
    }

    /// The cells of a block; at the right and lower edge it may reach over the edge of the map.
    pub(super) fn area(&self, level: u32, block: u32) -> CellRect {
        let shift = self.sector_bits + FACTOR_BITS * level;
        let columns = self.levels[level as usize].columns;
        let at = CellPos::new(((block % columns) << shift) as i32, ((block / columns) << shift) as i32);
        CellRect::at(at, 1 << shift, 1 << shift)
    }

    /// Whether a block has a cell of a domain that is wanted.
    pub(super) fn any_in_block(&self, level: u32, block: u32, wanted: impl Fn(u32) -> bool) -> bool {
        let parts = self.levels[level as usize].blocks[block as usize].up.len() as u32;
        (0..parts).any(|part| wanted(self.climb(level, block, part)))
    }

    /// The domain of a block's part.
    fn climb(&self, level: u32, mut block: u32, mut part: u32) -> u32 {
        for level in &self.levels[level as usize..] {
            part = level.blocks[block as usize].up[part as usize];
            block = level.above(block);
        }
        part
    }

    /// Follows a change of the zones of `sectors` (sorted), or of what they touch.
    pub(super) fn update(&mut self, zones: &Zones, sectors: &[SectorId], scratch: &mut DomainScratch) {
        for &sector in sectors {
            self.join_zones(sector, zones.sector(sector), scratch);
        }
        for &sector in sectors {
            self.link_sector(sector, zones, scratch);
        }
        self.levels[0].find_around(scratch);
        for at in 0..scratch.around.len() {
            let sector = scratch.around[at];
            self.link_sector(SectorId(sector), zones, scratch);
        }
        for level in 1..self.levels.len() {
            if scratch.changed.is_empty() {
                return;
            }
            self.update_level(level, scratch);
        }
        // The topmost block stands for itself.
        if let Some(top) = self.levels.last_mut().and_then(|level| level.blocks.first_mut()) {
            top.up.iter_mut().zip(0..).for_each(|(up, part)| *up = part);
        }
        scratch.changed.clear();
    }

    /// Finds which zones of a sector are connected within it.
    fn join_zones(&mut self, sector: SectorId, zones: &SectorZones, scratch: &mut DomainScratch) {
        let open = |zone: u16| zones.open_to[usize::from(zone)] >> self.bit & 1 != 0;
        let DomainScratch { joined, parts, changed, .. } = scratch;
        joined.clear();
        zones.open_to.iter().for_each(|_| _ = joined.add());
        for &(a, b) in &zones.inside {
            if open(a) && open(b) {
                joined.join(a.into(), b.into());
            }
        }
        joined.number();
        // Closed zones have numbers too: leave them out.
        parts.clear();
        let mut count = 0;
        let mut numbers = core::mem::take(&mut scratch.starts);
        numbers.clear();
        numbers.resize(zones.open_to.len(), u32::MAX);
        for zone in 0..zones.open_to.len() as u16 {
            if !open(zone) {
                parts.push(NO_PART);
                continue;
            }
            let number = &mut numbers[joined.number_of(zone.into()) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            parts.push(*number as u16);
        }
        scratch.starts = numbers;
        self.parts[sector.index()].clone_from(parts);
        let block = &mut self.levels[0].blocks[sector.index()];
        if block.up.len() != count as usize {
            block.up.clear();
            block.up.resize(count as usize, 0);
            changed.push(sector.0);
        }
    }

    /// Finds to which parts of the sectors around its own are connected.
    fn link_sector(&mut self, sector: SectorId, zones: &Zones, scratch: &mut DomainScratch) {
        let links = &mut scratch.links;
        links.clear();
        for touch in &zones.sector(sector).across {
            let Some(other) = zones.beside(sector, touch.dir) else { continue };
            let mine = self.parts[sector.index()].get(usize::from(touch.mine));
            let theirs = self.parts[other.index()].get(usize::from(touch.theirs));
            if let (Some(&mine), Some(&theirs)) = (mine, theirs) {
                if mine != NO_PART && theirs != NO_PART {
                    links.push(Link { dir: touch.dir, mine: mine.into(), theirs: theirs.into() });
                }
            }
        }
        self.levels[0].set_links(sector.0, scratch);
    }

    /// Follows the changed blocks of the level below; the blocks that changed in turn are left in `scratch.changed`.
    fn update_level(&mut self, level: usize, scratch: &mut DomainScratch) {
        let (below, above) = self.levels.split_at_mut(level);
        let (Some(below), Some(level)) = (below.last_mut(), above.first_mut()) else { return };
        scratch.dirty.clear();
        scratch.dirty.extend(scratch.changed.iter().map(|&block| below.above(block)));
        scratch.dirty.sort_unstable();
        scratch.dirty.dedup();
        scratch.changed.clear();
        for at in 0..scratch.dirty.len() {
            level.join_parts(scratch.dirty[at], below, scratch);
        }
        for at in 0..scratch.dirty.len() {
            level.link_block(scratch.dirty[at], below, scratch);
        }
        level.find_around(scratch);
        for at in 0..scratch.around.len() {
            level.link_block(scratch.around[at], below, scratch);
        }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let of_block = |block: &Block| {
            size_of::<Block>() + block.up.capacity() * 4 + block.links.capacity() * size_of::<Link>()
        };
        let parts = self.parts.iter().map(|parts| size_of::<Vec<u16>>() + parts.capacity() * 2);
        let blocks = self.levels.iter().flat_map(|level| &level.blocks).map(of_block);
        parts.chain(blocks).sum()
    }
}

impl Level {
    /// Sets the links of a block to those in `scratch`, in order; notes it if they are others than before.
    fn set_links(&mut self, block: u32, scratch: &mut DomainScratch) {
        scratch.links.sort_unstable();
        scratch.links.dedup();
        let links = &mut self.blocks[block as usize].links;
        if *links != scratch.links {
            links.clone_from(&scratch.links);
            scratch.changed.push(block);
        }
    }

    /// Lists the blocks around those that changed. Links exist at both ends, so where those of one block are as before, so are those
    /// towards it.
    fn find_around(&self, scratch: &mut DomainScratch) {
        scratch.around.clear();
        for &block in &scratch.changed {
            scratch.around.extend(Dir8::ALL.iter().filter_map(|&dir| self.beside(block, dir)));
        }
        scratch.around.sort_unstable();
        scratch.around.dedup();
    }

    /// Finds which parts of the blocks below are connected within `block`.
    fn join_parts(&mut self, block: u32, below: &mut Level, scratch: &mut DomainScratch) {
        let DomainScratch { joined, starts, changed, .. } = scratch;
        joined.clear();
        starts.clear();
        for child in below.below(block) {
            let parts = &below.blocks[child as usize].up;
            starts.push(parts.first().map_or(0, |_| joined.add()));
            parts.iter().skip(1).for_each(|_| _ = joined.add());
        }
        let place = |child: u32| {
            let (x, y) = (child % below.columns, child / below.columns);
            let mask = (1 << FACTOR_BITS) - 1;
            // Blocks at the right edge of the map have fewer columns.
            let columns = (below.columns - (x & !mask)).min(1 << FACTOR_BITS);
            ((y & mask) * columns + (x & mask)) as usize
        };
        for (at, child) in below.below(block).enumerate() {
            for link in &below.blocks[child as usize].links {
                if let Some(other) = below.beside(child, link.dir) {
                    if below.above(other) == block {
                        joined.join(starts[at] + link.mine, starts[place(other)] + link.theirs);
                    }
                }
            }
        }
        let count = joined.number();
        for (at, child) in below.below(block).enumerate() {
            let up = &mut below.blocks[child as usize].up;
            up.iter_mut().zip(starts[at]..).for_each(|(up, part)| *up = joined.number_of(part));
        }
        let up = &mut self.blocks[block as usize].up;
        if up.len() != count as usize {
            up.clear();
            up.resize(count as usize, 0);
            changed.push(block);
        }
    }

    /// Finds to which parts of the blocks around those of `block` are connected.
    fn link_block(&mut self, block: u32, below: &Level, scratch: &mut DomainScratch) {
        scratch.links.clear();
        for child in below.below(block) {
            let Block { up, links } = &below.blocks[child as usize];
            for link in links {
                let Some(other) = below.beside(child, link.dir) else { continue };
                let there = below.above(other);
                if there == block {
                    continue;
                }
                let way = |from: u32, to: u32| to.cmp(&from) as i32;
                let dx = way(block % self.columns, there % self.columns);
                let dy = way(block / self.columns, there / self.columns);
                if let Some(dir) = Dir8::from_delta(dx, dy) {
                    let theirs = below.blocks[other as usize].up[link.theirs as usize];
                    scratch.links.push(Link { dir, mine: up[link.mine as usize], theirs });
                }
            }
        }
        self.set_links(block, scratch);
    }
}
