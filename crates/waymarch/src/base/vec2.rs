//! Two-dimensional vectors in 1024ths of a cell.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::cell::CellPos;
use super::fixed::Fixed;
use super::root::isqrt;
use super::trig::Angle;

/// A point, an offset or a velocity on the ground, in 1024ths of a cell: `x` eastwards, `y` southwards.
///
/// A game has two kinds of positions: cells ([`CellPos`]) and points. [`CellPos::centre`] is the point in the middle of a cell, and
/// [`Vec2::cell`] is the cell of a point.
///
/// Sums and multiples saturate per component. Products and lengths are computed in 64 bits and cannot overflow. Rotated
/// and rescaled vectors are rounded to the nearest 1024th. Rounding is symmetric (`f(-v) == -f(v)` without saturation),
/// so that no direction has an advantage.
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

    /// The vector of `x` and `y` whole cells; saturates.
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

    /// The direction of the vector; [`Angle::ZERO`] for the zero vector.
    #[inline]
    #[must_use]
    pub const fn angle(self) -> Angle {
        Angle::atan2(self.y.raw(), self.x.raw())
    }

    /// The cell that contains the point. A cell contains its north and west edges. [`CellPos::centre`] is the way back.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> CellPos {
        CellPos { x: self.x.floor_cells(), y: self.y.floor_cells() }
    }

    /// Does nothing: points have no height.
    #[deprecated(since = "0.2.0", note = "points have no height: use the point itself")]
    #[must_use]
    pub const fn at_height(self, _height: Fixed) -> Self {
        self
    }

    /// The dot product x·x' + y·y', in 2^-20 of a cell's area. Positive if the angle between the vectors is less than a
    /// quarter turn.
    ///
    /// Exact, with one exception: (MIN, MIN) with itself gives 2^63 - 1 instead of 2^63.
    #[inline]
    #[must_use]
    pub const fn dot(self, other: Self) -> i64 {
        let x = self.x.raw() as i64 * other.x.raw() as i64;
        let y = self.y.raw() as i64 * other.y.raw() as i64;
        x.saturating_add(y)
    }

    /// The cross product x·y' - y·x', in 2^-20 of a cell's area. Positive if `other` lies clockwise of this vector. Exact.
    #[inline]
    #[must_use]
    pub const fn cross(self, other: Self) -> i64 {
        // The magnitude is at most 2^62 + 2^62 - 2^31, because two products of opposite sign are never both 2^62.
        self.x.raw() as i64 * other.y.raw() as i64 - self.y.raw() as i64 * other.x.raw() as i64
    }

    /// The squared length, in 2^-20 of a cell's area. Exact. Compare squared lengths to compare lengths.
    #[inline]
    #[must_use]
    pub const fn length_squared(self) -> u64 {
        let (x, y) = (self.x.raw().unsigned_abs() as u64, self.y.raw().unsigned_abs() as u64);
        x * x + y * y
    }

    /// The length, rounded down; saturates.
    #[inline]
    #[must_use]
    pub const fn length(self) -> Fixed {
        Fixed::saturate(isqrt(self.length_squared()) as i64)
    }

    /// The squared distance between two points, in 2^-20 of a cell's area. Saturates only above 2^64 - 1, a distance of 4
    /// million cells.
    #[inline]
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> u64 {
        let x = self.x.raw().abs_diff(other.x.raw()) as u64;
        let y = self.y.raw().abs_diff(other.y.raw()) as u64;
        (x * x).saturating_add(y * y)
    }

    /// The distance between two points, rounded down; saturates.
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

    /// The vector with its length changed to `length`; a negative length reverses the direction. The zero vector is
    /// unchanged.
    ///
    /// The error of each component is at most 0.51/1024, for lengths up to 10,000 cells.
    #[must_use]
    pub const fn with_length(self, length: Fixed) -> Self {
        let square = self.length_squared();
        if square == 0 {
            return self;
        }
        // The shift gives the root 31 or 32 significant bits, as many as 64-bit arithmetic allows.
        let shift = square.leading_zeros() / 2;
        let root = isqrt(square << (2 * shift));
        let bias = root / 2;
        Self::new(rescale(self.x, shift, length, root, bias), rescale(self.y, shift, length, root, bias))
    }

    /// The vector shortened to at most `longest`, with the same direction. Shorter vectors are unchanged. A negative
    /// `longest` counts as zero.
    ///
    /// *Invariant:* the result's [`length_squared`](Vec2::length_squared) is at most the square of `longest`, so this keeps
    /// a speed limit exactly. For that, components are rounded towards zero.
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
        // The root is rounded up, so the quotient is never too large.
        let root = if floor * floor == scaled { floor } else { floor + 1 };
        Self::new(rescale(self.x, shift, longest, root, 0), rescale(self.y, shift, longest, root, 0))
    }

    /// The vector turned clockwise by `angle`; saturates. Quarter turns are exact. The error per component is at most
    /// 0.75/1024 for vectors up to about 20 cells, and 1/50,000 of the length for longer vectors.
    #[must_use]
    pub const fn rotate(self, angle: Angle) -> Self {
        let (sin, cos) = (angle.sin_16() as i64, angle.cos_16() as i64);
        let (x, y) = (self.x.raw() as i64, self.y.raw() as i64);
        Self::new(round_16(x * cos - y * sin), round_16(x * sin + y * cos))
    }

    /// The vector turned clockwise by a quarter turn; saturates.
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

/// `part` · 2^`shift` · `length` / `root`, rounded towards zero after `bias` was added to the dividend's magnitude.
/// `root` is the length of the whole vector, times 2^`shift`.
const fn rescale(part: Fixed, shift: u32, length: Fixed, root: u64, bias: u64) -> Fixed {
    // A component is no longer than its vector, whose scaled length is below 2^32. So the product is at most 2^63.
    let magnitude = ((part.raw().unsigned_abs() as u64) << shift) * length.raw().unsigned_abs() as u64;
    let quotient = ((magnitude + bias) / root) as i64;
    Fixed::saturate(if (part.raw() < 0) == (length.raw() < 0) { quotient } else { -quotient })
}

/// `value` / 65,536, rounded to the nearest, halves away from zero; saturates.
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
    /// Multiplies each component: rounded down, saturating.
    #[inline]
    fn mul(self, factor: Fixed) -> Self {
        Self::new(self.x * factor, self.y * factor)
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
