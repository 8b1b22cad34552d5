//! How far a goal is at least: the estimate of searches whose goal is a shape.

use super::octile::octile;
use crate::base::CellPos;
use crate::cost::Neighbours;
use crate::query::{Goal, Shape, Side};

/// A lower bound on the length of the way from `at` to `goal` on an empty map, in steps of 1024 and 1448 (or of 1024
/// alone with four neighbours).
///
/// It never overestimates and drops by no more than a step's length per step, so that times the cheapest cell cost it is an
/// estimate with which a search is exact. For points and rectangles, to be in or out of, it is the length itself; for circles
/// and rings it is a little less, since it takes their rims for smooth.
///
/// ```
/// use waymarch::base::{cell, Fixed};
/// use waymarch::cost::Neighbours;
/// use waymarch::query::Goal;
/// use waymarch::search::goal_distance;
///
/// let goal = Goal::circle(cell(10, 10), Fixed::from_cells(4));
/// assert_eq!(goal_distance(&goal, cell(10, 12), Neighbours::Eight), 0);
/// assert_eq!(goal_distance(&goal, cell(10, 24), Neighbours::Eight), 10 * 1023);
/// ```
#[must_use]
pub fn goal_distance(goal: &Goal, at: CellPos, neighbours: Neighbours) -> u64 {
    let shapes = goal.shapes().iter();
    match goal.side() {
        Side::In => shapes.map(|&shape| distance_in(shape, at, neighbours)).min().unwrap_or(0),
        Side::Out => shapes.map(|&shape| distance_out(shape, at)).max().unwrap_or(0),
    }
}

fn distance_in(shape: Shape, at: CellPos, neighbours: Neighbours) -> u64 {
    match shape {
        Shape::Point(to) => octile(at, to, neighbours),
        Shape::Rect(rect) => octile(at, rect.nearest(at), neighbours),
        Shape::Circle { centre, radius } | Shape::Ring { centre, outer: radius, .. } => {
            // No point of the circle is further from its centre than this, measured in steps: its radius in the
            // direction in which steps are worst at going straight, √(1024² + 424²) or √(1024² + 1024²) per cell, rounded up.
            let worst = match neighbours {
                Neighbours::Eight => 1109,
                Neighbours::Four => 1449,
            };
            let reach = (u64::from(radius.raw().unsigned_abs()) * worst).div_ceil(1024);
            octile(at, centre, neighbours).saturating_sub(reach).max(crow(shape.gap(at)))
        }
    }
}

fn distance_out(shape: Shape, at: CellPos) -> u64 {
    let gap = shape.gap_out(at);
    match shape {
        Shape::Point(_) | Shape::Rect(_) => gap,
        Shape::Circle { .. } | Shape::Ring { .. } => crow(gap),
    }
}

/// A straight distance as a bound on steps. A diagonal step covers up to 1449 of a gap that is rounded to 1024ths, but
/// costs 1448; a 1024th less makes good for it.
fn crow(gap: u64) -> u64 {
    // Gaps are under 2^33.
    gap * 1023 / 1024
}
