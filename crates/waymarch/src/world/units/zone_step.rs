//! The step of a unit in a deadlock zone.

use crate::base::{CellPos, Tick, persist_fields};

/// World: the step from cell to cell that a unit in a deadlock zone is told to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ZoneStep {
    pub(crate) from: CellPos,
    pub(crate) to: CellPos,
    /// The tick at which the unit was told.
    pub(crate) since: Tick,
    /// Whether the unit stays in `from` until the unit before it has left `to`.
    pub(crate) waits: bool,
}

impl ZoneStep {
    /// The cell that the unit heads for now.
    pub(crate) fn aim(self) -> CellPos {
        if self.waits { self.from } else { self.to }
    }
}

persist_fields! {
    ZoneStep { from: CellPos, to: CellPos, since: Tick, waits: bool }
}
