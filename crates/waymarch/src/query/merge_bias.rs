//! How much routes are drawn to those of others.

/// How much cheaper a way over doors looks where live routes pass already, in per cent: 0..=20, 10 by default.
///
/// A route that is found so costs at most 100 / (100 - bias) of the cheapest: [`MergeBias::most`].
///
/// ```
/// use waymarch::query::MergeBias;
/// assert_eq!(MergeBias::default().percent(), 10);
/// assert_eq!(MergeBias::default().most(900), 1000);
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

    /// What is left of 100 per cent.
    #[inline]
    #[must_use]
    pub const fn rest(self) -> u32 {
        100 - self.0 as u32
    }

    /// The most a route may cost when the cheapest costs `least`, rounded down.
    #[must_use]
    pub const fn most(self, least: u64) -> u64 {
        // Costs stay under 2^45; it saturates for numbers that are no costs.
        least.saturating_mul(100) / self.rest() as u64
    }
}
