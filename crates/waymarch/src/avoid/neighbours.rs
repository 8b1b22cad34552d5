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
        let pos = index.positions();
        for run in index.runs_around(me.pos, reach) {
            for slot in run {
                // Positions alone first: they lie closer together.
                let square = pos[slot].wide().minus(me.pos.wide()).square();
                if square > limit || slot == own {
                    continue;
                }
                let other = &seen[slot];
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

    /// Takes up a slot in its place; of too many the last is dropped.
    #[inline]
    fn insert(&mut self, seen: &[Seen], key: i64, slot: usize, most: usize) {
        let later =
            |there: i64, at: u32| there > key || (there == key && seen[at as usize].id > seen[slot].id);
        let mut place = self.count;
        if place == most {
            if !later(self.keys[place - 1], self.slots[place - 1]) {
                return;
            }
            place -= 1;
        } else {
            self.count += 1;
        }
        // Moved one by one: there are few.
        while place > 0 && later(self.keys[place - 1], self.slots[place - 1]) {
            self.keys[place] = self.keys[place - 1];
            self.slots[place] = self.slots[place - 1];
            place -= 1;
        }
        self.keys[place] = key;
        self.slots[place] = slot as u32;
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
