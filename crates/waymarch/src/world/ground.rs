//! The ground as layer 4 sees it: which cells are closed to the body of a unit of a kind.

use super::unit_type::{UnitTypes, shift_of};
use super::units::less;
use crate::avoid::{FINE_CELL, Fine, Grounds, KindId, Walls};
use crate::base::{CellPos, LocomotorId, SizeClass};
use crate::cost::{CornerRule, CostField, CostLayer};

/// The least and the most of a body that keeps clear of walls: everything fits through a gap that its size fits through.
const THINNEST: i32 = FINE_CELL / 16;
const BROADEST: i32 = FINE_CELL / 2 - 48;

/// Where units squeeze between corners, closed ground is this much smaller than its cells, and bodies just fit between two corners:
/// the diagonal of a square of this side, less a little.
const SQUEEZED: i32 = FINE_CELL / 16;
const SQUEEZED_HULL: i32 = 5_784;

/// The ground of a map for the kinds of units of a game.
pub(super) struct KindGrounds<'a> {
    pub(super) layer: &'a CostLayer,
    pub(super) types: &'a UnitTypes,
    pub(super) corners: CornerRule,
}

impl Grounds for KindGrounds<'_> {
    type Of<'b>
        = KindGround<'b>
    where
        Self: 'b;

    #[inline]
    fn of(&self, kind: KindId) -> KindGround<'_> {
        let kind = self.types.list.get(usize::from(kind.0));
        KindGround {
            field: kind.and_then(|kind| self.layer.field(kind.agent)),
            size: kind.map(|kind| kind.agent.size).unwrap_or_default(),
            corners: self.corners,
            paced: kind
                .filter(|_| self.layer.rules().has_speeds())
                .map(|kind| (self.layer, kind.agent.locomotor)),
        }
    }
}

/// The ground of a map for one kind.
///
/// It is the field of the kind's own size that says what is closed, so that no unit gets where its size does not fit. In that field walls
/// are broader by what the size takes, and only the rest of a body has to keep clear of them.
#[derive(Clone, Copy)]
pub(super) struct KindGround<'a> {
    field: Option<&'a CostField>,
    size: SizeClass,
    corners: CornerRule,
    /// Where speeds are to be had, if the rules name any.
    paced: Option<(&'a CostLayer, LocomotorId)>,
}

/// How much of a body of some radius has to keep clear of what is closed in the field of its size.
#[inline]
pub(super) fn hull_of(size: SizeClass, radius: i32, corners: CornerRule) -> i32 {
    if corners == CornerRule::Allow {
        return SQUEEZED_HULL;
    }
    let within = (i32::from(size.side()) - 1) * (FINE_CELL / 2);
    (radius - within).clamp(THINNEST, BROADEST)
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
        if self.corners == CornerRule::Allow { SQUEEZED } else { 0 }
    }

    #[inline]
    fn pace(&self, middle: Fine) -> u16 {
        let Some((layer, locomotor)) = self.paced else { return 1024 };
        // At most 2,560.
        layer.pace(less(middle, shift_of(self.size)).cell(), locomotor).raw() as u16
    }
}
