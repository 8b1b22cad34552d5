//! The nearest neighbours of a unit that matter to it.

use super::spatial_index::SpatialIndex;
use super::unit_state::UnitState;
use crate::avoid::settings::MAX_NEIGHBOURS;
use crate::base::root;

/// Slots that are gathered before they are ranked: 32.
const BATCH: usize = 1 << BATCH_BITS;
/// 5 bits: an index into a batch of 32 slots.
const BATCH_BITS: u32 = 5;

/// What a search for neighbours reads. The states of the units are in the order of the index's slots.
pub(in crate::avoid) struct NeighbourSearch<'a> {
    pub(in crate::avoid) index: &'a SpatialIndex,
    pub(in crate::avoid) states: &'a [UnitState],
    /// The largest radius of all units.
    pub(in crate::avoid) max_radius: i32,
    /// The smallest radius of all units.
    pub(in crate::avoid) min_radius: i32,
    /// Whether all units are on the same collision layers.
    pub(in crate::avoid) one_layer: bool,
    /// How many neighbours to find at most.
    pub(in crate::avoid) limit: usize,
}

/// Scratch: the nearest neighbours of one unit, by slot.
///
/// Use one for many units in turn: initialising it takes longer than a search.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::avoid) struct Neighbours {
    /// The squared distance of each neighbour minus the squared sum of radii. Neighbours are sorted by it, then by id.
    keys: [i64; MAX_NEIGHBOURS],
    slots: [u32; MAX_NEIGHBOURS],
    count: usize,
    /// Slots of units within the searched distance, and their squared distances.
    batch: [u32; BATCH],
    batch_squares: [i64; BATCH],
}

impl Neighbours {
    #[inline]
    pub(in crate::avoid) fn slots(&self) -> &[u32] {
        &self.slots[..self.count]
    }

    /// Slots with their keys: squared distances minus squared sums of radii.
    #[inline]
    pub(in crate::avoid) fn keyed(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        self.slots().iter().copied().zip(self.keys[..self.count].iter().copied())
    }

    /// The neighbours with a key below a limit, nearest first.
    #[inline]
    pub(in crate::avoid) fn below(&self, limit: i64) -> impl Iterator<Item = u32> + '_ {
        let (keys, slots) = (&self.keys[..self.count], &self.slots[..self.count]);
        keys.iter().zip(slots).take_while(move |&(&key, _)| key < limit).map(|(_, &slot)| slot)
    }

    /// How far to look in the next tick: a key for [`Neighbours::find`], an eighth above that of the last neighbour.
    #[inline]
    pub(in crate::avoid) fn hint(&self, limit: usize) -> i64 {
        if self.count < limit {
            return i64::MAX;
        }
        let last = self.keys[self.count - 1];
        last + last / 8
    }

    /// Finds the neighbours nearest to the unit in slot `own` within `reach`. The key decides which are nearest, so larger units
    /// count as nearer.
    ///
    /// The search looks only as far as `hint` at first, and again within `reach` if that was not enough. So a hint changes the
    /// cost and never the result.
    pub(in crate::avoid) fn find(&mut self, search: &NeighbourSearch<'_>, own: usize, reach: i32, hint: i64) {
        let me = &search.states[own];
        let whole = i64::from(reach) * i64::from(reach);
        let max_radii = i64::from(me.radius) + i64::from(search.max_radius);
        // All units with a key up to the hint are within this squared distance.
        let near = hint.saturating_add(max_radii * max_radii);
        if near < whole {
            self.find_within(search, own, root(near) as i32 + 2, near);
            if self.count == search.limit && self.keys[search.limit - 1] <= hint {
                return;
            }
        }
        self.find_within(search, own, reach, whole);
    }

    /// Finds the nearest units with a squared distance of at most `square_limit`, all of which are within `reach`.
    fn find_within(&mut self, search: &NeighbourSearch<'_>, own: usize, reach: i32, square_limit: i64) {
        self.count = 0;
        let at = search.states[own].pos;
        let pos = search.index.positions();
        let (mut count, mut full_batches) = (0, 0);
        for run in search.index.runs_around(at, reach) {
            let mut slot = run.start as u32;
            for part in pos[run].chunks(BATCH / 2) {
                if count + part.len() > BATCH {
                    self.insert_batch(search, own, count);
                    (count, full_batches) = (0, full_batches + 1);
                }
                for there in part {
                    // Branch-free, because the branch would be unpredictable: the next unit overwrites one that is too far away.
                    let square = there.wide().minus(at.wide()).length_squared();
                    self.batch[count % BATCH] = slot;
                    self.batch_squares[count % BATCH] = square;
                    count += usize::from(square <= square_limit);
                    slot += 1;
                }
            }
        }
        let count = count.min(BATCH);
        let me = &search.states[own];
        // If all units have one size and all of them matter, the squared distances alone decide.
        let alike =
            search.one_layer && search.min_radius == search.max_radius && me.travels() && me.has_bend == 0;
        let ranked = match (full_batches, count) {
            (0, 0..=16) if alike => self.rank_alike::<16>(search, own, count, square_limit),
            (0, 0..=16) => self.rank::<16>(search, own, count, square_limit),
            (0, _) => self.rank::<BATCH>(search, own, count, square_limit),
            _ => false,
        };
        if !ranked {
            self.insert_batch(search, own, count);
        }
    }

    /// Takes the neighbours that matter from a single batch of up to `N`: [`Neighbours::insert_batch`] without unpredictable
    /// branches. Returns `false` if the upper bits of the keys do not decide the order. The caller must then compare lower bits and ids.
    fn rank<const N: usize>(
        &mut self,
        search: &NeighbourSearch<'_>,
        own: usize,
        held: usize,
        square_limit: i64,
    ) -> bool {
        let me = &search.states[own];
        let max_radii = i64::from(me.radius) + i64::from(search.max_radius);
        // A rank has 31 bits: the upper bits of the key, made positive, and below them the place in the batch.
        let lower =
            (64 + BATCH_BITS).saturating_sub((square_limit + max_radii * max_radii).leading_zeros() + 31);
        let mut keys = [0_i64; N];
        let mut ranks = [i32::MAX; N];
        let mut count = 0;
        let all_matter = search.one_layer && me.travels() && me.has_bend == 0;
        for (place, &slot) in self.batch[..held].iter().enumerate() {
            let other = &search.states[slot as usize];
            let square = me.offset_to(other).length_squared();
            let radii = me.sum_of_radii(other);
            let key = square - radii * radii;
            keys[place % N] = key;
            ranks[count % N] = (((key + max_radii * max_radii) >> lower) << BATCH_BITS) as i32 | place as i32;
            let matters = all_matter || matters(me, other, square, radii * radii);
            count += usize::from(matters & (slot as usize != own));
        }
        let count = count.min(N);
        // The entry behind the last one was written and not counted.
        if let Some(last) = ranks.get_mut(count) {
            *last = i32::MAX;
        }
        let Some(sorted) = sorted_ranks(&ranks, count) else { return false };
        self.count = count.min(search.limit);
        for ((key, slot), &rank) in self.keys.iter_mut().zip(&mut self.slots).zip(&sorted[..self.count]) {
            let place = rank as usize % BATCH;
            *key = keys[place % N];
            *slot = self.batch[place];
        }
        true
    }

    /// [`Neighbours::rank`] for units of one size that all matter: it does not read their states.
    fn rank_alike<const N: usize>(
        &mut self,
        search: &NeighbourSearch<'_>,
        own: usize,
        count: usize,
        square_limit: i64,
    ) -> bool {
        let lower = (64 + BATCH_BITS).saturating_sub(square_limit.leading_zeros() + 31);
        let mut ranks = [i32::MAX; N];
        for (place, (rank, (&slot, &square))) in
            ranks.iter_mut().zip(self.batch.iter().zip(&self.batch_squares)).enumerate()
        {
            let key = ((square >> lower) << BATCH_BITS) as i32 | place as i32;
            *rank = if (place < count) & (slot as usize != own) { key } else { i32::MAX };
        }
        let Some(sorted) = sorted_ranks(&ranks, count) else { return false };
        let radii = 2 * i64::from(search.max_radius);
        // The batch contains the unit itself, which is sorted last.
        self.count = count.saturating_sub(1).min(search.limit);
        for ((key, slot), &rank) in self.keys.iter_mut().zip(&mut self.slots).zip(&sorted[..self.count]) {
            let place = rank as usize % BATCH;
            *key = self.batch_squares[place] - radii * radii;
            *slot = self.batch[place];
        }
        true
    }

    /// Inserts each of the first `held` units of the batch that matters and is among the nearest so far.
    fn insert_batch(&mut self, search: &NeighbourSearch<'_>, own: usize, held: usize) {
        let me = &search.states[own];
        let limit = search.limit.min(MAX_NEIGHBOURS);
        for slot in self.batch.into_iter().take(held).filter(|&slot| slot as usize != own) {
            let other = &search.states[slot as usize];
            let square = me.offset_to(other).length_squared();
            let radii = me.sum_of_radii(other);
            let key = square - radii * radii;
            if self.count == limit && key > self.keys[limit - 1] {
                continue;
            }
            if matters(me, other, square, radii * radii) {
                self.insert(search.states, key, slot as usize, limit);
            }
        }
    }

    /// Inserts a slot in order. If there are more than `limit`, the last neighbour is dropped.
    #[inline]
    fn insert(&mut self, states: &[UnitState], key: i64, slot: usize, limit: usize) {
        let later =
            |there: i64, at: u32| there > key || (there == key && states[at as usize].id > states[slot].id);
        let mut place = self.count;
        if place == limit {
            if !later(self.keys[place - 1], self.slots[place - 1]) {
                return;
            }
            place -= 1;
        } else {
            self.count += 1;
        }
        // There are few entries, so they are moved one at a time.
        while place > 0 && later(self.keys[place - 1], self.slots[place - 1]) {
            self.keys[place] = self.keys[place - 1];
            self.slots[place] = self.slots[place - 1];
            place -= 1;
        }
        self.keys[place] = key;
        self.slots[place] = slot as u32;
    }
}

/// The first `count` ranks in order. Without unpredictable branches: the place of a rank is the number of smaller ranks.
/// `None` if two ranks differ only in the bits of their places.
#[inline]
fn sorted_ranks<const N: usize>(ranks: &[i32; N], count: usize) -> Option<[i32; N]> {
    let mut places = [0_i32; N];
    for &smaller in &ranks[..count] {
        // Compared with all `N`, so that the number of rounds is constant. `black_box` keeps the compiler from unrolling the
        // outer loop instead of the inner one.
        let smaller = core::hint::black_box(smaller);
        for (place, &rank) in places.iter_mut().zip(ranks) {
            *place += i32::from(rank > smaller);
        }
    }
    let mut sorted = [0_i32; N];
    for (&place, &rank) in places.iter().zip(&ranks[..count]) {
        sorted[place as usize % N] = rank;
    }
    let alike = |pair: &[i32]| pair[0] >> BATCH_BITS == pair[1] >> BATCH_BITS;
    if sorted[..count].windows(2).any(alike) { None } else { Some(sorted) }
}

/// Whether `other` matters to `me`. A unit without a common layer does not. A travelling unit leaves out units of its stream behind it. An idle unit leaves out idle units
/// that are not close. `radii` is the squared sum of radii.
#[inline]
fn matters(me: &UnitState, other: &UnitState, square: i64, radii: i64) -> bool {
    if !me.layers.meets(other.layers) {
        return false;
    }
    if me.travels() {
        // Within 5/4 of the sum of radii.
        return (16 * square <= 25 * radii) | !me.same_stream(other) | me.follows(other);
    }
    if other.travels() {
        return true;
    }
    // Within 3/2 of the sum of radii, or 2 times if the other unit moves.
    if other.vel.is_zero() { 4 * square <= 9 * radii } else { square <= 4 * radii }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::Stance;
    use crate::base::{FINE_CELL, Fine, Fixed, Purpose, Rng, Tick};
    use alloc::vec::Vec;

    /// Units of one size are ranked by known distances, others by their states. The results are the same, ties included.
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
            let state = |unit: usize| UnitState {
                pos: at[unit],
                id: ids[unit],
                radius,
                stance: Stance::Moving,
                ..UnitState::default()
            };
            let states: Vec<UnitState> = index.order().iter().map(|&unit| state(unit as usize)).collect();
            let search = |min_radius| NeighbourSearch {
                index: &index,
                states: &states,
                max_radius: radius,
                min_radius,
                one_layer: true,
                limit: 8,
            };
            let (mut one, mut other) = (Neighbours::default(), Neighbours::default());
            for slot in 0..states.len() {
                for hint in [i64::MAX, 0, i64::from(FINE_CELL).pow(2)] {
                    one.find(&search(radius), slot, 4 * FINE_CELL, hint);
                    other.find(&search(radius - 1), slot, 4 * FINE_CELL, hint);
                    assert!(one.keyed().eq(other.keyed()), "slot {slot}, hint {hint}, step {step}");
                    assert_eq!(one.slots().len(), 8, "slot {slot} has more than 8 units within reach");
                }
            }
        }
    }
}
