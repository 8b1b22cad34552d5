//! A unit's part in a group: its formation slot, its lane, and how far it has come along the group's route.

use crate::base::{Angle, Fine, Id, persist_choices, persist_fields};
use crate::groups::LanePlace;

/// What a [`GroupId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupTag {}

/// The id of a group: units that were given one order together.
pub type GroupId = Id<GroupTag>;

/// World: which of its group's two routes a unit follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Branch {
    /// The route that the group set out on.
    #[default]
    Main,
    /// The alternate route around a congested gate.
    Alternate,
}

/// World: what a unit sees of the point it heads for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    /// The unit has not looked yet.
    Unknown,
    /// The straight line to the unit's place in its next gate, or to its formation slot, is open.
    Clear,
    /// Closed ground lies on that line.
    Hidden,
    /// Closed ground lies on that line, but the line to the point where the group's centre crosses the gate is open.
    Taut,
    /// Closed ground lies on that line, and the unit's own route leads back through a gate that it has passed. The unit
    /// needs another route.
    Lost,
    /// The line to the formation slot is open, and the unit skipped the gates before it.
    Ahead,
}

impl Visibility {
    /// Whether the line to the point that the unit heads for is open.
    pub(crate) fn is_clear(self) -> bool {
        matches!(self, Self::Clear | Self::Ahead)
    }
}

/// World: how far a unit has come along its group's route. The one owner of branch, next gate and visibility.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RouteProgress {
    /// Which of the group's routes the unit follows.
    branch: Branch,
    /// The number of the gate that the unit crosses next; the number of gates once it has crossed them all.
    gate: u16,
    /// What the unit saw of its place in that gate, or of its formation slot, when it last looked.
    visibility: Visibility,
    /// The gate at which the unit last asked for another route because it was [`Visibility::Lost`]. It asks once per
    /// gate, since the new route may lead back as well.
    lost: Option<u16>,
}

impl RouteProgress {
    /// The progress of a unit that starts on a branch before a gate, and has not looked yet.
    pub(crate) const fn start(branch: Branch, gate: u16) -> Self {
        Self { branch, gate, visibility: Visibility::Unknown, lost: None }
    }

    /// Which of the group's routes the unit follows.
    #[inline]
    pub(crate) const fn branch(&self) -> Branch {
        self.branch
    }

    /// The number of the gate that the unit crosses next; the number of gates once it has crossed them all.
    #[inline]
    pub(crate) const fn gate(&self) -> u16 {
        self.gate
    }

    /// What the unit saw of the point it heads for, when it last looked.
    #[inline]
    pub(crate) const fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Whether the unit has already requested another route at this gate because it was [`Visibility::Lost`].
    #[inline]
    pub(crate) fn was_lost_here(&self) -> bool {
        self.lost == Some(self.gate)
    }

    /// Notes what the unit sees of the point it heads for.
    #[inline]
    pub(crate) fn see(&mut self, visibility: Visibility) {
        self.visibility = visibility;
    }

    /// Notes that the unit has crossed a gate.
    #[inline]
    pub(crate) fn pass_gate(&mut self, number: u16) {
        self.gate = number + 1;
    }

    /// Skips all gates of a route with `count` gates, because the unit sees its formation slot.
    #[inline]
    pub(crate) fn skip_gates(&mut self, count: u16) {
        self.gate = count;
    }

    /// Resumes the gates that the unit skipped, from the last one back as far as `is_ahead` holds.
    pub(crate) fn resume_gates(&mut self, is_ahead: impl Fn(u16) -> bool) {
        while self.gate > 0 && is_ahead(self.gate - 1) {
            self.gate -= 1;
        }
    }

    /// Notes that the unit requests another route at this gate because it is [`Visibility::Lost`].
    pub(crate) fn note_lost(&mut self) {
        self.lost = Some(self.gate);
    }

    /// Continues on the same branch from another gate. The unit looks again.
    pub(crate) fn resume_at(&mut self, gate: u16) {
        *self = Self::start(self.branch, gate);
    }

    /// Changes to another branch, before one of its gates. The unit looks again.
    pub(crate) fn switch_to(&mut self, branch: Branch, gate: u16) {
        *self = Self::start(branch, gate);
    }

    /// Moves a unit that came by another branch to the main route, past the gates before `gate`. It does not look again.
    pub(crate) fn move_to_main(&mut self, gate: u16) {
        (self.branch, self.gate) = (Branch::Main, gate);
    }

    /// Follows the removal of gates at the end of the route: `count` gates are left.
    pub(crate) fn clamp_gate(&mut self, count: u16) {
        self.gate = self.gate.min(count);
    }
}

/// World: a unit's part in a group. It outlives the group: a unit that has arrived keeps its slot and its facing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Membership {
    pub(crate) group: GroupId,
    /// The formation slot: the final position of the unit's centre.
    pub(crate) slot: Fine,
    /// The unit's place across and along the group while it moves.
    pub(crate) lane: LanePlace,
    pub(crate) route: RouteProgress,
    /// The facing that the unit takes in its slot; `None` if the order names none.
    pub(crate) facing: Option<Angle>,
}

persist_choices! {
    Branch { Main, Alternate }
    Visibility { Unknown, Clear, Hidden, Taut, Lost, Ahead }
}

persist_fields! {
    RouteProgress { branch: Branch, gate: u16, visibility: Visibility, lost: Option<u16> }
    Membership { group: GroupId, slot: Fine, lane: LanePlace, route: RouteProgress, facing: Option<Angle> }
}
