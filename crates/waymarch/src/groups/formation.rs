//! What a group is told to look like, and what comes of it: slots.

use alloc::vec::Vec;

use super::member::{MAX_GAP, MAX_MEMBERS, MAX_RADIUS, Member, Role};
use crate::avoid::Fine;
use crate::base::{Agent, Angle, Fixed};
use crate::config::FormationType;

/// How a group stands when it is where it was sent.
///
/// Whatever the formation, slots are never nearer to each other than [`room_between`](super::room_between) says, and lie only
/// where their members can stop and get to. Where the ground refuses a slot, its member stands as near to it as it can.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::{Angle, Dir8, Fixed, cell};
/// use waymarch::groups::{Formation, Formations, Member, Muster, OpenFooting, Role};
///
/// let members: Vec<Member> = (0..12)
///     .map(|id| Member {
///         id,
///         at: Fine::centre(cell(id as i32, 0)),
///         radius: Fixed::from_raw(400),
///         role: if id < 4 { Role::Back } else { Role::Middle },
///         ..Member::default()
///     })
///     .collect();
/// let muster = Muster { formation: &Formation::Box, centre: Fine::centre(cell(30, 40)), facing: Dir8::N.into(), gap: Fixed::ZERO };
/// let mut slots = Vec::new();
/// Formations::default().arrange(&muster, &members, &OpenFooting, &mut slots)?;
/// assert_eq!(slots.len(), 12);
/// assert!(slots.iter().filter(|slot| slot.rank == 0).count() == 4, "four abreast");
/// let rear = slots.iter().map(|slot| slot.at.y).max().unwrap();
/// assert!(slots.iter().all(|slot| (slot.role == Role::Back) == (slot.at.y == rear)), "they face north, the rear is south");
/// # Ok::<(), waymarch::groups::FormationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Formation {
    /// What suits the group and the ground: see [`Shape`] for what it can come to.
    #[default]
    Adaptive,
    /// The shape the group has now, moved; drawn together where it is far-flung.
    Relative,
    /// About as wide as deep.
    Box,
    /// Abreast, one rank up to 63 members, more for more.
    Line,
    /// One behind the other, one file up to 63 members, more for more.
    Column,
    /// A triangle, its tip ahead.
    Wedge,
    /// A ring that is empty within, several members thick for many.
    Circle,
    /// Far apart and out of line.
    Scatter,
    /// As tight as can be, round.
    Hex,
    /// Places of one's own: offsets for somebody who faces north, `x` to the right and `y` to the back, for the members by role, big ones
    /// first. Members beyond the list stand around the centre.
    Custom(Vec<Fine>),
}

impl From<FormationType> for Formation {
    fn from(named: FormationType) -> Self {
        match named {
            FormationType::Adaptive => Self::Adaptive,
            FormationType::Relative => Self::Relative,
            FormationType::Box => Self::Box,
            FormationType::Line => Self::Line,
            FormationType::Column => Self::Column,
            FormationType::Wedge => Self::Wedge,
            FormationType::Circle => Self::Circle,
            FormationType::Scatter => Self::Scatter,
            FormationType::Hex => Self::Hex,
        }
    }
}

/// A formation that was taken: what [`Formation::Adaptive`] chose, or the one that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// The group's own shape.
    Relative,
    /// A block.
    Box,
    /// A line abreast.
    Line,
    /// A file, as wide as the ground is.
    Column,
    /// A wedge.
    Wedge,
    /// A ring.
    Circle,
    /// Far apart.
    Scatter,
    /// A round blob.
    Hex,
    /// A list of places.
    Custom,
}

/// Where and how a group is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Muster<'a> {
    /// How.
    pub formation: &'a Formation,
    /// The middle of it.
    pub centre: Fine,
    /// Which way it looks.
    pub facing: Angle,
    /// Room between members beyond what they need: 0..=[`MAX_GAP`].
    pub gap: Fixed,
}

/// Whether a slot is where the formation has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fit {
    /// It is.
    Ideal,
    /// The ground, or another slot, did not let it; it is as near as could be.
    Moved,
}

/// A place for one member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slot {
    /// Where.
    pub at: Fine,
    /// For whom: members of this agent, this radius and this role.
    pub agent: Agent,
    /// See `agent`.
    pub radius: Fixed,
    /// See `agent`.
    pub role: Role,
    /// Which row, from the front; which ring, from the outside.
    pub rank: u16,
    /// Which place in the row, from the left; round the ring.
    pub file: u16,
    /// Whether it is where the formation has it.
    pub fit: Fit,
}

/// Why there are no slots, or not for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormationError {
    /// Too many members.
    #[error("{0} members are more than {MAX_MEMBERS}")]
    TooMany(usize),
    /// A member of an impossible size.
    #[error("member {id} has a radius of {radius}, it must be 0..={MAX_RADIUS}")]
    Radius {
        /// Whose.
        id: u32,
        /// Its radius.
        radius: Fixed,
    },
    /// A gap out of range.
    #[error("a gap of {0} is not in 0..={MAX_GAP}")]
    Gap(Fixed),
    /// A centre far off any map.
    #[error("the centre ({}, {}) is further from the origin than any map reaches", .0.x >> 16, .0.y >> 16)]
    Centre(Fine),
    /// The ground around the place has no room for all. The slots of those who have room are given.
    #[error("there is room for {placed} members of {wanted} only; the first without is {id}")]
    NoRoom {
        /// How many slots were found.
        placed: u32,
        /// How many members there are.
        wanted: u32,
        /// A member without a slot.
        id: u32,
    },
}

/// The furthest a centre can be from the origin: twice the side of the largest map.
const FURTHEST: i32 = 1 << 30;

impl Muster<'_> {
    /// Whether slots can be made of it at all.
    pub(super) fn check(&self, members: &[Member]) -> Result<(), FormationError> {
        if members.len() > MAX_MEMBERS {
            return Err(FormationError::TooMany(members.len()));
        }
        if self.gap < Fixed::ZERO || self.gap > MAX_GAP {
            return Err(FormationError::Gap(self.gap));
        }
        if self.centre.x.unsigned_abs() > FURTHEST as u32 || self.centre.y.unsigned_abs() > FURTHEST as u32 {
            return Err(FormationError::Centre(self.centre));
        }
        match members.iter().find(|member| member.radius < Fixed::ZERO || member.radius > MAX_RADIUS) {
            Some(&Member { id, radius, .. }) => Err(FormationError::Radius { id, radius }),
            None => Ok(()),
        }
    }
}
