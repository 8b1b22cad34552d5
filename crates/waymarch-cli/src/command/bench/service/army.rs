//! Squads on a map, and places they can be sent to.

use waymarch::base::{Agent, CellPos, CellRect, LocomotorId, Purpose, Rng, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, Stamp, StampId, StepRule, ValidMap};
use waymarch::query::PlanError;
use waymarch::sectors::Sectors;
use waymarch::world::{Navigator, PlayerId, UnitId, UnitType, World};

use crate::diagnostics::{Failure, Kind};
use crate::scene::no_route;

/// Members of a squad stand at most this many cells from its middle.
const CAMP: i32 = 12;
/// How often a place is drawn before there is said to be none.
const DRAWS: usize = 10_000;

/// A World with squads that can all reach each other.
#[derive(Clone)]
pub(super) struct Army {
    pub(super) world: World,
    pub(super) squads: Vec<Vec<UnitId>>,
    pub(super) places: Places,
    /// Where every unit was last sent.
    goals: Vec<(UnitId, CellPos)>,
    scout: Scout,
}

/// A second map on which buildings are tried before they are put up.
#[derive(Clone)]
struct Scout {
    layer: CostLayer,
    sectors: Sectors,
    standing: Vec<(StampId, CellPos)>,
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
pub(super) fn invalid(error: impl ToString) -> Failure {
    Failure::new(Kind::Invalid, error.to_string())
}

/// A navigator that has made ready what games make ready while a map is loaded.
pub(super) fn ready(map: &ValidMap, config: Config) -> Result<(Navigator, Agent), Failure> {
    let mut nav = Navigator::new(map.map().clone(), config).map_err(invalid)?;
    let agent = Agent::from(LocomotorId(0));
    nav.make_ready(agent);
    nav.make_ready_far(agent);
    Ok((nav, agent))
}

/// Draws places on the largest piece of ground that a map seems to have.
#[derive(Clone)]
pub(super) struct Places {
    pub(super) random: Rng,
    pub(super) root: CellPos,
    pub(super) agent: Agent,
}

impl Places {
    pub(super) fn new(nav: &Navigator, agent: Agent, seed: u32) -> Result<Self, Failure> {
        let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(6));
        let grid = nav.layer().grid();
        let mut draw = || cell(random.below(grid.width()) as i32, random.below(grid.height()) as i32);
        let drawn: Vec<CellPos> = (0..64).map(|_| draw()).collect();
        let reached = |root: CellPos| drawn.iter().filter(|&&at| nav.reachable(root, at, agent)).count();
        let root = drawn.iter().copied().max_by_key(|&root| reached(root));
        let root = root.filter(|&root| reached(root) > 0).ok_or_else(|| no_route(&PlanError::GoalClosed))?;
        Ok(Self { random, root, agent })
    }

    /// A place that can be reached and stopped on, of those that `suits`.
    pub(super) fn draw(
        &mut self,
        nav: &Navigator,
        suits: impl Fn(CellPos) -> bool,
    ) -> Result<CellPos, Failure> {
        let grid = nav.layer().grid();
        for _ in 0..DRAWS {
            let at = cell(self.random.below(grid.width()) as i32, self.random.below(grid.height()) as i32);
            let good = nav.reachable(self.root, at, self.agent) && nav.layer().can_stop(at, self.agent);
            if good && suits(at) {
                return Ok(at);
            }
        }
        Err(no_route(&PlanError::GoalClosed))
    }
}

impl Army {
    /// So many squads of so many, in camps.
    pub(super) fn muster(
        map: &ValidMap,
        config: Config,
        [squads, members]: [usize; 2],
        seed: u32,
    ) -> Result<Self, Failure> {
        let (nav, agent) = ready(map, config)?;
        let mut places = Places::new(&nav, agent, seed)?;
        let mut world = World::new(nav);
        let kind = world.add_type(UnitType::new("soldier", agent)).map_err(invalid)?;
        let mut army = Vec::new();
        for _ in 0..squads {
            let camp = places.draw(world.nav(), |_| true)?;
            let side = CAMP as u32 * 2;
            let around = CellRect::at(camp.offset(-CAMP, -CAMP), side, side);
            let around = around.intersect(world.nav().layer().grid().rect());
            let free: Vec<CellPos> =
                around.cells().filter(|&at| world.nav().reachable(places.root, at, agent)).collect();
            // Big squads stand close together: several units to a cell.
            let spots: Vec<CellPos> = (0..members).map(|unit| free[unit * 7 % free.len()]).collect();
            army.push(world.spawn_many(kind, PlayerId(0), &spots).map_err(invalid)?);
        }
        let layer = CostLayer::new(map, CostSettings::default());
        let sectors = Sectors::new(&layer, StepRule::default());
        let scout = Scout { layer, sectors, standing: Vec::new() };
        Ok(Self { world, squads: army, places, goals: Vec::new(), scout })
    }

    /// A goal for a squad, at least half of the map away from its first member.
    pub(super) fn goal_for(&mut self, squad: usize) -> Result<CellPos, Failure> {
        let nav = self.world.nav();
        let from = self.world.cell_of(self.squads[squad][0]).unwrap_or_default();
        let grid = nav.layer().grid();
        let least = grid.width().min(grid.height()) / 2;
        self.places.draw(nav, |at| at.x.abs_diff(from.x).max(at.y.abs_diff(from.y)) >= least)
    }

    /// Writes down where units are sent, so that nothing is built there.
    pub(super) fn note(&mut self, units: &[UnitId], goal: CellPos) {
        self.goals.retain(|(unit, _)| !units.contains(unit));
        self.goals.extend(units.iter().map(|&unit| (unit, goal)));
    }

    /// Sends every squad to a goal of its own; gives the orders, which are not given yet.
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

    /// Where a 3×3 building can be put up that covers neither units nor goals and cuts nobody off.
    pub(super) fn site(&mut self) -> Result<CellPos, Failure> {
        let Self { world, places, goals, scout, .. } = self;
        let mut kept: Vec<CellPos> = world.units().filter_map(|unit| world.cell_of(unit.id)).collect();
        kept.extend(goals.iter().map(|&(_, goal)| goal));
        kept.push(places.root);
        for _ in 0..DRAWS {
            let at = places.draw(world.nav(), |_| true)?;
            let area = CellRect::at(at, 3, 3);
            let fits = scout.layer.grid().rect().intersect(area) == area;
            if !fits || kept.iter().any(|&taken| area.grow(1, 1).contains(taken)) {
                continue;
            }
            let stamp = scout.layer.place(&Stamp::solid(3, 3), at, Tick::ZERO).map_err(invalid)?;
            scout.sectors.follow(&scout.layer);
            let root = places.root;
            if kept.iter().all(|&at| scout.sectors.reachable(root, at, places.agent)) {
                scout.standing.push((stamp, at));
                return Ok(at);
            }
            scout.layer.remove(stamp).map_err(invalid)?;
            scout.sectors.follow(&scout.layer);
        }
        Err(no_route(&PlanError::GoalClosed))
    }

    /// Takes a building off the map on which buildings are tried.
    pub(super) fn forget_site(&mut self, at: CellPos) -> Result<(), Failure> {
        let scout = &mut self.scout;
        if let Some(place) = scout.standing.iter().position(|&(_, other)| other == at) {
            let (stamp, _) = scout.standing.swap_remove(place);
            scout.layer.remove(stamp).map_err(invalid)?;
            scout.sectors.follow(&scout.layer);
        }
        Ok(())
    }
}
