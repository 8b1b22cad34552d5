//! The ground for avoidance: which cells are closed to units of a type, and how fast units walk on them.

use crate::avoid::{FINE_CELL, Fine, Grounds, KindId, Walls};
use crate::base::{Agent, CellPos, LocomotorId, SizeClass};
use crate::cost::{CornerRule, CostField, CostLayer};
use crate::world::units::unit_type::{UnitTypes, shift_of};

/// The hull of a unit is at least 1/16 of a cell.
const MIN_HULL: i32 = FINE_CELL / 16;
/// The hull of a unit is at most half a cell less 48/65,536, so that the unit fits through every gap that its size class fits through.
const MAX_HULL: i32 = FINE_CELL / 2 - 48;

/// Under [`CornerRule::Allow`], closed cells are smaller by 1/16 of a cell on each side, so that units fit between two corners.
const ALLOW_INSET: i32 = FINE_CELL / 16;
/// Under [`CornerRule::Allow`], every hull is 5,784/65,536 of a cell: a little less than the diagonal of a square of side [`ALLOW_INSET`] (5,792).
const ALLOW_HULL: i32 = 5_784;

/// The ground of a map for all unit types.
pub(crate) struct KindGrounds<'a> {
    pub(crate) layer: &'a CostLayer,
    pub(crate) types: &'a UnitTypes,
    pub(crate) corners: CornerRule,
}

impl Grounds for KindGrounds<'_> {
    type Of<'b>
        = KindGround<'b>
    where
        Self: 'b;

    #[inline]
    fn of(&self, kind: KindId) -> KindGround<'_> {
        self.of_agent(kind, |agent| agent)
    }

    #[inline]
    fn of_team(&self, kind: KindId, team: u8) -> KindGround<'_> {
        self.of_agent(kind, |agent| self.layer.as_side(agent, team))
    }
}

impl KindGrounds<'_> {
    #[inline]
    fn of_agent(&self, kind: KindId, own: impl Fn(Agent) -> Agent) -> KindGround<'_> {
        let kind = self.types.list.get(usize::from(kind.0));
        KindGround {
            field: kind.and_then(|kind| self.layer.field(own(kind.agent))),
            size: kind.map(|kind| kind.agent.size).unwrap_or_default(),
            corners: self.corners,
            paced: kind
                .filter(|_| self.layer.rules().has_speeds())
                .map(|kind| (self.layer, kind.agent.locomotor)),
        }
    }
}

/// The ground of a map for one unit type.
///
/// The cost field of the type's own size says which cells are closed, so that a unit gets only where its size fits. In that field walls are
/// already thicker for larger sizes. Only the rest of the body, the hull, has to keep clear of them.
#[derive(Clone, Copy)]
pub(crate) struct KindGround<'a> {
    field: Option<&'a CostField>,
    size: SizeClass,
    corners: CornerRule,
    /// The source of terrain speeds; `None` if the rules have none.
    paced: Option<(&'a CostLayer, LocomotorId)>,
}

/// How far the centre of a body keeps from closed cells in the cost field of its size, in 65,536ths of a cell.
#[inline]
pub(crate) fn hull_of(size: SizeClass, radius: i32, corners: CornerRule) -> i32 {
    if corners == CornerRule::Allow {
        return ALLOW_HULL;
    }
    let within = (i32::from(size.side()) - 1) * (FINE_CELL / 2);
    (radius - within).clamp(MIN_HULL, MAX_HULL)
}

impl Walls for KindGround<'_> {
    #[inline]
    fn is_open(&self, at: CellPos) -> bool {
        self.field.is_none_or(|field| field.is_passable(at))
    }

    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        self.field.is_none_or(|field| field.is_all_open(low, high))
    }

    #[inline]
    fn hull(&self, radius: i32) -> i32 {
        hull_of(self.size, radius, self.corners)
    }

    #[inline]
    fn shift(&self) -> Fine {
        shift_of(self.size)
    }

    #[inline]
    fn inset(&self) -> i32 {
        if self.corners == CornerRule::Allow { ALLOW_INSET } else { 0 }
    }

    #[inline]
    fn pace(&self, middle: Fine) -> u16 {
        let Some((layer, locomotor)) = self.paced else { return 1024 };
        // A pace is at most 2,560 (250 per cent).
        layer.pace(middle.minus(shift_of(self.size)).cell(), locomotor).raw() as u16
    }
}
