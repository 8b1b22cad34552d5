//! The front of a spread: places in buckets by remaining cost, in a ring of buckets.

use alloc::vec::Vec;

/// Buckets in the ring: more than the dearest step is long when a bucket is as wide as a straight step of cost 1.
const RING: usize = 512;
const _: () = assert!((super::label::DEAREST_STEP >> super::front::NARROWEST) as usize + 2 < RING);

/// The narrowest bucket in use is 2^10 wide: a straight step of cost 1.
pub(in crate::flow) const NARROWEST: u32 = 10;

/// Slots in a chunk; the first is a link.
const CHUNK: u32 = 64;

/// Scratch: which places wait in which bucket.
///
/// A bucket is no wider than the cheapest step, so that all its places are final when it is opened and nothing new comes into
/// it; within a bucket the order does not matter. Places lie in chunks from one pool, so a front allocates only when more places wait
/// at once than ever before.
#[derive(Clone, Debug)]
pub(in crate::flow) struct Front {
    /// Where the next place goes, for each bucket; a multiple of [`CHUNK`] means that a chunk is needed, 0 that there is none yet.
    tails: [u32; RING],
    occupied: [u64; RING / 64],
    /// Chunks; the first is never used. The first slot of each is the tail of the chunk before it in its bucket.
    slots: Vec<u32>,
    /// The first vacant chunk; the others follow by their first slots. 0 for none.
    vacant: u32,
}

impl Default for Front {
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

/// The places of one chunk, copied so that they stay while others come in.
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

impl Front {
    /// Room for about so many places.
    pub(in crate::flow) fn make_room(&mut self, places: usize) {
        self.slots.reserve(places);
    }

    /// Empties it.
    pub(in crate::flow) fn clear(&mut self) {
        self.tails.fill(0);
        self.occupied.fill(0);
        self.slots.truncate(CHUNK as usize);
        self.vacant = 0;
    }

    /// Adds a place to a bucket at most [`RING`] above the lowest.
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
            // A map has at most 2^26 cells, each in a bucket or two.
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

    /// The lowest bucket with places from `bucket` on.
    #[inline]
    pub(in crate::flow) fn lowest_from(&self, bucket: u64) -> Option<u64> {
        let start = bucket as usize % RING;
        // The first word is looked at twice: its upper bits first, its lower ones last.
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

    /// Takes a bucket out, to be emptied with [`Front::next`].
    #[inline]
    pub(in crate::flow) fn open(&mut self, bucket: u64) -> Bucket {
        let at = bucket as usize % RING;
        self.occupied[at / 64] &= !(1 << (at % 64));
        Bucket { tail: core::mem::take(&mut self.tails[at]) }
    }

    /// The next places of a bucket taken out.
    #[inline]
    pub(in crate::flow) fn next(&mut self, bucket: &mut Bucket) -> Option<Batch> {
        // A tail is behind the last place of its chunk, which may be full.
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
    fn every_place_comes_out_of_its_bucket_once_and_chunks_are_used_again() {
        let mut front = Front::default();
        for round in 0..3_u64 {
            let base = 1_000_000 * round;
            for place in 0..5000 {
                front.push(base + u64::from(place % 361), place);
            }
            let mut seen = alloc::vec![0; 5000];
            let mut at = base;
            while let Some(bucket) = front.lowest_from(at) {
                at = bucket;
                let mut open = front.open(bucket);
                while let Some(batch) = front.next(&mut open) {
                    for &place in batch.places() {
                        assert_eq!(base + u64::from(place % 361), bucket);
                        seen[place as usize] += 1;
                    }
                }
            }
            assert_eq!(at, base + 360);
            assert!(seen.iter().all(|&count| count == 1));
        }
        assert_eq!(front.slots.len(), 64 * (361 + 1), "one chunk per bucket, made once");
    }
}
