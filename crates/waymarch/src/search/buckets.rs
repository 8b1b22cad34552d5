//! The open list of the jump point searches: buckets a quarter of a step wide.

use alloc::vec::Vec;

use crate::base::{Scratch, reserve_total};

/// The width of a bucket in bits: 8, so a bucket is 256 wide, a quarter of a straight step. Within a bucket the order of items does not
/// depend on their estimates.
pub(super) const BUCKET_BITS: u32 = 8;

/// No entry: 2^32 − 1.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    item: u32,
    next: u32,
}

/// Scratch: items in buckets by estimate. The lowest bucket comes out first, and within a bucket the item pushed last.
///
/// The compact form of [`BucketQueue`](crate::base::BucketQueue) for searches that keep the estimate of an item themselves: 8 bytes per
/// entry instead of 24, no window to move, and an upper limit in [`Buckets::pop_below`].
///
/// All buckets share one pool, so nothing is allocated once pool and buckets have grown. An item whose estimate is below the present bucket
/// goes into the present bucket. So nodes may come out of order. The searches expand a node again when its cost falls.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    base: u64,
    present: usize,
    heads: Vec<u32>,
    pool: Vec<Entry>,
}

impl Scratch for Buckets {
    /// The number of entries in all.
    type Demand = usize;

    fn poison(&mut self) {
        (self.base, self.present) = (7, 7);
        self.heads.push(0);
        self.pool.push(Entry { item: 7, next: 0 });
    }

    fn reserve(&mut self, entries: usize) {
        /// At most 8,192 buckets are reserved: estimates seldom spread over more.
        const HEADS: usize = 1 << 13;
        reserve_total(&mut self.pool, entries);
        reserve_total(&mut self.heads, entries.min(HEADS));
    }
}

impl Buckets {
    /// Empties the list. The lowest estimate to come is `base`.
    pub(super) fn begin(&mut self, base: u64) {
        self.base = base;
        self.present = 0;
        self.heads.clear();
        self.pool.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, estimate: u64, item: u32) {
        let bucket = ((estimate.saturating_sub(self.base) >> BUCKET_BITS) as usize).max(self.present);
        if bucket >= self.heads.len() || self.pool.len() == self.pool.capacity() {
            self.grow_and_push(bucket, item);
            return;
        }
        self.put(bucket, item);
    }

    #[inline(always)]
    fn put(&mut self, bucket: usize, item: u32) {
        let head = &mut self.heads[bucket];
        let entry = Entry { item, next: *head };
        *head = self.pool.len() as u32;
        self.pool.push(entry);
    }

    /// Not inlined, so that the hot callers need not save registers for it.
    #[cold]
    #[inline(never)]
    fn grow_and_push(&mut self, bucket: usize, item: u32) {
        if bucket >= self.heads.len() {
            self.heads.resize(bucket + 64, NONE);
        }
        self.pool.reserve(1);
        self.put(bucket, item);
    }

    /// The next item; `None` if all items left have estimates of `limit` or more.
    #[inline]
    pub(super) fn pop_below(&mut self, limit: u64) -> Option<u32> {
        let empty = self.heads.get(self.present..)?.iter().take_while(|&&head| head == NONE).count();
        self.present += empty;
        let head = self.heads.get_mut(self.present)?;
        if self.base + ((self.present as u64) << BUCKET_BITS) >= limit {
            return None;
        }
        let entry = self.pool[*head as usize];
        *head = entry.next;
        Some(entry.item)
    }

    /// The least estimate above the present bucket.
    #[inline]
    pub(super) fn present_end(&self) -> u64 {
        self.base + ((self.present as u64 + 1) << BUCKET_BITS)
    }
}
