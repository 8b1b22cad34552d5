//! A random number generator for tests that is independent of the engine's.

/// SplitMix64. Every seed is good.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator for `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // The high half of a 64×32 bit product: even enough for tests.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
    }

    /// True in `permille` of a thousand cases.
    pub fn chance(&mut self, permille: u32) -> bool {
        self.below(1000) < permille
    }

    /// A random element of `choices`.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_splitmix64() {
        let mut rng = SplitMix::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn bounds_hold_and_every_number_comes_up() {
        let mut rng = SplitMix::new(1);
        let mut seen = [0; 5];
        (0..500).for_each(|_| seen[rng.below(5) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert!(!rng.chance(0) && rng.chance(1000));
    }
}
