//! A request to the path service: a query, its priority, and how much work its route is worth.

use super::goal::Goal;
use super::limits::WhenUnreachable;
use super::{Asker, Threat};
use crate::base::{Agent, CellPos, CellRect, Vec2};

/// Which units block a route, besides the ground.
///
/// Only units near the start count. Units farther away will have moved before the asking unit gets there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BlockedBy {
    /// No units: only the ground blocks.
    #[default]
    None,
    /// Units that hold their position and give way to no other unit.
    Immovable,
    /// Immovable units and all other units that stand still.
    Stationary,
    /// All units, including moving ones.
    All,
}

/// How much work a route is worth.
///
/// Decide this by the rules of the game. Never decide it by what a camera shows: that differs between players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Detail {
    /// The cheapest route, smoothed.
    #[default]
    Full,
    /// A route over doors, walked cell by cell, not smoothed.
    Simplified,
    /// No search: the route is a straight line to the goal. Whether the goal can be reached is still checked.
    Direct,
}

/// In which order requests are served.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Priority {
    /// Served after all others. A part of the work goes to the oldest request, so a low request does not wait forever.
    Low,
    /// The usual priority.
    #[default]
    Normal,
    /// Served before all others: for a player's own click.
    High,
}

impl Priority {
    /// All priorities, from the first served to the last.
    pub const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];
}

/// Whether a request may share a flow field with other requests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Company {
    /// A flow field answers the request if enough requests go to the same place.
    #[default]
    Flow,
    /// The request always gets a route of its own.
    Alone,
}

/// A request for a route from a position into a goal.
///
/// ```
/// use waymarch::base::{cell, LocomotorId};
/// use waymarch::query::{PathAsk, Priority};
/// let ask = PathAsk::new(cell(3, 4).centre(), cell(90, 40), LocomotorId(0)).with_priority(Priority::High).or_nearest();
/// assert_eq!(ask.priority, Priority::High);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PathAsk {
    /// The start.
    pub from: Vec2,
    /// The goal.
    pub goal: Goal,
    /// The locomotor and size of the unit.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// Which units block the route.
    pub blocked_by: BlockedBy,
    /// How much work the route is worth.
    pub detail: Detail,
    /// The order in which requests are served.
    pub priority: Priority,
    /// What to do when no route leads into the goal.
    pub when_unreachable: WhenUnreachable,
    /// Whether a flow field may answer the request.
    pub company: Company,
    /// Cells that count as closed for this request; empty for none.
    pub avoid: CellRect,
    /// The unit and player that the route is for, for a planner of the game that [heeds them](crate::planners::Planner::heeds_asker).
    pub asker: Asker,
}

impl PathAsk {
    /// A request from `from` to the middle of `to`: blocked by ground only, full detail, threat ignored. It fails if there is no route.
    #[must_use]
    pub fn new(from: Vec2, to: CellPos, agent: impl Into<Agent>) -> Self {
        Self::to_goal(from, Goal::point(to), agent)
    }

    /// [`PathAsk::new`] for a goal of any shape.
    #[must_use]
    pub fn to_goal(from: Vec2, goal: Goal, agent: impl Into<Agent>) -> Self {
        Self {
            from,
            goal,
            agent: agent.into(),
            threat: Threat::Ignore,
            blocked_by: BlockedBy::None,
            detail: Detail::Full,
            priority: Priority::Normal,
            when_unreachable: WhenUnreachable::Fail,
            company: Company::Flow,
            avoid: CellRect::default(),
            asker: Asker::NOBODY,
        }
    }

    /// The same request, with threat counted or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The same request, for this unit and player.
    #[must_use]
    pub fn with_asker(mut self, asker: Asker) -> Self {
        self.asker = asker;
        self
    }

    /// The same request, blocked by these units too.
    #[must_use]
    pub fn with_blocked_by(mut self, blocked_by: BlockedBy) -> Self {
        self.blocked_by = blocked_by;
        self
    }

    /// The same request, with another detail.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// The same request, with another priority.
    #[must_use]
    pub fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// The same request, answered by a route of its own and never by a flow field.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.company = Company::Alone;
        self
    }

    /// The same request, answered by a route of its own that enters no cell of `closed`, also after edits of the map.
    /// For detours around a crowded bridge.
    ///
    /// - The start cell stays open.
    /// - There is no interim route over doors.
    /// - A search that expands 65,536 nodes without a route fails with `PathReason::NodeLimit`.
    /// - Without a route the request fails, also with [`PathAsk::or_nearest`].
    /// - [`Detail::Direct`](crate::query::Detail::Direct) looks at no cells, so it ignores `closed`.
    #[must_use]
    pub fn avoiding(mut self, closed: CellRect) -> Self {
        self.avoid = closed;
        self
    }

    /// The same request, which goes as near as possible when no route leads into the goal.
    #[must_use]
    pub fn or_nearest(mut self) -> Self {
        self.when_unreachable = WhenUnreachable::Nearest;
        self
    }
}
