//! Links: where units change from cell to cell without a step.

use alloc::vec::Vec;
use core::fmt;

use crate::base::{Agent, LevelCell, LocomotorId, SizeClass};

/// What a link is. Kinds differ in what is checked and how they are drawn, not in how searches follow them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LinkKind {
    /// A ramp.
    Ramp,
    /// Stairs.
    Stairs,
    /// A ledge that units drop from; always one way.
    Ledge,
    /// A teleporter. Teleporters must not form a loop.
    Teleporter,
    /// A ladder or a breach in a wall.
    Ladder,
    /// A ferry.
    Ferry,
}

impl LinkKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 6] =
        [Self::Ramp, Self::Stairs, Self::Ledge, Self::Teleporter, Self::Ladder, Self::Ferry];
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ramp => "ramp",
            Self::Stairs => "stairs",
            Self::Ledge => "ledge",
            Self::Teleporter => "teleporter",
            Self::Ladder => "ladder",
            Self::Ferry => "ferry",
        })
    }
}

/// In which directions a link leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LinkWays {
    /// There and back.
    #[default]
    Both,
    /// From its first cell to its second.
    One,
}

/// Whether units may use a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LinkState {
    /// They may.
    #[default]
    Open,
    /// They may not.
    Closed,
}

/// A link from a cell to a cell of another level or of the same. World data.
///
/// It costs its length times the cost of the cell that it leads to, as a step does.
///
/// ```
/// use waymarch::base::{LevelId, cell};
/// use waymarch::levels::{Link, LinkKind, LinkWays};
///
/// let ledge = Link::new(LinkKind::Ledge, cell(4, 4).on(LevelId(1)), cell(4, 7).on(LevelId::BASE), 3 * 1024);
/// assert_eq!(ledge.ways, LinkWays::One);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// What it is.
    pub kind: LinkKind,
    /// The first cell.
    pub from: LevelCell,
    /// The second cell.
    pub to: LevelCell,
    /// In which directions it leads.
    pub ways: LinkWays,
    /// The length in 1024ths of a cell: 1 to 2^24 − 1. A walked link is as long as its way, a teleporter as long as its delay is worth.
    pub length: u32,
    /// The locomotors that may use it; `None` for all.
    pub locomotors: Option<Vec<LocomotorId>>,
    /// The greatest size of units that may use it; `None` for all sizes.
    pub largest: Option<SizeClass>,
    /// Whether it is open at the start.
    pub state: LinkState,
}

impl Link {
    /// An open link for all units: there and back, but for a ledge.
    #[must_use]
    pub const fn new(kind: LinkKind, from: LevelCell, to: LevelCell, length: u32) -> Self {
        let ways = match kind {
            LinkKind::Ledge => LinkWays::One,
            _ => LinkWays::Both,
        };
        Self { kind, from, to, ways, length, locomotors: None, largest: None, state: LinkState::Open }
    }

    /// The same link in one direction only.
    #[must_use]
    pub fn one_way(mut self) -> Self {
        self.ways = LinkWays::One;
        self
    }

    /// Whether the link is made for units of `agent`, open or not.
    #[must_use]
    pub fn admits(&self, agent: Agent) -> bool {
        self.locomotors.as_ref().is_none_or(|some| some.contains(&agent.locomotor))
            && self.largest.is_none_or(|largest| agent.size <= largest)
    }
}
