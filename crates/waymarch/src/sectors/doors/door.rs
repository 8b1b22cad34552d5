//! One door: a step between two sectors.

use crate::base::{CellPos, Dir8};
use crate::cost::{SectorGrid, SectorId};

/// Which routes use a door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DoorRank {
    /// All routes, also routes from block to block. Each opening has one main door.
    Main,
    /// Only routes from sector to sector.
    Side,
}

/// A step out of a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Door {
    /// The cell on this side: its row-major index within the sector.
    pub(super) place: u16,
    /// What the step costs, in units.
    pub(super) crossing: u16,
    /// The same step in the other direction: its index among the doors of the sector that this one leads to.
    pub(super) twin: u16,
    pub(super) dir: Dir8,
    /// The direction of the sector that it leads to. A diagonal step may lead to a straight neighbour.
    pub(super) side: Dir8,
    pub(super) rank: DoorRank,
}

/// Names a door: its sector, and its index among the doors of that sector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DoorId {
    pub(super) sector: SectorId,
    pub(super) index: u16,
}

impl Door {
    /// The cell of a door on its own side.
    #[inline]
    pub(super) fn cell(self, grid: SectorGrid, sector: SectorId) -> CellPos {
        let (area, side) = (grid.area(sector), grid.side());
        let place = u32::from(self.place);
        CellPos::new(area.x0 + (place & (side - 1)) as i32, area.y0 + (place / side) as i32)
    }

    /// Where a door leads: the door back.
    #[inline]
    pub(super) fn through(self, grid: SectorGrid, sector: SectorId) -> DoorId {
        let other = sector.0 as i32 + self.side.dy() * grid.columns() as i32 + self.side.dx();
        DoorId { sector: SectorId(other as u32), index: self.twin }
    }
}
