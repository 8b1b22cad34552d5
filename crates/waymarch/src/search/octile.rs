//! The octile distance: how far two cells are on an empty map.

use crate::base::CellPos;
use crate::cost::{DIAGONAL, Neighbours, STRAIGHT};

/// The length of the shortest way from `a` to `b` on an empty map, in steps of 1024 and 1448 (or of 1024 alone with
/// four neighbours). Times the cheapest cell cost it never overestimates, and it drops by no more than a step's length per step.
///
/// Kept whole: spec 000's formula divides by 1024 before it is done and loses the fraction. Within a legal map it is
/// under 2^24, and under 2^32 times any cell cost; cells off any map do not overflow it either.
#[inline]
#[must_use]
pub const fn octile(a: CellPos, b: CellPos, neighbours: Neighbours) -> u64 {
    let (dx, dy) = (a.x.abs_diff(b.x) as u64, a.y.abs_diff(b.y) as u64);
    match neighbours {
        Neighbours::Four => STRAIGHT as u64 * (dx + dy),
        Neighbours::Eight => {
            let (short, long) = if dx < dy { (dx, dy) } else { (dy, dx) };
            STRAIGHT as u64 * long + (DIAGONAL - STRAIGHT) as u64 * short
        }
    }
}
