//! The octile distance: the distance between two cells on an empty map.

use crate::base::CellPos;
use crate::cost::{DIAGONAL, Neighbours, STRAIGHT};

/// The length of the shortest route from `a` to `b` on an empty map. A straight step counts 1024, a diagonal one 1448; with four
/// neighbours all steps count 1024.
///
/// Times the cheapest cell cost it is an admissible and consistent heuristic. It is exact: nothing is rounded. Within a legal map it is under
/// 2^24, and under 2^32 times any cell cost. Cells off the map do not overflow it either.
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
