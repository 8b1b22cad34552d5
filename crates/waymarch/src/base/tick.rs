//! Simulation time in ticks.

use core::fmt;
use core::ops::{Add, AddAssign};

/// A point in simulation time: the number of ticks since the start of the game.
///
/// Peers agree on ticks and not on clocks, so the engine uses no other time. Addition saturates at [`Tick::MAX`], which
/// no game reaches, so it means "never".
///
/// ```
/// use waymarch::base::Tick;
/// let order = Tick(10);
/// let deadline = order + 25;
/// assert!(order < deadline);
/// assert_eq!(deadline.since(order), 25);
/// assert!(deadline.is_multiple_of(5));
/// assert_eq!(Tick::MAX + 1, Tick::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tick(pub u64);

impl Tick {
    /// The start of the game.
    pub const ZERO: Self = Self(0);
    /// 2^64 - 1 ticks: later than all events.
    pub const MAX: Self = Self(u64::MAX);

    /// The next tick; [`Tick::MAX`] stays.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        self.saturating_add(1)
    }

    /// `ticks` later, saturating; the `const` form of `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, ticks: u32) -> Self {
        Self(self.0.saturating_add(ticks as u64))
    }

    /// The number of ticks since `earlier`; 0 if `earlier` is later.
    #[inline]
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whether work that is done every `period` ticks, starting at tick 0, is due now.
    ///
    /// With a period of 0 it is due at tick 0 only.
    #[inline]
    #[must_use]
    pub const fn is_multiple_of(self, period: u32) -> bool {
        if period == 0 { self.0 == 0 } else { self.0 % period as u64 == 0 }
    }
}

impl Add<u32> for Tick {
    type Output = Self;
    #[inline]
    fn add(self, ticks: u32) -> Self {
        self.saturating_add(ticks)
    }
}

impl AddAssign<u32> for Tick {
    #[inline]
    fn add_assign(&mut self, ticks: u32) {
        *self = *self + ticks;
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Tick;

    #[test]
    fn addition_saturates_instead_of_wrapping() {
        assert_eq!(Tick(u64::MAX - 1) + u32::MAX, Tick::MAX);
        assert_eq!(Tick::MAX.next(), Tick::MAX);
        let mut tick = Tick::ZERO;
        tick += 7;
        assert_eq!(tick.next(), Tick(8));
    }

    #[test]
    fn the_time_since_a_later_tick_is_zero() {
        assert_eq!(Tick(3).since(Tick(9)), 0);
        assert_eq!(Tick(9).since(Tick(3)), 6);
        assert_eq!(Tick::MAX.since(Tick::ZERO), u64::MAX);
    }

    #[test]
    fn every_third_tick_is_a_multiple_of_three() {
        let due: Vec<u64> = (0..10).filter(|&t| Tick(t).is_multiple_of(3)).collect();
        assert_eq!(due, [0, 3, 6, 9]);
        assert!((0..10).all(|t| Tick(t).is_multiple_of(1)));
        assert!(Tick(0).is_multiple_of(0) && !Tick(1).is_multiple_of(0));
    }
}
