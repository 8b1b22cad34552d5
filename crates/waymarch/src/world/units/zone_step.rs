//! The step of a unit in a deadlock zone, and the size of zones.

use crate::base::{CellPos, CellRect, Tick, persist_fields};

/// A zone is at most 128 cells wide and high, so that planning a step stays cheap.
const MOST_SIDE: i32 = 128;

/// Whether an area on the map is small enough for a deadlock zone.
pub(crate) fn fits_zone(area: CellRect) -> bool {
    area.x1 - area.x0 <= MOST_SIDE && area.y1 - area.y0 <= MOST_SIDE
}

/// World: the step from cell to cell that a unit in a deadlock zone is told to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ZoneStep {
    pub(crate) from: CellPos,
    pub(crate) to: CellPos,
    /// The tick at which the unit was told.
    pub(crate) since: Tick,
    /// Whether the unit stays in `from` until the unit before it has left `to`.
    pub(crate) waits: bool,
    /// Whether the unit has had more time than it needs. Then it avoids other units, to get around one that is off its cell.
    pub(crate) overdue: bool,
}

impl ZoneStep {
    /// The cell that the unit heads for now.
    pub(crate) fn aim(self) -> CellPos {
        if self.waits { self.from } else { self.to }
    }
}

persist_fields! {
    ZoneStep { from: CellPos, to: CellPos, since: Tick, waits: bool, overdue: bool }
}
