//! Slots that are taken: is there room for one more?

use alloc::vec::Vec;

use super::geometry::fine;
use super::member::{Packing, room_between};
use crate::avoid::Fine;
use crate::base::{Fixed, Scratch, poison_list, reserve_total};

/// The end of a list of slots: 2^32 − 1.
const NONE: u32 = u32::MAX;

/// 24 octaves: radii up to 16 cells, by their highest bit.
const OCTAVES: usize = 24;

/// Scratch: taken slots by position. There is one grid for each octave of radii, so that one large member among many small ones slows
/// nothing down.
///
/// The cells of all grids share one hash table. Two cells in one bucket cost more comparisons and change no answer, since distances are
/// compared. A query reads about nine cells for each octave in use. Nothing is allocated once the memory has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct OccupiedSlots {
    heads: Vec<u32>,
    next: Vec<u32>,
    slots: Vec<(Fine, Fixed)>,
    octaves: [Octave; OCTAVES],
    gap: Fixed,
}

/// The grid of one octave of radii.
#[derive(Clone, Copy, Debug, Default)]
struct Octave {
    widest: Fixed,
    mesh: i64,
    count: u32,
}

fn octave(radius: Fixed) -> usize {
    ((fine(radius).max(1) as u64).ilog2() as usize).min(OCTAVES - 1)
}

impl OccupiedSlots {
    /// Removes all slots. Only slots of these radii may be inserted afterwards.
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

    /// Takes a slot.
    pub(super) fn insert(&mut self, at: Fine, radius: Fixed) {
        let number = octave(radius);
        // `radius` is one of the radii given to `clear`, so the mesh is wide enough for it.
        let mesh = self.octaves[number].mesh.max(1);
        let (column, row) = (i64::from(at.x).div_euclid(mesh), i64::from(at.y).div_euclid(mesh));
        let bucket = self.bucket(number, column, row);
        self.octaves[number].count += 1;
        self.next.push(self.heads[bucket]);
        self.heads[bucket] = self.slots.len() as u32;
        self.slots.push((at, radius));
    }
}

impl Scratch for OccupiedSlots {
    /// Slots in all.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.heads, 0);
        poison_list(&mut self.next, NONE);
        poison_list(&mut self.slots, (Fine::new(7, 7), Fixed::ONE));
        self.octaves = [Octave { widest: Fixed::ONE, mesh: 7, count: 7 }; OCTAVES];
        self.gap = Fixed::ONE;
    }

    fn reserve(&mut self, slots: usize) {
        reserve_total(&mut self.heads, (2 * slots).next_power_of_two());
        reserve_total(&mut self.next, slots);
        reserve_total(&mut self.slots, slots);
    }
}
