//! Goals: a shape to enter, any of several shapes, or shapes to leave.

use alloc::vec::Vec;

use super::goal_error::{GoalError, MAX_SHAPES};
use super::shape::Shape;
use crate::base::{CellPos, CellRect, Fixed, GridSize};

/// Where a unit wants to be. Plain data; [`Goal::validate`] checks it.
///
/// ```
/// use waymarch::base::{cell, CellRect, Fixed};
/// use waymarch::query::{Goal, Shape};
///
/// let in_range = Goal::circle(cell(40, 40), Fixed::from_cells(6));
/// assert!(in_range.contains(cell(46, 40)) && !in_range.contains(cell(45, 45)));
/// let blast = Goal::OutOf(Shape::Rect(CellRect::at(cell(10, 10), 8, 8)));
/// assert!(blast.contains(cell(9, 10)) && !blast.contains(cell(10, 10)));
/// let docks = Goal::AnyOf(vec![Shape::Point(cell(3, 4)), Shape::Point(cell(50, 4))]);
/// assert_eq!(docks.gap(cell(50, 6)), 2 * 1024);
/// ```
#[derive(PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Goal {
    /// In the shape.
    In(Shape),
    /// In at least one of the shapes.
    AnyOf(Vec<Shape>),
    /// Out of the shape.
    OutOf(Shape),
    /// Out of all of the shapes.
    OutOfAll(Vec<Shape>),
}

impl Clone for Goal {
    fn clone(&self) -> Self {
        match self {
            Self::In(shape) => Self::In(*shape),
            Self::AnyOf(shapes) => Self::AnyOf(shapes.clone()),
            Self::OutOf(shape) => Self::OutOf(*shape),
            Self::OutOfAll(shapes) => Self::OutOfAll(shapes.clone()),
        }
    }

    /// Reuses the memory of a list of shapes.
    fn clone_from(&mut self, source: &Self) {
        match (&mut *self, source) {
            (Self::AnyOf(own), Self::AnyOf(shapes)) | (Self::OutOfAll(own), Self::OutOfAll(shapes)) => {
                own.clone_from(shapes);
            }
            _ => *self = source.clone(),
        }
    }
}

/// Whether shapes are to be entered or left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The unit enters one of them.
    In,
    /// The unit leaves all of them.
    Out,
}

impl Goal {
    /// The cell `at`.
    #[must_use]
    pub const fn point(at: CellPos) -> Self {
        Self::In(Shape::Point(at))
    }

    /// All cells within `radius` of `centre`.
    #[must_use]
    pub const fn circle(centre: CellPos, radius: Fixed) -> Self {
        Self::In(Shape::Circle { centre, radius })
    }

    /// All cells at least `inner` and at most `outer` from `centre`.
    #[must_use]
    pub const fn ring(centre: CellPos, inner: Fixed, outer: Fixed) -> Self {
        Self::In(Shape::Ring { centre, inner, outer })
    }

    /// All cells of `rect`.
    #[must_use]
    pub const fn rect(rect: CellRect) -> Self {
        Self::In(Shape::Rect(rect))
    }

    /// The opposite goal: shapes to enter become shapes to leave, and the other way round.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::In(shape) => Self::OutOf(shape),
            Self::OutOf(shape) => Self::In(shape),
            Self::AnyOf(shapes) => Self::OutOfAll(shapes),
            Self::OutOfAll(shapes) => Self::AnyOf(shapes),
        }
    }

    /// The shapes of the goal.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        match self {
            Self::In(shape) | Self::OutOf(shape) => core::slice::from_ref(shape),
            Self::AnyOf(shapes) | Self::OutOfAll(shapes) => shapes,
        }
    }

    /// Whether the shapes are entered or left.
    pub(crate) const fn side(&self) -> Side {
        match self {
            Self::In(_) | Self::AnyOf(_) => Side::In,
            Self::OutOf(_) | Self::OutOfAll(_) => Side::Out,
        }
    }

    /// Whether a unit at `at` has reached the goal.
    #[must_use]
    pub fn contains(&self, at: CellPos) -> bool {
        let mut shapes = self.shapes().iter();
        match self.side() {
            Side::In => shapes.any(|shape| shape.contains(at)),
            Side::Out => !shapes.any(|shape| shape.contains(at)),
        }
    }

    /// The straight distance from `at` to the goal in 1024ths of a cell, rounded down; 0 exactly where the goal is reached.
    ///
    /// For shapes to leave: the greatest distance to the rim of any of them.
    #[must_use]
    pub fn gap(&self, at: CellPos) -> u64 {
        let shapes = self.shapes().iter();
        match self.side() {
            Side::In => shapes.map(|shape| shape.gap(at)).min().unwrap_or(u64::MAX),
            Side::Out => shapes.map(|shape| shape.gap_out(at)).max().unwrap_or(0),
        }
    }

    /// Checks that the goal is well formed and can be reached on a map of `size`.
    ///
    /// # Errors
    /// [`GoalError`] naming the shape and what is wrong with it.
    pub fn validate(&self, size: GridSize) -> Result<(), GoalError> {
        let shapes = self.shapes();
        if shapes.is_empty() {
            return Err(GoalError::Empty);
        }
        if shapes.len() > MAX_SHAPES {
            return Err(GoalError::TooMany(shapes.len()));
        }
        for (&shape, number) in shapes.iter().zip(0..) {
            shape.check(number)?;
            match self.side() {
                Side::In if !shape.touches(size) => return Err(GoalError::OffMap { shape: number, size }),
                Side::Out if shape.covers(size) => return Err(GoalError::WholeMap { shape: number, size }),
                _ => {}
            }
        }
        Ok(())
    }
}

impl From<CellPos> for Goal {
    fn from(at: CellPos) -> Self {
        Self::point(at)
    }
}

impl From<Shape> for Goal {
    fn from(shape: Shape) -> Self {
        Self::In(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn wrong_goals_are_refused_with_the_culprit() {
        let size = GridSize::new(20, 10).unwrap();
        let (centre, one, two) = (cell(5, 5), Fixed::ONE, Fixed::from_cells(2));
        let rect = CellRect { x0: 3, y0: 3, x1: 3, y1: 9 };
        let far = Shape::Circle { centre: cell(30, 5), radius: Fixed::from_cells(10) };
        let here = Shape::Point(centre);
        for (goal, expected) in [
            (Goal::AnyOf(Vec::new()), Err(GoalError::Empty)),
            (Goal::OutOfAll(alloc::vec![here; MAX_SHAPES + 1]), Err(GoalError::TooMany(MAX_SHAPES + 1))),
            (Goal::rect(rect), Err(GoalError::EmptyRect { shape: 0, rect })),
            (Goal::circle(centre, -one), Err(GoalError::NegativeRadius { shape: 0, radius: -one })),
            (
                Goal::AnyOf(alloc::vec![here, Shape::Ring { centre, inner: two, outer: one }]),
                Err(GoalError::InnerAboveOuter { shape: 1, inner: two, outer: one }),
            ),
            (Goal::point(cell(20, 0)), Err(GoalError::OffMap { shape: 0, size })),
            (Goal::In(far), Err(GoalError::OffMap { shape: 0, size })),
            (Goal::OutOf(far), Ok(())),
            (Goal::circle(cell(29, 5), Fixed::from_cells(10)), Ok(())),
            (
                Goal::ring(centre, Fixed::from_cells(16), Fixed::MAX),
                Err(GoalError::OffMap { shape: 0, size }),
            ),
            (Goal::rect(size.rect()).inverse(), Err(GoalError::WholeMap { shape: 0, size })),
            (Goal::rect(size.rect()), Ok(())),
        ] {
            assert_eq!(goal.validate(size), expected, "{goal:?}");
        }
    }

    #[test]
    fn the_inverse_of_any_is_out_of_all() {
        let goal = Goal::AnyOf(alloc::vec![Shape::Point(cell(1, 1)), Shape::Point(cell(1, 2))]);
        let away = goal.clone().inverse();
        for at in CellRect::at(cell(0, 0), 4, 4).cells() {
            assert_ne!(goal.contains(at), away.contains(at));
            assert_eq!(goal.gap(at) == 0, goal.contains(at));
            assert_eq!(away.gap(at) == 0, away.contains(at));
        }
        assert_eq!(away.inverse(), goal);
    }
}
