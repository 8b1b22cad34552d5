//! Random numbers that every peer draws alike.

use core::ops::Range;

use super::tick::Tick;

/// What a stream of random numbers is for, so that two uses in one tick do not share their luck.
///
/// ```
/// use waymarch::base::Purpose;
/// const WOBBLE: Purpose = Purpose(1);
/// assert_ne!(WOBBLE, Purpose(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Purpose(pub u32);

/// A stream of random numbers (PCG32) that is a function of its key.
///
/// Nobody keeps one from tick to tick: whoever needs luck asks for the stream of (game seed, tick, own id,
/// purpose) and drops it afterwards. So the order in which units are updated, and on which thread, changes
/// nothing. Statistically good, not for secrets. A draw is a multiplication and a rotation; making a stream
/// is about a dozen multiplications.
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

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// More than this many rejections in a row has a chance below 2^-64.
const MAX_REJECTIONS: u32 = 64;

impl Rng {
    /// The stream of a key.
    ///
    /// Each part is mixed into the ones before it by a step of SplitMix64, so keys that differ in one bit
    /// give unrelated streams.
    #[must_use]
    pub const fn keyed(seed: u64, tick: Tick, id: u64, purpose: Purpose) -> Self {
        let key = split_mix(seed);
        let key = split_mix(key ^ tick.0);
        let key = split_mix(key ^ id);
        let key = split_mix(key ^ purpose.0 as u64);
        Self::pcg32(key, split_mix(key))
    }

    /// The PCG32 generator as its reference implementation seeds it, for checking against that.
    #[must_use]
    pub const fn pcg32(seed: u64, sequence: u64) -> Self {
        let mut rng = Self { state: 0, increment: sequence << 1 | 1 };
        rng.advance();
        rng.state = rng.state.wrapping_add(seed);
        rng.advance();
        rng
    }

    /// PCG's arithmetic is modulo 2^64 by definition.
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

    /// 64 random bits: two draws, the first in the high half.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let high = self.next_u32() as u64;
        high << 32 | self.next_u32() as u64
    }

    /// A number in `0..n`, each as likely as another; 0 for `n` = 0, without a draw.
    ///
    /// Lemire's method. Uneven draws are rejected; after 64 rejections in a row, which no game will see, one
    /// is taken as it is.
    pub const fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // Of the 2^32 draws, this many would make some results likelier than others.
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

    /// A number in `range`, each as likely as another; the start of an empty range, without a draw.
    #[must_use]
    pub fn range(&mut self, range: Range<i32>) -> i32 {
        if range.is_empty() {
            return range.start;
        }
        // Shorter than 2^32, so the sum is back in the range.
        range.start.wrapping_add_unsigned(self.below(range.end.abs_diff(range.start)))
    }

    /// True `numerator` times out of `denominator`; never for a zero denominator.
    #[must_use]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        denominator != 0 && self.below(denominator) < numerator
    }

    /// Puts the items in a random order, each order as likely as the generator can make it (Fisher and
    /// Yates).
    ///
    /// # Panics
    /// With 2³² items or more.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let count = u32::try_from(last + 1).expect("fewer than 2^32 items");
            items.swap(last, self.below(count) as usize);
        }
    }
}

/// One step of SplitMix64 from state `state`: its next output. A bijection, so different inputs never
/// collide.
const fn split_mix(state: u64) -> u64 {
    let z = state.wrapping_add(GOLDEN);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
