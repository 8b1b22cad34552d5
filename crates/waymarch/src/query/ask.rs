//! A request to a path service: a question, and how it is to be treated.

use super::Threat;
use super::goal::Goal;
use super::limits::WhenUnreachable;
use crate::base::{Agent, CellPos, CellRect, WorldPos};

/// Which units stand in the way of a route, beside the ground.
///
/// Counted are units near the start only: those farther away will have moved before anybody gets there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BlockedBy {
    /// None: ground only.
    #[default]
    None,
    /// Those that hold their ground and give way to nobody.
    Immovable,
    /// Those and all that stand still.
    Stationary,
    /// All, moving ones included.
    All,
}

/// How much a route is worth. The caller decides, by the rules of the game, never by where a camera looks: that differs between
/// players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Detail {
    /// The cheapest route, smoothed.
    #[default]
    Full,
    /// A route over doors, walked cell by cell, not smoothed.
    Simplified,
    /// No search: straight on. Whether there is a way at all is still looked up.
    Direct,
}

/// Who is served first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Priority {
    /// When there is nothing else; but a part of every tick goes to the oldest, so it is served.
    Low,
    /// As most are.
    #[default]
    Normal,
    /// Before all others: a player's own click.
    High,
}

impl Priority {
    /// All, from the first served to the last.
    pub const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];
}

/// Whether those who are many are led together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Company {
    /// By a flow, if enough others go to the same place.
    #[default]
    Flow,
    /// Always by a route of its own.
    Alone,
}

/// A request: from a place into a goal.
///
/// ```
/// use waymarch::base::{cell, LocomotorId};
/// use waymarch::query::{PathAsk, Priority};
/// let ask = PathAsk::new(cell(3, 4).centre(), cell(90, 40), LocomotorId(0)).with_priority(Priority::High).or_nearest();
/// assert_eq!(ask.priority, Priority::High);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PathAsk {
    /// Where from.
    pub from: WorldPos,
    /// Where to.
    pub goal: Goal,
    /// For whom.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// Which units stand in the way.
    pub blocked_by: BlockedBy,
    /// How much it is worth.
    pub detail: Detail,
    /// Who is served first.
    pub priority: Priority,
    /// What to do without a way.
    pub when_unreachable: WhenUnreachable,
    /// Whether a flow may lead it.
    pub company: Company,
    /// Cells that count as closed for this request; empty for none.
    pub avoid: CellRect,
}

impl PathAsk {
    /// From `from` to the middle of `to`: ground only, in full, without threat, failing if there is no way.
    #[must_use]
    pub fn new(from: WorldPos, to: CellPos, agent: impl Into<Agent>) -> Self {
        Self::to_goal(from, Goal::point(to), agent)
    }

    /// The same into a goal that is a shape.
    #[must_use]
    pub fn to_goal(from: WorldPos, goal: Goal, agent: impl Into<Agent>) -> Self {
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
        }
    }

    /// The same, with threat counting or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The same, with some units in the way.
    #[must_use]
    pub fn with_blocked_by(mut self, blocked_by: BlockedBy) -> Self {
        self.blocked_by = blocked_by;
        self
    }

    /// The same, worth more or less.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// The same, served earlier or later.
    #[must_use]
    pub fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// The same, by a route of its own, however many go to the same place.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.company = Company::Alone;
        self
    }

    /// The same, by a way of its own that enters no cell of `closed`, whatever edits come: the way round a crowded bridge.
    ///
    /// The cell where it starts stays open. There is no way over doors meanwhile, and a way that only a search of more than 65,536 nodes finds
    /// is none ([`PathReason::Unsuited`](crate::world::PathReason::Unsuited)). Where no such way leads there is none either, also with
    /// [`PathAsk::or_nearest`]; and [`Detail::Direct`](crate::query::Detail::Direct) looks at no cell, so not at these.
    #[must_use]
    pub fn avoiding(mut self, closed: CellRect) -> Self {
        self.avoid = closed;
        self
    }

    /// The same, going as near as can be when there is no way.
    #[must_use]
    pub fn or_nearest(mut self) -> Self {
        self.when_unreachable = WhenUnreachable::Nearest;
        self
    }
}
