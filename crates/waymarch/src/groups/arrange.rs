//! From a formation and its members to slots.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::footing::Footing;
use super::formation::{Formation, FormationError, FormationRequest, Shape, Slot};
use super::geometry::{direction, moved, offset, turned};
use super::layout::FormationLayout;
use super::member::{Member, Packing};
use super::placement::{Placer, SlotPlan, Spacing};
use super::shapes::{Extent, Ideal, Ranks, spread};
use super::slot_condition::{Anywhere, SlotCondition};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Angle, Fixed, Scratch, poison_list};

/// [`Formation::Adaptive`] forms rows for up to 32 members, and for groups of mixed roles. Other groups become a round block.
const ROWS_UP_TO: usize = 32;

/// Scratch: makes slots. Keep one and reuse it: it allocates nothing once it has grown. See [`Formation`] for an example.
///
/// Cost: about 2,000 instructions per member on open ground (a thousand members in 0.2 ms), and five times as much where the ground
/// refuses half of the slots (`benches/groups.rs`).
#[derive(Clone, Debug, Default)]
pub struct Formations {
    pub(super) order: Vec<u32>,
    pub(super) ideals: Vec<Ideal>,
    pub(super) placer: Placer,
    /// Indices of slots, by agent and radius.
    same_kind: Vec<u32>,
    places: Vec<(Reverse<i64>, Fine)>,
}

impl Scratch for Formations {
    /// Members of a group.
    type Demand = usize;

    /// The places given to [`Formations::keep_clear_of`] are lost.
    fn poison(&mut self) {
        poison_list(&mut self.order, u32::MAX);
        poison_list(&mut self.ideals, Ideal::NEAR_CENTRE);
        poison_list(&mut self.same_kind, u32::MAX);
        poison_list(&mut self.places, (Reverse(7), Fine::new(7, -7)));
        self.placer.poison();
    }

    fn reserve(&mut self, members: usize) {
        self.placer.reserve(members);
    }
}

impl Formations {
    /// Writes a slot for each member to `out`, by role and then large members first. Returns the formation that was made.
    ///
    /// Slots depend on the classes of members and, for [`Formation::Relative`] and [`Formation::Adaptive`], on their positions. They never
    /// depend on the order of members. Which member takes which slot is decided by [`Assignment`](super::Assignment).
    ///
    /// # Errors
    /// [`FormationError`]. With [`FormationError::NoRoom`], `out` has slots for the members that have room.
    pub fn arrange(
        &mut self,
        request: &FormationRequest<'_>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Shape, FormationError> {
        self.arrange_with_layout(request, &FormationLayout::default(), members, footing, out)
    }

    /// [`Formations::arrange`] with a layout. The spacing of the layout and the gap of the request are added.
    ///
    /// ```
    /// use waymarch::avoid::Fine;
    /// use waymarch::base::{Angle, Fixed, cell};
    /// use waymarch::groups::{Formation, FormationLayout, FormationRequest, Formations, Member, OpenFooting};
    /// let radius = Fixed::from_raw(400);
    /// let members: Vec<Member> = (0..12).map(|id| Member { id, radius, ..Member::default() }).collect();
    /// let (formation, centre) = (&Formation::Line, Fine::centre(cell(30, 40)));
    /// let request = FormationRequest { formation, centre, facing: -Angle::QUARTER, gap: Fixed::ZERO };
    /// let layout = FormationLayout { width: Fixed::from_cells(3), ..FormationLayout::default() };
    /// let mut slots = Vec::new();
    /// Formations::default().arrange_with_layout(&request, &layout, &members, &OpenFooting, &mut slots)?;
    /// assert_eq!(slots.iter().map(|slot| slot.rank).max(), Some(2), "three ranks of four");
    /// # Ok::<(), waymarch::groups::FormationError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormationError`], as [`Formations::arrange`].
    pub fn arrange_with_layout(
        &mut self,
        request: &FormationRequest<'_>,
        layout: &FormationLayout,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Shape, FormationError> {
        out.clear();
        layout.check(request.formation)?;
        let request = &FormationRequest { gap: request.gap + layout.spacing, ..*request };
        let shape = self.ideals_of(request, layout, members, footing)?;
        let packing = if shape == Shape::Custom { Packing::Tight } else { Packing::Loose };
        let spacing = Spacing { centre: request.centre, gap: request.gap, packing };
        self.settle(spacing, members, footing, &Anywhere, out)?;
        self.finish(shape, request.facing, out);
        Ok(shape)
    }

    /// The slots of the next arrangement keep clear of these places of other units. Later arrangements do not.
    pub fn keep_clear_of(&mut self, places: impl Iterator<Item = (Fine, Fixed)>) {
        self.placer.reserved.clear();
        self.placer.reserved.extend(places);
    }

    /// Writes where members would stand on open ground. Returns the formation that was made.
    pub(super) fn ideals_of(
        &mut self,
        request: &FormationRequest<'_>,
        layout: &FormationLayout,
        members: &[Member],
        footing: &impl Footing,
    ) -> Result<Shape, FormationError> {
        request.check(members)?;
        self.sort_members(members);
        let ranks = Ranks { members, order: &self.order, facing: request.facing, gap: request.gap };
        let (shape, wide) = if layout.width > Fixed::ZERO {
            (choose_wide(request.formation), layout.width.to_fine_i64() + ranks.widest())
        } else {
            choose(request, &ranks, footing)
        };
        let custom = if let Formation::Custom(places) = request.formation { places.as_slice() } else { &[] };
        ranks.write(shape, &Extent::of(layout, wide), custom, &mut self.ideals);
        Ok(shape)
    }

    /// Corrects slots after placement: a round block puts front roles in front.
    pub(super) fn finish(&mut self, shape: Shape, facing: Angle, slots: &mut [Slot]) {
        if shape == Shape::Hex {
            self.sort_roles(facing, slots);
        }
    }

    /// Sorts members: front roles first, large members first.
    pub(super) fn sort_members(&mut self, members: &[Member]) {
        self.order.clear();
        self.order.extend(0..members.len() as u32);
        self.order.sort_unstable_by_key(|&index| {
            let member = &members[index as usize];
            (member.class(), member.id, index)
        });
    }

    /// Places the ideals on real ground.
    pub(super) fn settle(
        &mut self,
        spacing: Spacing,
        members: &[Member],
        footing: &impl Footing,
        condition: &impl SlotCondition,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        let plan = SlotPlan { members, order: &self.order, ideals: &self.ideals, spacing };
        self.placer.place(&plan, footing, condition, out)
    }

    /// Exchanges slots of equal agent and radius so that front roles stand in front.
    fn sort_roles(&mut self, facing: Angle, slots: &mut [Slot]) {
        if slots.windows(2).all(|pair| pair[0].role == pair[1].role) {
            return;
        }
        self.same_kind.clear();
        self.same_kind.extend(0..slots.len() as u32);
        let kind = |slot: &Slot| (slot.agent, slot.radius);
        self.same_kind.sort_unstable_by_key(|&number| (kind(&slots[number as usize]), number));
        let ahead = turned(0, -65_536, facing);
        let mut from = 0;
        while from < self.same_kind.len() {
            let own = kind(&slots[self.same_kind[from] as usize]);
            let count = self.same_kind[from..]
                .iter()
                .take_while(|&&number| kind(&slots[number as usize]) == own)
                .count();
            let same = &self.same_kind[from..from + count];
            self.places.clear();
            self.places.extend(same.iter().map(|&number| {
                let at = slots[number as usize].at;
                (Reverse(i64::from(at.x) * ahead.0 + i64::from(at.y) * ahead.1), at)
            }));
            self.places.sort_unstable();
            for (&number, &(_, at)) in same.iter().zip(&self.places) {
                slots[number as usize].at = at;
            }
            from += count;
        }
    }
}

/// The formation to make if the order gives a width: rows. [`FormationLayout::check`] lets no other formation have one.
fn choose_wide(formation: &Formation) -> Shape {
    match formation {
        Formation::Line => Shape::Line,
        Formation::Column => Shape::Column,
        _ => Shape::Box,
    }
}

/// The formation to make, and the width of a column; 0 for its usual width.
fn choose(request: &FormationRequest<'_>, ranks: &Ranks<'_>, footing: &impl Footing) -> (Shape, i64) {
    match request.formation {
        Formation::Relative => (Shape::Relative, 0),
        Formation::Box => (Shape::Box, 0),
        Formation::Line => (Shape::Line, 0),
        Formation::Column => (Shape::Column, 0),
        Formation::Wedge => (Shape::Wedge, 0),
        Formation::Circle => (Shape::Circle, 0),
        Formation::Scatter => (Shape::Scatter, 0),
        Formation::Hex => (Shape::Hex, 0),
        Formation::Custom(_) => (Shape::Custom, 0),
        Formation::Adaptive => adapt(request, ranks, footing),
    }
}

/// The formation that [`Formation::Adaptive`] chooses:
/// - the current positions, if the group moves by at most twice its own reach;
/// - a column as wide as the ground, if the ground is narrower than 3/4 of the block's side;
/// - else rows, or a round block for more than [`ROWS_UP_TO`] members of one role.
fn adapt(request: &FormationRequest<'_>, ranks: &Ranks<'_>, footing: &impl Footing) -> (Shape, i64) {
    let Some(&first) = ranks.order.first() else { return (Shape::Hex, 0) };
    let (middle, reach) = spread(ranks.members);
    let distance = middle.distance_squared(request.centre).isqrt() as i64;
    if ranks.members.len() > 1 && reach <= ranks.far_flung() && distance <= 2 * reach {
        return (Shape::Relative, 0);
    }
    let side = ranks.side();
    let member = &ranks.members[first as usize];
    let free =
        |turn: Angle, most: i64| free_distance(footing, member, request.centre, request.facing + turn, most);
    let half = side / 2 + ranks.widest();
    let across = free(Angle::QUARTER, half) + free(-Angle::QUARTER, half);
    let along = free(Angle::ZERO, side) + free(Angle::HALF, side);
    if across * 4 < side * 3 && along > across {
        return (Shape::Column, across.max(1));
    }
    let mixed = ranks.order.iter().any(|&index| ranks.members[index as usize].role != member.role);
    if mixed || ranks.order.len() <= ROWS_UP_TO { (Shape::Box, 0) } else { (Shape::Hex, 0) }
}

/// How far from a point a member could stand in a direction, in steps of half a cell; at most `most`.
fn free_distance(footing: &impl Footing, member: &Member, from: Fine, towards: Angle, most: i64) -> i64 {
    let step = i64::from(FINE_CELL / 2);
    let mut free = 0;
    while free < most {
        let at = moved(from, turned(0, -(free + step), towards));
        if !footing.is_reachable(member.agent, at.cell())
            || !footing.may_stop(member.agent, member.radius, at)
        {
            break;
        }
        free += step;
    }
    free
}

/// The centre of a group: the mean of its members' positions.
#[must_use]
pub fn middle_of(members: &[Member]) -> Fine {
    spread(members).0
}

/// The direction from a group's centre to `goal`; `otherwise` if the centre is at the goal.
#[must_use]
pub fn facing_towards(members: &[Member], goal: Fine, otherwise: Angle) -> Angle {
    let (middle, _) = spread(members);
    let by = offset(middle, goal);
    if by == (0, 0) { otherwise } else { direction(by) }
}
