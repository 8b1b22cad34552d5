//! Lists that ended flows leave for new ones.

use alloc::vec::Vec;

use super::state::Exit;
use crate::base::{Scratch, reserve_total};

/// Preallocation makes 32 lists at a time.
const LISTS: usize = 32;

/// How many objects to make when all `all` of them are in use. Below 256 it is one, which saves memory in small games. From 256 on it is
/// `all`, which doubles their number.
pub(super) fn more_ahead(all: usize) -> usize {
    /// From 256 objects on, their number doubles.
    const MANY: usize = 256;
    if all < MANY { 1 } else { all }
}

/// Scratch: unused lists of one kind.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    spare: Vec<Vec<T>>,
    /// The number of lists that were made.
    all: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { spare: Vec::new(), all: 0 }
    }
}

impl<T> Pool<T> {
    /// Gives a list memory for `len` entries in all. The pool also reserves memory to take the list back, so ending a flow allocates
    /// nothing.
    #[inline]
    pub(super) fn reserve_list(&mut self, list: &mut Vec<T>, len: usize) {
        if list.capacity() == 0 {
            if self.spare.is_empty() {
                self.make(len);
            }
            *list = self.spare.pop().unwrap_or_default();
        }
        list.reserve_exact(len.saturating_sub(list.len()));
    }

    /// Makes lists with memory for `len` entries: one, or many at once if many are in use already.
    #[cold]
    fn make(&mut self, len: usize) {
        let more = more_ahead(self.all);
        self.all += more;
        self.spare.reserve(self.all);
        self.spare.extend((0..more).map(|_| Vec::with_capacity(len)));
    }

    /// Takes back a list.
    pub(super) fn keep(&mut self, mut list: Vec<T>) {
        if list.capacity() > 0 {
            list.clear();
            self.spare.push(list);
            // Lists of loaded flows were not made here.
            self.all = self.all.max(self.spare.len());
        }
    }

    fn memory_bytes(&self) -> usize {
        let lists = self.spare.iter().map(|list| list.capacity() * size_of::<T>());
        lists.sum::<usize>() + self.spare.capacity() * size_of::<Vec<T>>()
    }
}

impl<T> Scratch for Pool<T> {
    /// The number of entries of a list.
    type Demand = usize;

    /// Drops all lists and changes the counter. Only the allocation of memory changes.
    fn poison(&mut self) {
        self.spare.clear();
        self.all = 7;
    }

    /// Makes lists if few are unused. It makes none before the first list is wanted.
    fn reserve(&mut self, len: usize) {
        let used = self.all.saturating_sub(self.spare.len());
        if used > 0 && self.spare.len() < LISTS + used / 4 {
            self.all += LISTS;
            reserve_total(&mut self.spare, self.all);
            self.spare.extend((0..LISTS).map(|_| Vec::with_capacity(len)));
        }
    }
}

/// Scratch: unused lists of corridor parts, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct PartLists {
    pub(super) exits: Pool<Exit>,
    pub(super) rims: Pool<u64>,
}

impl Scratch for PartLists {
    /// The cells per side of a sector.
    type Demand = usize;

    fn poison(&mut self) {
        self.exits.poison();
        self.rims.poison();
    }

    fn reserve(&mut self, side: usize) {
        self.exits.reserve(4 * side);
        self.rims.reserve(4 * side);
    }
}

impl PartLists {
    pub(super) fn memory_bytes(&self) -> usize {
        self.exits.memory_bytes() + self.rims.memory_bytes()
    }
}
