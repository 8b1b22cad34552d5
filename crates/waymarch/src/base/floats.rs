//! Floating-point numbers for renderers: the only file of the engine that has them. Feature `render`.
//!
//! Nothing in the engine calls these functions, so the feature changes no result. `cargo xtask tidy` refuses floats in all other files.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "renderers draw with floats; the engine calls nothing of this file"
)]

use super::{Angle, Fine, Fixed, Vec2};

/// The steps of [`Fixed`] in one cell: 1024.
const STEPS: f32 = 1024.0;
/// The steps of [`Fine`] in one cell: 65,536.
const FINE_STEPS: f32 = 65_536.0;
/// The steps of [`Angle`] in a full turn: 65,536.
const TURN_STEPS: f32 = 65_536.0;

impl Fixed {
    /// The number as a float. Exact up to 16,384 cells from zero, the longest distance on a map.
    ///
    /// ```
    /// use waymarch::base::Fixed;
    /// assert_eq!(Fixed::from_raw(1536).to_f32(), 1.5);
    /// ```
    #[inline]
    #[must_use]
    pub fn to_f32(self) -> f32 {
        self.raw() as f32 / STEPS
    }

    /// The nearest number to a float; halves go away from zero. Saturates; not a number gives 0.
    ///
    /// For input: a point under the mouse, a share of a tick. In a lockstep game, convert on the machine of the player and send the result as part of a
    /// [`Command`](crate::world::Command). Peers must not compute the float themselves: floats differ between machines.
    ///
    /// ```
    /// use waymarch::base::Fixed;
    /// assert_eq!(Fixed::from_f32(-1.5), Fixed::from_raw(-1536));
    /// assert_eq!(Fixed::from_f32(f32::NAN), Fixed::ZERO);
    /// ```
    #[inline]
    #[must_use]
    pub fn from_f32(number: f32) -> Self {
        let scaled = number * STEPS;
        let half = if scaled < 0.0 { -0.5 } else { 0.5 };
        // The conversion saturates, and turns "not a number" into 0. Floats above 2^23 are whole: a half would be rounded.
        let is_whole = scaled >= 8_388_608.0 || scaled <= -8_388_608.0;
        Self::from_raw(if is_whole { scaled } else { scaled + half } as i32)
    }
}

impl Vec2 {
    /// East and south as floats, in cells. Points are in cells from the north-west corner of the map; velocities of units are in cells per tick.
    ///
    /// ```
    /// use waymarch::base::cell;
    /// assert_eq!(cell(3, 4).centre().to_f32(), [3.5, 4.5]);
    /// ```
    #[inline]
    #[must_use]
    pub fn to_f32(self) -> [f32; 2] {
        [self.x.to_f32(), self.y.to_f32()]
    }

    /// The nearest point to floats in cells; see [`Fixed::from_f32`].
    ///
    /// ```
    /// use waymarch::base::{Vec2, cell};
    /// assert_eq!(Vec2::from_f32([3.5, 4.25]).cell(), cell(3, 4)); // the cell under the mouse
    /// ```
    #[inline]
    #[must_use]
    pub fn from_f32([x, y]: [f32; 2]) -> Self {
        Self::new(Fixed::from_f32(x), Fixed::from_f32(y))
    }
}

impl Fine {
    /// East and south as floats, in cells.
    ///
    /// ```
    /// use waymarch::base::Fine;
    /// assert_eq!(Fine::new(1 << 15, -65_536).to_f32(), [0.5, -1.0]);
    /// ```
    #[inline]
    #[must_use]
    pub fn to_f32(self) -> [f32; 2] {
        [self.x as f32 / FINE_STEPS, self.y as f32 / FINE_STEPS]
    }
}

impl Angle {
    /// The angle in radians, clockwise from east as `y` grows southwards: from 0 to just under a full turn.
    ///
    /// ```
    /// use waymarch::base::Angle;
    /// assert_eq!(Angle::HALF.to_radians(), std::f32::consts::PI);
    /// ```
    #[inline]
    #[must_use]
    pub fn to_radians(self) -> f32 {
        f32::from(self.0) * (core::f32::consts::TAU / TURN_STEPS)
    }

    /// The angle in degrees, clockwise from east: from 0 to just under 360.
    ///
    /// ```
    /// use waymarch::base::Angle;
    /// assert_eq!(Angle::QUARTER.to_degrees(), 90.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn to_degrees(self) -> f32 {
        f32::from(self.0) * (360.0 / TURN_STEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_on_a_map_survives_floats() {
        for raw in (-8192 * 1024..=8192 * 1024).step_by(37).chain([i32::MIN, -1, 0, 1, 1023, 1025]) {
            let number = Fixed::from_raw(raw);
            assert_eq!(Fixed::from_f32(number.to_f32()), number);
        }
    }

    #[test]
    fn floats_outside_the_range_saturate() {
        for (float, raw) in [
            (f32::NAN, 0),
            (f32::INFINITY, i32::MAX),
            (f32::NEG_INFINITY, i32::MIN),
            (1e30, i32::MAX),
            (0.000_488_281_25, 1),
            (-0.000_488_281_25, -1),
            (0.000_488, 0),
            (-0.0, 0),
        ] {
            assert_eq!(Fixed::from_f32(float).raw(), raw, "{float}");
        }
    }
}
