//! How a lazy field grows: one level at a time, outwards from the goal.

use alloc::vec::Vec;

use super::chunks::{ChunkPos, Chunks, Local, NONE, around};
use super::field::{LazyField, Tile};
use super::ground::{GroundChunk, SparseGround};
use super::levels::Found;
use super::settings::{LazySettings, LazySteps};
use crate::base::{CellPos, Dir8};
use crate::cost::{DIAGONAL, STRAIGHT};

impl LazyField {
    /// Grows until `at` is known and a few cells more, or until it may grow no further.
    pub(super) fn explore_to(&mut self, ground: &SparseGround, at: CellPos, settings: &LazySettings) {
        let limit = u64::from(settings.explore_limit);
        while !self.knows(at) {
            if self.explored >= limit {
                self.sift(ground);
                return;
            }
            if !self.explore_level(ground) {
                return;
            }
        }
        let more = u64::from(settings.expansion_buffer) * u64::from(self.cheapest);
        let enough = self.levels.next() + more;
        while self.levels.next() < enough && self.explored < limit {
            if !self.explore_level(ground) {
                return;
            }
        }
    }

    /// Drops from the frontier what is explored or closed by now, so that it is empty if and only if nothing is left to explore.
    ///
    /// For a field at its limit, which takes up no level any more; else a level drops its own.
    fn sift(&mut self, ground: &SparseGround) {
        if !self.sifted {
            let tiles = &self.tiles;
            self.levels.retain(|found| {
                let (number, local) = (found.chunk(), found.local());
                !tiles.get(number).knows(local) && ground.chunk(tiles.place(number)).is_open(local)
            });
            self.sifted = true;
        }
    }

    /// Explores the next level; false if nothing is left to explore.
    fn explore_level(&mut self, ground: &SparseGround) -> bool {
        let Some(mut level) = self.levels.take_lowest() else { return false };
        self.settle(ground, &mut level);
        self.explored += level.len() as u64;
        self.spread(ground, &level);
        self.levels.done(level);
        self.sifted = false;
        true
    }

    /// Gives the cells of a level their directions, and drops from it what is known already or was closed meanwhile.
    ///
    /// A cell may be in it several times. On even ground these cost the same, as a cell is only found from the level before its
    /// own, so the lowest direction is all that matters. On weighted ground sorting puts the best first.
    fn settle(&mut self, ground: &SparseGround, level: &mut Vec<Found>) {
        if self.steps == LazySteps::EightWeighted {
            level.sort_unstable();
        }
        let mut present: Option<(u32, &GroundChunk)> = None;
        level.retain(|found| {
            let (number, local) = (found.chunk(), found.local());
            let chunk = match present {
                Some((same, chunk)) if same == number => chunk,
                _ => ground.chunk(self.tiles.place(number)),
            };
            present = Some((number, chunk));
            let tile = self.tiles.get_mut(number);
            if !chunk.is_open(local) {
                return false;
            }
            if tile.knows(local) {
                if self.steps == LazySteps::FourUniform {
                    tile.lower(local, found.dir());
                }
                return false;
            }
            tile.settle(local, found.dir());
            true
        });
    }

    /// Finds the neighbours of a level's cells.
    fn spread(&mut self, ground: &SparseGround, level: &[Found]) {
        let legal = self.steps.rule().table();
        let floor = self.levels.floor();
        let mut present = Surroundings::of(ground, self.goal);
        for found in level {
            let (number, local) = (found.chunk(), found.local());
            if present.tile() != number {
                present = Surroundings::new(ground, number, self.tiles.place(number));
            }
            let cost = match self.steps {
                LazySteps::FourUniform => 1,
                LazySteps::EightWeighted => present.chunk().cost(local),
            };
            self.cheapest = self.cheapest.min(cost);
            let cost = u64::from(cost);
            let so_far = floor + found.beyond();
            let lengths = [so_far + cost * u64::from(STRAIGHT), so_far + cost * u64::from(DIAGONAL)];
            if (1..15).contains(&local.x()) && (1..15).contains(&local.y()) {
                let open = around(&present.chunk().open, local);
                let known = around(&self.tiles.get(number).known, local);
                let mut dirs = legal[usize::from(open)] & !known;
                while dirs != 0 {
                    let dir = Dir8::from_index(dirs.trailing_zeros() as u8);
                    dirs &= dirs - 1;
                    let to = Local((i32::from(local.0) + dir.dy() * 16 + dir.dx()) as u8);
                    self.levels.push(lengths[usize::from(dir.is_diagonal())], number, to, dir.opposite());
                }
            } else {
                self.spread_over_the_edge(&mut present, local, lengths);
            }
        }
    }

    /// The same for a cell with neighbours in other chunks.
    fn spread_over_the_edge(&mut self, present: &mut Surroundings<'_>, local: Local, lengths: [u64; 2]) {
        let mut open = 0;
        for dir in Dir8::ALL {
            let (side, to) = beyond(local, dir);
            if present.chunk_at(side).is_some_and(|chunk| chunk.is_open(to)) {
                open |= 1 << dir.index();
            }
        }
        let mut dirs = self.steps.rule().table()[open];
        while dirs != 0 {
            let dir = Dir8::from_index(dirs.trailing_zeros() as u8);
            dirs &= dirs - 1;
            let (side, to) = beyond(local, dir);
            let Some(number) = present.tile_at(side, &mut self.tiles) else { continue };
            if !self.tiles.get(number).knows(to) {
                self.levels.push(lengths[usize::from(dir.is_diagonal())], number, to, dir.opposite());
            }
        }
    }
}

/// The middle of nine chunks.
const MIDDLE: usize = 4;

/// Which of the nine chunks around a cell's its neighbour is in, and where in it.
#[inline]
fn beyond(local: Local, dir: Dir8) -> (usize, Local) {
    let (x, y) = (local.x() as i32 + dir.dx(), local.y() as i32 + dir.dy());
    let side = ((y >> 4) + 1) * 3 + (x >> 4) + 1;
    (side as usize, Local(((y & 15) << 4 | (x & 15)) as u8))
}

/// Scratch: a chunk and the eight around it, each looked up when it is first needed.
struct Surroundings<'a> {
    ground: &'a SparseGround,
    place: ChunkPos,
    chunks: [Option<&'a GroundChunk>; 9],
    tiles: [u32; 9],
}

impl<'a> Surroundings<'a> {
    /// Those of a cell, for a tile that is of no number yet.
    fn of(ground: &'a SparseGround, at: CellPos) -> Self {
        Self::new(ground, NONE, ChunkPos::of(at).0)
    }

    fn new(ground: &'a SparseGround, tile: u32, place: ChunkPos) -> Self {
        let mut found = Self { ground, place, chunks: [None; 9], tiles: [NONE; 9] };
        found.chunks[MIDDLE] = Some(ground.chunk(place));
        found.tiles[MIDDLE] = tile;
        found
    }

    #[inline]
    fn tile(&self) -> u32 {
        self.tiles[MIDDLE]
    }

    #[inline]
    fn chunk(&self) -> &'a GroundChunk {
        self.chunks[MIDDLE].unwrap_or_else(|| self.ground.chunk(self.place))
    }

    fn place_of(&self, side: usize) -> Option<ChunkPos> {
        self.place.beside(side as i32 % 3 - 1, side as i32 / 3 - 1)
    }

    /// The ground of one of the nine; `None` past the ends of the world.
    #[inline]
    fn chunk_at(&mut self, side: usize) -> Option<&'a GroundChunk> {
        if self.chunks[side].is_none() {
            self.chunks[side] = self.place_of(side).map(|place| self.ground.chunk(place));
        }
        self.chunks[side]
    }

    /// The tile of one of the nine, made if there is none; `None` past the ends of the world.
    #[inline]
    fn tile_at(&mut self, side: usize, tiles: &mut Chunks<Tile>) -> Option<u32> {
        if self.tiles[side] == NONE {
            let place = self.place_of(side)?;
            let number = tiles.find(place);
            self.tiles[side] = if number == NONE { tiles.insert(place, Tile::default()) } else { number };
        }
        Some(self.tiles[side])
    }
}
