//! Blocks of sectors: on huge maps a far route goes from block to block.

use alloc::vec::Vec;

use super::door::{Door, DoorId, DoorRank};
use super::sector::SectorDoors;
use super::table::Table;
use crate::base::{CellPos, Dir8};
use crate::cost::{SectorGrid, SectorId};

/// A block has 256 cells per side. The cost of any route through it fits in 32 bits, whatever the sectors' size.
pub(super) const BLOCK_SIDE: u32 = 256;
/// Blocks are used on maps that are at least 5 blocks wide or high.
const MIN_BLOCKS: u32 = 5;

/// Derived: all blocks with their doors, and the costs between the doors of each block.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    grid: SectorGrid,
    /// Sectors per side of a block, as a power of two.
    shift: u32,
    columns: u32,
    blocks: Vec<Block>,
    /// Blocks to update.
    stale: Vec<u32>,
    /// Blocks whose ground changed, so that their costs no longer hold.
    changed: Vec<u32>,
    /// Scratch: the doors of a block.
    found_doors: Vec<DoorId>,
    /// Scratch: where these doors lead.
    found_exits: Vec<Exit>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// The main doors that lead out of the block, in order.
    pub(super) doors: Vec<DoorId>,
    /// Where each door leads. Stored side by side, because a search reads all of them.
    pub(super) exits: Vec<Exit>,
    pub(super) costs: Table,
}

/// Where a door leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    /// The door back.
    pub(super) there: DoorId,
    pub(super) crossing: u16,
    /// The first cell beyond the door.
    pub(super) at: CellPos,
    /// The direction of the step.
    pub(super) dir: Dir8,
}

/// Whether a map is huge: searches over doors go from block to block.
pub(crate) fn is_huge(grid: SectorGrid) -> bool {
    Blocks::new(grid).in_use()
}

/// The number of blocks of a map; 0 if it is not huge.
pub(crate) fn block_count(grid: SectorGrid) -> u64 {
    u64::from(Blocks::new(grid).len())
}

impl Blocks {
    /// Blocks whose doors are not known yet; none if the map is not huge.
    pub(super) fn new(grid: SectorGrid) -> Self {
        let shift = BLOCK_SIDE.ilog2() - grid.side().ilog2().min(BLOCK_SIDE.ilog2());
        let round = |sectors: u32| (sectors + (1 << shift) - 1) >> shift;
        let (columns, rows) = (round(grid.columns()), round(grid.rows()));
        let worth_it = columns.max(rows) >= MIN_BLOCKS;
        let count = if worth_it { columns * rows } else { 0 };
        let mut blocks = Vec::new();
        blocks.resize_with(count as usize, Block::default);
        Self {
            grid,
            shift,
            columns,
            blocks,
            stale: (0..count).collect(),
            changed: Vec::new(),
            found_doors: Vec::new(),
            found_exits: Vec::new(),
        }
    }

    /// Whether the map has blocks.
    #[inline]
    pub(super) fn in_use(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The block of a sector.
    #[inline]
    pub(super) fn of(&self, sector: SectorId) -> u32 {
        let columns = self.grid.columns();
        let (x, y) = (sector.0 % columns, sector.0 / columns);
        (y >> self.shift) * self.columns + (x >> self.shift)
    }

    #[inline]
    pub(super) fn block(&self, block: u32) -> &Block {
        &self.blocks[block as usize]
    }

    /// Notes that the ground of a sector changed.
    pub(super) fn forget(&mut self, sector: SectorId) {
        let block = self.of(sector);
        if self.in_use() && self.changed.last() != Some(&block) {
            self.changed.push(block);
            self.stale.push(block);
        }
    }

    /// Notes that the doors of a sector, or where they lead, may have changed.
    pub(super) fn refresh(&mut self, sector: SectorId) {
        let block = self.of(sector);
        if self.in_use() && self.stale.last() != Some(&block) {
            self.stale.push(block);
        }
    }

    /// Finds the doors of the blocks that changed. Costs are kept if neither ground nor doors changed.
    pub(super) fn collect(&mut self, sectors: &[SectorDoors], leads: impl Fn(SectorId, Door) -> Exit) {
        self.stale.sort_unstable();
        self.stale.dedup();
        let columns = self.grid.columns();
        while let Some(number) = self.stale.pop() {
            self.found_doors.clear();
            self.found_exits.clear();
            let (x, y) = ((number % self.columns) << self.shift, (number / self.columns) << self.shift);
            let last = (1 << self.shift) - 1;
            // Sectors in order, so that their doors are in order.
            for (dx, dy) in (0..=last).flat_map(|dy| (0..=last).map(move |dx| (dx, dy))) {
                let at_rim = dx == 0 || dy == 0 || dx == last || dy == last;
                if !at_rim || x + dx >= columns || y + dy >= self.grid.rows() {
                    continue;
                }
                let sector = SectorId((y + dy) * columns + x + dx);
                for (door, index) in sectors[sector.index()].doors.iter().zip(0..) {
                    let there = self.grid.beside(sector, door.side);
                    if door.rank == DoorRank::Main && there.is_some_and(|there| self.of(there) != number) {
                        self.found_doors.push(DoorId { sector, index });
                        self.found_exits.push(leads(sector, *door));
                    }
                }
            }
            let (doors, exits) = (&mut self.found_doors, &mut self.found_exits);
            let block = &mut self.blocks[number as usize];
            // A door that moved along its border may have the same number as before. So compare the cells too.
            let place = |exit: &Exit| (exit.at, exit.dir);
            let moved = block.doors != *doors || !block.exits.iter().map(place).eq(exits.iter().map(place));
            if moved || self.changed.contains(&number) {
                block.costs.reset(doors.len());
            }
            core::mem::swap(&mut block.doors, doors);
            core::mem::swap(&mut block.exits, exits);
        }
        self.changed.clear();
    }

    /// Whether both have the same doors, and the same costs where both know them.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        let same = |(a, b): (&Block, &Block)| {
            a.doors == b.doors && a.exits == b.exits && a.costs.agrees_with(&b.costs)
        };
        self.blocks.len() == other.blocks.len() && self.blocks.iter().zip(&other.blocks).all(same)
    }

    /// The number of blocks.
    pub(super) fn len(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let of_block = |block: &Block| {
            size_of::<Block>()
                + block.doors.capacity() * size_of::<DoorId>()
                + block.exits.capacity() * size_of::<Exit>()
                + block.costs.memory_bytes()
        };
        self.blocks.iter().map(of_block).sum()
    }
}
