//! The shapes of a goal: which cells belong to them, and how far away they are.

use crate::base::{CellPos, CellRect, Fixed, GridSize};

use super::goal_error::GoalError;

/// Distances along a row or column are capped at 2,097,152 cells, which is more than any radius.
const FAR: u64 = 1 << 21;

/// A set of cells to enter or to leave.
///
/// Radii are in cells with ten fraction bits ([`Fixed`], 1024 to a cell), measured between the middles of cells. A
/// circle of radius 0 is its centre, one of radius 1 has five cells, one of 1.5 has nine. Squared distances are
/// compared as integers, so a cell on the rim belongs to the shape on every machine. A unit wider than one cell is in
/// the shape if the cell of its position is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Shape {
    /// One cell.
    Point(CellPos),
    /// All cells within `radius` of `centre`.
    Circle {
        /// The cell in the middle; it may lie off the map.
        centre: CellPos,
        /// The radius, rim included; not negative.
        radius: Fixed,
    },
    /// All cells at least `inner` and at most `outer` from `centre`: in range, but not too near.
    Ring {
        /// The cell in the middle; it may lie off the map.
        centre: CellPos,
        /// The inner radius, rim included; not negative.
        inner: Fixed,
        /// The outer radius, rim included; not under `inner`.
        outer: Fixed,
    },
    /// All cells of a rectangle.
    Rect(CellRect),
}

/// The squared distance between the middles of two cells, in squared 1024ths of a cell; under 2^64.
fn squared(a: CellPos, b: CellPos) -> u64 {
    let apart = |a: i32, b: i32| u64::from(a.abs_diff(b)).min(FAR);
    let (dx, dy) = (apart(a.x, b.x), apart(a.y, b.y));
    (dx * dx + dy * dy) << (2 * Fixed::BITS)
}

/// The square root, rounded up.
fn root_above(square: u64) -> u64 {
    let root = square.isqrt();
    root + u64::from(root * root < square)
}

/// A radius in 1024ths of a cell. A negative one, which [`Shape::check`] refuses, counts as 0.
fn reach(radius: Fixed) -> u64 {
    u64::try_from(radius.raw()).unwrap_or(0)
}

impl Shape {
    /// Whether `at` belongs to the shape.
    #[must_use]
    pub fn contains(self, at: CellPos) -> bool {
        match self {
            Self::Point(to) => at == to,
            Self::Rect(rect) => rect.contains(at),
            Self::Circle { centre, radius } => squared(at, centre) <= reach(radius).pow(2),
            Self::Ring { centre, inner, outer } => {
                let square = squared(at, centre);
                square >= reach(inner).pow(2) && square <= reach(outer).pow(2)
            }
        }
    }

    /// The straight distance from `at` to the shape in 1024ths of a cell, rounded down; 0 exactly for its own cells.
    #[must_use]
    pub fn gap(self, at: CellPos) -> u64 {
        if self.contains(at) {
            return 0;
        }
        match self {
            Self::Point(to) => squared(at, to).isqrt(),
            Self::Rect(rect) => squared(at, rect.nearest(at)).isqrt(),
            Self::Circle { centre, radius } => beyond(squared(at, centre), reach(radius)),
            Self::Ring { centre, inner, outer } => {
                let square = squared(at, centre);
                let outside = square > reach(outer).pow(2);
                if outside { beyond(square, reach(outer)) } else { within(square, reach(inner)) }
            }
        }
    }

    /// The straight distance from `at` to the nearest place outside, in 1024ths of a cell, rounded down; 0 exactly outside.
    #[must_use]
    pub fn gap_out(self, at: CellPos) -> u64 {
        if !self.contains(at) {
            return 0;
        }
        match self {
            Self::Point(_) => u64::from(Fixed::ONE.raw().unsigned_abs()),
            Self::Rect(CellRect { x0, y0, x1, y1 }) => {
                let west_or_north = at.x.abs_diff(x0).min(at.y.abs_diff(y0));
                let east_or_south = (at.x.abs_diff(x1)).min(at.y.abs_diff(y1));
                u64::from(west_or_north + 1).min(u64::from(east_or_south)) << Fixed::BITS
            }
            Self::Circle { centre, radius } => within(squared(at, centre), reach(radius)),
            Self::Ring { centre, inner, outer } => {
                let square = squared(at, centre);
                let out = within(square, reach(outer));
                // A unit can leave a ring without a hole only outwards.
                if reach(inner) == 0 { out } else { out.min(beyond(square, reach(inner))) }
            }
        }
    }

    /// Checks that the shape is well formed; `number` is its index in the goal, for the error.
    pub(super) fn check(self, number: u32) -> Result<(), GoalError> {
        let not_negative = |radius: Fixed| {
            let wrong = GoalError::NegativeRadius { shape: number, radius };
            if radius < Fixed::ZERO { Err(wrong) } else { Ok(()) }
        };
        match self {
            Self::Point(_) => Ok(()),
            Self::Rect(rect) if rect.is_empty() => Err(GoalError::EmptyRect { shape: number, rect }),
            Self::Rect(_) => Ok(()),
            Self::Circle { radius, .. } => not_negative(radius),
            Self::Ring { inner, outer, .. } if inner > outer => {
                Err(GoalError::InnerAboveOuter { shape: number, inner, outer })
            }
            Self::Ring { inner, .. } => not_negative(inner),
        }
    }

    /// The smallest rectangle of cells that holds the shape.
    #[must_use]
    pub fn bounds(self) -> CellRect {
        match self {
            Self::Point(at) => CellRect::at(at, 1, 1),
            Self::Rect(rect) => rect,
            Self::Circle { centre, radius } | Self::Ring { centre, outer: radius, .. } => {
                let cells = radius.max(Fixed::ZERO).floor_cells();
                CellRect::at(centre, 1, 1).grow(cells, cells)
            }
        }
    }

    /// Whether the shape may have a cell on a map of `size`. For a thin ring this can be true although it has none.
    pub(super) fn touches(self, size: GridSize) -> bool {
        let map = size.rect();
        match self {
            Self::Point(at) => size.contains(at),
            Self::Rect(rect) => !rect.intersect(map).is_empty(),
            Self::Circle { centre, .. } => self.contains(map.nearest(centre)),
            Self::Ring { centre, inner, outer } => {
                let nearest = squared(map.nearest(centre), centre);
                let farthest = corners(size).map(|corner| squared(corner, centre)).into_iter().max();
                nearest <= reach(outer).pow(2) && farthest >= Some(reach(inner).pow(2))
            }
        }
    }

    /// Whether every cell of a map of `size` certainly belongs to the shape.
    pub(super) fn covers(self, size: GridSize) -> bool {
        let convex = match self {
            Self::Ring { inner, .. } => reach(inner) == 0,
            Self::Point(_) | Self::Rect(_) | Self::Circle { .. } => true,
        };
        convex && corners(size).into_iter().all(|corner| self.contains(corner))
    }
}

/// The distance from outside a circle to its rim.
fn beyond(square: u64, radius: u64) -> u64 {
    square.isqrt().saturating_sub(radius).max(1)
}

/// The distance from inside a circle to its rim.
fn within(square: u64, radius: u64) -> u64 {
    radius.saturating_sub(root_above(square)).max(1)
}

/// The four corner cells of a map.
fn corners(size: GridSize) -> [CellPos; 4] {
    let (east, south) = (size.width() as i32 - 1, size.height() as i32 - 1);
    [(0, 0), (east, 0), (0, south), (east, south)].map(|(x, y)| CellPos::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    fn circle(radius: i32) -> Shape {
        Shape::Circle { centre: cell(0, 0), radius: Fixed::from_raw(radius) }
    }

    fn count(shape: Shape) -> usize {
        CellRect::at(cell(-9, -9), 19, 19).cells().filter(|&at| shape.contains(at)).count()
    }

    #[test]
    fn circles_grow_with_their_radius_and_own_their_rim() {
        assert_eq!(
            [0, 1023, 1024, 1448, 1449, 2048].map(|radius| count(circle(radius))),
            [1, 1, 5, 5, 9, 13]
        );
        let ring = Shape::Ring { centre: cell(0, 0), inner: Fixed::ONE, outer: Fixed::from_cells(2) };
        assert_eq!(count(ring), 12);
    }

    #[test]
    fn the_gap_is_0_exactly_inside_and_the_gap_out_is_0_exactly_outside() {
        let (centre, third) = (cell(1, -2), Fixed::from_raw(3413));
        let shapes = [
            Shape::Point(cell(2, 3)),
            Shape::Rect(CellRect::at(cell(-3, -2), 4, 6)),
            Shape::Circle { centre, radius: third },
            Shape::Ring { centre, inner: Fixed::from_raw(1500), outer: third },
            Shape::Ring { centre, inner: Fixed::ZERO, outer: third },
        ];
        for shape in shapes {
            for at in CellRect::at(cell(-9, -9), 19, 19).cells() {
                assert_eq!(shape.gap(at) == 0, shape.contains(at), "{shape:?} {at}");
                assert_eq!(shape.gap_out(at) == 0, !shape.contains(at), "{shape:?} {at}");
            }
        }
    }

    #[test]
    fn gaps_are_straight_lines() {
        assert_eq!(circle(2048).gap(cell(5, 0)), 3 * 1024);
        assert_eq!(circle(2048).gap(cell(3, 4)), 3 * 1024);
        assert_eq!(circle(2048).gap_out(cell(0, 0)), 2 * 1024);
        assert_eq!(Shape::Point(cell(0, 0)).gap(cell(1, 1)), 1448);
        let rect = Shape::Rect(CellRect::at(cell(0, 0), 10, 4));
        assert_eq!([cell(5, 0), cell(5, 2), cell(8, 1)].map(|at| rect.gap_out(at)), [1024, 2048, 2048]);
        assert_eq!(rect.gap(cell(12, 7)), 5 * 1024, "from its corner at (9, 3)");
    }

    #[test]
    fn the_ends_of_the_number_range_do_not_overflow() {
        let ends = [i32::MIN, -1, 0, i32::MAX];
        let all = CellRect { x0: i32::MIN, y0: i32::MIN, x1: i32::MAX, y1: i32::MAX };
        for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| (x, y))) {
            let centre = cell(x, y);
            for shape in [
                Shape::Point(centre),
                Shape::Rect(all),
                Shape::Rect(CellRect { x0: i32::MAX, x1: i32::MIN, ..all }),
                Shape::Circle { centre, radius: Fixed::MAX },
                Shape::Ring { centre, inner: Fixed::MIN, outer: Fixed::MAX },
                Shape::Ring { centre, inner: Fixed::MAX, outer: Fixed::MAX },
            ] {
                for at in [cell(0, 0), cell(i32::MIN, i32::MAX), cell(i32::MAX, i32::MAX)] {
                    let _ = (shape.gap(at), shape.gap_out(at), shape.bounds());
                }
            }
        }
    }
}
