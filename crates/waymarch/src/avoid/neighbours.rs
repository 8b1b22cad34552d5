//! The nearest others that matter.

use super::seen::Seen;
use super::settings::MAX_NEIGHBOURS;
use super::spatial::SpatialIndex;

/// Scratch: the nearest others, by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    /// What they are sorted by, then by id.
    keys: [i64; MAX_NEIGHBOURS],
    slots: [u32; MAX_NEIGHBOURS],
    count: usize,
}

impl Neighbours {
    #[inline]
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots[..self.count]
    }

    /// The `most` others nearest to the unit in `own` slot. Bigger ones count as nearer: what decides is the square of the distance less
    /// that of the radii.
    pub(super) fn find(index: &SpatialIndex, seen: &[Seen], own: usize, reach: i32, most: usize) -> Self {
        let me = &seen[own];
        let mut found = Self { keys: [i64::MAX; MAX_NEIGHBOURS], slots: [0; MAX_NEIGHBOURS], count: 0 };
        let limit = i64::from(reach) * i64::from(reach);
        let most = most.min(MAX_NEIGHBOURS);
        for run in index.runs_around(me.pos, reach) {
            for slot in run {
                let other = &seen[slot];
                let square = me.offset_to(other).square();
                if square > limit || slot == own {
                    continue;
                }
                let radii = i64::from(me.radius) + i64::from(other.radius);
                let key = square - radii * radii;
                if found.count == most && key > found.keys[most - 1] {
                    continue;
                }
                if matters(me, other, square, radii * radii) {
                    found.insert(seen, key, slot, most);
                }
            }
        }
        found
    }

    #[inline]
    fn insert(&mut self, seen: &[Seen], key: i64, slot: usize, most: usize) {
        let id = seen[slot].id;
        let later = |at: usize| {
            let there = self.keys[at];
            there > key || (there == key && seen[self.slots[at] as usize].id > id)
        };
        let mut place = self.count;
        while place > 0 && later(place - 1) {
            place -= 1;
        }
        if place == most {
            return;
        }
        let end = self.count.min(most - 1);
        self.keys.copy_within(place..end, place + 1);
        self.slots.copy_within(place..end, place + 1);
        self.keys[place] = key;
        self.slots[place] = slot as u32;
        self.count = end + 1;
    }
}

/// Whether I look at the other at all: not at those who follow me, and when idle not at idle ones that are no trouble.
#[inline]
fn matters(me: &Seen, other: &Seen, square: i64, radii: i64) -> bool {
    if me.travels() {
        // Within five quarters of both radii.
        return 16 * square <= 25 * radii || !me.same_stream(other) || me.follows(other);
    }
    if other.travels() {
        return true;
    }
    // Within one and a half of both radii, or twice if it moves.
    if other.vel.is_zero() { 4 * square <= 9 * radii } else { square <= 4 * radii }
}
