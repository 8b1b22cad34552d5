//! Tables that are made a little in each tick, before a query needs them.

use alloc::vec::Vec;

use super::{Hybrid, PlannerChoice, TableKey};
use crate::base::Agent;
use crate::cost::SectorId;
use crate::planners::planner::PlanView;
use crate::query::Threat;
use crate::search::PlanesInWork;
use crate::sectors::{DoorScratch, DoorsInWork, block_count, is_huge};

/// Placing the doors of a sector takes as long as 512 cells of weighted planes: 4 microseconds.
const SECTOR_CELLS: u32 = 512;
/// Costs between the main doors of a sector take as long as 12,000 cells.
const MAIN_CELLS: u32 = 12_000;
/// Costs from one door of a block to the others take as long as 6,000 cells.
const BLOCK_ROW_CELLS: u32 = 6000;
/// Costs between all doors of a sector take as long as 36,000 cells.
const COSTS_CELLS: u32 = 36_000;

/// A block of a huge map has at most about 64 doors whose costs are found.
const BLOCK_ROWS: u64 = 64;
/// Weighted planes are made in 3 passes over the cells.
const PLANE_PASSES: u64 = 3;

/// Derived, unfinished: the tables that are being made ahead, of one agent at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    planes: Option<PlanesInWork>,
    doors: Option<DoorsInWork>,
    /// By agent: how many steps of finding costs were taken, first over sectors, then over blocks, then over sectors again.
    costs: Vec<(Agent, u32)>,
}

/// Whether there was work to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AheadWork {
    /// Work was done, and more may be left.
    Done,
    /// All tables are there.
    NothingLeft,
}

impl Hybrid {
    /// Begins the preparation of an agent if the map is huge: its tables count as made when `cells` cells a tick have sufficed for planes, main doors and blocks.
    pub(crate) fn begin_tables(&mut self, view: &PlanView<'_>, agent: Agent, cells: u32) {
        let sectors = view.layer.changes().sectors();
        if !is_huge(sectors) || view.layer.field(agent).is_none() {
            return;
        }
        let (sectors, blocks) = (sectors.count() as u64, block_count(sectors));
        let planes = view.layer.grid().cells() as u64 * PLANE_PASSES;
        let main = sectors * u64::from(MAIN_CELLS);
        let rows = blocks * BLOCK_ROWS * u64::from(BLOCK_ROW_CELLS);
        let ticks = (planes + main + rows).div_ceil(u64::from(cells.max(1)));
        self.waits.begin(agent, view.now, u32::try_from(ticks).unwrap_or(u32::MAX));
    }

    /// Places the doors of the agents whose tables do not count as made yet: rough routes need them. Takes 20 milliseconds on a map of 2048×2048 cells.
    pub(crate) fn place_doors_of_unmade(&mut self, view: &PlanView<'_>) {
        let Self { waits, doors, .. } = self;
        for agent in waits.unmade(view.now) {
            doors.prepare(view.layer, TableKey::plain(agent), view.config.step_rule());
        }
    }

    /// Makes a part of the tables of an agent that ignores threat, about as much as `cells` cells of weighted planes.
    ///
    /// A query never sees unfinished tables: [`Hybrid::prepare_for`] makes the rest. So no answer depends on this work.
    pub(crate) fn prepare_ahead(
        &mut self,
        view: &PlanView<'_>,
        agent: Agent,
        cells: u32,
        scratch: &mut DoorScratch,
    ) -> AheadWork {
        let (key, rule, layer) = (TableKey::plain(agent), view.config.step_rule(), view.layer);
        if layer.field(agent).is_none() {
            return AheadWork::NothingLeft;
        }
        let needs_planes = self.choice_with_tables(view, agent, Threat::Ignore).0 == PlannerChoice::Jpsw;
        if needs_planes && !self.weighted.has(layer, key, rule) {
            let known = self.ahead.planes.take().filter(|work| work.is_for(layer, agent, rule));
            let begun = known.or_else(|| PlanesInWork::begin(layer, agent, rule, Threat::Ignore).ok());
            let Some(mut work) = begun else { return AheadWork::NothingLeft };
            if work.work_for(layer, cells) {
                self.weighted.insert(layer, rule, work.finish(layer));
            } else {
                self.ahead.planes = Some(work);
            }
            return AheadWork::Done;
        }
        if !self.doors.has(layer, key, rule) {
            let known = self.ahead.doors.take().filter(|work| work.is_for(layer, agent, rule));
            let begun = known.or_else(|| DoorsInWork::begin(layer, agent, rule, Threat::Ignore).ok());
            let Some(mut work) = begun else { return AheadWork::NothingLeft };
            if work.work(layer, (cells / SECTOR_CELLS).max(1)) {
                self.doors.insert(layer, rule, work.finish(layer));
            } else {
                self.ahead.doors = Some(work);
            }
            return AheadWork::Done;
        }
        self.find_costs_ahead(view, agent, cells, scratch)
    }

    /// Finds costs between doors. The costs between main doors come first, because the first far route needs most of them, then those of blocks, then those of all
    /// doors.
    fn find_costs_ahead(
        &mut self,
        view: &PlanView<'_>,
        agent: Agent,
        cells: u32,
        scratch: &mut DoorScratch,
    ) -> AheadWork {
        let Self { doors, ahead, .. } = self;
        let Ok(doors) = doors.up_to_date(view.layer, TableKey::plain(agent), view.config.step_rule()) else {
            return AheadWork::NothingLeft;
        };
        let place = ahead.costs.iter().position(|(known, _)| *known == agent).unwrap_or_else(|| {
            ahead.costs.push((agent, 0));
            ahead.costs.len() - 1
        });
        let next = &mut ahead.costs[place].1;
        let (sectors, blocks) = (doors.sector_count(), doors.block_count());
        let mut left = cells;
        while *next < 2 * sectors + blocks {
            let (worked, took, is_over) = if *next < sectors {
                (doors.prepare_main(view.layer, SectorId(*next), scratch), MAIN_CELLS, true)
            } else if *next < sectors + blocks {
                let worked = doors.prepare_block_row(view.layer, *next - sectors, scratch);
                (worked, BLOCK_ROW_CELLS, !worked)
            } else {
                let sector = SectorId(*next - sectors - blocks);
                (doors.prepare_sector(view.layer, sector, scratch), COSTS_CELLS, true)
            };
            *next += u32::from(is_over);
            left = left.saturating_sub(if worked { took } else { 0 });
            if left == 0 {
                return AheadWork::Done;
            }
        }
        AheadWork::NothingLeft
    }

    /// Makes the rest of weighted planes that were begun.
    pub(super) fn finish_planes(&mut self, view: &PlanView<'_>, agent: Agent) {
        let rule = view.config.step_rule();
        if self.ahead.planes.as_ref().is_some_and(|work| work.is_for(view.layer, agent, rule)) {
            if let Some(work) = self.ahead.planes.take() {
                self.weighted.insert(view.layer, rule, work.finish(view.layer));
            }
        }
    }

    /// Places the rest of doors that were begun.
    pub(super) fn finish_doors(&mut self, view: &PlanView<'_>, agent: Agent) {
        let rule = view.config.step_rule();
        if self.ahead.doors.as_ref().is_some_and(|work| work.is_for(view.layer, agent, rule)) {
            if let Some(work) = self.ahead.doors.take() {
                self.doors.insert(view.layer, rule, work.finish(view.layer));
            }
        }
    }
}
