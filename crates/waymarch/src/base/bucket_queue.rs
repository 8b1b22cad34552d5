//! A priority queue for searches whose keys only grow.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// *Scratch*: a queue of items with `u64` keys, popped bucket by bucket, for searches whose costs only grow.
///
/// Keys are grouped into buckets of width 2^`shift`. [`pop`](BucketQueue::pop) returns an item of the lowest non-empty
/// bucket. Within a bucket, **the item pushed last comes first**. So the order is exact only for `shift` 0. The order
/// depends only on the calls.
///
/// *The floor* is the bucket of the last item popped, or the bucket set by [`clear_to`](BucketQueue::clear_to).
/// It starts at 0, and only clearing the queue lowers it. An item pushed with a key below the floor keeps its key, goes
/// into the floor's bucket, and is popped next.
///
/// Cost: push and pop are O(1) on average. Empty buckets are skipped 64 at a time. Items more than 65,536 buckets above
/// the floor wait in a heap, at O(log n) each, so one very large key costs no memory. The queue allocates only when it
/// holds more items, or items further apart, than ever before.
///
/// ```
/// use waymarch::base::BucketQueue;
/// let mut queue = BucketQueue::new(4);
/// queue.push(35, 'c');
/// queue.push(3, 'a');
/// queue.push(1, 'b');
/// assert_eq!(queue.pop(), Some((1, 'b')), "3 and 1 share the bucket 0..16: last in, first out");
/// assert_eq!(queue.pop(), Some((3, 'a')));
/// assert_eq!(queue.pop(), Some((35, 'c')));
/// assert_eq!(queue.pop(), None);
/// ```
#[derive(Clone, Debug)]
pub struct BucketQueue<T> {
    shift: u32,
    /// The number of the lowest bucket that can hold an item.
    floor: u64,
    len: usize,
    /// The first node of each bucket in the window `floor..floor + heads.len()`, at the bucket's number modulo
    /// the length, which is a power of two. Valid only where `occupied` has a bit set.
    heads: Vec<u32>,
    occupied: Vec<u64>,
    /// All items. Vacant nodes form a list that starts at `vacant`.
    nodes: Vec<Node<T>>,
    vacant: u32,
    /// Items at or beyond `floor + MAX_WINDOW`: the bucket, the number of the push, the node.
    far: BinaryHeap<Reverse<(u64, u64, u32)>>,
    far_pushes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Node<T> {
    key: u64,
    item: T,
    next: u32,
}

/// No node: `u32::MAX`.
const NIL: u32 = u32::MAX;
/// The smallest window: 64 buckets, one word of `occupied`.
const MIN_WINDOW: usize = 64;
/// The largest window: 65,536 buckets.
const MAX_WINDOW: u64 = 1 << 16;

impl<T: Copy> BucketQueue<T> {
    /// An empty queue with buckets of width 2^`shift`; a shift above 63 counts as 63. Allocates nothing.
    #[must_use]
    pub const fn new(shift: u32) -> Self {
        Self {
            shift: if shift > 63 { 63 } else { shift },
            floor: 0,
            len: 0,
            heads: Vec::new(),
            occupied: Vec::new(),
            nodes: Vec::new(),
            vacant: NIL,
            far: BinaryHeap::new(),
            far_pushes: 0,
        }
    }

    /// Empties the queue, keeps its memory and sets the floor to 0. Cost: one step per 64 buckets of the widest
    /// window so far.
    #[inline]
    pub fn clear(&mut self) {
        self.clear_to(0);
    }

    /// Empties the queue and sets the floor to the bucket of `key`. No later key should be lower.
    ///
    /// Use it when the first key is large, as in A*. With the floor at 0 the window would have to reach up to
    /// that key.
    pub fn clear_to(&mut self, key: u64) {
        self.floor = key >> self.shift;
        self.len = 0;
        self.occupied.fill(0);
        self.nodes.clear();
        self.vacant = NIL;
        self.far.clear();
        self.far_pushes = 0;
    }

    /// Adds an item.
    ///
    /// # Panics
    /// If the queue has 2³²-1 items.
    pub fn push(&mut self, key: u64, item: T) {
        let bucket = (key >> self.shift).max(self.floor);
        let node = self.new_node(Node { key, item, next: NIL });
        self.len += 1;
        if bucket - self.floor < MAX_WINDOW {
            self.link(bucket, node);
        } else {
            self.far.push(Reverse((bucket, self.far_pushes, node)));
            self.far_pushes += 1;
        }
    }

    /// Removes and returns the item that was pushed last into the lowest non-empty bucket.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        let bucket = self.lowest()?;
        if bucket > self.floor {
            self.floor = bucket;
            self.take_in_far_items();
        }
        let slot = self.slot(bucket);
        let node = self.heads[slot];
        let Node { key, item, next } = self.nodes[node as usize];
        if next == NIL {
            self.occupied[slot / 64] &= !(1 << (slot % 64));
        }
        self.heads[slot] = next;
        self.nodes[node as usize].next = self.vacant;
        self.vacant = node;
        self.len -= 1;
        Some((key, item))
    }

    /// The smallest key that the lowest non-empty bucket can hold. No item in the queue has a lower key, except
    /// items pushed below the floor.
    #[must_use]
    pub fn lower_bound(&self) -> Option<u64> {
        self.lowest().map(|bucket| bucket << self.shift)
    }

    /// The smallest key that the floor's bucket can hold. Items with lower keys are no longer popped in order.
    #[inline]
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor << self.shift
    }

    /// The number of items.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the queue has no items.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn slot(&self, bucket: u64) -> usize {
        // The window is at most 2^16 wide, so only the low bits matter.
        (bucket as usize) & self.heads.len().wrapping_sub(1)
    }

    #[inline]
    fn occupied_at(&self, slot: usize) -> bool {
        self.occupied.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// The lowest non-empty bucket.
    fn lowest(&self) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        if self.len == self.far.len() {
            return self.far.peek().map(|Reverse((bucket, _, _))| *bucket);
        }
        let start = self.slot(self.floor);
        let words = self.occupied.len();
        // The first word is tested twice: first its bits from `start` up, and last, after wrapping around, the bits
        // below.
        for step in 0..=words {
            let at = (start / 64 + step) & (words - 1);
            let mut word = self.occupied[at];
            if step == 0 {
                word &= u64::MAX << (start % 64);
            }
            if word != 0 {
                let slot = at * 64 + word.trailing_zeros() as usize;
                let distance = slot.wrapping_sub(start) & (self.heads.len() - 1);
                return Some(self.floor + distance as u64);
            }
        }
        None
    }

    /// Moves far items that are within the window to their buckets, in the order in which they were pushed. Called when the
    /// floor has risen, before any other item can be pushed into these buckets.
    fn take_in_far_items(&mut self) {
        while let Some(&Reverse((bucket, _, node))) = self.far.peek() {
            if bucket - self.floor >= MAX_WINDOW {
                break;
            }
            self.far.pop();
            self.link(bucket, node);
        }
    }

    fn link(&mut self, bucket: u64, node: u32) {
        let distance = (bucket - self.floor) as usize;
        if distance >= self.heads.len() {
            self.widen(distance + 1);
        }
        let slot = self.slot(bucket);
        self.nodes[node as usize].next = if self.occupied_at(slot) { self.heads[slot] } else { NIL };
        self.heads[slot] = node;
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    fn widen(&mut self, needed: usize) {
        let old = self.heads.len();
        let new = needed.next_power_of_two().max(MIN_WINDOW);
        let floor = self.floor as usize;
        self.heads.resize(new, NIL);
        self.occupied.resize(new / 64, 0);
        // A bucket stays in its slot or moves above all old slots, so it never overwrites a bucket that has not moved
        // yet.
        for distance in 0..old {
            let from = floor.wrapping_add(distance) & (old - 1);
            let to = floor.wrapping_add(distance) & (new - 1);
            if from != to && self.occupied_at(from) {
                self.heads[to] = self.heads[from];
                self.occupied[from / 64] &= !(1 << (from % 64));
                self.occupied[to / 64] |= 1 << (to % 64);
            }
        }
    }

    fn new_node(&mut self, node: Node<T>) -> u32 {
        if self.vacant == NIL {
            let index = u32::try_from(self.nodes.len()).ok().filter(|&index| index != NIL);
            self.nodes.push(node);
            return index.expect("fewer than 2^32 items");
        }
        let index = self.vacant;
        self.vacant = self.nodes[index as usize].next;
        self.nodes[index as usize] = node;
        index
    }
}

#[cfg(test)]
mod tests;
