//! Further conditions on slots, such as a clear line of fire or a goal area.

use crate::avoid::Fine;
use crate::base::CellPos;

/// A further condition on slots. A member that finds no slot which meets it gets one elsewhere.
pub(super) trait SlotCondition {
    /// Whether a slot may be at a point.
    fn accepts(&self, at: Fine) -> bool;

    /// Whether the search for acceptable points continues beyond a cell.
    fn expands(&self, at: CellPos) -> bool;

    /// Whether the search may start at a point near the centre. Called for very many points, so it should be cheap.
    fn may_start(&self, _at: Fine) -> bool {
        true
    }
}

/// No further condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anywhere;

impl SlotCondition for Anywhere {
    fn accepts(&self, _at: Fine) -> bool {
        true
    }

    fn expands(&self, _at: CellPos) -> bool {
        true
    }
}
