//! The jump cells: their numbers, and where the successors of each lie.

use alloc::vec;
use alloc::vec::Vec;

use super::diagonal_bits::DiagonalBits;
use super::pool::{Edge, EdgePool};
use crate::base::{CellPos, Dir8, GridSize};

/// The number of a cell that is not a jump cell: 2^32 − 1.
pub(super) const NO_CELL: u32 = u32::MAX;

/// The column of a free record: 65,535.
const FREE: u16 = u16::MAX;

/// The part of a jump cell that searches read: half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    x: u16,
    y: u16,
    /// The legal steps along each diagonal that searches follow from here: north-east, south-east, south-west, north-west. 0 for others.
    pub(super) clear: [u16; 4],
    /// Where the successors begin, by the straight direction by which the cell was reached. Each list ends where the next begins.
    lists: [u32; 5],
}

impl Record {
    #[inline]
    pub(super) fn at(&self) -> CellPos {
        CellPos::new(i32::from(self.x), i32::from(self.y))
    }

    /// The number of successors if the cell was reached by straight direction `by`, which is under 4.
    #[inline]
    pub(super) fn successors(&self, by: usize) -> u32 {
        self.lists[by + 1] - self.lists[by]
    }

    fn is_free(&self) -> bool {
        self.x == FREE
    }
}

/// The part of a jump cell that only edits read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Upkeep {
    /// The size class of its block of edges.
    pub(super) class: u8,
    /// The straight directions by which the cell is reached as a jump point.
    pub(super) came_by: u8,
    /// The directions that searches follow from the cell, however it was reached.
    pub(super) leaves_by: u8,
}

/// Scratch: the lists of one cell while they are made: all edges, and where each list ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) edges: Vec<Edge>,
    pub(super) ends: [u32; 4],
    pub(super) clear: [u16; 4],
}

/// Jump cells by number. The number of a cell that is no longer a jump cell is given to the next new one.
#[derive(Clone, Debug)]
pub(super) struct JumpCells {
    grid: GridSize,
    records: Vec<Record>,
    upkeep: Vec<Upkeep>,
    free: Vec<u32>,
    /// The number of each cell, row by row; [`NO_CELL`] for a cell that is not a jump cell.
    numbers: Vec<u32>,
    /// A bit for each jump cell.
    bits: DiagonalBits,
    edges: EdgePool,
    count: Count,
}

/// The number of nodes and of successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Count {
    /// Jump cells, each counted once for every straight direction by which it is reached.
    pub(super) nodes: usize,
    pub(super) edges: usize,
}

impl JumpCells {
    pub(super) fn new(grid: GridSize) -> Self {
        Self {
            grid,
            records: Vec::new(),
            upkeep: Vec::new(),
            free: Vec::new(),
            numbers: vec![NO_CELL; grid.cells()],
            bits: DiagonalBits::new(grid),
            edges: EdgePool::new(),
            count: Count::default(),
        }
    }

    #[inline]
    pub(super) fn grid(&self) -> GridSize {
        self.grid
    }

    #[inline]
    fn index(&self, at: CellPos) -> usize {
        at.y as usize * self.grid.width() as usize + at.x as usize
    }

    /// The number of a cell on the map; [`NO_CELL`] if it is not a jump cell.
    #[inline]
    pub(super) fn number(&self, at: CellPos) -> u32 {
        self.numbers[self.index(at)]
    }

    #[inline]
    pub(super) fn record(&self, number: u32) -> &Record {
        &self.records[number as usize]
    }

    pub(super) fn upkeep(&self, number: u32) -> Upkeep {
        self.upkeep[number as usize]
    }

    /// The successors of a jump cell that was reached by straight direction `by`, which is under 4.
    #[inline]
    pub(super) fn list(&self, record: &Record, by: usize) -> &[Edge] {
        &self.edges.all()[record.lists[by] as usize..record.lists[by + 1] as usize]
    }

    /// The number of nodes and of successors.
    #[inline]
    pub(super) fn count(&self) -> Count {
        self.count
    }

    /// One more than the highest number in use.
    #[inline]
    pub(super) fn numbers_end(&self) -> usize {
        self.records.len()
    }

    /// The jump cells, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Record, Upkeep)> {
        let all = self.records.iter().zip(&self.upkeep).enumerate();
        all.filter(|(_, (record, _))| !record.is_free())
            .map(|(number, (record, upkeep))| (number as u32, record, *upkeep))
    }

    /// Whether a number is in use.
    pub(super) fn is_used(&self, number: u32) -> bool {
        !self.records[number as usize].is_free()
    }

    /// The jump cells on the diagonal from `at` in direction `dir`; see [`DiagonalBits::each`].
    pub(super) fn each_on_diagonal(&self, at: CellPos, dir: Dir8, found: impl FnMut(u32) -> bool) {
        self.bits.each(at, dir, found);
    }

    /// Makes `at`, which has no number, a jump cell without successors. Returns its number.
    pub(super) fn add(&mut self, at: CellPos) -> u32 {
        // A side of a map is at most 8192 cells.
        let record = Record { x: at.x as u16, y: at.y as u16, clear: [0; 4], lists: [0; 5] };
        let number = self.free.pop().unwrap_or(self.records.len() as u32);
        if number as usize == self.records.len() {
            self.records.push(record);
            self.upkeep.push(Upkeep::default());
        } else {
            self.records[number as usize] = record;
        }
        let index = self.index(at);
        self.numbers[index] = number;
        self.bits.set(at, true);
        number
    }

    /// Removes the jump cell `at`.
    pub(super) fn remove(&mut self, at: CellPos) {
        let index = self.index(at);
        let number = core::mem::replace(&mut self.numbers[index], NO_CELL);
        self.bits.set(at, false);
        self.discount(number);
        let record = &mut self.records[number as usize];
        self.edges.give_back(record.lists[0], self.upkeep[number as usize].class);
        record.x = FREE;
        self.upkeep[number as usize] = Upkeep::default();
        self.free.push(number);
    }

    /// Writes the lists of a jump cell, and the directions by which it is reached and left.
    pub(super) fn write(&mut self, number: u32, lists: &Lists, came_by: u8, leaves_by: u8) {
        self.discount(number);
        self.count.nodes += came_by.count_ones() as usize;
        self.count.edges += lists.edges.len();
        let record = &mut self.records[number as usize];
        let upkeep = &mut self.upkeep[number as usize];
        let (start, class) = self.edges.put(record.lists[0], upkeep.class, &lists.edges);
        *upkeep = Upkeep { class, came_by, leaves_by };
        record.clear = lists.clear;
        record.lists[0] = start;
        for (begin, end) in record.lists[1..].iter_mut().zip(lists.ends) {
            *begin = start + end;
        }
    }

    /// Takes a jump cell out of the counts.
    fn discount(&mut self, number: u32) {
        let lists = &self.records[number as usize].lists;
        self.count.nodes -= self.upkeep[number as usize].came_by.count_ones() as usize;
        self.count.edges -= (lists[4] - lists[0]) as usize;
    }

    /// Frees memory that was allocated in advance.
    pub(super) fn shrink(&mut self) {
        self.records.shrink_to_fit();
        self.upkeep.shrink_to_fit();
        self.edges.shrink();
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.upkeep.capacity() * size_of::<Upkeep>()
            + (self.free.capacity() + self.numbers.len()) * 4
            + self.bits.memory_bytes()
            + self.edges.memory_bytes()
    }
}
