//! A question with a goal that is a shape, from one or many starts, within limits.

use core::num::NonZeroU32;

use super::goal::Goal;
use super::limits::{Limits, Turning, WhenUnreachable};
use super::{PathQuery, Threat};
use crate::base::{Agent, CellPos, CellRect, StampId};

/// What is to be overlooked for one question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ignore<'a> {
    /// Stamps that count as not standing: a gate to be opened, a dock to be entered, a building to be razed.
    ///
    /// Meant for a few: every cell under them is held against the whole list.
    pub stamps: &'a [StampId],
}

/// Cells that count as closed for one question: where units stand. In reading order, rows first; a start among them stays open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Occupied<'a>(pub &'a [CellPos]);

impl Occupied<'_> {
    /// The order the cells are to be in.
    #[must_use]
    pub const fn order(at: CellPos) -> (i32, i32) {
        (at.y, at.x)
    }

    /// Whether a cell is one of them.
    #[inline]
    #[must_use]
    pub fn contains(&self, at: CellPos) -> bool {
        !self.0.is_empty() && self.0.binary_search_by_key(&Self::order(at), |&cell| Self::order(cell)).is_ok()
    }
}

/// A question: the cheapest way for `agent` from any of some cells into a goal.
///
/// ```
/// use waymarch::base::{cell, Fixed, LocomotorId};
/// use waymarch::query::{Goal, GoalQuery};
///
/// let (starts, goal) = ([cell(3, 4), cell(9, 4)], Goal::circle(cell(40, 40), Fixed::from_cells(6)));
/// let query = GoalQuery::new(&starts, &goal, LocomotorId(0)).or_nearest().node_limit(5000);
/// assert_eq!(query.limits.nodes.map(|nodes| nodes.get()), Some(5000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoalQuery<'a> {
    /// Where from: the route starts at whichever is best, equal ones being decided as all ties are. At least one; each must
    /// be open to the agent.
    pub from: &'a [CellPos],
    /// Where to. The unit must be able to stop there.
    pub goal: &'a Goal,
    /// For whom.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// How much work it is worth, and what to do without a way.
    pub limits: Limits,
    /// What turning costs.
    pub turning: Turning,
    /// What is to be overlooked.
    pub ignore: Ignore<'a>,
    /// Where units stand.
    pub occupied: Occupied<'a>,
    /// Cells that count as closed too; a start among them stays open.
    pub closed: CellRect,
}

impl<'a> GoalQuery<'a> {
    /// From any of `from` to `goal` for `agent`: no threat, no limits, free turns, nothing overlooked.
    #[must_use]
    pub fn new(from: &'a [CellPos], goal: &'a Goal, agent: impl Into<Agent>) -> Self {
        Self {
            from,
            goal,
            agent: agent.into(),
            threat: Threat::Ignore,
            limits: Limits::default(),
            turning: Turning::default(),
            ignore: Ignore::default(),
            occupied: Occupied::default(),
            closed: CellRect::default(),
        }
    }

    /// What `query` asks, with `goal` in the place of its goal.
    #[must_use]
    pub fn of(query: &'a PathQuery, goal: &'a Goal) -> Self {
        Self::new(core::slice::from_ref(&query.from), goal, query.agent).with_threat(query.threat)
    }

    /// The same, with threat counting or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The same, within other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same, expanding at most `nodes` nodes; 0 for no limit.
    #[must_use]
    pub fn node_limit(mut self, nodes: u32) -> Self {
        self.limits.nodes = NonZeroU32::new(nodes);
        self
    }

    /// The same, going as near as can be when there is no way.
    #[must_use]
    pub fn or_nearest(mut self) -> Self {
        self.limits.when_unreachable = WhenUnreachable::Nearest;
        self
    }

    /// The same, with turns costing something.
    #[must_use]
    pub fn with_turning(mut self, turning: Turning) -> Self {
        self.turning = turning;
        self
    }

    /// The same, around units: `cells` count as closed, in reading order.
    #[must_use]
    pub fn around(mut self, cells: &'a [CellPos]) -> Self {
        self.occupied = Occupied(cells);
        self
    }

    /// The same, with all cells of `closed` closed.
    #[must_use]
    pub fn avoiding(mut self, closed: CellRect) -> Self {
        self.closed = closed;
        self
    }

    /// The same, as if `stamps` did not stand.
    #[must_use]
    pub fn ignoring(mut self, stamps: &'a [StampId]) -> Self {
        self.ignore.stamps = stamps;
        self
    }
}
