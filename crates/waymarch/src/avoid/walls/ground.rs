//! What avoidance asks of a map.

use crate::avoid::crowd::KindId;
use crate::base::{CellPos, Fine};
use crate::cost::CostField;

/// Where a unit may stand and how fast it is there: what avoidance asks of a map.
///
/// A unit is a disc. The whole disc stays out of closed cells, unless [`Walls::hull`] returns a smaller radius.
pub trait Walls: Sync {
    /// Whether a unit may touch the cell.
    fn is_open(&self, at: CellPos) -> bool;

    /// Whether a unit may touch every cell of the rectangle between two corners, both included.
    ///
    /// Avoidance calls this for the surroundings of every unit. Most ground has no walls, so an implementation that is
    /// faster than cell by cell pays off.
    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        (low.y..=high.y).all(|y| (low.x..=high.x).all(|x| self.is_open(CellPos::new(x, y))))
    }

    /// The radius of the disc that stays out of closed cells, for a unit of `radius`, both in 65,536ths of a cell.
    ///
    /// The default is the whole radius. It is less where cells count as closed because a big unit does not fit there.
    #[inline]
    fn hull(&self, radius: i32) -> i32 {
        radius
    }

    /// The offset to the unit's centre from its reference point. The cell of the reference point decides where the unit may stand.
    #[inline]
    fn shift(&self) -> Fine {
        Fine::ZERO
    }

    /// How much smaller a closed area is than its cell, on each side, in 65,536ths of a cell. More than 0 where units pass between
    /// closed cells that touch at a corner.
    #[inline]
    fn inset(&self) -> i32 {
        0
    }

    /// The speed factor of the terrain for a unit with its centre at a point, in 1024ths. Independent of the movement
    /// cost. Called once per tick for each unit.
    #[inline]
    fn pace(&self, _middle: Fine) -> u16 {
        1024
    }
}

impl<W: Walls> Walls for &W {
    #[inline]
    fn is_open(&self, at: CellPos) -> bool {
        (**self).is_open(at)
    }

    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        (**self).is_all_open(low, high)
    }

    #[inline]
    fn hull(&self, radius: i32) -> i32 {
        (**self).hull(radius)
    }

    #[inline]
    fn shift(&self) -> Fine {
        (**self).shift()
    }

    #[inline]
    fn inset(&self) -> i32 {
        (**self).inset()
    }

    #[inline]
    fn pace(&self, middle: Fine) -> u16 {
        (**self).pace(middle)
    }
}

/// Closed ground for each kind of unit. If the ground is the same for all kinds, implement [`Walls`] only.
pub trait Grounds: Sync {
    /// The ground of one kind.
    type Of<'a>: Walls
    where
        Self: 'a;

    /// The ground for units of a kind.
    fn of(&self, kind: KindId) -> Self::Of<'_>;

    /// The ground for units of a kind and a team, where gates are open to some teams only. By default it is the same for all teams.
    #[inline]
    fn of_team(&self, kind: KindId, _team: u8) -> Self::Of<'_> {
        self.of(kind)
    }
}

impl<W: Walls> Grounds for W {
    type Of<'a>
        = &'a W
    where
        W: 'a;

    #[inline]
    fn of(&self, _kind: KindId) -> &W {
        self
    }
}

impl Walls for CostField {
    #[inline]
    fn is_open(&self, at: CellPos) -> bool {
        self.is_passable(at)
    }

    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        self.closed_bits().is_clear(low, high)
    }
}

/// Ground without walls or map edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenGround;

impl Walls for OpenGround {
    #[inline]
    fn is_open(&self, _at: CellPos) -> bool {
        true
    }

    #[inline]
    fn is_all_open(&self, _low: CellPos, _high: CellPos) -> bool {
        true
    }
}
