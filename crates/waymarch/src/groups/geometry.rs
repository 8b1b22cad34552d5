//! Offsets, rotations and averages of points, in 65,536ths of a cell.

use crate::avoid::Fine;
use crate::base::{Angle, Fixed, WideVec};

/// A length in 65,536ths of a cell.
#[inline]
pub(super) const fn fine(length: Fixed) -> i64 {
    length.to_fine_i64()
}

/// The offset on the ground of a point that is `right` of and `back` behind the origin, for a formation that faces `facing`.
#[inline]
pub(super) fn turned(right: i64, back: i64, facing: Angle) -> (i64, i64) {
    let (cos, sin) = (i64::from(facing.cos_16()), i64::from(facing.sin_16()));
    let round = |value: i64| (value + (1 << 15)) >> 16;
    (round(-right * sin - back * cos), round(right * cos - back * sin))
}

/// The point at an offset from `at`; saturates.
#[inline]
pub(super) fn moved(at: Fine, (x, y): (i64, i64)) -> Fine {
    let add = |part: i32, by: i64| i64::from(part).saturating_add(by);
    WideVec::new(add(at.x, x), add(at.y, y)).fine()
}

/// The offset from one point to another.
#[inline]
pub(super) fn offset(from: Fine, to: Fine) -> (i64, i64) {
    let WideVec { x, y } = from.offset_to(to);
    (x, y)
}

/// The length of an offset, rounded down.
pub(super) fn length((x, y): (i64, i64)) -> i64 {
    WideVec::new(x, y).length()
}

/// The direction of an offset. East for no offset.
pub(super) fn direction((x, y): (i64, i64)) -> Angle {
    Angle::atan2((y >> 1) as i32, (x >> 1) as i32)
}

/// The mean of some points; the origin for none.
pub(super) fn centroid(points: impl Iterator<Item = Fine>) -> Fine {
    let (mut x, mut y, mut count) = (0_i64, 0_i64, 0_i64);
    for at in points {
        x += i64::from(at.x);
        y += i64::from(at.y);
        count += 1;
    }
    if count == 0 { Fine::ZERO } else { Fine::new((x / count) as i32, (y / count) as i32) }
}
