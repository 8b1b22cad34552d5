//! A unit that waits before a passage.

use crate::base::{CellPos, persist_fields};

/// World: the mouth of the passage that a unit waits before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PassageWait {
    /// The cell of the passage at the mouth.
    pub(crate) inside: CellPos,
    /// The cell outside.
    pub(crate) outside: CellPos,
    /// Whether the unit is inside and walks back.
    pub(crate) retreats: bool,
}

persist_fields! {
    PassageWait { inside: CellPos, outside: CellPos, retreats: bool }
}
