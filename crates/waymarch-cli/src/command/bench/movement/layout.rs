//! Scenes on floor plans: where units start, and which orders they get.

use waymarch::base::{Agent, CellPos, LocomotorId, Purpose, Rng, SizeClass, Tick};
use waymarch::config::Config;
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, UnitType, UnitTypeId, When, World};

use super::super::floor_plan::FloorPlan;
use super::game::OrderedWorld;
use crate::diagnostics::Failure;

/// A scene on a floor plan ends after 12,000 ticks: 10 minutes.
const MAX_TICKS: u64 = 12_000;

/// How the units of a side get their orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orders {
    /// Each unit gets an order of its own.
    Individual,
    /// One order for the whole side, in the default formation.
    Group,
    /// One order for the whole side, in a box.
    BoxGroup,
}

impl Orders {
    pub(super) const ALL: [Self; 3] = [Self::Individual, Self::Group, Self::BoxGroup];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Individual => "individual",
            Self::Group => "group",
            Self::BoxGroup => "box",
        }
    }
}

/// A unit at the start.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: CellPos,
    /// The side of its square, in cells.
    size: u8,
    player: u8,
}

/// An order to several units, by their numbers.
#[derive(Clone, Debug)]
struct Given {
    units: Vec<usize>,
    order: Order,
    when: When,
}

/// A floor plan with units and orders.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    plan: FloorPlan,
    units: Vec<Start>,
    orders: Vec<Given>,
}

impl From<FloorPlan> for Layout {
    fn from(plan: FloorPlan) -> Self {
        Self { plan, units: Vec::new(), orders: Vec::new() }
    }
}

/// Units that start together: their cells, size and player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squad<'a> {
    pub(super) cells: &'a [CellPos],
    pub(super) size: u8,
    pub(super) player: u8,
}

impl<'a> Squad<'a> {
    /// Units of one cell of player 0.
    pub(super) fn new(cells: &'a [CellPos]) -> Self {
        Self { cells, size: 1, player: 0 }
    }
}

impl Layout {
    /// Adds units. They get no order.
    pub(super) fn stand(&mut self, squad: Squad<'_>) -> Vec<usize> {
        let Squad { cells, size, player } = squad;
        let first = self.units.len();
        self.units.extend(cells.iter().map(|&at| Start { at, size, player }));
        (first..self.units.len()).collect()
    }

    /// Adds units and sends them to the cells of `goals`: each to its own, or all to the middle cell.
    pub(super) fn send(&mut self, squad: Squad<'_>, goals: &[CellPos], how: Orders) {
        let units = self.stand(squad);
        let formation = match how {
            Orders::Individual => {
                for (&unit, &goal) in units.iter().zip(goals) {
                    self.order(&[unit], Order::move_to(goal), When::Now);
                }
                return;
            }
            Orders::Group => Formation::default(),
            Orders::BoxGroup => Formation::Box,
        };
        let order = Order::move_to(middle(goals));
        let order = if how == Orders::Group { order } else { order.formation(formation) };
        self.order(&units, order, When::Now);
    }

    /// Adds an order.
    pub(super) fn order(&mut self, units: &[usize], order: Order, when: When) {
        self.orders.push(Given { units: units.to_vec(), order, when });
    }

    /// The game before its first tick.
    pub(super) fn game(&self, name: &str, seed: u32) -> Result<OrderedWorld, Failure> {
        let nav = Navigator::new(self.plan.map(name)?, Config::default()).map_err(Failure::invalid)?;
        let mut world = World::with_seed(nav, u64::from(seed));
        let mut kinds: Vec<(u8, UnitTypeId)> = Vec::new();
        let mut ids = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            let known = kinds.iter().find(|kind| kind.0 == unit.size).map(|kind| kind.1);
            let kind = match known {
                Some(kind) => kind,
                None => {
                    let size = SizeClass::new(unit.size).unwrap_or_default();
                    let body = Agent { locomotor: LocomotorId(0), size };
                    let kind = world.add_type(UnitType::new("soldier", body)).map_err(Failure::invalid)?;
                    kinds.push((unit.size, kind));
                    kind
                }
            };
            ids.push(world.spawn(kind, PlayerId(unit.player), unit.at).map_err(Failure::invalid)?);
        }
        for Given { units, order, when } in &self.orders {
            let members: Vec<_> = units.iter().map(|&unit| ids[unit]).collect();
            let given = match when {
                When::Now => world.order(&members, order.clone()),
                When::Queued => world.queue(&members, order.clone()),
            };
            given.map_err(Failure::invalid)?;
        }
        Ok(OrderedWorld { world, max_ticks: MAX_TICKS })
    }
}

/// The cell nearest to the mean of all.
fn middle(cells: &[CellPos]) -> CellPos {
    let count = cells.len().max(1) as i32;
    let sum = cells.iter().fold((0, 0), |(x, y), at| (x + at.x, y + at.y));
    let mean = CellPos::new(sum.0 / count, sum.1 / count);
    let apart = |at: &CellPos| (at.x - mean.x).pow(2) + (at.y - mean.y).pow(2);
    cells.iter().copied().min_by_key(|at| (apart(at), at.y, at.x)).unwrap_or(mean)
}

/// The random numbers of a scene. `salt` keeps the kinds of scenes apart.
pub(super) fn scene_random(seed: u32, salt: u64) -> Rng {
    Rng::keyed(u64::from(seed), Tick::ZERO, salt, Purpose(10))
}
