//! Points, offsets and velocities in 65,536ths of a cell.

use super::bytes::persist_fields;
use super::cell::CellPos;
use super::fixed::Fixed;
use super::hash::{HashState, StateHasher};
use super::root::isqrt;
use super::vec2::Vec2;
use super::wide_vec::WideVec;

/// The fraction bits of the components of [`Fine`]: 16.
pub const FINE_BITS: u32 = 16;

/// One cell in the scale of [`Fine`]: 65,536.
pub const FINE_CELL: i32 = 1 << FINE_BITS;

/// Positions of units are clamped to ±(2^30 - 1), just under 16,384 cells, so that no difference overflows.
const EDGE: i32 = (1 << 30) - 1;

/// A point, an offset or a velocity per tick, in 65,536ths of a cell: `x` eastwards, `y` southwards. Sums saturate.
///
/// Games use [`Vec2`] for points. This is the scale in which avoidance and formations count. `From` converts both ways.
///
/// [`Vec2`] is too coarse for movement. At 60 ticks per second a slow unit moves by 14/1024 of a cell per tick, and its
/// direction would jump by 4 degrees.
///
/// ```
/// use waymarch::base::{Fine, Vec2};
/// let at = Fine::from(Vec2::from_cells(3, 4));
/// assert_eq!(at, Fine::new(3 << 16, 4 << 16));
/// assert_eq!(Vec2::from(at), Vec2::from_cells(3, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fine {
    /// The component towards the east.
    pub x: i32,
    /// The component towards the south.
    pub y: i32,
}

impl Fine {
    /// The origin, no offset, or standing still.
    pub const ZERO: Self = Self::new(0, 0);

    /// The vector with these components, in 65,536ths of a cell.
    #[inline]
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The centre of a cell; saturates.
    #[must_use]
    pub fn centre(of: CellPos) -> Self {
        let middle = |at: i32| at.saturating_mul(FINE_CELL).saturating_add(FINE_CELL / 2);
        Self::new(middle(of.x), middle(of.y))
    }

    /// The cell that contains the point.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> CellPos {
        CellPos::new(self.x >> FINE_BITS, self.y >> FINE_BITS)
    }

    /// The sum; each component saturates.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.x.saturating_add(other.x), self.y.saturating_add(other.y))
    }

    /// The point at `distance` from this point on the line to `to`; `to` itself if it is nearer.
    #[must_use]
    pub(crate) fn towards(self, to: Self, distance: i32) -> Self {
        let far = isqrt(self.distance_squared(to)) as i64;
        let distance = i64::from(distance);
        if far <= distance {
            return to;
        }
        // `distance` is less than `far`, so the result lies between the two points.
        let part = |from: i32, to: i32| {
            (i64::from(from) + (i64::from(to) - i64::from(from)) * distance / far) as i32
        };
        Self::new(part(self.x, to.x), part(self.y, to.y))
    }

    /// The difference; each component saturates.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self::new(self.x.saturating_sub(other.x), self.y.saturating_sub(other.y))
    }

    /// Whether both components are zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.x == 0 && self.y == 0
    }

    /// The squared distance to another point, in 2^-32 of a cell's area. Exact; saturates only above 2^64 - 1.
    #[inline]
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> u64 {
        let x = self.x.abs_diff(other.x) as u64;
        let y = self.y.abs_diff(other.y) as u64;
        (x * x).saturating_add(y * y)
    }

    /// The distance to another point in 1024ths of a cell, the scale of [`Fixed`], rounded down.
    #[inline]
    pub(crate) const fn distance_fixed(self, other: Self) -> u64 {
        isqrt(self.distance_squared(other)) >> (FINE_BITS - Fixed::BITS)
    }

    /// The point rounded down to 1024ths of a cell, so that it stays in the same cell.
    #[inline]
    pub(crate) const fn floor(self) -> Vec2 {
        /// A shift by 6 bits: from 65,536ths of a cell to 1024ths.
        const DOWN: u32 = FINE_BITS - Fixed::BITS;
        Vec2::new(Fixed::from_raw(self.x >> DOWN), Fixed::from_raw(self.y >> DOWN))
    }

    /// The point clamped to the range of unit positions: just under 16,384 cells from the origin along both axes.
    #[inline]
    #[must_use]
    pub(crate) fn on_plane(self) -> Self {
        let within = |at: i32| at.clamp(-EDGE, EDGE);
        Self::new(within(self.x), within(self.y))
    }

    /// The offset from this point to another; exact.
    #[inline]
    pub(crate) const fn offset_to(self, to: Self) -> WideVec {
        to.wide().minus(self.wide())
    }

    /// The vector with 64-bit components.
    #[inline]
    pub(crate) const fn wide(self) -> WideVec {
        WideVec { x: self.x as i64, y: self.y as i64 }
    }
}

impl WideVec {
    /// The vector as a [`Fine`]; saturates.
    #[inline]
    pub(crate) const fn fine(self) -> Fine {
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

impl From<Vec2> for Fine {
    /// Exact; saturates beyond 32,768 cells.
    #[inline]
    fn from(at: Vec2) -> Self {
        Self::new(at.x.to_fine(), at.y.to_fine())
    }
}

impl From<Fine> for Vec2 {
    /// Rounded to the nearest 1024th of a cell; halves go towards the south-east.
    #[inline]
    fn from(at: Fine) -> Self {
        let coarser = |part: i32| Fixed::from_raw(part.saturating_add(1 << 5) >> (FINE_BITS - Fixed::BITS));
        Self::new(coarser(at.x), coarser(at.y))
    }
}

persist_fields! {
    Fine { x: i32, y: i32 }
}

impl HashState for Fine {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_i32(self.x);
        h.write_i32(self.y);
    }
}

impl Fixed {
    /// The length in 65,536ths of a cell, the scale of [`Fine`]; saturates beyond 32,768 cells.
    #[inline]
    pub(crate) const fn to_fine(self) -> i32 {
        self.raw().saturating_mul(1 << (FINE_BITS - Self::BITS))
    }

    /// The length in 65,536ths of a cell, the scale of [`Fine`]; exact.
    #[inline]
    pub(crate) const fn to_fine_i64(self) -> i64 {
        (self.raw() as i64) << (FINE_BITS - Self::BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vec2_converted_to_fine_and_back_is_unchanged() {
        for raw in [-70_000, -1, 0, 1, 511, 1024, 8_388_608] {
            let at = Vec2::new(Fixed::from_raw(raw), Fixed::from_raw(-raw));
            assert_eq!(Vec2::from(Fine::from(at)), at);
        }
    }

    #[test]
    fn a_wide_vector_saturates_on_both_sides_when_it_becomes_fine() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        for (wide, narrow) in [
            (least - 1, i32::MIN),
            (least, i32::MIN),
            (-5, -5),
            (7, 7),
            (most, i32::MAX),
            (most + 1, i32::MAX),
        ] {
            let [east, south] = [WideVec { x: wide, y: 1 }, WideVec { x: 1, y: wide }].map(WideVec::fine);
            assert_eq!((east, south), (Fine::new(narrow, 1), Fine::new(1, narrow)));
        }
    }
}
