//! How much more than the cheapest route a route may cost.

/// The most that a route may cost, in thousandths of the cheapest cost: 1000 is the cheapest, 1050 is 5 % more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PerMille(u16);

impl PerMille {
    /// The least: 1000 thousandths, the cost of the cheapest route.
    pub const LEAST: u32 = 1000;
    /// The most: 10,000 thousandths, 10 times the cost of the cheapest route.
    pub const MOST: u32 = 10_000;

    /// `value` thousandths, 1000..=10000; `None` outside this range.
    #[must_use]
    pub const fn new(value: u32) -> Option<Self> {
        if value >= Self::LEAST && value <= Self::MOST { Some(Self(value as u16)) } else { None }
    }

    /// The number of thousandths.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0 as u32
    }
}

/// How good a route has to be.
///
/// ```
/// use waymarch::query::Quality;
/// assert_eq!(Quality::from_per_mille(1000), Some(Quality::Exact));
/// assert_eq!(Quality::from_per_mille(1050).map(Quality::per_mille), Some(1050));
/// assert_eq!(Quality::from_per_mille(999), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Quality {
    /// The cheapest route.
    #[default]
    Exact,
    /// A route that costs at most this many thousandths of the cheapest, for less work.
    Bounded(PerMille),
}

impl Quality {
    /// The quality for a limit in thousandths, 1000..=10000, where 1000 is exact; `None` outside this range.
    #[must_use]
    pub const fn from_per_mille(value: u32) -> Option<Self> {
        match PerMille::new(value) {
            Some(PerMille(1000)) => Some(Self::Exact),
            Some(bound) => Some(Self::Bounded(bound)),
            None => None,
        }
    }

    /// The most a route may cost when the cheapest costs `least`, rounded up.
    #[must_use]
    pub const fn most(self, least: u64) -> u64 {
        // Costs are below 2^45 and bounds below 2^14, so the product fits. Greater numbers are not costs; they
        // saturate.
        least.saturating_mul(self.per_mille() as u64).div_ceil(PerMille::LEAST as u64)
    }

    /// The limit in thousandths of the cheapest cost.
    #[inline]
    #[must_use]
    pub const fn per_mille(self) -> u32 {
        match self {
            Self::Exact => PerMille::LEAST,
            Self::Bounded(bound) => bound.get(),
        }
    }
}
