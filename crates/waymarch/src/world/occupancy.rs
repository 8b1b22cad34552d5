//! Who stands where: for routes that go around units.

use alloc::vec::Vec;

use super::service::Blockers;
use super::unit_type::UnitTypes;
use super::units::{Stance, Units};
use crate::base::{CellPos, CellRect, GridSize};
use crate::query::BlockedBy;

/// Derived from the units at the end of a tick: the cells that units cover, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    width: u32,
    /// A cell's number in the high half, a unit's slot in the low one, ascending.
    covered: Vec<u64>,
}

impl Occupancy {
    /// Brings it up to date.
    pub(super) fn follow(&mut self, units: &Units, types: &UnitTypes, grid: GridSize) {
        self.width = grid.width();
        self.covered.clear();
        for id in units.ids.ids() {
            let slot = id.index() as usize;
            let Some(kind) = types.get(units.kind[slot]) else { continue };
            let size = kind.agent.size;
            let under = CellRect::at(units.cell(slot), 1, 1);
            let under = under.grow(size.reach_north_west(), size.reach_south_east()).intersect(grid.rect());
            for at in under.cells() {
                let number =
                    u64::from(at.y.unsigned_abs()) * u64::from(self.width) + u64::from(at.x.unsigned_abs());
                self.covered.push(number << 32 | u64::from(id.index()));
            }
        }
        self.covered.sort_unstable();
    }

    /// The cells of `area` that are covered by units whose stance counts, row by row, each once.
    pub(super) fn blockers(
        &self,
        units: &Units,
        area: CellRect,
        mode: BlockedBy,
        is_asker: impl Fn(usize) -> bool,
        out: &mut Vec<CellPos>,
    ) {
        out.clear();
        if mode == BlockedBy::None {
            return;
        }
        // What was never followed covers nothing.
        let (first_row, last_row) = (area.y0.max(0), area.y1.min(1 << 14));
        let (x0, x1) = (area.x0.max(0), area.x1.min(self.width as i32));
        for y in first_row..last_row {
            let row = u64::from(y.unsigned_abs()) * u64::from(self.width);
            let key = |x: i32| (row + u64::from(x.unsigned_abs())) << 32;
            let first = self.covered.partition_point(|&covered| covered < key(x0));
            for &covered in self.covered[first..].iter().take_while(|&&covered| x0 < x1 && covered < key(x1))
            {
                let slot = covered as u32;
                let at = CellPos::new(((covered >> 32) - row) as i32, y);
                let counts =
                    units.stance.get(slot as usize).is_some_and(|&stance| stands_in_way(stance, mode));
                if counts && !is_asker(slot as usize) && out.last() != Some(&at) {
                    out.push(at);
                }
            }
        }
    }
}

/// The units there are, for the path service: whoever stands at the cell that a request starts from is the one who asks.
pub(super) struct UnitsThere<'a> {
    pub(super) units: &'a Units,
    pub(super) occupancy: &'a Occupancy,
}

impl Blockers for UnitsThere<'_> {
    fn near(&self, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>) {
        let around = CellRect::at(at, 1, 1).grow(reach, reach);
        let is_asker = |slot| self.units.cell(slot) == at;
        self.occupancy.blockers(self.units, around, mode, is_asker, out);
    }
}

fn stands_in_way(stance: Stance, mode: BlockedBy) -> bool {
    match mode {
        BlockedBy::None => false,
        BlockedBy::Immovable => stance == Stance::Holding,
        BlockedBy::Stationary => stance != Stance::Moving,
        BlockedBy::All => true,
    }
}
