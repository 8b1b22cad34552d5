//! Empty lists with memory, kept for reuse.

use alloc::vec::Vec;

use crate::base::{Scratch, reserve_total};

/// New lists have a capacity of 32 entries until a longer list was in use.
const MIN_CAPACITY: usize = 32;
/// A new list gets a capacity of at most 2^19 entries divided by the number of lists. So a few lists are large, or many lists
/// are small.
const TOTAL_CAPACITY: usize = 1 << 19;
/// [`SpareLists::reserve`] keeps at least 16 lists in reserve and makes at most 16 lists per call.
const FEW: usize = 16;

/// Scratch: empty lists for reuse. [`SpareLists::reserve`] gives each list the capacity of the longest list so far.
///
/// *Invariant:* the contents decide when memory is allocated. They never change a result. A clone starts without lists.
#[derive(Debug)]
pub(crate) struct SpareLists<T> {
    lists: Vec<Vec<T>>,
    /// The number of lists made so far, in use or not.
    made: usize,
    /// The capacity that all lists should have: the length of the longest list so far, rounded up to a power of two.
    longest: usize,
}

impl<T> Default for SpareLists<T> {
    fn default() -> Self {
        Self { lists: Vec::new(), made: 0, longest: MIN_CAPACITY }
    }
}

/// A clone gets no lists, because cloning a list does not clone its capacity.
impl<T> Clone for SpareLists<T> {
    fn clone(&self) -> Self {
        Self { lists: Vec::new(), made: 0, longest: self.longest }
    }
}

impl<T> SpareLists<T> {
    /// No lists yet; each list will have a capacity of `capacity` entries.
    pub(crate) fn with_list_capacity(capacity: usize) -> Self {
        Self { lists: Vec::new(), made: 0, longest: capacity }
    }

    /// An empty list with a capacity of at least `len` entries.
    pub(crate) fn take(&mut self, len: usize) -> Vec<T> {
        self.note_length(len);
        if self.lists.is_empty() {
            // Doubles the number of lists, so that a slightly higher peak later usually allocates nothing.
            self.make(if self.list_capacity() < self.longest { 1 } else { self.made + 1 });
        }
        let mut list = self.lists.pop().unwrap_or_default();
        list.reserve(len);
        list
    }

    fn make(&mut self, more: usize) {
        let capacity = self.list_capacity();
        self.made += more;
        // Reserves capacity for all lists that callers give back.
        reserve_total(&mut self.lists, self.made);
        self.lists.extend((0..more).map(|_| Vec::with_capacity(capacity)));
    }

    /// Takes a list back for reuse.
    pub(crate) fn keep(&mut self, mut list: Vec<T>) {
        self.note_length(list.len());
        if list.capacity() > 0 {
            list.clear();
            self.lists.push(list);
            // A loaded or cloned world has lists that were not made here.
            self.made = self.made.max(self.lists.len());
        }
    }

    /// Notes the length of a list, so that all lists get this capacity later.
    fn note_length(&mut self, len: usize) {
        if len > self.longest {
            self.longest = len.next_power_of_two();
        }
    }

    /// The capacity of new lists.
    fn list_capacity(&self) -> usize {
        self.longest.min(TOTAL_CAPACITY / (self.made + 1))
    }
}

impl<T> Scratch for SpareLists<T> {
    /// The number of lists that the caller may need at once; 0 if that is not known.
    type Demand = usize;

    /// Drops all lists and changes the counters. Only the allocation of memory changes.
    fn poison(&mut self) {
        self.lists.clear();
        (self.made, self.longest) = (7, 7);
    }

    /// Makes lists. There are then at least [`FEW`] unused lists, plus half the number of lists in use.
    fn reserve(&mut self, many: usize) {
        let used = self.made.saturating_sub(self.lists.len());
        let wanted = (FEW + used / 2).max(many);
        if self.lists.len() < wanted && self.list_capacity() == self.longest {
            // Makes only some lists at a time; the next call makes the rest.
            self.make((wanted - self.lists.len()).min(many.max(FEW)));
        }
        let capacity = self.list_capacity();
        let short = self.lists.iter_mut().rev().filter(|list| list.capacity() < capacity);
        short.take(FEW).for_each(|list| list.reserve(capacity));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_preallocated_for_many_are_enough_when_many_are_taken_at_once() {
        for (many, ahead) in [(100, 100), (3, FEW)] {
            let mut spare = SpareLists::<u32>::default();
            spare.reserve(many);
            let taken: Vec<Vec<u32>> = (0..ahead).map(|_| spare.take(MIN_CAPACITY)).collect();
            assert_eq!((spare.made, spare.lists.len()), (ahead, 0), "for {many}");
            assert!(taken.iter().all(|list| list.capacity() >= MIN_CAPACITY));
        }
    }
}
