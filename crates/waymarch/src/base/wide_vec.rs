//! Vectors with 64-bit components, for intermediate results.

use super::root::{Root, isqrt};

/// The fraction bits of unit vectors: 30. A unit vector has the length 2^30.
pub(crate) const UNIT_BITS: u32 = 30;

/// A vector of any scale with 64-bit components, wide enough for sums and products of [`Fine`](super::Fine) vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct WideVec {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

impl WideVec {
    pub(crate) const ZERO: Self = Self { x: 0, y: 0 };

    #[inline]
    pub(crate) const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    #[inline]
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }

    #[inline]
    pub(crate) const fn times(self, factor: i64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }

    #[inline]
    pub(crate) const fn negative(self) -> Self {
        Self::new(-self.x, -self.y)
    }

    #[inline]
    pub(crate) const fn dot(self, other: Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product. Positive if `other` lies clockwise of this vector.
    #[inline]
    pub(crate) const fn cross(self, other: Self) -> i64 {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub(crate) const fn length_squared(self) -> i64 {
        self.dot(self)
    }

    /// The length, rounded down; exact for all vectors.
    #[inline]
    pub(crate) fn length(self) -> i64 {
        if let (Ok(x), Ok(y)) = (i32::try_from(self.x), i32::try_from(self.y)) {
            let square = |part: i32| u64::from(part.unsigned_abs()).pow(2);
            return isqrt(square(x) + square(y)) as i64;
        }
        let square = |part: i64| u128::from(part.unsigned_abs()).pow(2);
        (square(self.x) + square(self.y)).isqrt() as i64
    }

    /// The vector divided by a positive number, rounded to the nearest.
    #[inline]
    pub(crate) const fn div_round(self, by: i64) -> Self {
        Self::new(div_round(self.x, by), div_round(self.y, by))
    }

    /// The vector of this `length` in the direction of `self`, which is a unit vector.
    #[inline]
    pub(crate) const fn along(self, length: i64) -> Self {
        Self::new(round_unit(self.x * length), round_unit(self.y * length))
    }

    /// The direction and length, or `None` for the zero vector. Components must be below 2^31.
    #[inline]
    pub(crate) fn polar(self) -> Option<Polar> {
        let square = self.length_squared() as u64;
        if square == 0 {
            return None;
        }
        let root = Root::of(square);
        Some(Polar { unit: WideVec::new(share(self.x, root), share(self.y, root)), root })
    }

    /// The vector shortened to at most `longest`, apart from rounding.
    #[inline]
    pub(crate) fn clamp_length(self, longest: i64) -> Self {
        if self.length_squared() <= longest * longest {
            return self;
        }
        match self.polar() {
            Some(polar) => polar.unit.along(longest),
            None => self,
        }
    }
}

/// A vector as direction and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polar {
    /// The unit vector in its direction, of length 2^30.
    pub(crate) unit: WideVec,
    root: Root,
}

impl Polar {
    /// The length, rounded to the nearest.
    #[inline]
    pub(crate) const fn length(&self) -> i64 {
        self.root.rounded()
    }

    /// `part` divided by the length, times 2^30. `part` is at most the length.
    #[inline]
    pub(crate) const fn share(&self, part: i64) -> i64 {
        share(part, self.root)
    }
}

/// `part` divided by `root`, times 2^30. `part` is at most the root, so the product is at most 2^62.
#[inline]
const fn share(part: i64, root: Root) -> i64 {
    ((part << root.shift) * root.inverse + (1 << 31)) >> 32
}

/// `value` divided by 2^30, rounded to the nearest.
#[inline]
pub(crate) const fn round_unit(value: i64) -> i64 {
    (value + (1 << (UNIT_BITS - 1))) >> UNIT_BITS
}

/// `value` divided by a positive number, rounded to the nearest, halves away from zero.
#[inline]
pub(crate) const fn div_round(value: i64, by: i64) -> i64 {
    let half = by / 2;
    if value < 0 { (value - half) / by } else { (value + half) / by }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_length_one_and_lengths_are_correct_at_every_scale() {
        for scale in 0..26 {
            for (x, y) in [(3, 4), (-3, 4), (1, 0), (0, -1), (7, -1), (1, 1), (-5, -12)] {
                let vector = WideVec::new(x << scale, y << scale);
                let Some(polar) = vector.polar() else { panic!("{vector:?} has a direction") };
                let one = (polar.unit.length_squared() as u64).isqrt();
                assert!(one.abs_diff(1 << UNIT_BITS) < 16, "{vector:?} {one}");
                let length = polar.length() as u64;
                assert!(
                    length.abs_diff((vector.length_squared() as u64).isqrt()) <= 1 + (length >> 27),
                    "{vector:?} {length}"
                );
                assert!(polar.unit.cross(vector).unsigned_abs() >> UNIT_BITS <= 1 + (length >> 26));
            }
        }
        assert!(WideVec::ZERO.polar().is_none());
    }

    #[test]
    fn clamped_vectors_keep_their_direction() {
        let clamped = WideVec::new(30_000, -40_000).clamp_length(5_000);
        assert_eq!(clamped, WideVec::new(3_000, -4_000));
        assert_eq!(WideVec::new(3, 4).clamp_length(5), WideVec::new(3, 4));
        assert_eq!(WideVec::ZERO.clamp_length(0), WideVec::ZERO);
    }
}
