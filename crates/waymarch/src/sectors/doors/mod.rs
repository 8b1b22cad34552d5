//! Doors: the steps between sectors that far routes are made of, and what lies between them.
//!
//! Two sectors touch along openings: cells open on both sides. Of each opening a few steps are *doors*: its ends, some in between, and
//! where it is cheapest. The costs from door to door within a sector are exact, found when they are first asked for. A way
//! over doors is therefore a real way; it is dearer than the best one only by having to pass at doors.

mod blocks;
mod frontier;
pub(super) mod inside;
mod live;
mod merge;
mod place;
mod sector;
pub(super) mod table;
mod towards;
mod travel;

use alloc::vec::Vec;

pub use live::{LiveDoors, NotLive};
pub use merge::Merging;
pub use towards::DoorGoal;
pub use travel::{DoorRoute, DoorScratch};

use super::zones::Connection;
use crate::base::{Agent, CellPos, CellRect, Dir8, GridSize};
use crate::cost::{ChangeMark, CostLayer, SectorGrid, SectorId, StepRule};
use crate::query::{PlanError, Threat};
use blocks::{BLOCK_SIDE, Blocks, Exit};
use inside::{Ground, Inside, Towards, UNIT};
use place::find_doors;
use sector::SectorDoors;
use table::Table;

/// Which routes use a door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DoorRank {
    /// Those from block to block too: one of each opening.
    Main,
    /// Only those from sector to sector.
    Side,
}

/// A step out of a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Door {
    /// The cell on this side, row by row within the sector.
    place: u16,
    /// What the step costs, in units.
    crossing: u16,
    /// The same step the other way, among the doors of the sector it leads to.
    twin: u16,
    dir: Dir8,
    /// Where the sector lies that it leads to; a diagonal step may well lead to one straight ahead.
    side: Dir8,
    rank: DoorRank,
}

/// Derived from one agent's costs, with threat or without: the doors between sectors, and the costs between them.
///
/// Placing doors costs a look at the borders, so an edit is followed in microseconds; costs inside a sector are found when a
/// route first needs them, and kept. What a question is answered never depends on what was asked before.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
///
/// let map = Map::flat("field", GridSize::new(300, 60)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let doors = Doors::new(&layer, LocomotorId(0).into(), StepRule::default(), Threat::Ignore)?;
/// let mut route = DoorRoute::default();
/// assert!(doors.route(&layer, cell(5, 5), cell(290, 5), &mut DoorScratch::default(), &mut route));
/// assert_eq!(route.cells.first(), Some(&cell(5, 5)));
/// assert_eq!(route.cells[1..3], [cell(31, 0), cell(32, 0)], "over the first border by the door nearest to the way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Doors {
    agent: Agent,
    rule: StepRule,
    threat: Threat,
    size: GridSize,
    grid: SectorGrid,
    sectors: Vec<SectorDoors>,
    blocks: Blocks,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    /// Scratch: sectors to look at.
    asked: Vec<SectorId>,
    found: Vec<Door>,
}

impl Doors {
    /// For units of `agent` that step by `rule` and heed threat or not.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
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
            asked: Vec::new(),
            found: Vec::new(),
        };
        doors.sectors.resize_with(grid.count(), SectorDoors::default);
        doors.asked.extend(grid.all());
        doors.look_again(layer);
        Ok(doors)
    }

    /// Follows what changed in the layer since this was last called.
    pub fn follow(&mut self, layer: &CostLayer) {
        if layer.grid() != self.size || layer.changes().sectors() != self.grid {
            // Another map: begin anew. An agent it has no costs for keeps doors that are never current.
            if let Ok(anew) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = anew;
            }
            return;
        }
        let log = layer.changes();
        self.asked.clear();
        match log.since(self.known) {
            Some(changed) => self.asked.extend_from_slice(changed),
            None => self.asked.extend(self.grid.all()),
        }
        self.known = log.mark_now();
        self.asked.sort_unstable();
        self.asked.dedup();
        self.look_again(layer);
    }

    /// Whether nothing changed in the layer that has not been followed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        self.known == layer.changes().mark_now() && layer.grid() == self.size
    }

    /// Looks again at the sectors asked for, and those around them.
    fn look_again(&mut self, layer: &CostLayer) {
        let Some(ground) = self.ground(layer) else { return };
        let changed = self.asked.len();
        for at in 0..changed {
            let sector = self.asked[at];
            // What was inside may be another way now, even if the doors are the same.
            self.sectors[sector.index()].forget();
            self.blocks.forget(sector);
        }
        self.add_around();
        // Doors are looked for on both sides of the borders that may have changed.
        let connection = Connection::of(self.rule);
        let mut others = false;
        for at in 0..self.asked.len() {
            let sector = self.asked[at];
            find_doors(ground, self.area(sector), connection, self.grid.side(), &mut self.found);
            let known = &mut self.sectors[sector.index()];
            // All but where they lead, which is found below.
            let seen = |door: &Door| Door { twin: 0, ..*door };
            if !known.doors.iter().map(seen).eq(self.found.iter().map(seen)) {
                others = true;
                known.set(&self.found);
                self.blocks.look_again(sector);
            }
        }
        if others {
            self.add_around();
            for at in 0..self.asked.len() {
                self.find_twins(self.asked[at]);
                self.blocks.look_again(self.asked[at]);
            }
        }
        let (grid, sectors) = (self.grid, &self.sectors);
        self.blocks.collect(sectors, |sector, door| Exit {
            there: through(grid, sector, door),
            crossing: door.crossing,
            at: cell_of(grid, sector, door).step(door.dir),
            dir: door.dir,
        });
    }

    /// Adds the sectors around those asked for.
    fn add_around(&mut self) {
        for at in 0..self.asked.len() {
            let (grid, sector) = (self.grid, self.asked[at]);
            self.asked.extend(Dir8::ALL.iter().filter_map(|&dir| grid.beside(sector, dir)));
        }
        self.asked.sort_unstable();
        self.asked.dedup();
    }

    /// Finds where the doors of a sector are among those of the sectors they lead to.
    fn find_twins(&mut self, sector: SectorId) {
        for at in 0..self.sectors[sector.index()].doors.len() {
            let door = self.sectors[sector.index()].doors[at];
            let there = self.cell(sector, door).step(door.dir);
            let (other, back) = (self.grid.of(there), door.dir.opposite());
            let key = (self.place(there), back);
            let theirs = &self.sectors[other.index()].doors;
            let twin = theirs.binary_search_by_key(&key, |door| (door.place, door.dir));
            debug_assert!(twin.is_ok(), "both sides find the same doors");
            self.sectors[sector.index()].doors[at].twin = twin.unwrap_or(0) as u16;
        }
    }

    /// What counts; nothing if the layer has lost the agent's field, which it cannot.
    fn ground<'a>(&self, layer: &'a CostLayer) -> Option<Ground<'a>> {
        Some(Ground::new(layer.field(self.agent)?, layer.threat(), self.threat))
    }

    /// The cells of a sector that are on the map.
    fn area(&self, sector: SectorId) -> CellRect {
        self.grid.area(sector).intersect(self.size.rect())
    }

    #[inline]
    fn place(&self, at: CellPos) -> u16 {
        let side = self.grid.side();
        (((at.y as u32) & (side - 1)) * side + ((at.x as u32) & (side - 1))) as u16
    }

    /// The cell of a door on its own side.
    #[inline]
    fn cell(&self, sector: SectorId, door: Door) -> CellPos {
        cell_of(self.grid, sector, door)
    }

    /// The cell beyond a door.
    #[inline]
    fn beyond(&self, sector: SectorId, door: Door) -> CellPos {
        self.cell(sector, door).step(door.dir)
    }

    /// Where a door leads: the sector and the door back.
    #[inline]
    fn through(&self, sector: SectorId, door: Door) -> (SectorId, u16) {
        through(self.grid, sector, door)
    }

    /// The costs from a door to all doors of its sector, filled first if need be.
    fn costs_from<'a>(
        &'a self,
        layer: &CostLayer,
        sector: SectorId,
        door: u16,
        inside: &mut Inside,
    ) -> Option<impl Iterator<Item = u32> + use<'a>> {
        let SectorDoors { doors, costs, .. } = &self.sectors[sector.index()];
        let row = usize::from(door);
        if costs.row(row).is_none() {
            // A route enters a sector by few of its doors: the others' costs can wait.
            let from = self.cell(sector, *doors.get(row)?);
            inside.enter(self.ground(layer)?, self.area(sector), self.rule);
            inside.spread(from, Towards::Cells);
            costs.fill_row(row, doors.iter().map(|&to| inside.distance(self.cell(sector, to))));
        }
        costs.row(row)
    }

    /// The costs from a main door, by its place among them, to all main doors of its sector, filled first if need be.
    fn main_costs_from<'a>(
        &'a self,
        layer: &CostLayer,
        sector: SectorId,
        row: usize,
        inside: &mut Inside,
    ) -> Option<impl Iterator<Item = u32> + use<'a>> {
        let SectorDoors { doors, main, main_costs, .. } = &self.sectors[sector.index()];
        if main_costs.row(row).is_none() {
            let main = main.iter().map(|&index| doors[usize::from(index)]);
            self.find_costs(self.ground(layer)?, sector, &main, main_costs, inside);
        }
        main_costs.row(row)
    }

    /// Finds the costs between doors of a sector. Ways *to* a door are found, not from it: a step then costs what the cell it is taken from
    /// says, whichever way it goes.
    fn find_costs(
        &self,
        ground: Ground<'_>,
        sector: SectorId,
        doors: &(impl Iterator<Item = Door> + Clone),
        costs: &Table,
        inside: &mut Inside,
    ) {
        inside.enter(ground, self.area(sector), self.rule);
        for (to, column) in doors.clone().zip(0..) {
            inside.spread(self.cell(sector, to), Towards::Source);
            costs.fill_column(column, doors.clone().map(|from| inside.distance(self.cell(sector, from))));
        }
    }

    /// Finds all costs that are not known yet. Routes find those they need by themselves; this is for those who would
    /// rather wait while a map is being loaded.
    pub fn prepare_all(&self, layer: &CostLayer, scratch: &mut DoorScratch) {
        let Some(ground) = self.ground(layer) else { return };
        for sector in self.grid.all() {
            let SectorDoors { doors, costs, .. } = &self.sectors[sector.index()];
            if (0..doors.len()).any(|row| costs.row(row).is_none()) {
                self.find_costs(ground, sector, &doors.iter().copied(), costs, &mut scratch.inside);
            }
            if self.blocks.in_use() {
                _ = self.main_costs_from(layer, sector, 0, &mut scratch.inside);
            }
        }
        for block in 0..self.blocks.len() {
            self.prepare_block(layer, block, scratch);
        }
    }

    /// Whether both have the same doors, and the same costs once all of them are found.
    #[must_use]
    pub fn same_as(&self, other: &Self, layer: &CostLayer, scratch: &mut DoorScratch) -> bool {
        self.prepare_all(layer, scratch);
        other.prepare_all(layer, scratch);
        let same = |(a, b): (&SectorDoors, &SectorDoors)| {
            a.doors == b.doors
                && a.main == b.main
                && a.costs.agrees_with(&b.costs)
                && a.main_costs.agrees_with(&b.main_costs)
        };
        self.sectors.len() == other.sectors.len()
            && self.sectors.iter().zip(&other.sectors).all(same)
            && self.blocks.same_as(&other.blocks)
    }

    /// Every door: the cell on one side and that on the other, each pair once.
    pub fn pairs(&self) -> impl Iterator<Item = (CellPos, CellPos)> {
        self.ranked_pairs(|_| true)
    }

    /// The doors that routes from block to block use on huge maps: one of each opening.
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

    /// Cells per side of what is looked at as a whole: a sector, or a block of sectors on huge maps.
    #[must_use]
    pub fn grain(&self) -> u32 {
        if self.blocks.in_use() { BLOCK_SIDE } else { self.grid.side() }
    }

    /// Whose doors.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// By which rule units step.
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

/// The cell of a door on its own side.
#[inline]
fn cell_of(grid: SectorGrid, sector: SectorId, door: Door) -> CellPos {
    let (area, side) = (grid.area(sector), grid.side());
    let place = u32::from(door.place);
    CellPos::new(area.x0 + (place & (side - 1)) as i32, area.y0 + (place / side) as i32)
}

/// Where a door leads: the sector and the door back.
#[inline]
fn through(grid: SectorGrid, sector: SectorId, door: Door) -> (SectorId, u16) {
    let other = sector.0 as i32 + door.side.dy() * grid.columns() as i32 + door.side.dx();
    (SectorId(other as u32), door.twin)
}
