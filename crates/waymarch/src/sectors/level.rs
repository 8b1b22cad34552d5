//! One level of the tree of blocks that domains are found with.

use alloc::vec;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::union_find::UnionFind;
use crate::base::{CellPos, Dir8};

/// 2^32 − 1 in [`Block::up`]: no step leads out of this part.
pub(super) const SEALED: u32 = u32::MAX;

/// A connection from a part of a block to a part of a neighbouring block. Ordered by direction, own part, the other's part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Link(u64);

impl Link {
    pub(super) fn new(dir: Dir8, mine: u32, theirs: u32) -> Self {
        Self(u64::from(dir.index()) << 60 | u64::from(mine) << 30 | u64::from(theirs))
    }

    fn dir(self) -> Dir8 {
        Dir8::from_index((self.0 >> 60) as u8)
    }

    fn mine(self) -> usize {
        (self.0 >> 30 & ((1 << 30) - 1)) as usize
    }

    fn theirs(self) -> usize {
        (self.0 & ((1 << 30) - 1)) as usize
    }
}

/// Adds a link unless it equals the last one.
pub(super) fn add_unless_last(links: &mut Vec<Link>, link: Link) {
    if links.last() != Some(&link) {
        links.push(link);
    }
}

/// A sector, or a square of blocks, for one field: its parts, each connected within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// By part: the part of the block above that it belongs to, or [`SEALED`]. It depends on the links of this block and its neighbours, not on
    /// sealed parts.
    pub(super) up: SmallVec<[u32; 4]>,
    /// Connections to neighbouring blocks, sorted. They are mirrored: the block there has a link back.
    pub(super) links: SmallVec<[Link; 6]>,
}

/// The first 4 parts of each block are looked up without reading the block.
const FIRST_PARTS: usize = 4;

/// How many blocks a level has, and how big they are.
#[derive(Clone, Copy)]
pub(super) struct LevelShape {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// Cells per side of a block, as a power of two.
    pub(super) side_bits: u32,
    /// Blocks per side of a block above, as a power of two.
    pub(super) factor_bits: u32,
}

/// Derived: the blocks of one size, for all fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    pub(super) columns: u32,
    rows: u32,
    fields: usize,
    /// Cells per side of a block, as a power of two.
    pub(super) side_bits: u32,
    /// Blocks per side of a block above, as a power of two.
    factor_bits: u32,
    /// The number of blocks.
    count: usize,
    /// By block, then field: an edit affects all fields in the same place.
    blocks: Vec<Block>,
    /// By field, then block: [`Block::up`] of the first parts; few blocks have more. They are read far more often than the rest, so they lie close
    /// together.
    first_ups: Vec<[u32; FIRST_PARTS]>,
    /// By block, then field: how many blocks below have parts. Not used for sectors.
    inhabited: Vec<u32>,
}

/// Scratch for finding domains.
#[derive(Clone, Debug, Default)]
pub(super) struct DomainScratch {
    pub(super) work: LevelScratch,
    /// By field: the marks of the room lists that decide its links.
    pub(super) marks: Vec<SmallVec<[u32; 9]>>,
    /// By field: blocks that turned out to have changed.
    pub(super) changed: Vec<Vec<u32>>,
    /// Blocks that were updated.
    pub(super) done: Vec<u32>,
}

/// Scratch for the blocks of one level.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelScratch {
    joined: UnionFind,
    pub(super) links: Vec<Link>,
    /// Parts with links out of the block above.
    leading_out: Vec<u32>,
    /// The final numbers of parts.
    numbers: Vec<u32>,
}

impl Level {
    /// A level of blocks without parts.
    pub(super) fn new(shape: LevelShape, fields: usize) -> Self {
        let LevelShape { columns, rows, side_bits, factor_bits } = shape;
        let count = (columns * rows) as usize;
        Self {
            columns,
            rows,
            fields,
            side_bits,
            factor_bits,
            count,
            blocks: vec![Block::default(); count * fields],
            first_ups: vec![[SEALED; FIRST_PARTS]; count * fields],
            inhabited: vec![0; count * fields],
        }
    }

    /// The block of a cell on the map.
    #[inline(always)]
    pub(super) fn of(&self, at: CellPos) -> u32 {
        (at.y as u32 >> self.side_bits) * self.columns + (at.x as u32 >> self.side_bits)
    }

    /// The part of the block above that a block's part belongs to, or [`SEALED`].
    #[inline(always)]
    pub(super) fn up(&self, block: u32, part: u32, field: usize) -> u32 {
        // More parts are rare, so the processor predicts this branch and need not wait for the part's number.
        match self.first_ups[self.first_index(block, field)].get(part as usize) {
            Some(&up) => up,
            None => self.up_of_another(block, part, field),
        }
    }

    /// [`Level::up`] for parts other than the first [`FIRST_PARTS`].
    #[inline(never)]
    fn up_of_another(&self, block: u32, part: u32, field: usize) -> u32 {
        self.block(block, field).up[part as usize]
    }

    #[inline(always)]
    fn first_index(&self, block: u32, field: usize) -> usize {
        field * self.count + block as usize
    }

    /// Copies [`Block::up`] of the first parts after it changed.
    pub(super) fn copy_first_ups(&mut self, block: u32, field: usize) {
        let place = self.first_index(block, field);
        let mut ups = [SEALED; FIRST_PARTS];
        ups.iter_mut().zip(&self.block(block, field).up).for_each(|(first, &up)| *first = up);
        self.first_ups[place] = ups;
    }

    #[inline]
    pub(super) fn block(&self, block: u32, field: usize) -> &Block {
        &self.blocks[block as usize * self.fields + field]
    }

    #[inline]
    pub(super) fn block_mut(&mut self, block: u32, field: usize) -> &mut Block {
        &mut self.blocks[block as usize * self.fields + field]
    }

    /// How many of the blocks below have parts.
    pub(super) fn inhabited_mut(&mut self, block: u32, field: usize) -> &mut u32 {
        &mut self.inhabited[block as usize * self.fields + field]
    }

    /// Whether a block has an open cell.
    pub(super) fn is_inhabited(&self, block: u32, field: usize) -> bool {
        let at = block as usize * self.fields + field;
        self.inhabited[at] != 0 || !self.blocks[at].up.is_empty()
    }

    /// How many parts are domains.
    pub(super) fn sealed(&self, field: usize) -> u32 {
        let blocks = self.blocks.iter().skip(field).step_by(self.fields);
        blocks.map(|block| block.up.iter().filter(|&&up| up == SEALED).count() as u32).sum()
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let spilled = |block: &Block| {
            let up = if block.up.spilled() { block.up.capacity() * 4 } else { 0 };
            let links = if block.links.spilled() { block.links.capacity() * 8 } else { 0 };
            up + links
        };
        self.blocks.len() * (size_of::<Block>() + 4 + 4 * FIRST_PARTS)
            + self.blocks.iter().map(spilled).sum::<usize>()
    }

    fn at(&self, block: u32) -> (u32, u32) {
        (block % self.columns, block / self.columns)
    }

    /// The neighbouring block in a direction.
    fn beside(&self, (x, y): (u32, u32), dir: Dir8) -> Option<(u32, u32)> {
        let (x, y) = (x.wrapping_add_signed(dir.dx()), y.wrapping_add_signed(dir.dy()));
        (x < self.columns && y < self.rows).then_some((x, y))
    }

    /// The block above.
    pub(super) fn above(&self, block: u32) -> u32 {
        let (x, y) = self.at(block);
        (y >> self.factor_bits) * self.columns.div_ceil(1 << self.factor_bits) + (x >> self.factor_bits)
    }

    /// The blocks below a block of the level above.
    pub(super) fn below(&self, above: u32) -> impl Iterator<Item = u32> + use<> {
        let columns = self.columns;
        self.places_below(above).map(move |(x, y)| y * columns + x)
    }

    /// The columns and rows of the blocks below a block of the level above.
    fn places_below(&self, above: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns_above = self.columns.div_ceil(1 << self.factor_bits);
        let corner = |at: u32| at << self.factor_bits;
        let (x, y) = (corner(above % columns_above), corner(above / columns_above));
        let (columns, rows, factor_bits) = (self.columns, self.rows, self.factor_bits);
        let end = move |from: u32, all: u32| (from + (1 << factor_bits)).min(all);
        (y..end(y, rows)).flat_map(move |y| (x..end(x, columns)).map(move |x| (x, y)))
    }

    /// Sorts `links` and makes them the links of a block. Adds the block to `changed` if they differ.
    pub(super) fn set_links(
        &mut self,
        block: u32,
        field: usize,
        links: &mut Vec<Link>,
        changed: &mut Vec<u32>,
    ) {
        links.sort_unstable();
        links.dedup();
        let own = &mut self.block_mut(block, field).links;
        if own[..] != links[..] {
            own.clear();
            own.extend_from_slice(links);
            changed.push(block);
        }
    }

    /// Copies the links of `changed` blocks to the neighbours that they lead to, except to blocks in `done` (sorted), which are up to
    /// date. Adds the blocks that change to `changed`.
    ///
    /// Links exist at both ends, so a block's new links are mirrored in its neighbours.
    pub(super) fn mirror_links(
        &mut self,
        field: usize,
        done: &[u32],
        scratch: &mut LevelScratch,
        changed: &mut Vec<u32>,
    ) {
        if done.len() == (self.columns * self.rows) as usize {
            return;
        }
        for at in 0..changed.len() {
            let block = changed[at];
            for dir in Dir8::ALL {
                let Some((x, y)) = self.beside(self.at(block), dir) else { continue };
                let other = y * self.columns + x;
                if done.binary_search(&other).is_ok() {
                    continue;
                }
                let (links, back) = (&mut scratch.links, dir.opposite());
                let mirrored = |link: &Link| Link::new(back, link.theirs() as u32, link.mine() as u32);
                links.clear();
                // The neighbour's other links stay.
                let theirs = &self.block(other, field).links;
                links.extend(theirs.iter().filter(|link| link.dir() != back));
                links.extend(
                    self.block(block, field).links.iter().filter(|link| link.dir() == dir).map(mirrored),
                );
                self.set_links(other, field, links, changed);
            }
        }
    }

    /// Finds which parts of the blocks below are connected within `block`. Parts without links are left out.
    pub(super) fn join_parts(
        &mut self,
        block: u32,
        field: usize,
        below: &mut Self,
        scratch: &mut LevelScratch,
    ) {
        let LevelScratch { joined, leading_out, numbers, .. } = scratch;
        leading_out.clear();
        let mut count = 0;
        for child in below.below(block) {
            let Block { up, links } = below.block_mut(child, field);
            up.fill(SEALED);
            links.iter().for_each(|link| up[link.mine()] = 0);
            for up in up.iter_mut().filter(|up| **up != SEALED) {
                *up = count;
                count += 1;
            }
        }
        joined.start(count);
        let place_of = |(x, y): (u32, u32)| (x >> below.factor_bits, y >> below.factor_bits);
        for at in below.places_below(block) {
            let Block { up, links } = below.block(at.1 * below.columns + at.0, field);
            for link in links {
                let Some(to) = below.beside(at, link.dir()) else { continue };
                if place_of(to) != place_of(at) {
                    leading_out.push(up[link.mine()]);
                } else if (Dir8::E..=Dir8::SW).contains(&link.dir()) {
                    // Half of the directions is enough, because links are mirrored.
                    let there = &below.block(to.1 * below.columns + to.0, field).up;
                    joined.join(up[link.mine()], there[link.theirs()]);
                }
            }
        }
        let count = joined.number() as usize;
        // Parts that lead out get the first numbers. So a pocket that appears or vanishes changes none of their
        // numbers.
        numbers.clear();
        numbers.resize(count, SEALED);
        leading_out.iter().for_each(|&part| numbers[joined.number_of(part) as usize] = 0);
        let outside = numbers.iter().filter(|&&number| number == 0).count() as u32;
        let (mut open, mut sealed) = (0..outside, outside..);
        for number in &mut *numbers {
            let next = if *number == 0 { open.next() } else { sealed.next() };
            *number = next.unwrap_or(SEALED);
        }
        for child in below.below(block) {
            for up in below.block_mut(child, field).up.iter_mut().filter(|up| **up != SEALED) {
                *up = numbers[joined.number_of(*up) as usize];
            }
            below.copy_first_ups(child, field);
        }
        self.block_mut(block, field).up.resize(count, SEALED);
        self.copy_first_ups(block, field);
    }

    /// Finds the parts of neighbouring blocks that the parts of `block` are connected to.
    pub(super) fn link_block(
        &mut self,
        block: u32,
        field: usize,
        below: &Self,
        scratch: &mut LevelScratch,
        changed: &mut Vec<u32>,
    ) {
        let links = &mut scratch.links;
        links.clear();
        let last = (1 << below.factor_bits) - 1;
        let at_border = |at: &(u32, u32)| [at.0 & last, at.1 & last].iter().any(|&at| at == 0 || at == last);
        for at in below.places_below(block).filter(at_border) {
            let Block { up, links: inner } = below.block(at.1 * below.columns + at.0, field);
            for link in inner {
                let Some(to) = below.beside(at, link.dir()) else { continue };
                let offset = |from: u32, to: u32| {
                    (to >> below.factor_bits) as i32 - (from >> below.factor_bits) as i32
                };
                let Some(dir) = Dir8::from_delta(offset(at.0, to.0), offset(at.1, to.1)) else { continue };
                let theirs = below.block(to.1 * below.columns + to.0, field).up[link.theirs()];
                add_unless_last(links, Link::new(dir, up[link.mine()], theirs));
            }
        }
        self.set_links(block, field, links, changed);
    }
}
