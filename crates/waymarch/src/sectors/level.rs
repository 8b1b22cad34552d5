//! One level of the tree of blocks that domains are found by.

use alloc::vec;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::joined::Joined;
use crate::base::{CellPos, Dir8};

/// In place of a part of the block above: nothing leads out of this one.
pub(super) const SEALED: u32 = u32::MAX;

/// A part of a block that is connected to one of another, in the order of direction, own part, the other's part.
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

/// Adds a link unless it is the one added last.
pub(super) fn add_unless_last(links: &mut Vec<Link>, link: Link) {
    if links.last() != Some(&link) {
        links.push(link);
    }
}

/// A sector, or a square of blocks, as one field sees it: its parts, each connected within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// By part: the part of the block above it belongs to, or [`SEALED`]. Follows from its links and those of the blocks around: as long as
    /// these stay the same, so does it, whatever sealed parts there are beside.
    pub(super) up: SmallVec<[u32; 4]>,
    /// Connections to the blocks around, sorted. They are mirrored: those of the block there lead back.
    pub(super) links: SmallVec<[Link; 6]>,
}

/// So many parts of each block are looked up without looking at the block.
const FIRST_PARTS: usize = 4;

/// Derived: the blocks of one size, for all fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    pub(super) columns: u32,
    rows: u32,
    fields: usize,
    /// Cells per side of a block, and blocks per side of one above, as powers of two.
    pub(super) side_bits: u32,
    factor_bits: u32,
    /// How many blocks there are.
    count: usize,
    /// By block and field: an edit is felt by all fields in the same place.
    blocks: Vec<Block>,
    /// By field and block: [`Block::up`] of the first parts, more than which few blocks have. Looked up far more often than the rest, so it
    /// lies close together.
    first_ups: Vec<[u32; FIRST_PARTS]>,
    /// By block and field: how many blocks below have parts. Not used for sectors.
    inhabited: Vec<u32>,
}

/// Scratch for finding domains.
#[derive(Clone, Debug, Default)]
pub(super) struct DomainScratch {
    joined: Joined,
    pub(super) links: Vec<Link>,
    /// By field: what its links follow from.
    pub(super) marks: Vec<SmallVec<[u32; 9]>>,
    /// By field: blocks that turned out to have changed.
    pub(super) changed: Vec<Vec<u32>>,
    /// Blocks that were looked at.
    pub(super) done: Vec<u32>,
    /// Parts with links out of the block above, and the numbers parts get in the end.
    leading_out: Vec<u32>,
    numbers: Vec<u32>,
}

impl Level {
    /// Blocks without any parts, of so many cells a side and as many a side of the block above, as powers of two.
    pub(super) fn new(
        (columns, rows): (u32, u32),
        (side_bits, factor_bits): (u32, u32),
        fields: usize,
    ) -> Self {
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
        // Hardly ever are there more parts, so that the processor need not wait to know which one it is.
        match self.first_ups[self.first_place(block, field)].get(part as usize) {
            Some(&up) => up,
            None => self.up_of_another(block, part, field),
        }
    }

    /// The same for parts other than the first ones.
    #[inline(never)]
    fn up_of_another(&self, block: u32, part: u32, field: usize) -> u32 {
        self.block(block, field).up[part as usize]
    }

    #[inline(always)]
    fn first_place(&self, block: u32, field: usize) -> usize {
        field * self.count + block as usize
    }

    /// Notes that the parts of a block may belong elsewhere now.
    pub(super) fn moved(&mut self, block: u32, field: usize) {
        let place = self.first_place(block, field);
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

    /// Whether there is any open cell in a block.
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

    /// The block beside the one at a place.
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

    /// The places of the blocks below a block of the level above.
    fn places_below(&self, above: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns_above = self.columns.div_ceil(1 << self.factor_bits);
        let corner = |at: u32| at << self.factor_bits;
        let (x, y) = (corner(above % columns_above), corner(above / columns_above));
        let (columns, rows, factor_bits) = (self.columns, self.rows, self.factor_bits);
        let end = move |from: u32, all: u32| (from + (1 << factor_bits)).min(all);
        (y..end(y, rows)).flat_map(move |y| (x..end(x, columns)).map(move |x| (x, y)))
    }

    /// Sets the links of a block, sorting them; notes it if they are others than before.
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

    /// Tells the blocks around those that `changed` which links lead to them now, but not those in `done` (sorted), which know; adds the
    /// blocks that changed thereby.
    ///
    /// Links exist at both ends, so where those of one block are as before, so are those towards it, and where not, they are mirrored.
    pub(super) fn mirror_links(
        &mut self,
        field: usize,
        done: &[u32],
        scratch: &mut DomainScratch,
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
                // Their other links stay.
                let theirs = &self.block(other, field).links;
                links.extend(theirs.iter().filter(|link| link.dir() != back));
                links.extend(
                    self.block(block, field).links.iter().filter(|link| link.dir() == dir).map(mirrored),
                );
                self.set_links(other, field, links, changed);
            }
        }
    }

    /// Finds which parts of the blocks below are connected within `block`. Those that lead nowhere are left out.
    pub(super) fn join_parts(
        &mut self,
        block: u32,
        field: usize,
        below: &mut Self,
        scratch: &mut DomainScratch,
    ) {
        let DomainScratch { joined, leading_out, numbers, .. } = scratch;
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
                    // The other half of the directions leads back.
                    let there = &below.block(to.1 * below.columns + to.0, field).up;
                    joined.join(up[link.mine()], there[link.theirs()]);
                }
            }
        }
        let count = joined.number() as usize;
        // Parts that lead out come first, so that a pocket more or less changes no other's number.
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
            below.moved(child, field);
        }
        self.block_mut(block, field).up.resize(count, SEALED);
        self.moved(block, field);
    }

    /// Finds to which parts of the blocks around those of `block` are connected.
    pub(super) fn link_block(
        &mut self,
        block: u32,
        field: usize,
        below: &Self,
        scratch: &mut DomainScratch,
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
                let way = |from: u32, to: u32| {
                    (to >> below.factor_bits) as i32 - (from >> below.factor_bits) as i32
                };
                let Some(dir) = Dir8::from_delta(way(at.0, to.0), way(at.1, to.1)) else { continue };
                let theirs = below.block(to.1 * below.columns + to.0, field).up[link.theirs()];
                add_unless_last(links, Link::new(dir, up[link.mine()], theirs));
            }
        }
        self.set_links(block, field, links, changed);
    }
}
