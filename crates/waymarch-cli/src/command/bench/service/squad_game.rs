//! A game of squads: units in camps, goals for them, and sites for buildings that cut no unit off.

use waymarch::base::{CellPos, CellRect, Tick};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, Stamp, StampId, StepRule, ValidMap};
use waymarch::query::PlanError;
use waymarch::sectors::Sectors;
use waymarch::world::{PlayerId, UnitId, UnitType, World};

use super::super::cells::chebyshev;
use super::places::{DRAWS, Places, prepared_navigator};
use crate::diagnostics::Failure;

/// Members of a squad start at most 12 cells from its centre.
const CAMP: i32 = 12;

/// A `World` with squads that can all reach each other.
#[derive(Clone)]
pub(super) struct SquadGame {
    pub(super) world: World,
    pub(super) squads: Vec<Vec<UnitId>>,
    pub(super) places: Places,
    /// The last goal of every unit.
    goals: Vec<(UnitId, CellPos)>,
    trial: TrialMap,
}

/// A copy of the map on which buildings are tested before they are placed in the game.
#[derive(Clone)]
struct TrialMap {
    layer: CostLayer,
    sectors: Sectors,
    standing: Vec<(StampId, CellPos)>,
}

/// The number of squads, and of members in each.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquadSize {
    pub(super) squads: usize,
    pub(super) members: usize,
}

impl SquadGame {
    /// Spawns the squads in camps, each camp around a random cell.
    pub(super) fn new(map: &ValidMap, config: Config, size: SquadSize, seed: u32) -> Result<Self, Failure> {
        let SquadSize { squads, members } = size;
        let (nav, agent) = prepared_navigator(map, config)?;
        let mut places = Places::new(&nav, agent, seed)?;
        let mut world = World::new(nav);
        let kind = world.add_type(UnitType::new("soldier", agent)).map_err(Failure::invalid)?;
        let mut members_of = Vec::new();
        for _ in 0..squads {
            let camp = places.draw(world.nav(), |_| true)?;
            let side = CAMP as u32 * 2;
            let around = CellRect::at(camp.offset(-CAMP, -CAMP), side, side);
            let around = around.intersect(world.nav().layer().grid().rect());
            let free: Vec<CellPos> =
                around.cells().filter(|&at| world.nav().reachable(places.root, at, agent)).collect();
            // In large squads several units share a cell.
            let spots: Vec<CellPos> = (0..members).map(|unit| free[unit * 7 % free.len()]).collect();
            members_of.push(world.spawn_many(kind, PlayerId(0), &spots).map_err(Failure::invalid)?);
        }
        let layer = CostLayer::new(map, CostSettings::default());
        let sectors = Sectors::new(&layer, StepRule::default());
        let trial = TrialMap { layer, sectors, standing: Vec::new() };
        Ok(Self { world, squads: members_of, places, goals: Vec::new(), trial })
    }

    /// A goal for a squad, at least half of the map away from its first member.
    pub(super) fn goal_for(&mut self, squad: usize) -> Result<CellPos, Failure> {
        let nav = self.world.nav();
        let from = self.world.cell_of(self.squads[squad][0]).unwrap_or_default();
        let grid = nav.layer().grid();
        let least = grid.width().min(grid.height()) / 2;
        // The ground that can be reached may be smaller than that.
        self.places.draw(nav, |at| chebyshev(at, from) >= least).or_else(|_| self.places.draw(nav, |_| true))
    }

    /// Notes the goals of units, so that no building is placed there.
    pub(super) fn note(&mut self, units: &[UnitId], goal: CellPos) {
        self.goals.retain(|(unit, _)| !units.contains(unit));
        self.goals.extend(units.iter().map(|&unit| (unit, goal)));
    }

    /// An order for every squad, to a goal of its own. The caller has to give the orders.
    pub(super) fn orders_for_all(&mut self) -> Result<Vec<(Vec<UnitId>, CellPos)>, Failure> {
        let mut orders = Vec::new();
        for squad in 0..self.squads.len() {
            let goal = self.goal_for(squad)?;
            let units = self.squads[squad].clone();
            self.note(&units, goal);
            orders.push((units, goal));
        }
        Ok(orders)
    }

    /// A cell where a 3×3 building can be placed without covering a unit or a goal and without cutting a unit off.
    pub(super) fn site(&mut self) -> Result<CellPos, Failure> {
        let Self { world, places, goals, trial, .. } = self;
        let mut kept: Vec<CellPos> = world.units().filter_map(|unit| world.cell_of(unit.id)).collect();
        kept.extend(goals.iter().map(|&(_, goal)| goal));
        kept.push(places.root);
        for _ in 0..DRAWS {
            let at = places.draw(world.nav(), |_| true)?;
            let area = CellRect::at(at, 3, 3);
            let fits = trial.layer.grid().rect().intersect(area) == area;
            if !fits || kept.iter().any(|&taken| area.grow(1, 1).contains(taken)) {
                continue;
            }
            let stamp = trial.layer.place(&Stamp::solid(3, 3), at, Tick::ZERO).map_err(Failure::invalid)?;
            trial.sectors.follow(&trial.layer);
            let root = places.root;
            if kept.iter().all(|&at| trial.sectors.reachable(root, at, places.agent)) {
                trial.standing.push((stamp, at));
                return Ok(at);
            }
            trial.layer.remove(stamp).map_err(Failure::invalid)?;
            trial.sectors.follow(&trial.layer);
        }
        Err(Failure::from(PlanError::GoalClosed))
    }

    /// Removes a building from the copy of the map.
    pub(super) fn forget_site(&mut self, at: CellPos) -> Result<(), Failure> {
        let trial = &mut self.trial;
        if let Some(place) = trial.standing.iter().position(|&(_, other)| other == at) {
            let (stamp, _) = trial.standing.swap_remove(place);
            trial.layer.remove(stamp).map_err(Failure::invalid)?;
            trial.sectors.follow(&trial.layer);
        }
        Ok(())
    }
}
