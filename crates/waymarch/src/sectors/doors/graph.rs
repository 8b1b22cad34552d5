//! The doors of all sectors, and the costs between them.

use alloc::vec::Vec;

use super::blocks::{BLOCK_SIDE, Blocks, Exit};
use super::distances::{SectorDistances, Towards};
use super::door::{Door, DoorId, DoorRank};
use super::place::find_doors;
use super::sector::SectorDoors;
use super::table::Table;
use crate::base::{Agent, CellPos, CellRect, Dir8, GridSize};
use crate::cost::{ChangeMark, CostLayer, CostView, SectorGrid, SectorId, StepRule};
use crate::query::{PlanError, Threat};
use crate::sectors::zones::Connection;

/// Derived from one agent's costs, with or without threat: the doors between sectors, and the costs between them.
///
/// Placing doors needs only the cells at the borders, so an edit is followed in microseconds. Costs inside a sector are found when a route first
/// needs them, and kept. No answer depends on earlier queries.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
///
/// let map = Map::flat("field", GridSize::new(300, 60)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let doors = Doors::new(&layer, LocomotorId(0).into(), StepRule::default(), Threat::Ignore)?;
/// let mut route = DoorRoute::default();
/// assert!(doors.route(&layer, cell(5, 5), cell(290, 5), &mut DoorScratch::default(), &mut route));
/// assert_eq!(route.cells.first(), Some(&cell(5, 5)));
/// assert_eq!(route.cells[1..3], [cell(31, 0), cell(32, 0)], "over the first border by the door nearest to the line");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Doors {
    pub(super) agent: Agent,
    pub(super) rule: StepRule,
    pub(super) threat: Threat,
    pub(super) size: GridSize,
    pub(super) grid: SectorGrid,
    pub(super) sectors: Vec<SectorDoors>,
    pub(super) blocks: Blocks,
    /// How far the layer's changes were followed.
    pub(super) known: ChangeMark,
    /// Scratch: sectors to update.
    pub(super) stale: Vec<SectorId>,
    /// Scratch: the doors of one sector.
    pub(super) found: Vec<Door>,
}

impl Doors {
    /// Finds the doors for units of `agent` that step by `rule`. `threat` says whether they heed threat.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] if the locomotor or size has no costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let mut doors = Self::without_doors(layer, agent, rule, threat);
        doors.stale.extend(doors.grid.all());
        doors.refresh(layer);
        Ok(doors)
    }

    /// The same before any door is found.
    pub(super) fn without_doors(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Self {
        let (grid, size) = (layer.changes().sectors(), layer.grid());
        let mut doors = Self {
            agent,
            rule,
            threat,
            size,
            grid,
            sectors: Vec::new(),
            blocks: Blocks::new(grid),
            known: layer.changes().mark_now(),
            stale: Vec::new(),
            found: Vec::new(),
        };
        doors.sectors.resize_with(grid.count(), SectorDoors::default);
        doors
    }

    /// Follows the changes of the layer since the last call.
    pub fn follow(&mut self, layer: &CostLayer) {
        if layer.grid() != self.size || layer.changes().sectors() != self.grid {
            // Another map: start again. If it has no costs for the agent, the doors stay and are never current.
            if let Ok(rebuilt) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = rebuilt;
            }
            return;
        }
        let log = layer.changes();
        log.collect_since(self.known, &mut self.stale);
        self.known = log.mark_now();
        self.refresh(layer);
    }

    /// Whether all changes of the layer were followed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        let log = layer.changes();
        self.known == log.mark_now() && layer.grid() == self.size && log.sectors() == self.grid
    }

    /// Updates the stale sectors and their neighbours.
    fn refresh(&mut self, layer: &CostLayer) {
        let Some(ground) = self.ground(layer) else { return };
        let changed = self.stale.len();
        for at in 0..changed {
            let sector = self.stale[at];
            // Costs inside may have changed even if the doors are the same.
            self.sectors[sector.index()].forget();
            self.blocks.forget(sector);
        }
        self.add_around();
        // Find doors on both sides of the borders that may have changed.
        let connection = Connection::of(self.rule);
        let mut others = false;
        for at in 0..self.stale.len() {
            let sector = self.stale[at];
            others |= self.find_doors_of(ground, sector, connection);
        }
        if others {
            self.add_around();
            for at in 0..self.stale.len() {
                self.find_twins(self.stale[at]);
                self.blocks.refresh(self.stale[at]);
            }
        }
        self.collect_blocks();
    }

    /// Finds the doors of a sector. Returns whether they are others than before.
    pub(super) fn find_doors_of(
        &mut self,
        ground: CostView<'_>,
        sector: SectorId,
        connection: Connection,
    ) -> bool {
        find_doors(ground, self.area(sector), connection, self.grid.side(), &mut self.found);
        let known = &mut self.sectors[sector.index()];
        // Compare all but `twin`, which is found later.
        let seen = |door: &Door| Door { twin: 0, ..*door };
        let others = !known.doors.iter().map(seen).eq(self.found.iter().map(seen));
        if others {
            known.set(&self.found);
            self.blocks.refresh(sector);
        }
        others
    }

    /// Finds the doors of the blocks that changed.
    pub(super) fn collect_blocks(&mut self) {
        let (grid, sectors) = (self.grid, &self.sectors);
        self.blocks.collect(sectors, |sector, door| Exit {
            there: door.through(grid, sector),
            crossing: door.crossing,
            at: door.cell(grid, sector).step(door.dir),
            dir: door.dir,
        });
    }

    /// Adds the neighbours of the stale sectors.
    pub(super) fn add_around(&mut self) {
        for at in 0..self.stale.len() {
            let (grid, sector) = (self.grid, self.stale[at]);
            self.stale.extend(Dir8::ALL.iter().filter_map(|&dir| grid.beside(sector, dir)));
        }
        self.stale.sort_unstable();
        self.stale.dedup();
    }

    /// Finds the index of each door's twin in the sector that it leads to.
    pub(super) fn find_twins(&mut self, sector: SectorId) {
        for at in 0..self.sectors[sector.index()].doors.len() {
            let door = self.sectors[sector.index()].doors[at];
            let there = self.cell(sector, door).step(door.dir);
            let (other, back) = (self.grid.of(there), door.dir.opposite());
            let key = (self.place(there), back);
            let theirs = &self.sectors[other.index()].doors;
            let twin = theirs.binary_search_by_key(&key, |door| (door.place, door.dir));
            debug_assert!(twin.is_ok(), "both sides of a border must find the same doors");
            self.sectors[sector.index()].doors[at].twin = twin.unwrap_or(0) as u16;
        }
    }

    /// The agent's costs, with or without threat; `None` if the layer has no field for the agent.
    pub(super) fn ground<'a>(&self, layer: &'a CostLayer) -> Option<CostView<'a>> {
        layer.view(self.agent, self.threat)
    }

    /// The cells of a sector that are on the map.
    pub(super) fn area(&self, sector: SectorId) -> CellRect {
        self.grid.area(sector).intersect(self.size.rect())
    }

    #[inline]
    pub(super) fn place(&self, at: CellPos) -> u16 {
        let side = self.grid.side();
        (((at.y as u32) & (side - 1)) * side + ((at.x as u32) & (side - 1))) as u16
    }

    /// The cell of a door on its own side.
    #[inline]
    pub(super) fn cell(&self, sector: SectorId, door: Door) -> CellPos {
        door.cell(self.grid, sector)
    }

    /// The cell beyond a door.
    #[inline]
    pub(super) fn beyond(&self, sector: SectorId, door: Door) -> CellPos {
        self.cell(sector, door).step(door.dir)
    }

    /// Where a door leads: the door back.
    #[inline]
    pub(super) fn through(&self, sector: SectorId, door: Door) -> DoorId {
        door.through(self.grid, sector)
    }

    /// The costs from a door to all doors of its sector. Finds them first if needed.
    pub(super) fn costs_from<'a>(
        &'a self,
        layer: &CostLayer,
        sector: SectorId,
        door: u16,
        inside: &mut SectorDistances,
    ) -> Option<impl Iterator<Item = u32> + use<'a>> {
        let SectorDoors { doors, costs, .. } = &self.sectors[sector.index()];
        let row = usize::from(door);
        if costs.row(row).is_none() {
            // A route enters a sector by few of its doors, so find one row only.
            let from = self.cell(sector, *doors.get(row)?);
            inside.enter(self.ground(layer)?, self.area(sector), self.rule);
            inside.spread(from, Towards::Cells);
            costs.fill_row(row, doors.iter().map(|&to| inside.distance(self.cell(sector, to))));
        }
        costs.row(row)
    }

    /// The costs from a main door (by index among the main doors) to all main doors of its sector. Finds them first if needed.
    pub(super) fn main_costs_from<'a>(
        &'a self,
        layer: &CostLayer,
        sector: SectorId,
        row: usize,
        inside: &mut SectorDistances,
    ) -> Option<impl Iterator<Item = u32> + use<'a>> {
        let SectorDoors { doors, main, main_costs, .. } = &self.sectors[sector.index()];
        if main_costs.row(row).is_none() {
            let main = main.iter().map(|&index| doors[usize::from(index)]);
            self.find_costs(self.ground(layer)?, sector, &main, main_costs, inside);
        }
        main_costs.row(row)
    }

    /// Finds the costs between doors of a sector. It spreads backwards from each door as the target. Then all straight steps into a cell
    /// cost the same, and so do all diagonal steps, which makes the spread faster.
    pub(super) fn find_costs(
        &self,
        ground: CostView<'_>,
        sector: SectorId,
        doors: &(impl Iterator<Item = Door> + Clone),
        costs: &Table,
        inside: &mut SectorDistances,
    ) {
        inside.enter(ground, self.area(sector), self.rule);
        for (to, column) in doors.clone().zip(0..) {
            inside.spread(self.cell(sector, to), Towards::Source);
            costs.fill_column(column, doors.clone().map(|from| inside.distance(self.cell(sector, from))));
        }
    }

    /// Every door once: its cell on one side and its cell on the other.
    pub fn pairs(&self) -> impl Iterator<Item = (CellPos, CellPos)> {
        self.ranked_pairs(|_| true)
    }

    /// The main doors, one of each opening. Routes from block to block on huge maps use them.
    pub fn main_pairs(&self) -> impl Iterator<Item = (CellPos, CellPos)> {
        self.ranked_pairs(|rank| rank == DoorRank::Main)
    }

    fn ranked_pairs(
        &self,
        wanted: impl Fn(DoorRank) -> bool + Copy,
    ) -> impl Iterator<Item = (CellPos, CellPos)> {
        self.grid.all().flat_map(move |sector| {
            let doors = self.sectors[sector.index()].doors.iter().filter(move |door| wanted(door.rank));
            let ends = doors.map(move |&door| {
                let at = self.cell(sector, door);
                (at, at.step(door.dir))
            });
            ends.filter(|(a, b)| (a.y, a.x) < (b.y, b.x))
        })
    }

    /// Cells per side of the areas that a search crosses one by one: sectors, or blocks of sectors on huge maps.
    #[must_use]
    pub fn grain(&self) -> u32 {
        if self.blocks.in_use() { BLOCK_SIDE } else { self.grid.side() }
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// The step rule.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.sectors.iter().map(SectorDoors::memory_bytes).sum::<usize>() + self.blocks.memory_bytes()
    }
}
