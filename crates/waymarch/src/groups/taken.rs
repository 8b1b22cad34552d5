//! Places that are taken: is there room for one more?

use alloc::vec::Vec;

use super::member::{Packing, fine, room_between};
use crate::avoid::Fine;
use crate::base::{CellPos, Fixed, make_room, spoil};

const NONE: u32 = u32::MAX;
/// Radii up to 16 cells, by their highest bit.
const OCTAVES: usize = 24;

/// Scratch: slots by place, in grids of a mesh for each octave of radii, so that one ship among a thousand men costs nobody anything.
///
/// The cells of all grids share one table. Two cells that meet in it cost a comparison more and change no answer: what is
/// compared is distances. Looking costs some nine cells for each octave that occurs; nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    heads: Vec<u32>,
    next: Vec<u32>,
    slots: Vec<(Fine, Fixed)>,
    octaves: [Octave; OCTAVES],
    gap: Fixed,
}

#[derive(Clone, Copy, Debug, Default)]
struct Octave {
    widest: Fixed,
    mesh: i64,
    count: u32,
}

fn octave(radius: Fixed) -> usize {
    ((fine(radius).max(1) as u64).ilog2() as usize).min(OCTAVES - 1)
}

impl Taken {
    /// Makes room for so many slots in all.
    pub(super) fn make_room(&mut self, slots: usize) {
        make_room(&mut self.heads, (2 * slots).next_power_of_two());
        make_room(&mut self.next, slots);
        make_room(&mut self.slots, slots);
    }

    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        spoil(&mut self.heads, 0);
        spoil(&mut self.next, NONE);
        spoil(&mut self.slots, (Fine::new(7, 7), Fixed::ONE));
        self.octaves = [Octave { widest: Fixed::ONE, mesh: 7, count: 7 }; OCTAVES];
        self.gap = Fixed::ONE;
    }

    /// Nothing is taken; slots of these radii are to come.
    pub(super) fn clear(&mut self, radii: impl Iterator<Item = Fixed>, gap: Fixed) {
        self.octaves = [Octave::default(); OCTAVES];
        self.gap = gap;
        let mut count = 0;
        for radius in radii {
            let own = &mut self.octaves[octave(radius)];
            own.widest = own.widest.max(radius);
            own.mesh = room_between(own.widest, own.widest, gap);
            count += 1;
        }
        self.heads.clear();
        self.heads.resize((2 * count as usize).next_power_of_two().max(16), NONE);
        self.next.clear();
        self.slots.clear();
    }

    fn bucket(&self, octave: usize, x: i64, y: i64) -> usize {
        let mixed = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ (octave as u64).wrapping_mul(0x1656_67B1_9E37_79F9);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.heads.len() - 1)
    }

    /// Whether a member of this radius has room at a point.
    pub(super) fn has_room(&self, at: Fine, radius: Fixed, packing: Packing) -> bool {
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        for (number, octave) in self.octaves.iter().enumerate() {
            if octave.count == 0 {
                continue;
            }
            let reach = packing.between(radius, octave.widest, self.gap);
            for row in (y - reach).div_euclid(octave.mesh)..=(y + reach).div_euclid(octave.mesh) {
                for column in (x - reach).div_euclid(octave.mesh)..=(x + reach).div_euclid(octave.mesh) {
                    let mut slot = self.heads[self.bucket(number, column, row)];
                    while slot != NONE {
                        let (other, wide) = self.slots[slot as usize];
                        let room = packing.between(radius, wide, self.gap) as u64;
                        if at.distance_squared(other) < room * room {
                            return false;
                        }
                        slot = self.next[slot as usize];
                    }
                }
            }
        }
        true
    }

    /// Takes a place.
    pub(super) fn insert(&mut self, at: Fine, radius: Fixed) {
        let number = octave(radius);
        // Radii come from the list that was announced; others would be looked for in meshes that are too narrow.
        let mesh = self.octaves[number].mesh.max(1);
        let (column, row) = (i64::from(at.x).div_euclid(mesh), i64::from(at.y).div_euclid(mesh));
        let bucket = self.bucket(number, column, row);
        self.octaves[number].count += 1;
        self.next.push(self.heads[bucket]);
        self.heads[bucket] = self.slots.len() as u32;
        self.slots.push((at, radius));
    }
}

/// A formation over more cells than this is not looked at for walls across it.
const MOST_WALKED: u64 = 1 << 17;

/// Scratch: the cells of a rectangle that can be walked to from its centre without leaving it; or all cells there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    low: CellPos,
    wide: u32,
    high: u32,
    /// Row by row; empty for all cells there are.
    marks: Vec<u8>,
}

impl Near {
    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        (self.low, self.wide, self.high) = (CellPos::new(-7, 7), 7, 7);
        spoil(&mut self.marks, 1);
    }

    /// All cells there are.
    pub(super) fn everywhere(&mut self) {
        self.marks.clear();
    }

    /// No cell, in the rectangle between two corners. Gives whether it is small enough; if not, all cells are in.
    pub(super) fn nowhere_in(&mut self, low: CellPos, high: CellPos) -> bool {
        self.marks.clear();
        (self.low, self.wide, self.high) = (low, high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1);
        let cells = u64::from(self.wide) * u64::from(self.high);
        if cells > MOST_WALKED {
            return false;
        }
        self.marks.resize(cells as usize, 0);
        true
    }

    #[inline]
    fn place(&self, at: CellPos) -> Option<usize> {
        let (x, y) = (at.x.wrapping_sub(self.low.x) as u32, at.y.wrapping_sub(self.low.y) as u32);
        (x < self.wide && y < self.high).then_some(y as usize * self.wide as usize + x as usize)
    }

    #[inline]
    pub(super) fn contains(&self, at: CellPos) -> bool {
        self.marks.is_empty() || self.place(at).is_some_and(|place| self.marks[place] != 0)
    }

    /// Whether a cell is in the rectangle and not in the set.
    #[inline]
    pub(super) fn is_new(&self, at: CellPos) -> bool {
        self.place(at).is_some_and(|place| self.marks[place] == 0)
    }

    /// Puts a cell of the rectangle in.
    #[inline]
    pub(super) fn insert(&mut self, at: CellPos) {
        if let Some(place) = self.place(at) {
            self.marks[place] = 1;
        }
    }
}

/// Scratch: a set of cells, anywhere, as big as it has to be.
#[derive(Clone, Debug, Default)]
pub(super) struct CellSet {
    /// Cells with the generation they were put in.
    table: Vec<(u32, CellPos)>,
    generation: u32,
    len: usize,
}

impl CellSet {
    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        // Places stay free, so that whoever forgets to clear it finds rubbish and does not look for ever.
        let rubbish = (self.generation, CellPos::new(7, 7));
        self.table.iter_mut().step_by(2).for_each(|entry| *entry = rubbish);
        self.len = 7;
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.iter_mut().for_each(|entry| entry.0 = 0);
            self.generation = 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Where a cell is, or the free place where it would be.
    fn find(&self, at: CellPos) -> usize {
        let key = (at.x as u32 as u64) << 32 | at.y as u32 as u64;
        let mask = self.table.len() - 1;
        let mut place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.table[place].0 == self.generation && self.table[place].1 != at {
            place = (place + 1) & mask;
        }
        place
    }

    /// Puts a cell in; gives whether it was not there.
    pub(super) fn insert(&mut self, at: CellPos) -> bool {
        if 2 * (self.len + 1) > self.table.len() {
            self.grow();
        }
        let place = self.find(at);
        if self.table[place].0 == self.generation {
            return false;
        }
        self.table[place] = (self.generation, at);
        self.len += 1;
        true
    }

    fn grow(&mut self) {
        let bigger = alloc::vec![(0, CellPos::new(0, 0)); (self.table.len() * 2).max(1024)];
        let before = core::mem::replace(&mut self.table, bigger);
        let generation = core::mem::replace(&mut self.generation, 1);
        for (_, at) in before.into_iter().filter(|entry| entry.0 == generation) {
            let place = self.find(at);
            self.table[place] = (1, at);
        }
    }
}
