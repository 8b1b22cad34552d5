//! The direction in which a unit should go from where it is.

use crate::base::{Dir8, Fixed, Vec2};

/// The longer side of a heading is 1023/1024 of a cell. A unit that goes this far enters at most one other column and one other
/// row of cells.
pub(super) const REACH: i64 = 1023;

/// The direction in which a unit should go.
///
/// For [`Heading::Arrived`] and [`Guide::Inward`], `direction` leads exactly to the middle of the unit's cell, and the unit must not go farther.
/// Otherwise only the direction of `direction` counts: use `direction.with_length(speed)` as the velocity. A unit that goes straight on for up to one
/// cell enters open cells only, by legal steps.
///
/// If the step rule lets units cut corners, `direction` may lead exactly over a corner. A velocity rounded to 1024ths may then end in the closed cell
/// beside it. The caller must keep such a unit in its cell for that tick. If corners must not be cut, this does not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// Go in this direction.
    Go {
        /// The direction.
        direction: Vec2,
        /// What it follows.
        by: Guide,
    },
    /// The unit is in the goal's cell.
    Arrived {
        /// The vector to the middle of the cell.
        direction: Vec2,
    },
    /// There is no direction to go.
    Nowhere(NoHeading),
}

/// What a heading follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guide {
    /// The directions of the four nearest cells, blended.
    Field,
    /// The direction of the unit's own cell: the blend would lead the unit into a closed cell.
    Cell,
    /// The goal, which is visible from here.
    Sight,
    /// A door towards the goal: the search has not reached this room yet.
    Door,
    /// The middle of the unit's own cell, and no further: from here the unit would touch the corner that it has to pass.
    Inward,
}

/// Why there is no heading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum NoHeading {
    /// There is no such flow.
    #[error("there is no such flow")]
    UnknownFlow,
    /// The unit is not on the map.
    #[error("the unit is not on the map")]
    OffMap,
    /// The unit cannot stand where it is.
    #[error("the unit's cell is closed to its locomotor and size")]
    Closed,
    /// The unit left the corridor. It needs a route from here.
    #[error("the unit is outside of the flow's corridor: widen the flow by a route from here")]
    OffCorridor,
    /// The search has not reached this room, and no route of the flow leads out of it.
    #[error("the flow knows no door out of this room yet: widen the flow by a route from here")]
    NoDoor,
    /// The map was edited, and the flow has not followed yet.
    #[error("the map was edited: call `prepare` first")]
    Edited,
    /// No route leads from here to the goal within the corridor.
    #[error("no route leads from here to the goal within the flow's corridor")]
    NoRoute,
}

impl NoHeading {
    /// Renamed to [`NoHeading::NoRoute`].
    #[deprecated(since = "0.2.0", note = "renamed to `NoRoute`")]
    #[allow(non_upper_case_globals, reason = "it has the name of the variant it replaces")]
    pub const NoWay: Self = Self::NoRoute;
}

/// A point within a cell, and the legal steps from the cell.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// The offset from the cell's north-west corner, in 1024ths of a cell.
    x: i64,
    y: i64,
    legal: u8,
}

impl Spot {
    #[inline]
    pub(super) fn new(at: Vec2, legal: u8) -> Self {
        let within = |at: Fixed| i64::from(at.raw() & 1023);
        Self { x: within(at.x), y: within(at.y), legal }
    }

    #[inline]
    pub(super) fn may(&self, dir: Dir8) -> bool {
        self.legal >> dir.index() & 1 == 1
    }

    /// Whether a step in this direction is legal. Direction 8 means staying, which is always legal.
    #[inline]
    pub(super) fn may_or_stays(&self, dir: u8) -> bool {
        (u32::from(self.legal) | 1 << 8) >> (dir & 15) & 1 == 1
    }

    /// A direction scaled so that its longer side is [`REACH`]; `None` for the zero vector.
    #[inline]
    pub(super) fn scaled(x: i64, y: i64) -> Option<(i64, i64)> {
        let longest = x.abs().max(y.abs());
        if longest == 0 {
            return None;
        }
        if longest < 1 << 21 {
            // The same in 32 bits: the division takes half the time.
            let (x, y, longest) = (x as i32, y as i32, longest as i32);
            let (x, y) = (x * REACH as i32 / longest, y * REACH as i32 / longest);
            return Some((i64::from(x), i64::from(y)));
        }
        Some((x * REACH / longest, y * REACH / longest))
    }

    /// Whether a unit may go this far straight on: it changes cells by legal steps only.
    #[inline]
    pub(super) fn is_clear(&self, (x, y): (i64, i64)) -> bool {
        let leaves = |at: i64, by: i64| i32::from(at + by > 1023) - i32::from(at + by < 0);
        let (side_x, side_y) = (leaves(self.x, x), leaves(self.y, y));
        let Some(last) = Dir8::from_delta(side_x, side_y) else { return true };
        if !self.may(last) {
            return false;
        }
        if !last.is_diagonal() {
            return true;
        }
        // Which border the unit crosses first: compare the distances to both, weighted by speed.
        let until = |at: i64, side: i32| if side > 0 { 1024 - at } else { at };
        let (first_x, first_y) = (until(self.x, side_x) * y.abs(), until(self.y, side_y) * x.abs());
        match first_x.cmp(&first_y) {
            core::cmp::Ordering::Less => Dir8::from_delta(side_x, 0).is_some_and(|dir| self.may(dir)),
            core::cmp::Ordering::Greater => Dir8::from_delta(0, side_y).is_some_and(|dir| self.may(dir)),
            core::cmp::Ordering::Equal => true,
        }
    }

    /// Heads for the next cell in a legal direction.
    pub(super) fn step(&self, dir: Dir8, by: Guide) -> Heading {
        let (dx, dy) = (i64::from(dir.dx()), i64::from(dir.dy()));
        let middle = (512 - self.x, 512 - self.y);
        let next = Self::scaled(middle.0 + 1024 * dx, middle.1 + 1024 * dy);
        if let Some(next) = next.filter(|&next| self.is_clear(next)) {
            return go(next, by);
        }
        // A corner that may be cut: go exactly over it and beyond, because the corner point itself may belong to a closed cell.
        let corner = (middle.0 + 512 * dx, middle.1 + 512 * dy);
        let longest = corner.0.abs().max(corner.1.abs());
        if corner.0 * dx > 0 && corner.1 * dy > 0 && longest <= REACH {
            let times = REACH / longest + 1;
            return go((corner.0 * times, corner.1 * times), by);
        }
        go(middle, Guide::Inward)
    }
}

/// A heading in direction `(x, y)`.
#[inline]
pub(super) fn go((x, y): (i64, i64), by: Guide) -> Heading {
    Heading::Go { direction: Vec2::new(Fixed::saturate(x), Fixed::saturate(y)), by }
}
