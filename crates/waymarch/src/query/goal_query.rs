//! A query into a goal of any shape, from one or many starts, within limits.

use core::num::NonZeroU32;

use super::goal::Goal;
use super::limits::{Limits, Turning, WhenUnreachable};
use super::{PathQuery, Threat};
use crate::base::{Agent, CellPos, CellRect, StampId};

/// What one query ignores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ignore<'a> {
    /// Stamps that the query treats as removed: a gate to open, a dock to enter, a building to destroy.
    ///
    /// Keep the list short: the search checks every cell under these stamps against the whole list.
    pub stamps: &'a [StampId],
}

/// Cells where units stand. They count as closed for one query, except for start cells. Sorted by row, then by column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Occupied<'a>(pub &'a [CellPos]);

impl Occupied<'_> {
    /// The sort key of a cell.
    #[must_use]
    pub const fn order(at: CellPos) -> (i32, i32) {
        (at.y, at.x)
    }

    /// Whether a unit stands on this cell.
    #[inline]
    #[must_use]
    pub fn contains(&self, at: CellPos) -> bool {
        !self.0.is_empty() && self.0.binary_search_by_key(&Self::order(at), |&cell| Self::order(cell)).is_ok()
    }
}

/// A query for the cheapest route of `agent` from any of several cells into a goal.
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
    /// The starts, at least one. Each must be open to the agent. The route begins at the start with the cheapest route.
    pub from: &'a [CellPos],
    /// The goal. The unit must be able to stop there.
    pub goal: &'a Goal,
    /// The locomotor and size of the unit.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// How much work the query is worth, and what to do when the goal cannot be reached.
    pub limits: Limits,
    /// What turning costs.
    pub turning: Turning,
    /// What the query ignores.
    pub ignore: Ignore<'a>,
    /// Where units stand.
    pub occupied: Occupied<'a>,
    /// More cells that count as closed. Start cells among them stay open.
    pub closed: CellRect,
}

impl<'a> GoalQuery<'a> {
    /// A query from any of `from` to `goal` for `agent`: no threat, no limits, no cost for turns, nothing ignored.
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

    /// The start, agent and threat of `query`, with `goal` as the goal.
    #[must_use]
    pub fn of(query: &'a PathQuery, goal: &'a Goal) -> Self {
        Self::new(core::slice::from_ref(&query.from), goal, query.agent).with_threat(query.threat)
    }

    /// The same query, with threat counted or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The same query, within other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same query, which expands at most `nodes` nodes; 0 for no limit.
    #[must_use]
    pub fn node_limit(mut self, nodes: u32) -> Self {
        self.limits.nodes = NonZeroU32::new(nodes);
        self
    }

    /// The same query, which goes as near as possible when no route leads into the goal.
    #[must_use]
    pub fn or_nearest(mut self) -> Self {
        self.limits.when_unreachable = WhenUnreachable::Nearest;
        self
    }

    /// The same query, with a cost for turns.
    #[must_use]
    pub fn with_turning(mut self, turning: Turning) -> Self {
        self.turning = turning;
        self
    }

    /// The same query, around units that stand on `cells`, which are sorted by row, then by column.
    #[must_use]
    pub fn around(mut self, cells: &'a [CellPos]) -> Self {
        self.occupied = Occupied(cells);
        self
    }

    /// The same query, with all cells of `closed` closed.
    #[must_use]
    pub fn avoiding(mut self, closed: CellRect) -> Self {
        self.closed = closed;
        self
    }

    /// The same query, as if `stamps` did not stand.
    #[must_use]
    pub fn ignoring(mut self, stamps: &'a [StampId]) -> Self {
        self.ignore.stamps = stamps;
        self
    }
}
