//! Line segments and rectangles of cells.

use crate::base::{CellRect, Vec2};

/// Whether the segment from `a` to `b` touches a cell of `rect`. The border of `rect` counts; an empty `rect` is never
/// touched.
pub(crate) fn segment_touches(rect: CellRect, a: Vec2, b: Vec2) -> bool {
    if rect.is_empty() {
        return false;
    }
    let raw = |at: Vec2| (i128::from(at.x.raw()), i128::from(at.y.raw()));
    let ((ax, ay), (bx, by)) = (raw(a), raw(b));
    let edge = |cell: i32| i128::from(cell) * 1024;
    let (low, high) = ((edge(rect.x0), edge(rect.y0)), (edge(rect.x1), edge(rect.y1)));
    let beside = ax.max(bx) < low.0 || ax.min(bx) > high.0 || ay.max(by) < low.1 || ay.min(by) > high.1;
    // On which side of the line a corner of the rectangle lies.
    let side = |x: i128, y: i128| ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).signum();
    let sides = [side(low.0, low.1), side(high.0, low.1), side(low.0, high.1), side(high.0, high.1)];
    let one_side = sides.iter().all(|&side| side > 0) || sides.iter().all(|&side| side < 0);
    !beside && !one_side
}
