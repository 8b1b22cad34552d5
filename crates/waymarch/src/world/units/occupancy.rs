//! Which units cover which cells, for routes around units.

use alloc::vec::Vec;

use crate::avoid::Stance;
use crate::base::{CellPos, CellRect, GridSize};
use crate::query::BlockedBy;
use crate::service::{Blockers, PathId};
use crate::world::units::columns::Units;
use crate::world::units::unit_type::UnitTypes;

/// Derived from the units: the cells that they cover, by row. Units in transports cover none. Rebuilt before routes are searched, in two passes over the units.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupancy {
    /// For each row, where its cells begin in `covered`; one more entry at the end.
    rows: Vec<u32>,
    /// Column and unit index of every covered cell.
    covered: Vec<(i32, u32)>,
}

impl Occupancy {
    /// Rebuilds the occupancy from the present units.
    pub(crate) fn follow(&mut self, units: &Units, types: &UnitTypes, grid: GridSize) {
        self.rows.clear();
        self.rows.resize(grid.height() as usize + 1, 0);
        let under = |index: usize| {
            let size = types.get(units.body.kind[index]).map(|kind| kind.agent.size).unwrap_or_default();
            let own = CellRect::at(units.cell(index), 1, 1);
            own.grow(size.reach_north_west(), size.reach_south_east()).intersect(grid.rect())
        };
        let indices = || {
            let indices = units.body.ids.ids().map(|id| id.index());
            indices.filter(|&index| !units.conditions.is_aboard(index as usize))
        };
        for area in indices().map(|index| under(index as usize)) {
            for y in area.y0..area.y1 {
                self.rows[y as usize] += (area.x1 - area.x0).max(0) as u32;
            }
        }
        // Each row's count becomes its end. Filling from the back then moves it to the row's beginning.
        let mut end = 0;
        for row in &mut self.rows {
            end += *row;
            *row = end;
        }
        self.covered.clear();
        self.covered.resize(end as usize, (0, 0));
        for index in indices() {
            let area = under(index as usize);
            for y in area.y0..area.y1 {
                let row = &mut self.rows[y as usize];
                for x in area.x0..area.x1 {
                    *row -= 1;
                    self.covered[*row as usize] = (x, index);
                }
            }
        }
    }

    /// Calls `visit` with the index of each unit that covers a cell of an area, once per cell. Units of a row come in a fixed order.
    pub(crate) fn each_in(&self, area: CellRect, mut visit: impl FnMut(usize)) {
        let height = self.rows.len().saturating_sub(1) as i32;
        for y in area.y0.max(0)..area.y1.min(height) {
            let (first, end) = (self.rows[y as usize] as usize, self.rows[y as usize + 1] as usize);
            let inside = self.covered[first..end].iter().filter(|&&(x, _)| x >= area.x0 && x < area.x1);
            inside.for_each(|&(_, index)| visit(index as usize));
        }
    }

    /// The unit at a cell that asks for a route. Of several units the one with the smallest index, but only those that can meet the unit that follows
    /// the route.
    fn asker_at(&self, units: &Units, at: CellPos, follows: impl Fn(usize) -> bool) -> Option<usize> {
        let row = usize::try_from(at.y).ok()?;
        let (first, end) = (*self.rows.get(row)? as usize, *self.rows.get(row + 1)? as usize);
        let here = || {
            let covering = self.covered[first..end].iter().filter(|&&(x, _)| x == at.x);
            let indices = covering.map(|&(_, index)| index as usize);
            indices.filter(|&index| units.id_at(index).is_some() && units.cell(index) == at)
        };
        let follower = here().find(|&index| follows(index));
        here().filter(|&index| follower.is_none_or(|follower| units.body.can_meet(index, follower))).min()
    }

    /// Writes the cells of `area` that block the asker in this mode, row by row, each once.
    pub(crate) fn blockers(
        &self,
        units: &Units,
        area: CellRect,
        mode: BlockedBy,
        asker: &SkippedUnit<impl Fn(usize) -> bool>,
        out: &mut Vec<CellPos>,
    ) {
        out.clear();
        let height = self.rows.len().saturating_sub(1) as i32;
        let counts = |index: usize| {
            let meets = asker.unit.is_none_or(|own| units.body.can_meet(own, index));
            let enemy = asker.unit.is_some_and(|own| !units.body.relation(own, index).is_friendly());
            let mode = if enemy && mode == BlockedBy::Immovable { BlockedBy::Stationary } else { mode };
            units.id_at(index).is_some()
                && meets
                && !(asker.is)(index)
                && stands_in_way(units.stance(index), mode)
        };
        for y in area.y0.max(0)..area.y1.min(height) {
            let (first, end) = (self.rows[y as usize] as usize, self.rows[y as usize + 1] as usize);
            let from = out.len();
            let row = self.covered[first..end].iter();
            let inside = row.filter(|&&(x, index)| x >= area.x0 && x < area.x1 && counts(index as usize));
            out.extend(inside.map(|&(x, _)| CellPos::new(x, y)));
            out[from..].sort_unstable();
        }
        out.dedup();
    }
}

/// The unit that a route is for. It does not block itself. Enemies at rest block it even if only immovable units count: they do not
/// make way for it. Units without a common collision layer do not block it.
pub(crate) struct SkippedUnit<F> {
    /// `None` if no unit asks: then there are no enemies, and units of all collision layers count.
    pub(crate) unit: Option<usize>,
    /// Whether a unit index is the asker's.
    pub(crate) is: F,
}

/// What the path service can ask about units. The asker of a request is every unit that follows it, waits for it, or is at the asked cell.
pub(crate) struct UnitsThere<'a> {
    pub(crate) units: &'a Units,
    pub(crate) occupancy: &'a Occupancy,
}

impl Blockers for UnitsThere<'_> {
    fn near(&self, path: PathId, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>) {
        let around = CellRect::at(at, 1, 1).grow(reach, reach);
        let follows = |index: usize| {
            let progress = &self.units.progress[index];
            progress.path == path || progress.fresh == path
        };
        let unit = self.occupancy.asker_at(self.units, at, follows);
        let is = |index: usize| follows(index) || self.units.cell(index) == at;
        let asker = SkippedUnit { unit, is };
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
