//! Dense tables that are emptied at once.

use alloc::vec;
use alloc::vec::Vec;

/// *Scratch*: a set of indices `0..len`, emptied in O(1).
///
/// Each index carries the generation in which it was last put in; emptying starts another generation. When
/// generations run out (every 2³²-2 clears) the stamps are really wiped, so an old stamp never comes alive
/// again. Four bytes an index.
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
    /// Never 0, which means "in no generation".
    generation: u32,
}

impl StampedSet {
    /// The empty set over `0..len`.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { stamps: vec![0; len], generation: 1 }
    }

    /// How many indices there are, in the set or not.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.stamps.len()
    }

    /// Whether there are no indices at all; says nothing about which are in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stamps.is_empty()
    }

    /// Changes the range to `0..len`; added indices are not in the set, kept ones stay as they are.
    pub fn resize(&mut self, len: usize) {
        self.stamps.resize(len, 0);
    }

    /// Empties the set.
    #[inline]
    pub fn clear(&mut self) {
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    /// Puts `index` in; says whether it was not there before.
    ///
    /// # Panics
    /// Out of range.
    #[inline]
    pub fn insert(&mut self, index: u32) -> bool {
        let stamp = &mut self.stamps[index as usize];
        let new = *stamp != self.generation;
        *stamp = self.generation;
        new
    }

    /// Takes `index` out; says whether it was there.
    #[inline]
    pub fn remove(&mut self, index: u32) -> bool {
        let there = self.contains(index);
        if there {
            self.stamps[index as usize] = 0;
        }
        there
    }

    /// Whether `index` is in; nothing out of range is.
    #[inline]
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        self.stamps.get(index as usize) == Some(&self.generation)
    }

    /// Empties the set and leaves rubbish behind: what an unlucky earlier user might have left. Answers must
    /// not change.
    pub fn poison(&mut self) {
        self.clear();
        for (index, stamp) in self.stamps.iter_mut().enumerate() {
            *stamp = rubbish(index) % self.generation;
        }
    }
}

/// *Scratch*: a map from indices `0..len` to small values, emptied in O(1).
///
/// As [`StampedSet`], with a value next to each stamp, so that one memory access answers "is it there, and
/// what is it?".
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
    /// Never 0, which means "in no generation".
    generation: u32,
    filler: T,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    stamp: u32,
    value: T,
}

impl<T: Copy> StampedMap<T> {
    /// The empty map over `0..len`; `filler` lies in unused memory and is never seen.
    #[must_use]
    pub fn new(len: usize, filler: T) -> Self {
        Self { entries: vec![Entry { stamp: 0, value: filler }; len], generation: 1, filler }
    }

    /// How many indices there are, with a value or without.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no indices at all; says nothing about which have values.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Changes the range to `0..len`; added indices have no value, kept ones stay as they are.
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

    /// Gives `index` a value.
    ///
    /// # Panics
    /// Out of range.
    #[inline]
    pub fn set(&mut self, index: u32, value: T) {
        self.entries[index as usize] = Entry { stamp: self.generation, value };
    }

    /// The value of `index`; nothing out of range has one.
    #[inline]
    #[must_use]
    pub fn get(&self, index: u32) -> Option<T> {
        match self.entries.get(index as usize) {
            Some(entry) if entry.stamp == self.generation => Some(entry.value),
            _ => None,
        }
    }

    /// The value of `index`, to change.
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

    /// Takes away the value of `index`.
    #[inline]
    pub fn remove(&mut self, index: u32) -> Option<T> {
        let value = self.get(index)?;
        self.entries[index as usize].stamp = 0;
        Some(value)
    }

    /// Removes all values and leaves `rubbish` behind in their place, under dead stamps. Answers must not
    /// change.
    pub fn poison(&mut self, value: T) {
        self.clear();
        for (index, entry) in self.entries.iter_mut().enumerate() {
            *entry = Entry { stamp: rubbish(index) % self.generation, value };
        }
    }
}

/// Something different for neighbouring indices; the product may wrap, it means nothing.
const fn rubbish(index: usize) -> u32 {
    (index as u32).wrapping_mul(0x9E37_79B9) >> 7
}

#[cfg(test)]
mod tests;
