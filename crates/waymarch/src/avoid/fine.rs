//! The finer scale of layer 4: 65,536 to a cell.

use crate::base::{CellPos, Fixed, HashState, Root, StateHasher, Vec2};

/// Fraction bits of a [`Fine`] number.
pub const FINE_BITS: u32 = 16;

/// One cell in [`Fine`] units.
pub const FINE_CELL: i32 = 1 << FINE_BITS;

/// Fraction bits of directions of length one.
pub(super) const UNIT_BITS: u32 = 30;

/// Positions are kept within this, some 8,192 cells beyond the largest map on all sides, so that no difference overflows.
const EDGE: i32 = (1 << 30) - 1;

/// A point, an offset or a velocity per tick, 65,536 to a cell: `x` eastwards, `y` southwards.
///
/// Why finer than [`Vec2`]: at sixty ticks a second a slow unit moves by 14/1024 of a cell a tick, and its direction would
/// jump by four degrees. Sums saturate.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::Vec2;
/// let at = Fine::from(Vec2::from_cells(3, 4));
/// assert_eq!(at, Fine::new(3 << 16, 4 << 16));
/// assert_eq!(Vec2::from(at), Vec2::from_cells(3, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fine {
    /// Eastwards.
    pub x: i32,
    /// Southwards.
    pub y: i32,
}

impl Fine {
    /// Nowhere, or standing still.
    pub const ZERO: Self = Self::new(0, 0);

    /// From 65,536ths of a cell.
    #[inline]
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The middle of a cell; saturates.
    #[must_use]
    pub fn centre(of: CellPos) -> Self {
        let middle = |at: i32| at.saturating_mul(FINE_CELL).saturating_add(FINE_CELL / 2);
        Self::new(middle(of.x), middle(of.y))
    }

    /// The cell it lies in.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> CellPos {
        CellPos::new(self.x >> FINE_BITS, self.y >> FINE_BITS)
    }

    /// The sum, per component.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.x.saturating_add(other.x), self.y.saturating_add(other.y))
    }

    /// Whether both components are zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.x == 0 && self.y == 0
    }

    /// The square of the distance to another point, in 2^-32 of a cell's area; exact.
    #[inline]
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> u64 {
        let x = self.x.abs_diff(other.x) as u64;
        let y = self.y.abs_diff(other.y) as u64;
        (x * x).saturating_add(y * y)
    }

    /// Within the part of the plane where layer 4 works.
    #[inline]
    #[must_use]
    pub(super) fn on_plane(self) -> Self {
        let within = |at: i32| at.clamp(-EDGE, EDGE);
        Self::new(within(self.x), within(self.y))
    }

    #[inline]
    pub(super) const fn wide(self) -> Wide {
        Wide { x: self.x as i64, y: self.y as i64 }
    }
}

impl From<Vec2> for Fine {
    /// Exact; saturates beyond 32,768 cells.
    #[inline]
    fn from(at: Vec2) -> Self {
        let finer = |part: Fixed| fine(part);
        Self::new(finer(at.x), finer(at.y))
    }
}

impl From<Fine> for Vec2 {
    /// To the nearest 1024th, halves towards the south-east.
    #[inline]
    fn from(at: Fine) -> Self {
        let coarser = |part: i32| Fixed::from_raw(part.saturating_add(1 << 5) >> (FINE_BITS - Fixed::BITS));
        Self::new(coarser(at.x), coarser(at.y))
    }
}

impl HashState for Fine {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_i32(self.x);
        h.write_i32(self.y);
    }
}

/// A length in 65,536ths; saturates.
#[inline]
pub(super) fn fine(length: Fixed) -> i32 {
    length.raw().saturating_mul(1 << (FINE_BITS - Fixed::BITS))
}

/// A vector in the middle of a calculation: of any scale, wide enough for sums and products of [`Fine`] ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Wide {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Wide {
    pub(super) const ZERO: Self = Self { x: 0, y: 0 };

    #[inline]
    pub(super) const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    #[inline]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    #[inline]
    pub(super) const fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }

    #[inline]
    pub(super) const fn times(self, factor: i64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }

    #[inline]
    pub(super) const fn negative(self) -> Self {
        Self::new(-self.x, -self.y)
    }

    #[inline]
    pub(super) const fn dot(self, other: Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive when `other` lies clockwise of this.
    #[inline]
    pub(super) const fn cross(self, other: Self) -> i64 {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub(super) const fn square(self) -> i64 {
        self.dot(self)
    }

    /// Divided by a positive number, to the nearest.
    #[inline]
    pub(super) const fn over(self, by: i64) -> Self {
        Self::new(divide(self.x, by), divide(self.y, by))
    }

    /// A multiple of a direction of length one: `length` of it.
    #[inline]
    pub(super) const fn along(self, length: i64) -> Self {
        Self::new(round_unit(self.x * length), round_unit(self.y * length))
    }

    /// Its direction and its length, or `None` for the zero vector. For components below 2^31.
    #[inline]
    pub(super) fn polar(self) -> Option<Polar> {
        let square = self.square() as u64;
        if square == 0 {
            return None;
        }
        let root = Root::of(square);
        Some(Polar { unit: Wide::new(share(self.x, root), share(self.y, root)), root })
    }

    /// No longer than `longest`.
    #[inline]
    pub(super) fn clamp(self, longest: i64) -> Self {
        if self.square() <= longest * longest {
            return self;
        }
        match self.polar() {
            Some(polar) => polar.unit.along(longest),
            None => self,
        }
    }

    /// As a [`Fine`] vector; saturates.
    #[inline]
    pub(super) const fn fine(self) -> Fine {
        const fn narrow(part: i64) -> i32 {
            if part > i32::MAX as i64 {
                i32::MAX
            } else if part < i32::MIN as i64 {
                i32::MIN
            } else {
                part as i32
            }
        }
        Fine::new(narrow(self.x), narrow(self.y))
    }
}

/// A vector by direction and length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polar {
    /// Of length 2^30.
    pub(super) unit: Wide,
    root: Root,
}

impl Polar {
    /// The length, rounded to the nearest.
    #[inline]
    pub(super) const fn length(&self) -> i64 {
        self.root.rounded()
    }

    /// `part` (no longer than the vector) as a share of the length, in 2^-30.
    #[inline]
    pub(super) const fn share(&self, part: i64) -> i64 {
        share(part, self.root)
    }
}

/// A number over a root that is no smaller, in 2^-30: the product is at most 2^62.
#[inline]
const fn share(part: i64, root: Root) -> i64 {
    ((part << root.shift) * root.inverse + (1 << 31)) >> 32
}

/// A number with thirty more fraction bits than it needs, to the nearest.
#[inline]
pub(super) const fn round_unit(value: i64) -> i64 {
    (value + (1 << (UNIT_BITS - 1))) >> UNIT_BITS
}

/// To the nearest, halves away from zero; for a positive divisor.
#[inline]
pub(super) const fn divide(value: i64, by: i64) -> i64 {
    let half = by / 2;
    if value < 0 { (value - half) / by } else { (value + half) / by }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_length_one_and_lengths_are_right_at_every_scale() {
        for scale in 0..26 {
            for (x, y) in [(3, 4), (-3, 4), (1, 0), (0, -1), (7, -1), (1, 1), (-5, -12)] {
                let vector = Wide::new(x << scale, y << scale);
                let Some(polar) = vector.polar() else { panic!("{vector:?} has a direction") };
                let one = (polar.unit.square() as u64).isqrt();
                assert!(one.abs_diff(1 << UNIT_BITS) < 16, "{vector:?} {one}");
                let length = polar.length() as u64;
                assert!(
                    length.abs_diff((vector.square() as u64).isqrt()) <= 1 + (length >> 27),
                    "{vector:?} {length}"
                );
                assert!(polar.unit.cross(vector).unsigned_abs() >> UNIT_BITS <= 1 + (length >> 26));
            }
        }
        assert!(Wide::ZERO.polar().is_none());
    }

    #[test]
    fn clamped_vectors_keep_their_direction() {
        let clamped = Wide::new(30_000, -40_000).clamp(5_000);
        assert_eq!(clamped, Wide::new(3_000, -4_000));
        assert_eq!(Wide::new(3, 4).clamp(5), Wide::new(3, 4));
        assert_eq!(Wide::ZERO.clamp(0), Wide::ZERO);
    }

    #[test]
    fn coarse_points_come_back_as_they_were() {
        for raw in [-70_000, -1, 0, 1, 511, 1024, 8_388_608] {
            let at = Vec2::new(Fixed::from_raw(raw), Fixed::from_raw(-raw));
            assert_eq!(Vec2::from(Fine::from(at)), at);
        }
    }
}
