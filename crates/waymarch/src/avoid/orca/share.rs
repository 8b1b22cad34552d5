//! A unit's share of a correction.

/// How much of a correction one unit makes, in sixteenths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::avoid) struct Share(pub(in crate::avoid) u8);

impl Share {
    pub(in crate::avoid) const NONE: Self = Self(0);
    pub(in crate::avoid) const EIGHTH: Self = Self(2);
    pub(in crate::avoid) const QUARTER: Self = Self(4);
    pub(in crate::avoid) const HALF: Self = Self(8);
    pub(in crate::avoid) const THREE_QUARTERS: Self = Self(12);
    pub(in crate::avoid) const SEVEN_EIGHTHS: Self = Self(14);
    pub(in crate::avoid) const ALL: Self = Self(16);

    /// This share of a length, rounded to the nearest.
    #[inline]
    pub(in crate::avoid) const fn of(self, length: i64) -> i64 {
        (length * self.0 as i64 + 8) >> 4
    }
}
