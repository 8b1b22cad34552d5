//! The nearest others that matter.

use super::root::root;
use super::seen::Seen;
use super::settings::MAX_NEIGHBOURS;
use super::spatial::SpatialIndex;

/// Slots gathered before they are looked at closely.
const HEAP: usize = 1 << HEAP_BITS;
const HEAP_BITS: u32 = 5;

/// Makes keys positive: more than the square of any two radii.
const BIAS: i64 = 1 << 42;

/// What a search for neighbours looks at.
pub(super) struct Search<'a> {
    pub(super) index: &'a SpatialIndex,
    pub(super) seen: &'a [Seen],
    /// The greatest radius of all.
    pub(super) widest: i32,
    /// So many are looked for.
    pub(super) most: usize,
}

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

    /// Those with a key below a limit: they come first.
    #[inline]
    pub(super) fn below(&self, limit: i64) -> impl Iterator<Item = u32> + '_ {
        let (keys, slots) = (&self.keys[..self.count], &self.slots[..self.count]);
        keys.iter().zip(slots).take_while(move |&(&key, _)| key < limit).map(|(_, &slot)| slot)
    }

    /// How far to look for them in the next tick, given to [`Neighbours::find`] then.
    #[inline]
    pub(super) fn hint(&self, most: usize) -> i64 {
        if self.count < most {
            return i64::MAX;
        }
        let last = self.keys[self.count - 1];
        last + last / 8
    }

    /// The `most` others nearest to the unit in `own` slot. Bigger ones count as nearer: what decides is the square of the distance less
    /// that of the radii.
    ///
    /// It looks as far as the hint says first, and further only if that was not enough: so a hint changes the cost and never the answer.
    pub(super) fn find(search: &Search<'_>, own: usize, reach: i32, hint: i64) -> Self {
        let me = &search.seen[own];
        let whole = i64::from(reach) * i64::from(reach);
        let broad = i64::from(me.radius) + i64::from(search.widest);
        // All with a key up to the hint lie within this square.
        let near = hint.saturating_add(broad * broad);
        if near < whole {
            let found = Self::within(search, own, root(near) as i32 + 2, near);
            if found.count == search.most && found.keys[search.most - 1] <= hint {
                return found;
            }
        }
        Self::within(search, own, reach, whole)
    }

    /// The nearest of those in a square of distance.
    fn within(search: &Search<'_>, own: usize, reach: i32, limit: i64) -> Self {
        let mut found = Self { keys: [0; MAX_NEIGHBOURS], slots: [0; MAX_NEIGHBOURS], count: 0 };
        let at = search.seen[own].pos;
        let pos = search.index.positions();
        let mut heap = [0_u32; HEAP];
        let (mut count, mut heaps) = (0, 0);
        for run in search.index.runs_around(at, reach) {
            let first = run.start;
            for (slot, there) in pos[run].iter().enumerate() {
                let slot = first + slot;
                // Without a branch that nobody can foresee: who is too far off is written over by the next.
                heap[count % HEAP] = slot as u32;
                let near = there.wide().minus(at.wide()).square() <= limit;
                count += usize::from(near & (slot != own));
                if count == HEAP {
                    found.take(search, own, &heap);
                    (count, heaps) = (0, heaps + 1);
                }
            }
        }
        if heaps == 0 {
            found.sort(search, own, &heap[..count]);
        } else {
            found.take(search, own, &heap[..count]);
        }
        found
    }

    /// Takes up those of a single heap that matter: the same as [`Neighbours::take`] without branches that nobody can foresee. Each is put
    /// after as many as are nearer.
    fn sort(&mut self, search: &Search<'_>, own: usize, slots: &[u32]) {
        let me = &search.seen[own];
        // Keys are below 2^46; behind them the place in the heap.
        let mut keys = [0_u64; HEAP];
        let mut count = 0;
        for (place, &slot) in slots.iter().enumerate() {
            let other = &search.seen[slot as usize];
            let square = me.offset_to(other).square();
            let radii = i64::from(me.radius) + i64::from(other.radius);
            let key = (square - radii * radii + BIAS) as u64;
            keys[count % HEAP] = key << HEAP_BITS | place as u64;
            count += usize::from(matters(me, other, square, radii * radii));
        }
        let keys = &keys[..count.min(HEAP)];
        let mut sorted = [0_u64; HEAP];
        for &key in keys {
            let rank: usize = keys.iter().map(|&other| usize::from(other < key)).sum();
            sorted[rank % HEAP] = key;
        }
        let sorted = &sorted[..keys.len()];
        let alike = |pair: &[u64]| pair[0] >> HEAP_BITS == pair[1] >> HEAP_BITS;
        if sorted.windows(2).any(alike) {
            // Ids decide.
            self.take(search, own, slots);
            return;
        }
        for ((key, slot), &found) in
            self.keys.iter_mut().zip(&mut self.slots).zip(&sorted[..keys.len().min(search.most)])
        {
            *key = (found >> HEAP_BITS) as i64 - BIAS;
            *slot = slots[(found % HEAP as u64) as usize];
        }
        self.count = keys.len().min(search.most);
    }

    /// Takes up those of some slots that matter and are near enough.
    fn take(&mut self, search: &Search<'_>, own: usize, slots: &[u32]) {
        let me = &search.seen[own];
        let most = search.most.min(MAX_NEIGHBOURS);
        for &slot in slots {
            let other = &search.seen[slot as usize];
            let square = me.offset_to(other).square();
            let radii = i64::from(me.radius) + i64::from(other.radius);
            let key = square - radii * radii;
            if self.count == most && key > self.keys[most - 1] {
                continue;
            }
            if matters(me, other, square, radii * radii) {
                self.insert(search.seen, key, slot as usize, most);
            }
        }
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
