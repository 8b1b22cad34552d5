//! Dense tables that are cleared in constant time.

use alloc::vec;
use alloc::vec::Vec;

/// *Scratch*: a set of indices `0..len`, cleared in O(1). It needs 4 bytes per index.
///
/// Each index has a stamp: the generation in which it was last inserted. Clearing starts the next generation. When
/// the generations run out, after 2³²-2 clears, all stamps are erased, so that an old stamp never becomes
/// valid again.
///
/// ```
/// use waymarch::base::StampedSet;
/// let mut seen = StampedSet::new(100);
/// assert!(seen.insert(7), "new");
/// assert!(!seen.insert(7), "already there");
/// seen.clear();
/// assert!(!seen.contains(7));
/// ```
#[derive(Clone, Debug)]
pub struct StampedSet {
    stamps: Vec<u32>,
    /// At least 1. The stamp 0 means "in no generation".
    generation: u32,
}

impl StampedSet {
    /// The empty set over `0..len`.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { stamps: vec![0; len], generation: 1 }
    }

    /// The number of indices, in the set or not.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.stamps.len()
    }

    /// Whether the range `0..len` is empty. It does not tell whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stamps.is_empty()
    }

    /// Changes the range to `0..len`. New indices are not in the set; the others are unchanged.
    pub fn resize(&mut self, len: usize) {
        self.stamps.resize(len, 0);
    }

    /// Removes all indices from the set.
    #[inline]
    pub fn clear(&mut self) {
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    /// Inserts `index`. Returns whether it is new.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[inline]
    pub fn insert(&mut self, index: u32) -> bool {
        let stamp = &mut self.stamps[index as usize];
        let new = *stamp != self.generation;
        *stamp = self.generation;
        new
    }

    /// Removes `index`. Returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, index: u32) -> bool {
        let there = self.contains(index);
        if there {
            self.stamps[index as usize] = 0;
        }
        there
    }

    /// Whether the set contains `index`. False if it is out of range.
    #[inline]
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        self.stamps.get(index as usize) == Some(&self.generation)
    }

    /// Clears the set and fills its memory with rubbish, as an earlier use could have left it. No later answer may
    /// change. For tests.
    pub fn poison(&mut self) {
        self.clear();
        for (index, stamp) in self.stamps.iter_mut().enumerate() {
            *stamp = rubbish(index) % self.generation;
        }
    }
}

/// *Scratch*: a map from indices `0..len` to small values, cleared in O(1).
///
/// It works like [`StampedSet`], with a value next to each stamp. So one memory access finds both.
///
/// ```
/// use waymarch::base::StampedMap;
/// let mut best: StampedMap<u64> = StampedMap::new(100, 0);
/// best.set(7, 1448);
/// assert_eq!(best.get(7), Some(1448));
/// assert_eq!(best.get(8), None);
/// best.clear();
/// assert_eq!(best.get(7), None);
/// ```
#[derive(Clone, Debug)]
pub struct StampedMap<T> {
    entries: Vec<Entry<T>>,
    /// At least 1. The stamp 0 means "in no generation".
    generation: u32,
    filler: T,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    stamp: u32,
    value: T,
}

impl<T: Copy> StampedMap<T> {
    /// The empty map over `0..len`. `filler` initialises unused memory and is never returned.
    #[must_use]
    pub fn new(len: usize, filler: T) -> Self {
        Self { entries: vec![Entry { stamp: 0, value: filler }; len], generation: 1, filler }
    }

    /// The number of indices, with or without a value.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the range `0..len` is empty. It does not tell whether any index has a value.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Changes the range to `0..len`. New indices have no value; the others are unchanged.
    pub fn resize(&mut self, len: usize) {
        self.entries.resize(len, Entry { stamp: 0, value: self.filler });
    }

    /// Removes all values.
    #[inline]
    pub fn clear(&mut self) {
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.entries.fill(Entry { stamp: 0, value: self.filler });
            self.generation = 1;
        }
    }

    /// Sets the value of `index`.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[inline]
    pub fn set(&mut self, index: u32, value: T) {
        self.entries[index as usize] = Entry { stamp: self.generation, value };
    }

    /// The value of `index`, or `None` if it has none or is out of range.
    #[inline]
    #[must_use]
    pub fn get(&self, index: u32) -> Option<T> {
        match self.entries.get(index as usize) {
            Some(entry) if entry.stamp == self.generation => Some(entry.value),
            _ => None,
        }
    }

    /// The value of `index`, to be changed.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        match self.entries.get_mut(index as usize) {
            Some(entry) if entry.stamp == self.generation => Some(&mut entry.value),
            _ => None,
        }
    }

    /// Whether `index` has a value.
    #[inline]
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        self.get(index).is_some()
    }

    /// Removes and returns the value of `index`.
    #[inline]
    pub fn remove(&mut self, index: u32) -> Option<T> {
        let value = self.get(index)?;
        self.entries[index as usize].stamp = 0;
        Some(value)
    }

    /// Clears the map and fills its memory with `value`, under invalid stamps. No later answer may change. For
    /// tests.
    pub fn poison(&mut self, value: T) {
        self.clear();
        for (index, entry) in self.entries.iter_mut().enumerate() {
            *entry = Entry { stamp: rubbish(index) % self.generation, value };
        }
    }
}

/// A number that differs between adjacent indices. It has no meaning, so the product may wrap.
const fn rubbish(index: usize) -> u32 {
    (index as u32).wrapping_mul(0x9E37_79B9) >> 7
}

#[cfg(test)]
mod tests;
