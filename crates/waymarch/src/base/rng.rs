//! Random numbers that are the same for every peer.

use core::ops::Range;

use super::tick::Tick;

/// The purpose of a stream of random numbers, so that two uses in one tick get unrelated numbers.
///
/// ```
/// use waymarch::base::Purpose;
/// const WOBBLE: Purpose = Purpose(1);
/// assert_ne!(WOBBLE, Purpose(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Purpose(pub u32);

/// A stream of random numbers (PCG32) that depends only on its key.
///
/// Do not keep a stream from tick to tick. Make the stream for (game seed, tick, unit id, purpose) and drop it
/// afterwards. Then the order in which units are updated, and the thread, change nothing. The numbers are
/// statistically good but not cryptographic. A draw takes one multiplication; making a stream takes about a
/// dozen.
///
/// ```
/// use waymarch::base::{Purpose, Rng, Tick};
/// let mut a = Rng::keyed(7, Tick(100), 42, Purpose(1));
/// let mut b = Rng::keyed(7, Tick(100), 42, Purpose(1));
/// let mut c = Rng::keyed(7, Tick(101), 42, Purpose(1));
/// let first = a.next_u64();
/// assert_eq!(first, b.next_u64());
/// assert_ne!(first, c.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rng {
    state: u64,
    increment: u64,
}

/// 2^64 divided by the golden ratio: the increment of SplitMix64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A draw is accepted after 64 rejections in a row, which have a probability below 2^-64.
const MAX_REJECTIONS: u32 = 64;

impl Rng {
    /// The stream for a key.
    ///
    /// A step of SplitMix64 mixes each part of the key with the parts before it. So keys that differ in one bit
    /// give unrelated streams.
    #[must_use]
    pub const fn keyed(seed: u64, tick: Tick, id: u64, purpose: Purpose) -> Self {
        let key = split_mix(seed);
        let key = split_mix(key ^ tick.0);
        let key = split_mix(key ^ id);
        let key = split_mix(key ^ purpose.0 as u64);
        Self::pcg32(key, split_mix(key))
    }

    /// The PCG32 generator, seeded like its reference implementation, for comparison with it.
    #[must_use]
    pub const fn pcg32(seed: u64, sequence: u64) -> Self {
        let mut rng = Self { state: 0, increment: sequence << 1 | 1 };
        rng.advance();
        rng.state = rng.state.wrapping_add(seed);
        rng.advance();
        rng
    }

    /// The next state. The arithmetic of PCG is modulo 2^64.
    #[inline]
    const fn advance(&mut self) {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.increment);
    }

    /// 32 random bits.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.advance();
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// 64 random bits: two draws, the first in the upper half.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let high = self.next_u32() as u64;
        high << 32 | self.next_u32() as u64
    }

    /// A uniformly distributed number in `0..n`. For `n` = 0 it returns 0 and makes no draw.
    ///
    /// Lemire's method: draws that would make some results more likely are rejected. After 64 rejections in a row
    /// the next draw is accepted in any case.
    pub const fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // How many of the 2^32 possible draws are rejected.
        let uneven = n.wrapping_neg() % n;
        let mut rejections = 0;
        loop {
            let product = self.next_u32() as u64 * n as u64;
            if product as u32 >= uneven || rejections == MAX_REJECTIONS {
                return (product >> 32) as u32;
            }
            rejections += 1;
        }
    }

    /// A uniformly distributed number in `range`. For an empty range it returns the start and makes no draw.
    #[must_use]
    pub fn range(&mut self, range: Range<i32>) -> i32 {
        if range.is_empty() {
            return range.start;
        }
        // The range is shorter than 2^32, so the wrapped sum lies in the range.
        range.start.wrapping_add_unsigned(self.below(range.end.abs_diff(range.start)))
    }

    /// True with a probability of `numerator` / `denominator`; false if the denominator is 0.
    #[must_use]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        denominator != 0 && self.below(denominator) < numerator
    }

    /// Puts the items in a random order (Fisher-Yates shuffle).
    ///
    /// # Panics
    /// If there are 2³² items or more.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let count = u32::try_from(last + 1).expect("fewer than 2^32 items");
            items.swap(last, self.below(count) as usize);
        }
    }
}

/// The output of one step of SplitMix64 from `state`. It is a bijection, so different inputs never collide.
const fn split_mix(state: u64) -> u64 {
    let z = state.wrapping_add(GOLDEN);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
