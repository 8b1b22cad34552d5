//! The nearest others that matter.

use super::seen::Seen;
use super::settings::MAX_NEIGHBOURS;
use super::spatial::SpatialIndex;
use crate::base::root;

/// Slots gathered before they are looked at closely.
const HEAP: usize = 1 << HEAP_BITS;
const HEAP_BITS: u32 = 5;

/// What a search for neighbours looks at.
pub(super) struct Search<'a> {
    pub(super) index: &'a SpatialIndex,
    pub(super) seen: &'a [Seen],
    /// The greatest radius of all, and the least.
    pub(super) widest: i32,
    pub(super) slimmest: i32,
    /// So many are looked for.
    pub(super) most: usize,
}

/// Scratch: the nearest others, by slot. To be used for one unit after the other: making it takes longer than finding some.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Neighbours {
    /// What they are sorted by, then by id.
    keys: [i64; MAX_NEIGHBOURS],
    slots: [u32; MAX_NEIGHBOURS],
    count: usize,
    /// Slots that are near enough, and squares of their distances.
    heap: [u32; HEAP],
    squares: [i64; HEAP],
}

impl Neighbours {
    #[inline]
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots[..self.count]
    }

    /// With their keys: squares of distances less those of radii.
    #[inline]
    pub(super) fn keyed(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        self.slots().iter().copied().zip(self.keys[..self.count].iter().copied())
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

    /// Becomes the `most` others nearest to the unit in `own` slot. Bigger ones count as nearer: what decides is the square of the distance
    /// less that of the radii.
    ///
    /// It looks as far as the hint says first, and further only if that was not enough: so a hint changes the cost and never the answer.
    pub(super) fn find(&mut self, search: &Search<'_>, own: usize, reach: i32, hint: i64) {
        let me = &search.seen[own];
        let whole = i64::from(reach) * i64::from(reach);
        let broad = i64::from(me.radius) + i64::from(search.widest);
        // All with a key up to the hint lie within this square.
        let near = hint.saturating_add(broad * broad);
        if near < whole {
            self.within(search, own, root(near) as i32 + 2, near);
            if self.count == search.most && self.keys[search.most - 1] <= hint {
                return;
            }
        }
        self.within(search, own, reach, whole);
    }

    /// The nearest of those in a square of distance.
    fn within(&mut self, search: &Search<'_>, own: usize, reach: i32, limit: i64) {
        self.count = 0;
        let at = search.seen[own].pos;
        let pos = search.index.positions();
        let (mut count, mut heaps) = (0, 0);
        for run in search.index.runs_around(at, reach) {
            let mut slot = run.start as u32;
            for part in pos[run].chunks(HEAP / 2) {
                if count + part.len() > HEAP {
                    self.take(search, own, count);
                    (count, heaps) = (0, heaps + 1);
                }
                for there in part {
                    // Without a branch that nobody can foresee: who is too far off is written over by the next.
                    let square = there.wide().minus(at.wide()).square();
                    self.heap[count % HEAP] = slot;
                    self.squares[count % HEAP] = square;
                    count += usize::from(square <= limit);
                    slot += 1;
                }
            }
        }
        let count = count.min(HEAP);
        let me = &search.seen[own];
        // All of one size, and nobody is left out: then squares of distances say everything.
        let alike = search.slimmest == search.widest && me.travels() && me.passing == 0;
        let enough = match (heaps, count) {
            (0, 0..=16) if alike => self.sort_alike::<16>(search, own, count, limit),
            (0, 0..=16) => self.sort::<16>(search, own, count, limit),
            (0, _) => self.sort::<HEAP>(search, own, count, limit),
            _ => false,
        };
        if !enough {
            self.take(search, own, count);
        }
    }

    /// Takes up those of a single heap of up to `N` that matter: the same as [`Neighbours::take`] without branches that nobody can foresee.
    /// Says whether that was enough, or lower bits of keys have to decide, or ids.
    fn sort<const N: usize>(&mut self, search: &Search<'_>, own: usize, held: usize, limit: i64) -> bool {
        let me = &search.seen[own];
        let broad = i64::from(me.radius) + i64::from(search.widest);
        // The upper bits of keys, made positive, and behind them the place in the heap: 31 bits.
        let lower = (64 + HEAP_BITS).saturating_sub((limit + broad * broad).leading_zeros() + 31);
        let mut keys = [0_i64; N];
        let mut ranked = [i32::MAX; N];
        let mut count = 0;
        let goes_alone = me.travels() && me.passing == 0;
        for (place, &slot) in self.heap[..held].iter().enumerate() {
            let other = &search.seen[slot as usize];
            let square = me.offset_to(other).square();
            let radii = i64::from(me.radius) + i64::from(other.radius);
            let key = square - radii * radii;
            keys[place % N] = key;
            ranked[count % N] = (((key + broad * broad) >> lower) << HEAP_BITS) as i32 | place as i32;
            let matters = goes_alone || matters(me, other, square, radii * radii);
            count += usize::from(matters & (slot as usize != own));
        }
        let count = count.min(N);
        // Written last, and not taken.
        if let Some(last) = ranked.get_mut(count) {
            *last = i32::MAX;
        }
        let Some(sorted) = ranked_in_order(&ranked, count) else { return false };
        self.count = count.min(search.most);
        for ((key, slot), &found) in self.keys.iter_mut().zip(&mut self.slots).zip(&sorted[..self.count]) {
            let place = found as usize % HEAP;
            *key = keys[place % N];
            *slot = self.heap[place];
        }
        true
    }

    /// The same for units of one size of whom all matter: whom they look at is not looked at. Says whether that was enough.
    fn sort_alike<const N: usize>(
        &mut self,
        search: &Search<'_>,
        own: usize,
        count: usize,
        limit: i64,
    ) -> bool {
        let lower = (64 + HEAP_BITS).saturating_sub(limit.leading_zeros() + 31);
        let mut ranked = [i32::MAX; N];
        for (place, (rank, (&slot, &square))) in
            ranked.iter_mut().zip(self.heap.iter().zip(&self.squares)).enumerate()
        {
            let key = ((square >> lower) << HEAP_BITS) as i32 | place as i32;
            *rank = if (place < count) & (slot as usize != own) { key } else { i32::MAX };
        }
        let Some(sorted) = ranked_in_order(&ranked, count) else { return false };
        let radii = 2 * i64::from(search.widest);
        // One of them is the unit itself, and comes last.
        self.count = count.saturating_sub(1).min(search.most);
        for ((key, slot), &found) in self.keys.iter_mut().zip(&mut self.slots).zip(&sorted[..self.count]) {
            let place = found as usize % HEAP;
            *key = self.squares[place] - radii * radii;
            *slot = self.heap[place];
        }
        true
    }

    /// Takes up those of the first `held` of the heap that matter and are near enough.
    fn take(&mut self, search: &Search<'_>, own: usize, held: usize) {
        let me = &search.seen[own];
        let most = search.most.min(MAX_NEIGHBOURS);
        for slot in self.heap.into_iter().take(held).filter(|&slot| slot as usize != own) {
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

/// The first `count` keys in order, without branches that nobody can foresee: each is put after as many as are nearer. `None` if two are alike in
/// all bits but those of their places.
#[inline]
fn ranked_in_order<const N: usize>(ranked: &[i32; N], count: usize) -> Option<[i32; N]> {
    let mut ranks = [0_i32; N];
    for &nearer in &ranked[..count] {
        // Compared with all `N`, so that there is nothing to foresee; hidden from the compiler, which would unroll the wrong loop.
        let nearer = core::hint::black_box(nearer);
        for (rank, &key) in ranks.iter_mut().zip(ranked) {
            *rank += i32::from(key > nearer);
        }
    }
    let mut sorted = [0_i32; N];
    for (&rank, &key) in ranks.iter().zip(&ranked[..count]) {
        sorted[rank as usize % N] = key;
    }
    let alike = |pair: &[i32]| pair[0] >> HEAP_BITS == pair[1] >> HEAP_BITS;
    if sorted[..count].windows(2).any(alike) { None } else { Some(sorted) }
}

/// Whether I look at the other at all: not at those who follow me, and when idle not at idle ones that are no trouble.
#[inline]
fn matters(me: &Seen, other: &Seen, square: i64, radii: i64) -> bool {
    if me.travels() {
        // Within five quarters of both radii.
        return (16 * square <= 25 * radii) | !me.same_stream(other) | me.follows(other);
    }
    if other.travels() {
        return true;
    }
    // Within one and a half of both radii, or twice if it moves.
    if other.vel.is_zero() { 4 * square <= 9 * radii } else { square <= 4 * radii }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{FINE_CELL, Fine, Stance};
    use crate::base::{Fixed, Purpose, Rng, Tick};
    use alloc::vec::Vec;

    /// Units of one size are ranked by what is known of distances; others by what is seen of them. The answers are the same, ties included.
    #[test]
    fn units_of_one_size_find_the_same_neighbours_as_if_sizes_differed() {
        let mut random = Rng::keyed(9, Tick::ZERO, 0, Purpose(9));
        for step in [1, FINE_CELL / 4] {
            let mut part = || random.below(16 * FINE_CELL as u32 / step as u32) as i32 * step;
            let at: Vec<Fine> = (0..300).map(|_| Fine::new(part(), part())).collect();
            let ids: Vec<u32> = (0..300).map(|number| number * 7 % 300).collect();
            let mut index = SpatialIndex::new(Fixed::from_cells(2));
            index.rebuild(&at, &ids);
            let radius = FINE_CELL / 3;
            let unit = |place: usize| Seen {
                pos: at[place],
                id: ids[place],
                radius,
                stance: Stance::Moving,
                ..Seen::default()
            };
            let seen: Vec<Seen> = index.order().iter().map(|&place| unit(place as usize)).collect();
            let search = |slimmest| Search { index: &index, seen: &seen, widest: radius, slimmest, most: 8 };
            let (mut one, mut other) = (Neighbours::default(), Neighbours::default());
            for slot in 0..seen.len() {
                for hint in [i64::MAX, 0, i64::from(FINE_CELL).pow(2)] {
                    one.find(&search(radius), slot, 4 * FINE_CELL, hint);
                    other.find(&search(radius - 1), slot, 4 * FINE_CELL, hint);
                    assert!(one.keyed().eq(other.keyed()), "{slot} {hint} {step}");
                    assert_eq!(one.slots().len(), 8, "there are plenty");
                }
            }
        }
    }
}
