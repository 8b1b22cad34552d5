//! Which way a unit should go from where it is.

use crate::base::{Dir8, Fixed, Vec2, WorldPos};

/// How long the longer side of a way is, in 1024ths: so that a unit that goes as far leaves its cell into no more than one other column
/// and one other row of cells.
pub(super) const REACH: i64 = 1023;

/// Which way to go.
///
/// A way's length means nothing but in [`Heading::Arrived`] and for [`Guide::Inward`]: `way.with_length(speed)` is a velocity. A unit that
/// goes on straight for up to a cell enters open cells only, by legal steps only.
///
/// Where corners may be cut, a way may lead exactly over one, and a velocity rounded to whole 1024ths may end right beside it, in a cell that is
/// closed: whoever moves units keeps such a one in its cell for that tick. Where they may not be cut, this does not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// Go.
    Go {
        /// This way.
        way: Vec2,
        /// For this reason.
        by: Guide,
    },
    /// This is the goal's cell.
    Arrived {
        /// What is left to its middle.
        way: Vec2,
    },
    /// There is no way to go.
    Nowhere(NoHeading),
}

/// What a heading follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guide {
    /// The directions of the four nearest cells.
    Field,
    /// The direction of the unit's own cell: the others would lead it into something.
    Cell,
    /// The goal, which is seen from here.
    Sight,
    /// A door towards the goal: the search has not come here yet.
    Door,
    /// The middle of the unit's own cell, no further: from here it would touch the corner it is to pass.
    Inward,
}

/// Why there is no way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum NoHeading {
    /// There is no such flow.
    #[error("there is no such flow")]
    UnknownFlow,
    /// The unit is not on the map.
    #[error("not on the map")]
    OffMap,
    /// The unit cannot stand where it is.
    #[error("closed to this locomotor and size")]
    Closed,
    /// The unit left its corridor: it needs a route from here.
    #[error("outside of the corridor: widen it by a route from here")]
    OffCorridor,
    /// The search has not come to this room, and no route that was given leads out of it.
    #[error("no door is known from here yet: widen the flow by a route from here")]
    NoDoor,
    /// The ground was edited and the flow has not followed yet.
    #[error("the ground was edited: let the flow follow first")]
    Edited,
    /// No way leads from here to the goal within the corridor.
    #[error("no way leads from here to the goal within the corridor")]
    NoWay,
}

/// A place within a cell, and the legal steps from there.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// From the north-west corner of the cell, in 1024ths.
    x: i64,
    y: i64,
    legal: u8,
}

impl Spot {
    #[inline]
    pub(super) fn new(at: WorldPos, legal: u8) -> Self {
        let within = |at: Fixed| i64::from(at.raw() & 1023);
        Self { x: within(at.x), y: within(at.y), legal }
    }

    #[inline]
    pub(super) fn may(&self, dir: Dir8) -> bool {
        self.legal >> dir.index() & 1 == 1
    }

    /// Whether a step in the direction with this number is legal; with 8, which is none, staying is.
    #[inline]
    pub(super) fn may_or_stays(&self, dir: u8) -> bool {
        (u32::from(self.legal) | 1 << 8) >> (dir & 15) & 1 == 1
    }

    /// A direction brought to a common length; `None` for no direction at all.
    #[inline]
    pub(super) fn scaled(x: i64, y: i64) -> Option<(i64, i64)> {
        let longest = x.abs().max(y.abs());
        if longest == 0 {
            return None;
        }
        if longest < 1 << 21 {
            // The same in 32 bits, which are divided in half the time.
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
        // Which border is first: by how far it is, beside how fast it comes.
        let until = |at: i64, side: i32| if side > 0 { 1024 - at } else { at };
        let (first_x, first_y) = (until(self.x, side_x) * y.abs(), until(self.y, side_y) * x.abs());
        match first_x.cmp(&first_y) {
            core::cmp::Ordering::Less => Dir8::from_delta(side_x, 0).is_some_and(|dir| self.may(dir)),
            core::cmp::Ordering::Greater => Dir8::from_delta(0, side_y).is_some_and(|dir| self.may(dir)),
            core::cmp::Ordering::Equal => true,
        }
    }

    /// Towards the next cell in a legal direction.
    pub(super) fn step(&self, dir: Dir8, by: Guide) -> Heading {
        let (dx, dy) = (i64::from(dir.dx()), i64::from(dir.dy()));
        let middle = (512 - self.x, 512 - self.y);
        let next = Self::scaled(middle.0 + 1024 * dx, middle.1 + 1024 * dy);
        if let Some(way) = next.filter(|&way| self.is_clear(way)) {
            return go(way, by);
        }
        // A corner that may be cut: exactly over it and beyond, for the corner itself may belong to a closed cell.
        let corner = (middle.0 + 512 * dx, middle.1 + 512 * dy);
        let longest = corner.0.abs().max(corner.1.abs());
        if corner.0 * dx > 0 && corner.1 * dy > 0 && longest <= REACH {
            let times = REACH / longest + 1;
            return go((corner.0 * times, corner.1 * times), by);
        }
        go(middle, Guide::Inward)
    }
}

/// A heading.
#[inline]
pub(super) fn go((x, y): (i64, i64), by: Guide) -> Heading {
    Heading::Go { way: Vec2::new(Fixed::saturate(x), Fixed::saturate(y)), by }
}
