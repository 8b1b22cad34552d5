//! How much routes are drawn to those of others.

/// How much cheaper a way over doors looks where live routes pass already, in per cent: 0..=20, 10 by default.
///
/// A route that is found so is longer by no more than a whole number of per cent: 11 at the default, and 100 × bias / (100 - bias) rounded
/// down in general ([`MergeBias::longer`]). To keep that promise in integers the discount is a little less than the bias where that does not come
/// out even: 9.9 % at 10.
///
/// ```
/// use waymarch::query::MergeBias;
/// let usual = MergeBias::default();
/// assert_eq!((usual.percent(), usual.longer(), usual.rest_per_mille()), (10, 11, 901));
/// assert_eq!(usual.most(1000), 1110);
/// assert_eq!(MergeBias::new(21), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MergeBias(u8);

impl Default for MergeBias {
    fn default() -> Self {
        Self(10)
    }
}

impl MergeBias {
    /// None: routes do not heed others.
    pub const NONE: Self = Self(0);
    /// The most, in per cent: beyond it detours show.
    pub const MOST: u32 = 20;

    /// So many per cent, 0..=20; `None` outside.
    #[must_use]
    pub const fn new(percent: u32) -> Option<Self> {
        if percent <= Self::MOST { Some(Self(percent as u8)) } else { None }
    }

    /// In per cent.
    #[inline]
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0 as u32
    }

    /// By how many per cent a route may be longer than the cheapest, at most.
    #[inline]
    #[must_use]
    pub const fn longer(self) -> u32 {
        let bias = self.0 as u32;
        100 * bias / (100 - bias)
    }

    /// What ways that others go count for, in thousandths of what they cost: as little as [`MergeBias::longer`] allows.
    #[inline]
    #[must_use]
    pub const fn rest_per_mille(self) -> u32 {
        100_000_u32.div_ceil(100 + self.longer())
    }

    /// The most a route may cost when the cheapest costs `least`, rounded down.
    #[must_use]
    pub const fn most(self, least: u64) -> u64 {
        // Costs stay under 2^45; it saturates for numbers that are no costs.
        least.saturating_mul(100 + self.longer() as u64) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_discount_keeps_the_promise_and_is_no_smaller_than_it_must_be() {
        for percent in 0..=MergeBias::MOST {
            let bias = MergeBias::new(percent).expect("within its range");
            let (rest, all) = (bias.rest_per_mille(), 100 + bias.longer());
            assert!(rest * all >= 100_000, "{percent}: a way that counts for as much may be too long");
            assert!((rest - 1) * all < 100_000, "{percent}: a thousandth more would do");
            let discount = 1000 - rest;
            assert!(discount <= 10 * percent && discount + 8 >= 10 * percent, "{percent}: {discount}");
        }
        let longer = [5, 10, 15, 20].map(|percent| MergeBias::new(percent).map(MergeBias::longer));
        assert_eq!(longer, [5, 11, 17, 25].map(Some));
    }
}
