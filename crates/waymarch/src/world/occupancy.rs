//! Who stands where: for routes that go around units.

use alloc::vec::Vec;

use super::service::{Blockers, PathId};
use super::unit_type::UnitTypes;
use super::units::{PlayerId, Units};
use crate::avoid::Stance;
use crate::base::{CellPos, CellRect, GridSize};
use crate::query::BlockedBy;

/// Derived from the units as they are when routes are looked for: the cells that units cover, by row. Made anew in two passes over the units.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    /// Per row where its covered cells begin, and at the end how many there are.
    rows: Vec<u32>,
    /// Column and slot of every covered cell.
    covered: Vec<(i32, u32)>,
}

impl Occupancy {
    /// Brings it up to date.
    pub(super) fn follow(&mut self, units: &Units, types: &UnitTypes, grid: GridSize) {
        self.rows.clear();
        self.rows.resize(grid.height() as usize + 1, 0);
        let under = |slot: usize| {
            let size = types.get(units.kind[slot]).map(|kind| kind.agent.size).unwrap_or_default();
            let own = CellRect::at(units.cell(slot), 1, 1);
            own.grow(size.reach_north_west(), size.reach_south_east()).intersect(grid.rect())
        };
        let slots = || units.ids.ids().map(|id| id.index());
        for area in slots().map(|slot| under(slot as usize)) {
            for y in area.y0..area.y1 {
                self.rows[y as usize] += (area.x1 - area.x0).max(0) as u32;
            }
        }
        // Each row's count becomes its end, which filling from the back makes its beginning.
        let mut end = 0;
        for row in &mut self.rows {
            end += *row;
            *row = end;
        }
        self.covered.clear();
        self.covered.resize(end as usize, (0, 0));
        for slot in slots() {
            let area = under(slot as usize);
            for y in area.y0..area.y1 {
                let row = &mut self.rows[y as usize];
                for x in area.x0..area.x1 {
                    *row -= 1;
                    self.covered[*row as usize] = (x, slot);
                }
            }
        }
    }

    /// Whose unit it is that has its middle in a cell: of several that with the smallest slot.
    fn owner_at(&self, units: &Units, at: CellPos) -> Option<PlayerId> {
        let row = usize::try_from(at.y).ok()?;
        let (first, end) = (*self.rows.get(row)? as usize, *self.rows.get(row + 1)? as usize);
        let here =
            self.covered[first..end].iter().filter(|&&(x, _)| x == at.x).map(|&(_, slot)| slot as usize);
        let slot = here.filter(|&slot| units.id_at(slot).is_some() && units.cell(slot) == at).min()?;
        Some(units.owner[slot])
    }

    /// The cells of `area` that are covered by units whose stance counts, row by row, each once.
    pub(super) fn blockers(
        &self,
        units: &Units,
        area: CellRect,
        mode: BlockedBy,
        asker: &Asker<impl Fn(usize) -> bool>,
        out: &mut Vec<CellPos>,
    ) {
        out.clear();
        let height = self.rows.len().saturating_sub(1) as i32;
        let counts = |slot: usize| {
            let enemy = asker.owner.is_some_and(|owner| owner != units.owner[slot]);
            let mode = if enemy && mode == BlockedBy::Immovable { BlockedBy::Stationary } else { mode };
            units.id_at(slot).is_some() && !(asker.is)(slot) && stands_in_way(units.stance(slot), mode)
        };
        for y in area.y0.max(0)..area.y1.min(height) {
            let (first, end) = (self.rows[y as usize] as usize, self.rows[y as usize + 1] as usize);
            let from = out.len();
            let row = self.covered[first..end].iter();
            let inside = row.filter(|&&(x, slot)| x >= area.x0 && x < area.x1 && counts(slot as usize));
            out.extend(inside.map(|&(x, _)| CellPos::new(x, y)));
            out[from..].sort_unstable();
        }
        out.dedup();
    }
}

/// Who asks: it does not stand in its own way, and enemies do not make way for it.
pub(super) struct Asker<F> {
    pub(super) owner: Option<PlayerId>,
    pub(super) is: F,
}

/// The units there are, for the path service: whoever follows a request or waits for it is the one who asked.
pub(super) struct UnitsThere<'a> {
    pub(super) units: &'a Units,
    pub(super) occupancy: &'a Occupancy,
}

impl Blockers for UnitsThere<'_> {
    fn near(&self, path: PathId, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>) {
        let around = CellRect::at(at, 1, 1).grow(reach, reach);
        let is = |slot: usize| {
            let errand = &self.units.errand[slot];
            errand.path == path || errand.fresh == path || self.units.cell(slot) == at
        };
        let asker = Asker { owner: self.occupancy.owner_at(self.units, at), is };
        self.occupancy.blockers(self.units, around, mode, &asker, out);
    }
}

fn stands_in_way(stance: Stance, mode: BlockedBy) -> bool {
    match mode {
        BlockedBy::None => false,
        BlockedBy::Immovable => stance == Stance::Holding,
        BlockedBy::Stationary => !stance.travels(),
        BlockedBy::All => true,
    }
}
