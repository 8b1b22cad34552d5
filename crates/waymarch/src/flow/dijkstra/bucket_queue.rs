//! The open list of a spread: places in a ring of buckets by remaining cost.

use alloc::vec::Vec;

use crate::cost::CostField;

/// 512 buckets in the ring. The most expensive step spans fewer, even with the narrowest buckets.
const RING: usize = 512;
const _: () = assert!((super::label::DEAREST_STEP >> super::bucket_queue::NARROWEST) as usize + 2 < RING);

/// The narrowest bucket is 2^10 wide: a straight step of cost 1.
const NARROWEST: u32 = 10;

/// The width of buckets for a field, as a power of two: no wider than the cheapest step. Threat only makes steps cost more, so the width
/// stays valid.
pub(in crate::flow) fn bucket_shift(field: &CostField) -> u32 {
    NARROWEST + u32::from(field.cheapest()).max(1).ilog2()
}

/// A chunk has 64 slots: a link and up to 63 places.
const CHUNK: u32 = 64;

/// Scratch: places in a ring of buckets. Each bucket is a chain of chunks.
#[derive(Clone, Debug)]
pub(in crate::flow) struct BucketQueue {
    /// For each bucket, where its next place goes. A multiple of [`CHUNK`] means that a new chunk is needed; 0 means that the bucket is empty.
    tails: [u32; RING],
    occupied: [u64; RING / 64],
    /// Chunks; the first is never used. The first slot of each is the tail of the chunk before it in its bucket.
    slots: Vec<u32>,
    /// The first vacant chunk, or 0. The first slot of each vacant chunk links to the next one.
    vacant: u32,
}

impl Default for BucketQueue {
    fn default() -> Self {
        let slots = alloc::vec![0; CHUNK as usize];
        Self { tails: [0; RING], occupied: [0; RING / 64], slots, vacant: 0 }
    }
}

/// A bucket being emptied, chunk by chunk.
#[derive(Clone, Copy, Debug)]
pub(in crate::flow) struct Bucket {
    tail: u32,
}

/// The places of one chunk, copied so that they stay while others are added.
#[derive(Clone, Copy, Debug)]
pub(in crate::flow) struct Batch {
    slots: [u32; CHUNK as usize],
    len: u32,
}

impl Batch {
    /// The places.
    #[inline(always)]
    pub(in crate::flow) fn places(&self) -> &[u32] {
        self.slots.get(1..self.len as usize).unwrap_or_default()
    }
}

impl BucketQueue {
    /// Reserves memory for about this many places.
    pub(in crate::flow) fn reserve(&mut self, places: usize) {
        self.slots.reserve(places);
    }

    /// Empties the queue.
    pub(in crate::flow) fn clear(&mut self) {
        self.tails.fill(0);
        self.occupied.fill(0);
        self.slots.truncate(CHUNK as usize);
        self.vacant = 0;
    }

    /// Adds a place to a bucket that is less than [`RING`] above the lowest.
    #[inline(always)]
    pub(in crate::flow) fn push(&mut self, bucket: u64, place: u32) {
        let slot = &mut self.tails[bucket as usize % RING];
        let tail = *slot;
        if tail % CHUNK == 0 {
            self.push_in_new_chunk(bucket as usize % RING, place);
            return;
        }
        *slot = tail + 1;
        if let Some(slot) = self.slots.get_mut(tail as usize) {
            *slot = place;
        }
    }

    #[cold]
    #[inline(never)]
    fn push_in_new_chunk(&mut self, bucket: usize, place: u32) {
        let chunk = if self.vacant == 0 {
            let end = self.slots.len();
            self.slots.resize(end + CHUNK as usize, 0);
            // A map has at most 2^26 cells, each in one or two buckets.
            end as u32
        } else {
            let chunk = self.vacant;
            self.vacant = self.slots[chunk as usize];
            chunk
        };
        self.slots[chunk as usize] = self.tails[bucket];
        self.slots[chunk as usize + 1] = place;
        self.tails[bucket] = chunk + 2;
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
    }

    /// The lowest bucket with places, from `bucket` on.
    #[inline]
    pub(in crate::flow) fn lowest_from(&self, bucket: u64) -> Option<u64> {
        let start = bucket as usize % RING;
        // The first word is read twice: its upper bits first, its lower bits last.
        for step in 0..=RING / 64 {
            let at = (start / 64 + step) % (RING / 64);
            let mask = if step == 0 { u64::MAX << (start % 64) } else { u64::MAX };
            let word = self.occupied[at] & mask;
            if word != 0 {
                let found = at * 64 + word.trailing_zeros() as usize;
                return Some(bucket + ((found + RING - start) % RING) as u64);
            }
        }
        None
    }

    /// Takes a bucket out, to be emptied with [`BucketQueue::next`].
    #[inline]
    pub(in crate::flow) fn open(&mut self, bucket: u64) -> Bucket {
        let at = bucket as usize % RING;
        self.occupied[at / 64] &= !(1 << (at % 64));
        Bucket { tail: core::mem::take(&mut self.tails[at]) }
    }

    /// The next places of a bucket that was taken out.
    #[inline]
    pub(in crate::flow) fn next(&mut self, bucket: &mut Bucket) -> Option<Batch> {
        // A tail points behind the last place of its chunk, which may be full.
        let last = bucket.tail.checked_sub(1)?;
        let chunk = last - last % CHUNK;
        let slots = *self.slots.get(chunk as usize..)?.first_chunk::<{ CHUNK as usize }>()?;
        bucket.tail = core::mem::replace(&mut self.slots[chunk as usize], self.vacant);
        self.vacant = chunk;
        Some(Batch { slots, len: last % CHUNK + 1 })
    }

    pub(in crate::flow) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * 4 + RING * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_comes_out_of_its_bucket_once_and_chunks_are_reused() {
        let mut queue = BucketQueue::default();
        for round in 0..3_u64 {
            let base = 1_000_000 * round;
            for place in 0..5000 {
                queue.push(base + u64::from(place % 361), place);
            }
            let mut seen = alloc::vec![0; 5000];
            let mut at = base;
            while let Some(bucket) = queue.lowest_from(at) {
                at = bucket;
                let mut open = queue.open(bucket);
                while let Some(batch) = queue.next(&mut open) {
                    for &place in batch.places() {
                        assert_eq!(base + u64::from(place % 361), bucket);
                        seen[place as usize] += 1;
                    }
                }
            }
            assert_eq!(at, base + 360);
            assert!(seen.iter().all(|&count| count == 1));
        }
        assert_eq!(queue.slots.len(), 64 * (361 + 1), "one chunk per bucket, allocated once");
    }
}
