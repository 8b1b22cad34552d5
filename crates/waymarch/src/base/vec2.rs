//! Vectors on the ground.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::cell::WorldPos;
use super::fixed::Fixed;
use super::root::isqrt;
use super::trig::Angle;

/// A point, an offset or a velocity on the ground: `x` eastwards, `y` southwards, 1024 to a cell.
///
/// Sums and multiples saturate per component; products and lengths are formed in 64 bits and cannot overflow.
/// All roundings of lengths and rotations are to the nearest and symmetric (`f(-v) == -f(v)`, short of
/// saturation), so no direction is favoured.
///
/// ```
/// use waymarch::base::{Angle, Fixed, Vec2};
/// let v = Vec2::from_cells(3, 4);
/// assert_eq!(v.length(), Fixed::from_cells(5));
/// assert_eq!(v.with_length(Fixed::from_cells(10)), Vec2::from_cells(6, 8));
/// assert_eq!(v.rotate(Angle::QUARTER), v.perp());
/// assert_eq!(v - v, Vec2::ZERO);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vec2 {
    /// Eastwards.
    pub x: Fixed,
    /// Southwards.
    pub y: Fixed,
}

impl Vec2 {
    /// No offset.
    pub const ZERO: Self = Self::new(Fixed::ZERO, Fixed::ZERO);

    /// The vector with these components.
    #[inline]
    #[must_use]
    pub const fn new(x: Fixed, y: Fixed) -> Self {
        Self { x, y }
    }

    /// From whole cells; saturates.
    #[inline]
    #[must_use]
    pub const fn from_cells(x: i32, y: i32) -> Self {
        Self::new(Fixed::from_cells(x), Fixed::from_cells(y))
    }

    /// The vector of length one in a direction, to the precision of [`Angle::sin`].
    #[inline]
    #[must_use]
    pub const fn from_angle(angle: Angle) -> Self {
        Self::new(angle.cos(), angle.sin())
    }

    /// Its direction; [`Angle::ZERO`] for the zero vector.
    #[inline]
    #[must_use]
    pub const fn angle(self) -> Angle {
        Angle::atan2(self.y.raw(), self.x.raw())
    }

    /// The point of the world above or below this one at height `z`.
    #[inline]
    #[must_use]
    pub const fn at_height(self, z: Fixed) -> WorldPos {
        WorldPos { x: self.x, y: self.y, z }
    }

    /// x·x' + y·y', in 2^-20 units (divide by 2^20 for cells²). Positive within a quarter turn of each other.
    ///
    /// Exact, but for one pair: the true 2^63 of (MIN, MIN) with itself is given as 2^63 - 1.
    #[inline]
    #[must_use]
    pub const fn dot(self, other: Self) -> i64 {
        let x = self.x.raw() as i64 * other.x.raw() as i64;
        let y = self.y.raw() as i64 * other.y.raw() as i64;
        x.saturating_add(y)
    }

    /// x·y' - y·x', in 2^-20 units. Positive when `other` lies clockwise of this. Exact for all vectors.
    #[inline]
    #[must_use]
    pub const fn cross(self, other: Self) -> i64 {
        // At most 2^62 + 2^62 - 2^31 in magnitude: two products of opposite sign are never both 2^62.
        self.x.raw() as i64 * other.y.raw() as i64 - self.y.raw() as i64 * other.x.raw() as i64
    }

    /// The square of the length, in 2^-20 units; exact for all vectors. Compare these to compare lengths.
    #[inline]
    #[must_use]
    pub const fn length_squared(self) -> u64 {
        let (x, y) = (self.x.raw().unsigned_abs() as u64, self.y.raw().unsigned_abs() as u64);
        x * x + y * y
    }

    /// The length, rounded down from the true root; saturates.
    #[inline]
    #[must_use]
    pub const fn length(self) -> Fixed {
        Fixed::saturate(isqrt(self.length_squared()) as i64)
    }

    /// The square of the distance between two points, in 2^-20 units; saturates only above 2^64 - 1 (4
    /// million cells).
    #[inline]
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> u64 {
        let x = self.x.raw().abs_diff(other.x.raw()) as u64;
        let y = self.y.raw().abs_diff(other.y.raw()) as u64;
        (x * x).saturating_add(y * y)
    }

    /// The distance between two points, rounded down from the true root; saturates.
    #[inline]
    #[must_use]
    pub const fn distance(self, other: Self) -> Fixed {
        Fixed::saturate(isqrt(self.distance_squared(other)) as i64)
    }

    /// The vector of length one in the same direction, or `None` for the zero vector.
    ///
    /// Each component is within 0.51/1024 of the truth and the length within 0.70/1024 of one (measured).
    #[inline]
    #[must_use]
    pub const fn normalise(self) -> Option<Self> {
        if self.is_zero() { None } else { Some(self.with_length(Fixed::ONE)) }
    }

    /// Lengthened or shortened to `length` (a negative one points the other way); the zero vector stays.
    ///
    /// Each component is within 0.51/1024 of the truth, for lengths up to ten thousand cells.
    #[must_use]
    pub const fn with_length(self, length: Fixed) -> Self {
        let square = self.length_squared();
        if square == 0 {
            return self;
        }
        // As precise as 64 bits allow: the root has 31 or 32 significant bits.
        let shift = square.leading_zeros() / 2;
        let root = isqrt(square << (2 * shift));
        let bias = root / 2;
        Self::new(rescale(self.x, shift, length, root, bias), rescale(self.y, shift, length, root, bias))
    }

    /// Shortened to at most `longest`, in the same direction; shorter vectors are unchanged.
    ///
    /// Invariant: the result's [`length_squared`](Vec2::length_squared) is never above that of `longest`, so
    /// this keeps a speed limit exactly. Components are rounded towards zero for it. A negative `longest`
    /// counts as zero.
    #[must_use]
    pub const fn clamp_length(self, longest: Fixed) -> Self {
        if longest.raw() <= 0 {
            return Self::ZERO;
        }
        let square = self.length_squared();
        let limit = longest.raw() as u64;
        if square <= limit * limit {
            return self;
        }
        let shift = square.leading_zeros() / 2;
        let scaled = square << (2 * shift);
        let floor = isqrt(scaled);
        // Dividing by a root rounded up never gives too much.
        let root = if floor * floor == scaled { floor } else { floor + 1 };
        Self::new(rescale(self.x, shift, longest, root, 0), rescale(self.y, shift, longest, root, 0))
    }

    /// Turned clockwise by `angle`. Quarter turns are exact; short vectors (to some 20 cells) are turned to
    /// within
    /// 0.75/1024 per component, longer ones to within 1/50000 of their length. Saturates.
    #[must_use]
    pub const fn rotate(self, angle: Angle) -> Self {
        let (sin, cos) = (angle.sin_16() as i64, angle.cos_16() as i64);
        let (x, y) = (self.x.raw() as i64, self.y.raw() as i64);
        Self::new(round_16(x * cos - y * sin), round_16(x * sin + y * cos))
    }

    /// Turned clockwise by a quarter; saturates.
    #[inline]
    #[must_use]
    pub const fn perp(self) -> Self {
        Self::new(Fixed::from_raw(self.y.raw().saturating_neg()), self.x)
    }

    /// Whether both components are zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.x.raw() == 0 && self.y.raw() == 0
    }
}

/// `part` · 2^`shift` · `length` / `root`, where `root` is the length of the vector `part` belongs to, times
/// 2^`shift`; towards zero after adding `bias` to the dividend's magnitude.
const fn rescale(part: Fixed, shift: u32, length: Fixed, root: u64, bias: u64) -> Fixed {
    // A component is no longer than its vector, whose scaled length is below 2^32; so the product is at most
    // 2^63.
    let magnitude = ((part.raw().unsigned_abs() as u64) << shift) * length.raw().unsigned_abs() as u64;
    let quotient = ((magnitude + bias) / root) as i64;
    Fixed::saturate(if (part.raw() < 0) == (length.raw() < 0) { quotient } else { -quotient })
}

/// `value` / 65536 to the nearest, halves away from zero; saturates.
const fn round_16(value: i64) -> Fixed {
    let magnitude = ((value.unsigned_abs() + (1 << 15)) >> 16) as i64;
    Fixed::saturate(if value < 0 { -magnitude } else { magnitude })
}

impl Add for Vec2 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl SubAssign for Vec2 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Vec2 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<Fixed> for Vec2 {
    type Output = Self;
    /// Each component as [`Fixed`] multiplies: rounded down, saturating.
    #[inline]
    fn mul(self, factor: Fixed) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl From<WorldPos> for Vec2 {
    /// Drops the height.
    #[inline]
    fn from(pos: WorldPos) -> Self {
        Self::new(pos.x, pos.y)
    }
}

impl fmt::Display for Vec2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl fmt::Debug for Vec2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
