//! The members of a group, and how much room each needs.

use super::geometry::fine;
use crate::avoid::{FINE_BITS, Fine};
use crate::base::{Agent, Fixed};

/// A group has at most 8192 members.
pub const MAX_MEMBERS: usize = 8192;

/// The largest radius of a member: 16 cells.
pub const MAX_RADIUS: Fixed = Fixed::from_cells(16);

/// The largest gap between members that can be asked for: 16 cells.
pub const MAX_GAP: Fixed = Fixed::from_cells(16);

/// Smaller radii count as 1/16 of a cell, so that two slots are never at the same point.
const LEAST_RADIUS: i64 = 1 << (FINE_BITS - 4);

/// The rows of a formation that a member stands in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// The front rows.
    Front,
    /// The rows between front and back.
    #[default]
    Middle,
    /// The rear rows.
    Back,
}

/// A member of a group: plain data, copied from a unit of the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// A number that no other member has. It breaks ties.
    pub id: u32,
    /// Its position.
    pub at: Fine,
    /// Its locomotor and size.
    pub agent: Agent,
    /// The radius of its body, up to [`MAX_RADIUS`].
    pub radius: Fixed,
    /// Its speed per tick. Only members of equal speed exchange slots on the way.
    pub speed: Fixed,
    /// The rows it stands in.
    pub role: Role,
    /// The remaining cost of its route to the group's goal; 0 if unknown. It decides which member goes first through a narrow place.
    pub left: u32,
}

impl Member {
    /// Its class. Members of one class can take each other's slots.
    #[inline]
    pub(super) fn class(&self) -> Class {
        Class { role: self.role, wide: core::cmp::Reverse(self.radius), agent: self.agent }
    }
}

/// Which slots a member can take. Ordered: front before back, large before small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Class {
    pub(super) role: Role,
    pub(super) wide: core::cmp::Reverse<Fixed>,
    pub(super) agent: Agent,
}

/// The least distance between the centres of two members, in 65,536ths of a cell: the sum of their radii plus 6 %, plus the gap.
///
/// With 6 % a crowd comes to rest. Members of tighter slots push each other without end.
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

/// How much room slots leave between members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// 6 % of the radii, which a crowd needs; see [`room_between`].
    Loose,
    /// 2 % of the radii and no gap: for slots that the game chose one by one.
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
