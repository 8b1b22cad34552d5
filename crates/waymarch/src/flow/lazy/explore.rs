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
    /// Grows the field until it knows `at`, plus a few levels, or until it reaches its limit.
    pub(super) fn explore_to(&mut self, ground: &SparseGround, at: CellPos, settings: &LazySettings) {
        let limit = u64::from(settings.explore_limit);
        while !self.knows(at) {
            if self.explored >= limit {
                self.prune_frontier(ground);
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

    /// Drops explored and closed cells from the frontier, so that it is empty only if nothing is left to explore.
    ///
    /// Needed for a field at its limit. Otherwise each level drops such cells when it is explored.
    fn prune_frontier(&mut self, ground: &SparseGround) {
        if !self.pruned {
            let tiles = &self.tiles;
            self.levels.retain(|found| {
                let (number, local) = (found.chunk(), found.local());
                !tiles.get(number).knows(local) && ground.chunk(tiles.place(number)).is_open(local)
            });
            self.pruned = true;
        }
    }

    /// Explores the next level. Returns `false` if nothing is left to explore.
    fn explore_level(&mut self, ground: &SparseGround) -> bool {
        let Some(mut level) = self.levels.take_lowest() else { return false };
        self.settle(ground, &mut level);
        self.explored += level.len() as u64;
        self.spread(ground, &level);
        self.levels.done(level);
        self.pruned = false;
        true
    }

    /// Gives the cells of a level their directions, and drops cells from it that are known already or were closed meanwhile.
    ///
    /// A cell may occur several times. On uniform ground all its entries cost the same, because a cell is found only from the level before.
    /// So only the lowest direction matters. On weighted ground, sorting puts the best entry first.
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

    /// As [`LazyField::spread`], for one cell with neighbours in other chunks.
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

/// Index 4: the middle of nine chunks.
const MIDDLE: usize = 4;

/// Which of the nine chunks a neighbour is in, and its position there.
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
    /// The surroundings of a cell, without a tile yet.
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

    /// The ground of one of the nine chunks; `None` past the ends of the map.
    #[inline]
    fn chunk_at(&mut self, side: usize) -> Option<&'a GroundChunk> {
        if self.chunks[side].is_none() {
            self.chunks[side] = self.place_of(side).map(|place| self.ground.chunk(place));
        }
        self.chunks[side]
    }

    /// The tile of one of the nine chunks, made if there is none; `None` past the ends of the map.
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
