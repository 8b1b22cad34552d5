//! Formations and slots: the request and the result.

use alloc::vec::Vec;

use super::layout::FormationLayoutError;
use super::member::{MAX_GAP, MAX_MEMBERS, MAX_RADIUS, Member, Role};
use crate::avoid::Fine;
use crate::base::{Agent, Angle, Fixed, Vec2};
use crate::config::FormationType;

/// The formation of a group at its goal.
///
/// In every formation, slots are at least [`room_between`](super::room_between) apart, and lie only where their members can stop and get
/// to. Where the ground refuses a slot, the slot moves to the nearest free place.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::{Angle, Dir8, Fixed, cell};
/// use waymarch::groups::{Formation, Formations, Member, FormationRequest, OpenFooting, Role};
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
/// let request = FormationRequest { formation: &Formation::Box, centre: Fine::centre(cell(30, 40)), facing: Dir8::N.into(), gap: Fixed::ZERO };
/// let mut slots = Vec::new();
/// Formations::default().arrange(&request, &members, &OpenFooting, &mut slots)?;
/// assert_eq!(slots.len(), 12);
/// assert!(slots.iter().filter(|slot| slot.rank == 0).count() == 4, "four abreast");
/// let rear = slots.iter().map(|slot| slot.at.y).max().unwrap();
/// assert!(slots.iter().all(|slot| (slot.role == Role::Back) == (slot.at.y == rear)), "they face north, the rear is south");
/// # Ok::<(), waymarch::groups::FormationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Formation {
    /// The engine chooses, by the size of the group, its distance and the ground. [`Formations::arrange`](super::Formations::arrange)
    /// returns the choice.
    #[default]
    Adaptive,
    /// The positions that members have now, moved to the goal; drawn together if they are far apart.
    Relative,
    /// About as wide as deep.
    Box,
    /// Side by side: one rank up to 63 members, two or more for larger groups.
    Line,
    /// One behind the other: one file up to 63 members, two or more for larger groups.
    Column,
    /// A triangle with its tip in front.
    Wedge,
    /// A ring with an empty middle, several members thick for large groups.
    Circle,
    /// Far apart, without rows.
    Scatter,
    /// A tight round block.
    Hex,
    /// The game's own slots: offsets from the centre for a group that faces north, `x` to the right and `y` to the back. Members take
    /// them in order, by role and then large ones first. Members beyond the list stand around the centre.
    Custom(Vec<Fine>),
}

impl Formation {
    /// [`Formation::Custom`] with slots as points: offsets from the centre for a group that faces north.
    ///
    /// ```
    /// use waymarch::{Formation, Vec2};
    /// let pair = Formation::custom([Vec2::from_cells(-1, 0), Vec2::from_cells(1, 0)]);
    /// # assert_ne!(pair, Formation::Line);
    /// ```
    #[must_use]
    pub fn custom(slots: impl IntoIterator<Item = Vec2>) -> Self {
        Self::Custom(slots.into_iter().map(Fine::from).collect())
    }
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

/// The formation that was made: what [`Formation::Adaptive`] chose, or the one that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// The positions that members had.
    Relative,
    /// A block.
    Box,
    /// Side by side.
    Line,
    /// One behind the other, or as wide as narrow ground allows.
    Column,
    /// A wedge.
    Wedge,
    /// A ring.
    Circle,
    /// Far apart.
    Scatter,
    /// A round block.
    Hex,
    /// The game's own slots.
    Custom,
}

/// Where and how a group is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormationRequest<'a> {
    /// The formation.
    pub formation: &'a Formation,
    /// The centre of the formation.
    pub centre: Fine,
    /// The direction it faces.
    pub facing: Angle,
    /// Extra room between members: 0..=[`MAX_GAP`].
    pub gap: Fixed,
}

/// Whether a slot is where the formation puts it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fit {
    /// It is where the formation puts it.
    Ideal,
    /// It was moved to the nearest free place: the ground or another slot was in the way.
    Moved,
}

/// A place in a formation for one member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slot {
    /// Its position.
    pub at: Fine,
    /// A member that takes the slot has this agent, radius and role.
    pub agent: Agent,
    /// See `agent`.
    pub radius: Fixed,
    /// See `agent`.
    pub role: Role,
    /// Its row, counted from the front, or its ring, counted from the outside.
    pub rank: u16,
    /// Its number in the row, counted from the left, or in the ring.
    pub file: u16,
    /// Whether it is where the formation puts it.
    pub fit: Fit,
}

/// Why there are no slots, or too few.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormationError {
    /// The group has more than [`MAX_MEMBERS`] members.
    #[error("a group of {0} members; at most {MAX_MEMBERS} are allowed")]
    TooMany(usize),
    /// A member's radius is negative, or above [`MAX_RADIUS`].
    #[error("member {id} has a radius of {radius} cells; it must be 0..={MAX_RADIUS}")]
    Radius {
        /// The member.
        id: u32,
        /// Its radius.
        radius: Fixed,
    },
    /// The gap is negative, or above [`MAX_GAP`].
    #[error("a gap of {0} cells; it must be 0..={MAX_GAP}")]
    Gap(Fixed),
    /// The centre is farther from the origin than any map reaches.
    #[error("the formation's centre (cell {},{}) is farther from the origin than any map reaches", .0.x >> 16, .0.y >> 16)]
    Centre(Fine),
    /// The layout is out of range, or has no effect on the formation.
    #[error(transparent)]
    Layout(#[from] FormationLayoutError),
    /// The ground around the centre has too little room. Slots are returned for the members that have room.
    #[error("there is room for {placed} of {wanted} members; member {id} is the first without a slot")]
    NoRoom {
        /// The number of slots found.
        placed: u32,
        /// The number of members.
        wanted: u32,
        /// The first member without a slot.
        id: u32,
    },
}

/// A centre is at most 16,384 cells from the origin: twice the side of the largest map.
const FURTHEST: i32 = 1 << 30;

impl FormationRequest<'_> {
    /// Checks the request and the members.
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
