//! One lazy field: the directions towards one goal, as far as they are known.

use alloc::vec::Vec;

use super::chunks::{ChunkPos, Chunks, Local, NONE, Rows, SIDE};
use super::ground::SparseGround;
use super::levels::Levels;
use super::settings::LazySteps;
use crate::base::{CellPos, Dir8};
use crate::cost::{DIAGONAL, STRAIGHT};

/// What is known of a chunk's cells: which are explored, and the three bits of their directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    pub(super) known: Rows,
    dirs: [Rows; 3],
}

impl Tile {
    #[inline]
    pub(super) fn knows(&self, at: Local) -> bool {
        self.known[at.y()] & at.bit() != 0
    }

    /// Marks a cell as explored, with its direction.
    #[inline]
    pub(super) fn settle(&mut self, at: Local, dir: Dir8) {
        self.known[at.y()] |= at.bit();
        for (bit, plane) in (0..).zip(&mut self.dirs) {
            plane[at.y()] |= u16::from(dir.index() >> bit & 1) << at.x();
        }
    }

    /// Gives an explored cell a direction with a lower number, if `dir` is lower.
    #[inline]
    pub(super) fn lower(&mut self, at: Local, dir: Dir8) {
        if dir < self.dir(at) {
            for plane in &mut self.dirs {
                plane[at.y()] &= !at.bit();
            }
            self.settle(at, dir);
        }
    }

    #[inline]
    fn dir(&self, at: Local) -> Dir8 {
        let bit = |plane: &Rows| (plane[at.y()] >> at.x() & 1) as u8;
        Dir8::from_index(bit(&self.dirs[0]) | bit(&self.dirs[1]) << 1 | bit(&self.dirs[2]) << 2)
    }
}

/// How a cell was edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edit {
    /// It was open and is closed now.
    Closed,
    /// It was closed and is open now.
    Opened,
    /// It was and is open, at another cost.
    Recosted,
}

/// Which part of a frontier a cell is in; see [`LazyField::frontier`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FrontierPart {
    /// In the lowest level, or beyond it by less than one straight step on the cheapest ground. These cells are explored first when the
    /// field grows.
    Working,
    /// In a later level.
    Stored,
}

/// Derived from [`SparseGround`]: the directions towards one goal, for every cell whose route costs less than the
/// [`boundary`](Self::boundary).
///
/// The field takes half a byte for each cell of the 16×16 chunks it touches. Each entry of the frontier takes 8 bytes; a cell may have
/// several entries. On maps that is 0.6 to 1.3 bytes per explored cell (the test `lazy_memory` checks it), but 10 in a corridor one cell
/// wide through closed ground.
#[derive(Clone, Debug)]
pub struct LazyField {
    pub(super) goal: CellPos,
    pub(super) steps: LazySteps,
    pub(super) tiles: Chunks<Tile>,
    pub(super) levels: Levels,
    pub(super) explored: u64,
    /// What the cheapest explored cell costs; 255 while there is none.
    pub(super) cheapest: u8,
    /// Whether every cell of the frontier is open and not explored.
    pub(super) pruned: bool,
}

impl LazyField {
    /// A field that knows nothing yet. Its goal must be open; closing the goal later deletes the field.
    pub(super) fn new(goal: CellPos, steps: LazySteps) -> Self {
        let (mut tiles, mut levels) = (Chunks::default(), Levels::default());
        let (place, local) = ChunkPos::of(goal);
        let tile = tiles.insert(place, Tile::default());
        // The goal needs no direction; any value will do.
        levels.push(0, tile, local, Dir8::N);
        Self { goal, steps, tiles, levels, explored: 0, cheapest: u8::MAX, pruned: false }
    }

    /// The goal.
    #[inline]
    #[must_use]
    pub fn goal(&self) -> CellPos {
        self.goal
    }

    /// How many cells the field knows, including the goal.
    #[inline]
    #[must_use]
    pub fn explored(&self) -> u64 {
        self.explored
    }

    /// Whether the frontier is empty: no other cell can reach the goal.
    #[inline]
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.levels.is_empty()
    }

    /// The field knows exactly the cells whose route to the goal costs less than this.
    #[inline]
    #[must_use]
    pub fn boundary(&self) -> u64 {
        self.levels.floor()
    }

    /// Whether a cell would be known if there were no obstacles and all ground had the cheapest cost. Every explored cell is inside. For
    /// pictures.
    ///
    /// With four directions the boundary is a square: all its cells have the same Manhattan distance from the goal. A cell inside that is
    /// not known may still be reachable, by a route that leads outside and back.
    #[must_use]
    pub fn inside_boundary(&self, at: CellPos) -> bool {
        let (dx, dy) = (u64::from(at.x.abs_diff(self.goal.x)), u64::from(at.y.abs_diff(self.goal.y)));
        let (short, long) = (dx.min(dy), dx.max(dy));
        let least = match self.steps {
            LazySteps::FourUniform => (short + long) * u64::from(STRAIGHT),
            LazySteps::EightWeighted => short * u64::from(DIAGONAL) + (long - short) * u64::from(STRAIGHT),
        };
        least * u64::from(self.cheapest) < self.boundary()
    }

    /// Whether a cell is explored.
    #[inline]
    #[must_use]
    pub fn knows(&self, at: CellPos) -> bool {
        let (place, local) = ChunkPos::of(at);
        let tile = self.tiles.find(place);
        tile != NONE && self.tiles.get(tile).knows(local)
    }

    /// The direction from an explored cell other than the goal. Of equally cheap directions the lowest counts.
    #[inline]
    #[must_use]
    pub fn direction(&self, at: CellPos) -> Option<Dir8> {
        let (place, local) = ChunkPos::of(at);
        let tile = self.tiles.find(place);
        if tile == NONE || at == self.goal {
            return None;
        }
        let tile = self.tiles.get(tile);
        tile.knows(local).then(|| tile.dir(local))
    }

    /// All cells with a direction, always in the same order: by chunks of 16×16. Sorts the chunks first.
    pub fn directions(&self) -> impl Iterator<Item = (CellPos, Dir8)> {
        let mut places: Vec<ChunkPos> = self.tiles.places().to_vec();
        places.sort_unstable();
        let cells = places.into_iter().flat_map(|place| (0..=255).map(move |local| place.cell(Local(local))));
        cells.filter_map(|at| Some((at, self.direction(at)?)))
    }

    /// The cells that were found and are not explored yet, in order. For pictures and for tuning.
    #[must_use]
    pub fn frontier(&self, ground: &SparseGround) -> Vec<(CellPos, FrontierPart)> {
        let mut lowest = None;
        let mut cells = Vec::new();
        for (level, found) in self.levels.iter() {
            let at = self.tiles.place(found.chunk()).cell(found.local());
            if self.knows(at) || !ground.is_open(at) {
                continue;
            }
            let working = level - *lowest.get_or_insert(level) < u64::from(self.cheapest);
            cells.push((at, if working { FrontierPart::Working } else { FrontierPart::Stored }));
        }
        cells.sort_unstable();
        cells.dedup_by_key(|(at, _)| *at);
        cells
    }

    /// Follows an edit. Returns `false` if the field may be wrong now and must be deleted.
    ///
    /// To explore a cell, the field reads the cost of the cell and whether its eight neighbours are open. An edit of any other cell does
    /// not matter. A frontier cell that was closed is dropped when its level is explored.
    pub(super) fn outlives(&mut self, at: CellPos, edit: Edit) -> bool {
        let explored = |dirs: &[Dir8]| dirs.iter().any(|&dir| self.knows(at.step(dir)));
        let depends = match (edit, self.steps) {
            // Every open cell costs the same.
            (Edit::Recosted, LazySteps::FourUniform) => false,
            (Edit::Recosted, LazySteps::EightWeighted) | (Edit::Closed, LazySteps::FourUniform) => {
                self.knows(at)
            }
            // Diagonal steps into a straight neighbour pass a corner of this cell.
            (Edit::Closed, LazySteps::EightWeighted) => self.knows(at) || explored(&Dir8::STRAIGHT),
            (Edit::Opened, LazySteps::FourUniform) => explored(&Dir8::STRAIGHT),
            (Edit::Opened, LazySteps::EightWeighted) => explored(&Dir8::ALL),
        };
        if edit == Edit::Closed && explored(&Dir8::ALL) {
            self.pruned = false;
        }
        !depends
    }

    /// Bytes held for directions.
    ///
    /// Hidden: only the tests of memory use it.
    #[doc(hidden)]
    #[must_use]
    pub fn directions_bytes(&self) -> usize {
        self.tiles.memory_bytes()
    }

    /// Bytes held for the frontier.
    ///
    /// Hidden: only the tests of memory use it.
    #[doc(hidden)]
    #[must_use]
    pub fn frontier_bytes(&self) -> usize {
        self.levels.memory_bytes()
    }
}

const _: () = assert!(size_of::<Tile>() == SIDE * SIDE / 2);
