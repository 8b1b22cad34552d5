//! How strongly routes over doors are drawn to routes that other units already follow.

/// The discount on a route over doors where live routes already pass, in per cent: 0..=20, 10 by default.
///
/// Because of the discount, a route may cost more than the cheapest route: at most 100 × bias / (100 − bias) per cent more, rounded
/// down ([`MergeBias::longer`]). That is 11 % at the default. To keep this bound in integers, the discount is slightly smaller than the
/// bias: 9.9 % at 10.
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
    /// 0 per cent: routes ignore the routes of other units.
    pub const NONE: Self = Self(0);
    /// The greatest bias: 20 per cent. Beyond it, players would see detours.
    pub const MOST: u32 = 20;

    /// A bias in per cent, 0..=20; `None` outside this range.
    #[must_use]
    pub const fn new(percent: u32) -> Option<Self> {
        if percent <= Self::MOST { Some(Self(percent as u8)) } else { None }
    }

    /// The bias in per cent.
    #[inline]
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0 as u32
    }

    /// The most that a route may cost above the cheapest, in per cent.
    #[inline]
    #[must_use]
    pub const fn longer(self) -> u32 {
        let bias = self.0 as u32;
        100 * bias / (100 - bias)
    }

    /// The cost of a route that other units follow, after the discount, in thousandths of its full cost. It is the
    /// least value that keeps the bound of [`MergeBias::longer`].
    #[inline]
    #[must_use]
    pub const fn rest_per_mille(self) -> u32 {
        100_000_u32.div_ceil(100 + self.longer())
    }

    /// The most a route may cost when the cheapest costs `least`, rounded down.
    #[must_use]
    pub const fn most(self, least: u64) -> u64 {
        // Costs are below 2^45, so the product fits. Greater numbers are not costs; they saturate.
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
            assert!(rest * all >= 100_000, "{percent}: a discounted route may cost too much");
            assert!((rest - 1) * all < 100_000, "{percent}: the discount could be a thousandth greater");
            let discount = 1000 - rest;
            assert!(discount <= 10 * percent && discount + 8 >= 10 * percent, "{percent}: {discount}");
        }
        let longer = [5, 10, 15, 20].map(|percent| MergeBias::new(percent).map(MergeBias::longer));
        assert_eq!(longer, [5, 11, 17, 25].map(Some));
    }
}
