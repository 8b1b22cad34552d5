//! The open list of a best-first search.

use super::scratch::reserve_total;
use alloc::vec::Vec;

/// One open node. Entries are ordered by `f`, then `h`, then `id`, smallest first. This is a total order on integers, so the
/// order of expansion never depends on the order of insertion.
///
/// Of two nodes with equal `f` the node nearer to the goal (smaller `h`) comes first, which keeps searches narrow.
///
/// ```
/// use waymarch::base::OpenEntry;
/// assert!(OpenEntry::new(10, 3, 9) < OpenEntry::new(10, 4, 1));
/// assert!(OpenEntry::new(10, 3, 1) < OpenEntry::new(10, 3, 9));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpenEntry {
    /// The estimated cost of the whole route.
    pub f: u64,
    /// The heuristic: the estimated cost to the goal.
    pub h: u32,
    /// The node.
    pub id: u32,
}

impl OpenEntry {
    /// The entry with these parts.
    #[inline]
    #[must_use]
    pub const fn new(f: u64, h: u32, id: u32) -> Self {
        Self { f, h, id }
    }

    /// A number with the same order as entries. Comparing it takes no branches.
    #[inline]
    const fn key(self) -> u128 {
        (self.f as u128) << 64 | (self.h as u128) << 32 | self.id as u128
    }
}

/// *Scratch*: a priority queue that pops the smallest [`OpenEntry`].
///
/// Entries are popped in sorted order, whatever the order of pushes. The list may hold an entry several times; the caller
/// has to skip outdated entries. Push and pop are O(log n). [`clear`](OpenList::clear) is O(1) and keeps the memory. The
/// list is a 4-ary heap: half as deep as a binary heap, with siblings in one cache line.
///
/// ```
/// use waymarch::base::{OpenEntry, OpenList};
/// let mut open = OpenList::new();
/// open.push(OpenEntry::new(30, 0, 1));
/// open.push(OpenEntry::new(10, 5, 2));
/// assert_eq!(open.peek().map(|entry| entry.id), Some(2));
/// assert_eq!(open.pop().map(|entry| entry.id), Some(2));
/// assert_eq!(open.pop().map(|entry| entry.id), Some(1));
/// assert_eq!(open.pop(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OpenList {
    heap: Vec<OpenEntry>,
}

/// The number of children of a node: 4.
const ARITY: usize = 4;

impl OpenList {
    /// An empty list; allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { heap: Vec::new() }
    }

    /// An empty list with capacity for `capacity` entries.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { heap: Vec::with_capacity(capacity) }
    }

    /// Reserves capacity for `capacity` entries in total.
    pub fn reserve(&mut self, capacity: usize) {
        reserve_total(&mut self.heap, capacity);
    }

    /// Renamed to [`OpenList::reserve`].
    #[deprecated(since = "0.2.0", note = "renamed to `reserve`")]
    pub fn make_room(&mut self, capacity: usize) {
        self.reserve(capacity);
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: OpenEntry) {
        let mut hole = self.heap.len();
        self.heap.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            let above = self.heap[parent];
            if above.key() <= entry.key() {
                break;
            }
            self.heap[hole] = above;
            hole = parent;
        }
        self.heap[hole] = entry;
    }

    /// Removes and returns the smallest entry.
    #[inline]
    pub fn pop(&mut self) -> Option<OpenEntry> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else {
            return Some(last);
        };
        self.sift_down(0, last);
        Some(top)
    }

    /// Replaces every entry by what `change` returns, removes it if that is `None`, and restores the order. O(n), in place. For
    /// searches that continue towards another goal.
    ///
    /// ```
    /// use waymarch::base::{OpenEntry, OpenList};
    /// let mut open = OpenList::new();
    /// (0..10).for_each(|id| open.push(OpenEntry::new(u64::from(id), 0, id)));
    /// open.change_all(|entry| (entry.id % 2 == 0).then(|| OpenEntry::new(100 - entry.f, 0, entry.id)));
    /// assert_eq!(open.len(), 5);
    /// assert_eq!(open.pop().map(|entry| entry.id), Some(8));
    /// ```
    pub fn change_all(&mut self, mut change: impl FnMut(OpenEntry) -> Option<OpenEntry>) {
        self.heap.retain_mut(|entry| match change(*entry) {
            Some(changed) => {
                *entry = changed;
                true
            }
            None => false,
        });
        let parents = self.heap.len().saturating_sub(2) / ARITY + 1;
        for hole in (0..parents.min(self.heap.len())).rev() {
            self.sift_down(hole, self.heap[hole]);
        }
    }

    /// Puts `entry` at `hole` and moves it down to its place in the heap.
    fn sift_down(&mut self, mut hole: usize, entry: OpenEntry) {
        let heap = self.heap.as_mut_slice();
        loop {
            let first = hole * ARITY + 1;
            let last = heap.len().min(first + ARITY);
            if first >= last {
                break;
            }
            let mut least = first;
            if let Some([a, b, c, d]) = heap.get(first..first + ARITY) {
                // The smallest of four, compared in two independent pairs. Of equal entries the first wins, as in the
                // loop below.
                let (low, high) = (usize::from(b.key() < a.key()), 2 + usize::from(d.key() < c.key()));
                let is_high = heap[first + high].key() < heap[first + low].key();
                least += if is_high { high } else { low };
            } else {
                for child in first + 1..last {
                    if heap[child].key() < heap[least].key() {
                        least = child;
                    }
                }
            }
            if entry.key() <= heap[least].key() {
                break;
            }
            heap[hole] = heap[least];
            hole = least;
        }
        heap[hole] = entry;
    }

    /// The smallest entry.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<OpenEntry> {
        self.heap.first().copied()
    }

    /// Empties the list and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    /// The number of entries that fit without another allocation.
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.heap.capacity()
    }

    /// The number of entries.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether the list has no entries.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests;
