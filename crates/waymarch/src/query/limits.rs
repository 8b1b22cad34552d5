//! How much work a query is worth, what turning costs, and how far an answer goes.

use core::num::NonZeroU32;

use crate::base::Dir8;

/// What to do when no cell of the goal can be reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WhenUnreachable {
    /// Fail with an error.
    #[default]
    Fail,
    /// Go as near as possible: to the reachable cell with the least [gap](super::Goal::gap), then the least cost, then the first row, then
    /// the first column. The unit must be able to stop there.
    ///
    /// A search knows that no route leads into the goal only after it has looked at every cell it can reach.
    Nearest,
}

/// How much work a query is worth. Counts nodes, never time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// The most nodes that the search expands; `None` for no limit.
    pub nodes: Option<NonZeroU32>,
    /// What to do when no route leads into the goal.
    pub when_unreachable: WhenUnreachable,
}

/// What turning costs.
///
/// With a cost above 0, a search distinguishes the eight directions from which it enters a cell. It then takes eight times the memory
/// (128 bytes per cell) and up to eight times the work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Turning {
    /// The cost of each eighth of a turn; 1024 is a straight step onto a cell of cost 1.
    pub per_eighth: u32,
    /// The direction that the unit faces at the start. With `None` the first step costs no turn.
    pub heading: Option<Dir8>,
}

/// How far an answer goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// The route ends in the goal, and no route into the goal is cheaper.
    Reached,
    /// No route ends in the goal. This one ends as near to it as possible; see [`WhenUnreachable::Nearest`].
    Nearest,
    /// The search reached its node limit. The route ends at the expanded cell with the least [gap](super::Goal::gap), then the least cost,
    /// then the first row, then the first column. The unit can stop there, and no route to that cell is cheaper.
    ///
    /// In a dead end that cell may be the start. The same query with the same limit gives the same answer; ask again
    /// with a greater limit.
    Partial,
}
