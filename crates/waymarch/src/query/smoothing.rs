//! What is done to a route of cells before a unit follows it.

use crate::base::Fixed;

/// What is done to a route of cells before a unit follows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Smoothing {
    /// Nothing: the line from turning point to turning point.
    None,
    /// Pulled taut like a string, around what is in the way; never dearer than the route.
    #[default]
    StringPull,
    /// Pulled taut, then rounded at the turns.
    Spline(Spline),
}

/// How turns are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spline {
    /// Straight pieces per curve, [`Spline::SAMPLES`]; others are brought into range.
    pub samples: u8,
    /// 0 for the full curve, 1024 for none; others are brought into range.
    pub tension: Fixed,
}

impl Spline {
    /// The legal numbers of straight pieces per curve.
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
    /// Four pieces, as spec 004 has it, and the full curve.
    fn default() -> Self {
        Self { samples: 4, tension: Fixed::ZERO }
    }
}
