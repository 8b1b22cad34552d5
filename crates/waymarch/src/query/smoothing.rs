//! What is done to a route of cells before a unit follows it.

use crate::base::Fixed;

/// What is done to a route of cells before a unit follows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Smoothing {
    /// Nothing: straight lines between the turning points of the route.
    None,
    /// String pulling: the route is pulled taut around obstacles. The result never costs more than the route of cells.
    #[default]
    #[cfg_attr(feature = "serde", serde(alias = "string-pull"))]
    Funnel,
    /// String pulling, then rounded turns.
    Spline(Spline),
}

impl Smoothing {
    /// Renamed to [`Smoothing::Funnel`], the name that the setting [`PathSmoothing`](crate::config::PathSmoothing) has.
    #[deprecated(since = "0.2.0", note = "renamed to `Funnel`")]
    #[allow(non_upper_case_globals, reason = "it has the name of the variant it replaces")]
    pub const StringPull: Self = Self::Funnel;
}

/// How turns are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spline {
    /// Straight pieces per curve, within [`Spline::SAMPLES`]. Other values are clamped.
    pub samples: u8,
    /// How flat the curve is, in 1024ths: 0 for the full curve, 1024 for no curve. Values outside this range are clamped.
    pub tension: Fixed,
}

impl Spline {
    /// The legal numbers of straight pieces per curve: 1 to 16.
    pub const SAMPLES: core::ops::RangeInclusive<u8> = 1..=16;

    /// The nearest legal settings.
    #[must_use]
    pub fn within_range(self) -> Self {
        Self {
            samples: self.samples.clamp(*Self::SAMPLES.start(), *Self::SAMPLES.end()),
            tension: self.tension.clamp(Fixed::ZERO, Fixed::ONE),
        }
    }
}

impl Default for Spline {
    /// Four pieces per curve, and the full curve.
    fn default() -> Self {
        Self { samples: 4, tension: Fixed::ZERO }
    }
}
