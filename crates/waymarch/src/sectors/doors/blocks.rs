//! Sectors of sectors: on huge maps a far route steps from block to block.

use alloc::vec::Vec;

use super::{DoorRank, SectorDoors, Table};
use crate::cost::{SectorGrid, SectorId};

/// Cells per side of a block: the dearest way through one still fits 32 bits, whatever the sectors' size.
pub(super) const BLOCK_SIDE: u32 = 256;
/// Maps of fewer blocks than this in both directions do without.
const WORTH_IT: u32 = 5;

/// Derived from the doors: the main ones of those that lead out of each block, and what the ways between them cost within it.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    grid: SectorGrid,
    /// Sectors per side of a block, as bits.
    shift: u32,
    columns: u32,
    blocks: Vec<Block>,
    /// Blocks to look at again.
    stale: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// The main doors that lead out of the block, in order.
    pub(super) doors: Vec<(SectorId, u16)>,
    pub(super) costs: Table,
}

impl Blocks {
    /// Blocks whose doors are not known yet; none on a map that is not huge.
    pub(super) fn new(grid: SectorGrid) -> Self {
        let shift = BLOCK_SIDE.ilog2() - grid.side().ilog2().min(BLOCK_SIDE.ilog2());
        let round = |sectors: u32| (sectors + (1 << shift) - 1) >> shift;
        let (columns, rows) = (round(grid.columns()), round(grid.rows()));
        let worth_it = columns.max(rows) >= WORTH_IT;
        let count = if worth_it { columns * rows } else { 0 };
        let mut blocks = Vec::new();
        blocks.resize_with(count as usize, Block::default);
        Self { grid, shift, columns, blocks, stale: (0..count).collect() }
    }

    /// Whether the map has any.
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

    /// The doors or the ground of a sector have changed.
    pub(super) fn forget(&mut self, sector: SectorId) {
        let block = self.of(sector);
        if self.in_use() && self.stale.last() != Some(&block) {
            self.stale.push(block);
        }
    }

    /// Looks for the doors of the blocks that changed.
    pub(super) fn collect(&mut self, sectors: &[SectorDoors]) {
        self.stale.sort_unstable();
        self.stale.dedup();
        let columns = self.grid.columns();
        while let Some(block) = self.stale.pop() {
            let mut doors = core::mem::take(&mut self.blocks[block as usize].doors);
            doors.clear();
            let (x, y) = ((block % self.columns) << self.shift, (block / self.columns) << self.shift);
            let last = (1 << self.shift) - 1;
            for (dx, dy) in (0..=last).flat_map(|dy| (0..=last).map(move |dx| (dx, dy))) {
                let at_rim = dx == 0 || dy == 0 || dx == last || dy == last;
                if !at_rim || x + dx >= columns || y + dy >= self.grid.rows() {
                    continue;
                }
                let sector = SectorId((y + dy) * columns + x + dx);
                for (door, index) in sectors[sector.index()].doors.iter().zip(0..) {
                    let there = self.grid.beside(sector, door.side);
                    if door.rank == DoorRank::Main && there.is_some_and(|there| self.of(there) != block) {
                        doors.push((sector, index));
                    }
                }
            }
            doors.sort_unstable();
            let block = &mut self.blocks[block as usize];
            block.costs.reset(doors.len());
            block.doors = doors;
        }
    }

    /// Whether both have the same doors.
    pub(super) fn same_doors(&self, other: &Self) -> bool {
        self.blocks.iter().map(|block| &block.doors).eq(other.blocks.iter().map(|block| &block.doors))
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let of_block = |block: &Block| {
            size_of::<Block>()
                + block.doors.capacity() * size_of::<(SectorId, u16)>()
                + block.costs.memory_bytes()
        };
        self.blocks.iter().map(of_block).sum()
    }
}
