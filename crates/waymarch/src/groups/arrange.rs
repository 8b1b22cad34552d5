//! From a formation and a group to slots.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::footing::Footing;
use super::formation::{Formation, FormationError, Muster, Shape, Slot};
use super::member::{Member, Packing, moved, offset, turned};
use super::place::{Anywhere, Fitness, Placer, Plan};
use super::shapes::{Ideal, Ranks, spread};
use crate::avoid::Fine;
use crate::base::{Angle, Fixed, spoil};

/// Up to so many members, and where roles differ, [`Formation::Adaptive`] forms rows; more become a round blob.
const ROWS_UP_TO: usize = 32;

/// Scratch: makes slots. Keep one and use it again: it allocates nothing once it has grown.
///
/// Cost: some 2,000 instructions a member on open ground (a thousand in 0.2 ms), five times that where the ground refuses half of
/// the slots (`benches/groups.rs`).
/// See [`Formation`] for an example.
#[derive(Clone, Debug, Default)]
pub struct Formations {
    pub(super) order: Vec<u32>,
    pub(super) ideals: Vec<Ideal>,
    pub(super) placer: Placer,
    /// Slots of one agent and radius, by number, and their places.
    kin: Vec<u32>,
    places: Vec<(Reverse<i64>, Fine)>,
}

impl Formations {
    /// Makes memory ahead of need, for so many members.
    pub(crate) fn make_room(&mut self, members: usize) {
        self.placer.make_room(members);
    }

    /// Fills it with rubbish, as if nobody had been told what to keep clear of next; no answer changes.
    pub(crate) fn poison(&mut self) {
        spoil(&mut self.order, u32::MAX);
        spoil(&mut self.ideals, Ideal::NEAR_CENTRE);
        spoil(&mut self.kin, u32::MAX);
        spoil(&mut self.places, (Reverse(7), Fine::new(7, -7)));
        self.placer.poison();
    }

    /// Writes a slot for each member to `out`: by role, big ones first. Gives the formation that was taken.
    ///
    /// Slots depend on the members' classes and, where the formation is [`Formation::Relative`] or may become so, on where they are;
    /// never on the order in which members are given. No member's slot is named here: that is [`Assignment`](super::Assignment)'s.
    ///
    /// # Errors
    /// [`FormationError`]; with [`FormationError::NoRoom`] there are slots for those who have room.
    pub fn arrange(
        &mut self,
        muster: &Muster<'_>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Shape, FormationError> {
        out.clear();
        let shape = self.ideals_of(muster, members, footing)?;
        let packing = if shape == Shape::Custom { Packing::Tight } else { Packing::Loose };
        self.settle(muster.centre, (muster.gap, packing), members, footing, &Anywhere, out)?;
        self.finish(shape, muster.facing, out);
        Ok(shape)
    }

    /// Slots of the next arrangement keep clear of these places, which others have: those who are there already. Forgotten after it.
    pub fn keep_clear_of(&mut self, places: impl Iterator<Item = (Fine, Fixed)>) {
        self.placer.held.clear();
        self.placer.held.extend(places);
    }

    /// Writes where members would stand on a plain; gives the formation that was taken.
    pub(super) fn ideals_of(
        &mut self,
        muster: &Muster<'_>,
        members: &[Member],
        footing: &impl Footing,
    ) -> Result<Shape, FormationError> {
        muster.check(members)?;
        self.line_up(members);
        let ranks = Ranks { members, order: &self.order, facing: muster.facing, gap: muster.gap };
        let (shape, wide) = choose(muster, &ranks, footing);
        let custom = if let Formation::Custom(places) = muster.formation { places.as_slice() } else { &[] };
        ranks.write(shape, wide, custom, &mut self.ideals);
        Ok(shape)
    }

    /// A last look at slots that have been found.
    pub(super) fn finish(&mut self, shape: Shape, facing: Angle, slots: &mut [Slot]) {
        if shape == Shape::Hex {
            self.sort_roles(facing, slots);
        }
    }

    /// Puts members in order: front roles first, big ones first.
    pub(super) fn line_up(&mut self, members: &[Member]) {
        self.order.clear();
        self.order.extend(0..members.len() as u32);
        self.order.sort_unstable_by_key(|&place| {
            let member = &members[place as usize];
            (member.class(), member.id, place)
        });
    }

    /// Makes slots of the ideals.
    pub(super) fn settle(
        &mut self,
        centre: Fine,
        (gap, packing): (Fixed, Packing),
        members: &[Member],
        footing: &impl Footing,
        fitness: &impl Fitness,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        let plan = Plan { members, order: &self.order, ideals: &self.ideals, centre, gap, packing };
        self.placer.place(&plan, footing, fitness, out)
    }

    /// Lets members of equal size have their places by role, the front ones ahead.
    fn sort_roles(&mut self, facing: Angle, slots: &mut [Slot]) {
        if slots.windows(2).all(|pair| pair[0].role == pair[1].role) {
            return;
        }
        self.kin.clear();
        self.kin.extend(0..slots.len() as u32);
        let kind = |slot: &Slot| (slot.agent, slot.radius);
        self.kin.sort_unstable_by_key(|&number| (kind(&slots[number as usize]), number));
        let ahead = turned(0, -65_536, facing);
        let mut from = 0;
        while from < self.kin.len() {
            let own = kind(&slots[self.kin[from] as usize]);
            let count =
                self.kin[from..].iter().take_while(|&&number| kind(&slots[number as usize]) == own).count();
            let kin = &self.kin[from..from + count];
            self.places.clear();
            self.places.extend(kin.iter().map(|&number| {
                let at = slots[number as usize].at;
                (Reverse(i64::from(at.x) * ahead.0 + i64::from(at.y) * ahead.1), at)
            }));
            self.places.sort_unstable();
            for (&number, &(_, at)) in kin.iter().zip(&self.places) {
                slots[number as usize].at = at;
            }
            from += count;
        }
    }
}

/// The formation to take, and how wide a column is to be, 0 for its own width.
fn choose(muster: &Muster<'_>, ranks: &Ranks<'_>, footing: &impl Footing) -> (Shape, i64) {
    match muster.formation {
        Formation::Relative => (Shape::Relative, 0),
        Formation::Box => (Shape::Box, 0),
        Formation::Line => (Shape::Line, 0),
        Formation::Column => (Shape::Column, 0),
        Formation::Wedge => (Shape::Wedge, 0),
        Formation::Circle => (Shape::Circle, 0),
        Formation::Scatter => (Shape::Scatter, 0),
        Formation::Hex => (Shape::Hex, 0),
        Formation::Custom(_) => (Shape::Custom, 0),
        Formation::Adaptive => adapt(muster, ranks, footing),
    }
}

/// What a player expects. A short way, compared with the group's size: it moves as it stands. Narrow ground, compared with the
/// block it would be: a column as wide as the ground. Otherwise a block, or for many a blob.
fn adapt(muster: &Muster<'_>, ranks: &Ranks<'_>, footing: &impl Footing) -> (Shape, i64) {
    let Some(&first) = ranks.order.first() else { return (Shape::Hex, 0) };
    let (middle, reach) = spread(ranks.members);
    let way = middle.distance_squared(muster.centre).isqrt() as i64;
    if ranks.members.len() > 1 && reach <= ranks.far_flung() && way <= 2 * reach {
        return (Shape::Relative, 0);
    }
    let side = ranks.side();
    let member = &ranks.members[first as usize];
    let free = |turn: Angle, most: i64| free_way(footing, member, muster.centre, muster.facing + turn, most);
    let half = side / 2 + ranks.widest();
    let across = free(Angle::QUARTER, half) + free(-Angle::QUARTER, half);
    let along = free(Angle::ZERO, side) + free(Angle::HALF, side);
    if across * 4 < side * 3 && along > across {
        return (Shape::Column, across.max(1));
    }
    let mixed = ranks.order.iter().any(|&place| ranks.members[place as usize].role != member.role);
    if mixed || ranks.order.len() <= ROWS_UP_TO { (Shape::Box, 0) } else { (Shape::Hex, 0) }
}

/// How far a member could stand from the centre in a direction, in half cells; at most `most`.
fn free_way(footing: &impl Footing, member: &Member, from: Fine, towards: Angle, most: i64) -> i64 {
    let step = i64::from(crate::avoid::FINE_CELL / 2);
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

/// The middle of a group: where its members are on average.
#[must_use]
pub fn middle_of(members: &[Member]) -> Fine {
    spread(members).0
}

/// Which way a group looks that goes from where it is to a place; `otherwise` if it is there.
#[must_use]
pub fn facing_towards(members: &[Member], goal: Fine, otherwise: Angle) -> Angle {
    let (middle, _) = spread(members);
    let (x, y) = offset(middle, goal);
    if (x, y) == (0, 0) { otherwise } else { Angle::atan2((y >> 1) as i32, (x >> 1) as i32) }
}
