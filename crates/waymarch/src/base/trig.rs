//! Angles, and sine, cosine and arc tangent from integer tables.

use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use super::dir::Dir8;
use super::fixed::Fixed;
use super::trig_tables::{ATAN, ATAN_BITS, SINE, SINE_BITS};

/// A direction or a turn, in 65,536ths of a full turn. Sums and differences wrap around.
///
/// 0 is east. Angles grow clockwise on the map, towards the south, because `y` grows southwards. The unit vector of
/// an angle is (cos, sin). A [`Dir8`] converts exactly, and [`Angle::nearest_dir`] converts back.
///
/// The functions interpolate linearly in tables of 257 entries. The tables are built at compile time with integer
/// arithmetic, so all machines agree. Errors, measured over every angle (`tests/layers/trig_error.rs`):
///
/// | function | unit | largest error |
/// |---|---|---|
/// | [`sin`](Angle::sin), [`cos`](Angle::cos) | 1/1024 | 0.51 |
/// | [`sin_16`](Angle::sin_16), [`cos_16`](Angle::cos_16) | 1/65536 | 0.82 |
/// | [`atan2`](Angle::atan2) | 1/65536 turn | 0.52 |
///
/// ```
/// use waymarch::base::{Angle, Dir8, Fixed};
/// let south = Angle::from(Dir8::S);
/// assert_eq!((south.cos(), south.sin()), (Fixed::ZERO, Fixed::ONE));
/// assert_eq!(Angle::atan2(5, 0), south);
/// assert_eq!(south + Angle::QUARTER, Angle::from(Dir8::W));
/// assert_eq!(Angle(100).turn_towards(Angle(65_500), 40), Angle(60), "the shorter turn");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Angle(pub u16);

/// A quarter turn: 16,384.
const QUARTER: u32 = 1 << 14;

impl Angle {
    /// East, or no turn.
    pub const ZERO: Self = Self(0);
    /// An eighth of a turn clockwise: 8192.
    pub const EIGHTH: Self = Self(1 << 13);
    /// A quarter turn clockwise: 16,384.
    pub const QUARTER: Self = Self(1 << 14);
    /// Half a turn: 32,768.
    pub const HALF: Self = Self(1 << 15);

    /// The angle nearest to a number of degrees. Any number of full turns is allowed.
    #[must_use]
    pub const fn from_degrees(degrees: i32) -> Self {
        let degrees = degrees.rem_euclid(360) as u32;
        Self(((degrees * 65_536 + 180) / 360) as u16)
    }

    /// The sine in 1024ths, with an error of at most 0.51/1024. Symmetries are exact, for example `sin(-a) == -sin(a)`.
    #[inline]
    #[must_use]
    pub const fn sin(self) -> Fixed {
        Fixed::from_raw(self.sine(Fixed::BITS))
    }

    /// The cosine in 1024ths, with an error of at most 0.51/1024.
    #[inline]
    #[must_use]
    pub const fn cos(self) -> Fixed {
        Fixed::from_raw(self.plus(Self::QUARTER).sine(Fixed::BITS))
    }

    /// The sine in 65,536ths, for products that need more precision than [`Fixed`] has: -65536..=65536.
    #[inline]
    #[must_use]
    pub const fn sin_16(self) -> i32 {
        self.sine(16)
    }

    /// The cosine in 65,536ths: -65536..=65536.
    #[inline]
    #[must_use]
    pub const fn cos_16(self) -> i32 {
        self.plus(Self::QUARTER).sine(16)
    }

    /// The sine with `bits` fraction bits. The table has one quadrant; the others are its mirror images.
    #[inline]
    const fn sine(self, bits: u32) -> i32 {
        let within = self.0 as u32 % QUARTER;
        let mirrored = self.0 as u32 & QUARTER != 0;
        let at = if mirrored { QUARTER - within } else { within };
        // Each interval of the table has 64 angles. `entry` is at most the last entry, and then `part` is 0.
        let (entry, part) = ((at / 64) as usize, (at % 64) as i64);
        let low = SINE[entry] as i64;
        let high = if part == 0 { low } else { SINE[entry + 1] as i64 };
        let scaled = low * 64 + (high - low) * part;
        let drop = SINE_BITS + 6 - bits;
        let magnitude = ((scaled + (1 << (drop - 1))) >> drop) as i32;
        if self.0 >= 1 << 15 { -magnitude } else { magnitude }
    }

    /// The direction of the vector (`x`, `y`), of any length; [`Angle::ZERO`] for the vector (0, 0).
    ///
    /// Defined for all `i32`. Symmetries are exact: a mirrored vector has the mirrored angle.
    #[must_use]
    pub const fn atan2(y: i32, x: i32) -> Self {
        let (along, across) = (x.unsigned_abs() as u64, y.unsigned_abs() as u64);
        let steep = across > along;
        let (small, large) = if steep { (along, across) } else { (across, along) };
        if large == 0 {
            return Self::ZERO;
        }
        // The dividend is at most 2^63 and the quotient at most 1, times 2^32.
        let ratio = (small << 32) / large;
        let (entry, part) = ((ratio >> 24) as usize, (ratio & 0xFF_FFFF) as i64);
        let low = ATAN[entry] as i64;
        let high = if part == 0 { low } else { ATAN[entry + 1] as i64 };
        let scaled = (low << 24) + (high - low) * part;
        let drop = ATAN_BITS + 24;
        let octant = Self(((scaled + (1 << (drop - 1))) >> drop) as u16);
        let quadrant = if steep { Self::QUARTER.minus(octant) } else { octant };
        let half = if x < 0 { Self::HALF.minus(quadrant) } else { quadrant };
        if y < 0 { Self::ZERO.minus(half) } else { half }
    }

    /// The shortest turn from here to `target`, clockwise positive; half a turn is -32768.
    #[inline]
    #[must_use]
    pub const fn turn_to(self, target: Self) -> i16 {
        target.minus(self).0 as i16
    }

    /// This angle turned towards `target` by at most `most`, in the shorter direction; clockwise if `target` is exactly
    /// opposite.
    #[inline]
    #[must_use]
    pub const fn turn_towards(self, target: Self, most: u16) -> Self {
        let turn = self.turn_to(target);
        if turn.unsigned_abs() <= most {
            target
        } else if turn > 0 || turn == i16::MIN {
            Self(self.0.wrapping_add(most))
        } else {
            Self(self.0.wrapping_sub(most))
        }
    }

    /// The nearest of the eight directions. Of two equally near directions, the one further clockwise.
    #[inline]
    #[must_use]
    pub const fn nearest_dir(self) -> Dir8 {
        let eighths = self.plus(Self(1 << 12)).0 >> 13;
        Dir8::E.turn(eighths as i8)
    }

    /// The exact angle of a direction; the `const` form of `From`.
    #[inline]
    #[must_use]
    pub const fn from_dir(dir: Dir8) -> Self {
        Self((dir.turn(-2).index() as u16) << 13)
    }

    #[inline]
    const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline]
    const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl From<Dir8> for Angle {
    #[inline]
    fn from(dir: Dir8) -> Self {
        Self::from_dir(dir)
    }
}

impl Add for Angle {
    type Output = Self;
    /// Wraps around.
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Angle {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Angle {
    type Output = Self;
    /// Wraps around.
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.minus(other)
    }
}

impl SubAssign for Angle {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Angle {
    type Output = Self;
    /// The angle mirrored at the east-west axis, or the opposite turn.
    #[inline]
    fn neg(self) -> Self {
        Self::ZERO.minus(self)
    }
}

impl fmt::Display for Angle {
    /// In 65,536ths of a turn, as in `16384/65536`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/65536", self.0)
    }
}

#[cfg(test)]
mod tests;
