//! The least distance to a goal: the heuristic of searches whose goal is a shape.

use super::octile::octile;
use crate::base::CellPos;
use crate::cost::Neighbours;
use crate::query::{Goal, Shape, Side};

/// A lower bound on the length of a route from `at` to `goal` on an empty map. A straight step counts 1024, a diagonal one 1448; with
/// four neighbours all steps count 1024.
///
/// The bound is admissible and consistent. So a search is exact if its heuristic is this bound times the cheapest cell
/// cost. For points and rectangles it is the length itself. For circles and rings it is slightly less, because it
/// treats their rims as smooth.
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
            // The greatest length in steps from the centre to the rim. It lies where steps deviate most from a straight
            // line: √(1024² + 424²) or √(1024² + 1024²) per cell of radius, rounded up.
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

/// A lower bound on the length of a route that closes a straight gap, in 1024ths of a cell. Gaps are rounded, so a diagonal step of length
/// 1448 can close a gap of 1449. The factor 1023/1024 corrects that.
fn crow(gap: u64) -> u64 {
    // Gaps are under 2^33.
    gap * 1023 / 1024
}
