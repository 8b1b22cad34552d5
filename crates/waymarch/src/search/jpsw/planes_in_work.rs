//! Weighted planes that are made a few rows at a time.

use alloc::vec;
use alloc::vec::Vec;

use super::planes::{TurnMemo, WeightedPlanes};
use super::turn_grid::TurnGrid;
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::{CostLayer, IMPASSABLE, StepRule};
use crate::query::{PlanError, Threat};
use crate::search::followed::Followed;
use crate::search::jps::planes::Planes;

/// Finding the turns of a pattern that is not remembered takes as long as 32 cells: 0.2 microseconds.
const MISS_CELLS: u64 = 32;

/// Derived, unfinished: weighted planes that are made a few rows at a time, in three passes over the rows. Costs come first, then turns, then stops.
///
/// The map may be edited meanwhile: [`PlanesInWork::finish`] follows all changes since the beginning, so the planes equal planes made at once.
#[derive(Clone, Debug)]
pub(crate) struct PlanesInWork {
    planes: WeightedPlanes,
    /// The rows done, in all passes.
    done: u32,
}

impl PlanesInWork {
    /// Planes without a row.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub(crate) fn begin(
        layer: &CostLayer,
        agent: Agent,
        rule: StepRule,
        threat: Threat,
    ) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let (grid, padding) = (field.grid(), field.padding());
        let rows = Planes::new(grid.height(), grid.width());
        let columns = Planes::new(grid.width(), grid.height());
        let mut planes = WeightedPlanes {
            agent,
            rule,
            threat,
            grid,
            padding,
            costs: vec![IMPASSABLE; padding.len()],
            histogram: vec![0; 256],
            cheapest: 0,
            mean: 0,
            turns: TurnGrid::new(padding.len()),
            stops: [columns.clone(), rows.clone(), columns, rows],
            marked: Vec::new(),
            followed: Followed::now(layer),
            memo: TurnMemo::new(),
        };
        planes.histogram[usize::from(IMPASSABLE)] = grid.cells() as u32;
        Ok(Self { planes, done: 0 })
    }

    /// The rows of all passes.
    fn all_rows(&self) -> u32 {
        3 * self.planes.grid.height()
    }

    /// Whether these planes are for that agent on that map.
    pub(crate) fn is_for(&self, layer: &CostLayer, agent: Agent, rule: StepRule) -> bool {
        let planes = &self.planes;
        (planes.agent, planes.rule, planes.grid) == (agent, rule, layer.grid())
    }

    /// Makes rows that take about as long as `cells` cells, at least one. Returns whether all are done.
    pub(crate) fn work_for(&mut self, layer: &CostLayer, cells: u32) -> bool {
        let mut left = u64::from(cells);
        loop {
            let before = self.planes.memo.misses;
            if self.work(layer, 1) {
                return true;
            }
            let misses = self.planes.memo.misses - before;
            let took = u64::from(self.planes.grid.width()) + misses * MISS_CELLS;
            if took >= left {
                return false;
            }
            left -= took;
        }
    }

    /// Makes up to `rows` rows of one pass. Returns whether all are done.
    pub(crate) fn work(&mut self, layer: &CostLayer, rows: u32) -> bool {
        let (width, height) = (self.planes.grid.width(), self.planes.grid.height());
        let row = self.done % height;
        let rows = rows.clamp(1, height - row);
        let area = CellRect::at(CellPos::new(0, row as i32), width, rows);
        let Self { planes, done } = self;
        match *done / height {
            0 => {
                if let Some(field) = layer.field(planes.agent).filter(|field| field.grid() == planes.grid) {
                    planes.take_costs(field, layer, area);
                }
            }
            1 => planes.take_turns(area),
            _ => planes.take_stops(area),
        }
        *done += rows;
        *done >= self.all_rows()
    }

    /// Makes the rest, and follows the changes of the layer since the beginning.
    pub(crate) fn finish(mut self, layer: &CostLayer) -> WeightedPlanes {
        while self.done < self.all_rows() {
            self.work(layer, u32::MAX);
        }
        self.planes.turns.reserve();
        self.planes.follow(layer);
        self.planes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostSettings, Map, Rules, Stamp, TerrainId};

    #[test]
    fn planes_made_in_slices_between_edits_equal_planes_made_at_once() {
        let size = GridSize::new(70, 50).expect("legal");
        let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
        let agent = LocomotorId(0).into();
        for rows in [1, 7, 50] {
            let mut layer = CostLayer::new(&map, CostSettings::default());
            layer.set_terrain(CellRect::at(cell(10, 5), 30, 30), TerrainId(2)).expect("on the map");
            let begin = PlanesInWork::begin(&layer, agent, StepRule::default(), Threat::Ignore);
            let mut work = begin.expect("foot has costs");
            let mut slices = 0;
            while !work.work(&layer, rows) {
                slices += 1;
                let at = cell(slices * 13 % 60, slices * 7 % 40);
                if slices % 3 == 0 {
                    layer.place(&Stamp::solid(2, 3), at, Tick::ZERO).expect("it fits");
                } else {
                    layer
                        .set_terrain(CellRect::at(at, 3, 2), TerrainId(slices as u8 % 3))
                        .expect("on the map");
                }
            }
            assert_eq!(slices as u32, (150_u32.div_ceil(rows)) - 1 + if rows == 7 { 2 } else { 0 });
            let made = work.finish(&layer);
            let new = WeightedPlanes::new(&layer, agent, StepRule::default(), Threat::Ignore);
            assert!(made.is_current(&layer));
            assert_eq!(Ok(made), new, "{rows} rows at a time");
        }
    }
}
