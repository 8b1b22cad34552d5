//! Who belongs to a group, and how much room each needs.

use crate::avoid::{FINE_BITS, Fine};
use crate::base::{Agent, Angle, Fixed};

/// At most so many members in one group.
pub const MAX_MEMBERS: usize = 8192;

/// The largest radius of a member.
pub const MAX_RADIUS: Fixed = Fixed::from_cells(16);

/// The most room that can be asked for between members.
pub const MAX_GAP: Fixed = Fixed::from_cells(16);

/// Smaller radii are given this much room, so that slots are never the same: 1/16 of a cell.
const LEAST_RADIUS: i64 = 1 << (FINE_BITS - 4);

/// Which rows of a formation a member belongs into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// Before the others.
    Front,
    /// Between them.
    #[default]
    Middle,
    /// Behind the others.
    Back,
}

/// A member of a group: plain data, a copy of what the World knows about a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// A number that no other member has. Breaks ties.
    pub id: u32,
    /// Where it is.
    pub at: Fine,
    /// How it moves and how many cells it needs.
    pub agent: Agent,
    /// How far its body reaches from its middle, up to [`MAX_RADIUS`].
    pub radius: Fixed,
    /// How far it goes in a tick. Only members of equal speed exchange slots on the way.
    pub speed: Fixed,
    /// Which rows it belongs into.
    pub role: Role,
    /// What is left to pay on its way to the group's goal, 0 if nobody knows. Decides who is first through a narrow way.
    pub left: u32,
}

impl Member {
    /// Members of one class can take each other's slots.
    #[inline]
    pub(super) fn class(&self) -> Class {
        Class { role: self.role, wide: core::cmp::Reverse(self.radius), agent: self.agent }
    }
}

/// What decides which slots a member can take; by order: front before back, big before small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Class {
    pub(super) role: Role,
    pub(super) wide: core::cmp::Reverse<Fixed>,
    pub(super) agent: Agent,
}

/// A length in 65,536ths of a cell.
#[inline]
pub(super) const fn fine(length: Fixed) -> i64 {
    (length.raw() as i64) << (FINE_BITS - Fixed::BITS)
}

/// How far apart the middles of two members have to be, in 65,536ths of a cell: their radii and 6 % more, and the gap.
///
/// The 6 % is what a crowd needs in order to come to rest without shoving; tighter slots push each other for ever.
///
/// ```
/// use waymarch::base::Fixed;
/// use waymarch::groups::room_between;
/// let half = Fixed::from_raw(512);
/// assert_eq!(room_between(half, half, Fixed::ZERO), 69_469, "1.06 cells, rounded up");
/// assert_eq!(room_between(half, half, Fixed::ONE), 69_469 + 65_536);
/// ```
#[inline]
#[must_use]
pub const fn room_between(a: Fixed, b: Fixed, gap: Fixed) -> i64 {
    Packing::Loose.between(a, b, gap)
}

/// How much room slots leave between bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// What a crowd needs, see [`room_between`].
    Loose,
    /// A third of that: for places that somebody chose one by one and wants kept.
    Tight,
}

impl Packing {
    pub(super) const fn between(self, a: Fixed, b: Fixed, gap: Fixed) -> i64 {
        let radii = max(fine(a), LEAST_RADIUS) + max(fine(b), LEAST_RADIUS);
        let (more, gap) = match self {
            Self::Loose => (6, max(fine(gap), 0)),
            Self::Tight => (2, 0),
        };
        (radii * (100 + more) + 99) / 100 + gap
    }
}

const fn max(a: i64, b: i64) -> i64 {
    if a > b { a } else { b }
}

/// An offset as seen by somebody who looks along `facing`, `right` of it and `back` behind it, as an offset on the ground.
#[inline]
pub(super) fn turned(right: i64, back: i64, facing: Angle) -> (i64, i64) {
    let (cos, sin) = (i64::from(facing.cos_16()), i64::from(facing.sin_16()));
    let round = |value: i64| (value + (1 << 15)) >> 16;
    (round(-right * sin - back * cos), round(right * cos - back * sin))
}

/// A point so far from another; saturates.
#[inline]
pub(super) fn moved(at: Fine, (x, y): (i64, i64)) -> Fine {
    let add = |part: i32, by: i64| {
        (i64::from(part)).saturating_add(by).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    };
    Fine::new(add(at.x, x), add(at.y, y))
}

/// How far a point lies from another.
#[inline]
pub(super) fn offset(from: Fine, to: Fine) -> (i64, i64) {
    (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y))
}

/// The middle of some points; the origin for none.
pub(super) fn centroid(points: impl Iterator<Item = Fine>) -> Fine {
    let (mut x, mut y, mut count) = (0_i64, 0_i64, 0_i64);
    for at in points {
        x += i64::from(at.x);
        y += i64::from(at.y);
        count += 1;
    }
    if count == 0 { Fine::ZERO } else { Fine::new((x / count) as i32, (y / count) as i32) }
}
