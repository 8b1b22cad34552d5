//! How much work a question is worth, what counts besides ground, and how the answer turned out.

use core::num::NonZeroU32;

use crate::base::Dir8;

/// What to do when no cell of the goal can be reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WhenUnreachable {
    /// Say so.
    #[default]
    Fail,
    /// Go as near as can be: of all cells that can be reached and stopped on, the one with the least
    /// [gap](super::Goal::gap), then the least cost, then the first in reading order.
    ///
    /// To know that there is no way, a search has to look at everything it can reach.
    Nearest,
}

/// How much work a question is worth. Counts nodes, never time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// At most so many nodes are expanded; `None` for as many as it takes.
    pub nodes: Option<NonZeroU32>,
    /// What to do when there is no way.
    pub when_unreachable: WhenUnreachable,
}

/// What turning costs.
///
/// Other than zero, a search has to tell apart from which of eight directions it came to a cell: it takes eight times
/// the memory (128 bytes a cell) and up to eight times the work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Turning {
    /// What is added to a route's cost for each eighth of a turn; 1024 is a straight step over a cell of cost 1. 0: nothing.
    pub per_eighth: u32,
    /// Where the unit faces before it starts; `None` makes the first step free of turning.
    pub heading: Option<Dir8>,
}

/// How far an answer goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// The route ends in the goal, and none is cheaper.
    Reached,
    /// No route ends in the goal; this one ends as near to it as can be (see [`WhenUnreachable::Nearest`]).
    Nearest,
    /// The node limit was reached. The route ends at the cell with the least [gap](super::Goal::gap), then the least
    /// cost, then the first in reading order, of those that were expanded and can be stopped on; it is the cheapest there.
    ///
    /// In a dead end that may be where it started: asking again with the same limit leads no further, a greater one does.
    Partial,
}
