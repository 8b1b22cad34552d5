//! How the orders of units end: by arrival, by giving up although a route exists, without a route, or not at all.

use serde::Serialize;
use waymarch::query::Goal;
use waymarch::sectors::SnapScratch;
use waymarch::world::{EventKind, GiveUp, Order, Target, UnitId, World};

use super::super::cells::chebyshev;

/// A stuck unit without a route has not failed if it is at most 2 cells from the reachable cell nearest to its goal.
const NEAR_CELLS: u32 = 2;

/// What became of the units of a scene. Every unit counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Outcomes {
    pub(super) units: usize,
    /// Units whose last order ended with an arrival and which never gave up.
    pub(super) arrived: usize,
    /// Units that gave up an order although a route led to its goal, or far from the nearest reachable cell.
    pub(super) gave_up: usize,
    /// Units whose order had not ended, although it can end.
    pub(super) unended: usize,
    /// Units that gave up their last order as near to the goal as possible, because no route led to the goal.
    pub(super) no_route: usize,
}

/// At most 20 failed units of a scene are listed.
const MOST_FAILURES: usize = 20;

/// A unit that gave up although a route existed, or whose order had not ended; scripts rely on the keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Failed {
    /// The index of the unit.
    pub(super) unit: u32,
    /// When it gave up; `None` if its order had not ended.
    pub(super) tick: Option<u64>,
    /// Where it was then, or at the end.
    pub(super) cell: [i32; 2],
    /// Why it gave up, or its motion at the end.
    pub(super) why: String,
}

/// How the last order of a unit ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LastEnd {
    /// It had no order that can end.
    None,
    Arrived(u64),
    NoRoute,
}

#[derive(Clone, Debug)]
struct TrackedUnit {
    id: UnitId,
    /// The goal of its present order; `None` if the order has no place.
    goal: Option<Goal>,
    last_end: LastEnd,
    /// When it first gave up although a route existed.
    gave_up: Option<Failed>,
}

/// What a unit does, for pictures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Activity {
    /// It has never had an order that ended, and has none now.
    Idle,
    /// It has an order.
    Travelling,
    /// Its last order ended with an arrival, or as near to the goal as possible.
    Arrived,
    GaveUp,
}

/// Follows the orders of all units from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct OutcomeTracker {
    /// By unit index.
    units: Vec<Option<TrackedUnit>>,
    /// Units that were removed after they had given up.
    removed_gave_up: usize,
}

impl OutcomeTracker {
    /// Notes the orders that units have. Call it after the commands of a tick, before the tick.
    pub(super) fn before_tick(&mut self, world: &World) {
        for (id, _) in world.positions() {
            let index = id.index() as usize;
            self.units.resize(self.units.len().max(index + 1), None);
            let new = TrackedUnit { id, goal: None, last_end: LastEnd::None, gave_up: None };
            let known = self.units[index].take_if(|unit| unit.id != id);
            self.removed_gave_up += usize::from(known.is_some_and(|unit| unit.gave_up.is_some()));
            let unit = self.units[index].get_or_insert(new);
            unit.goal = world.orders_of(id).next().and_then(goal_of);
        }
    }

    /// Adds the events of the tick that has just passed.
    pub(super) fn after_tick(&mut self, world: &World) {
        for event in world.events() {
            let tracked = self.units.get_mut(event.unit.index() as usize).and_then(Option::as_mut);
            let Some(unit) = tracked.filter(|unit| unit.id == event.unit) else { continue };
            match event.what {
                EventKind::OrderStarted => {
                    unit.goal = world.orders_of(event.unit).next().and_then(goal_of);
                }
                EventKind::Arrived => unit.last_end = LastEnd::Arrived(world.now().0),
                EventKind::GaveUp(GiveUp::TargetGone) => unit.last_end = LastEnd::None,
                EventKind::GaveUp(why) if has_failed(world, event.unit, unit.goal.as_ref(), why) => {
                    let now = world.now().0;
                    unit.gave_up
                        .get_or_insert_with(|| failed(world, event.unit, Some(now), format!("{why:?}")));
                }
                EventKind::GaveUp(_) => unit.last_end = LastEnd::NoRoute,
                _ => {}
            }
        }
    }

    /// The counts for the `World` as it is.
    pub(super) fn outcomes(&self, world: &World) -> Outcomes {
        let mut counts =
            Outcomes { gave_up: self.removed_gave_up, units: self.removed_gave_up, ..Outcomes::default() };
        for unit in self.units.iter().flatten() {
            counts.units += 1;
            let is_unended = world.orders_of(unit.id).next().is_some_and(can_end);
            match unit.last_end {
                _ if unit.gave_up.is_some() => counts.gave_up += 1,
                _ if is_unended => counts.unended += 1,
                LastEnd::Arrived(_) => counts.arrived += 1,
                LastEnd::NoRoute => counts.no_route += 1,
                LastEnd::None => {}
            }
        }
        counts
    }

    /// The ticks at which the units that count as arrived have arrived, sorted.
    pub(super) fn arrivals(&self, world: &World) -> Vec<u64> {
        let arrival = |unit: &TrackedUnit| match unit.last_end {
            LastEnd::Arrived(tick) if unit.gave_up.is_none() && world.orders_of(unit.id).next().is_none() => {
                Some(tick)
            }
            _ => None,
        };
        let mut ticks: Vec<u64> = self.units.iter().flatten().filter_map(arrival).collect();
        ticks.sort_unstable();
        ticks
    }

    /// The ticks at which units gave up although a route existed, sorted.
    pub(super) fn give_ups(&self) -> Vec<u64> {
        let mut ticks: Vec<u64> =
            self.units.iter().flatten().filter_map(|unit| unit.gave_up.as_ref()?.tick).collect();
        ticks.sort_unstable();
        ticks
    }

    /// The units that count as failed, by unit index; at most [`MOST_FAILURES`] of them.
    pub(super) fn failures(&self, world: &World) -> Vec<Failed> {
        let failure = |unit: &TrackedUnit| {
            let is_unended = || world.orders_of(unit.id).next().is_some_and(can_end);
            let motion = || world.motion_of(unit.id).map_or(String::new(), |motion| format!("{motion:?}"));
            let unended = || is_unended().then(|| failed(world, unit.id, None, motion()));
            unit.gave_up.clone().or_else(unended)
        };
        self.units.iter().flatten().filter_map(failure).take(MOST_FAILURES).collect()
    }

    /// What a unit does after the tick.
    pub(super) fn activity(&self, world: &World, id: UnitId) -> Activity {
        let tracked = self.units.get(id.index() as usize).and_then(Option::as_ref);
        let tracked = tracked.filter(|unit| unit.id == id);
        match tracked.map(|unit| unit.last_end) {
            _ if world.orders_of(id).next().is_some() => Activity::Travelling,
            _ if tracked.is_some_and(|unit| unit.gave_up.is_some()) => Activity::GaveUp,
            Some(LastEnd::Arrived(_) | LastEnd::NoRoute) => Activity::Arrived,
            Some(LastEnd::None) | None => Activity::Idle,
        }
    }
}

/// Whether a unit has an order that can end.
pub(super) fn has_order_that_can_end(world: &World) -> bool {
    world.positions().any(|(unit, _)| world.orders_of(unit).any(can_end))
}

fn failed(world: &World, id: UnitId, tick: Option<u64>, why: String) -> Failed {
    let cell = world.cell_of(id).map_or([-1, -1], |at| [at.x, at.y]);
    Failed { unit: id.index(), tick, cell, why }
}

/// Whether a unit can complete the order.
fn can_end(order: &Order) -> bool {
    match order {
        Order::Move(_) | Order::Form { .. } | Order::AttackMove { .. } | Order::Scatter { .. } => true,
        Order::Around { target, .. } => !matches!(target, Target::Unit(_)),
        _ => false,
    }
}

/// The goal of an order that leads to a place.
fn goal_of(order: &Order) -> Option<Goal> {
    match order {
        Order::Move(goal) | Order::AttackMove { goal, .. } => Some(goal.clone()),
        Order::Form { at, .. } => Some(Goal::point(*at)),
        Order::Around { target: Target::Cell(at), .. } => Some(Goal::point(*at)),
        _ => None,
    }
}

/// Whether a give-up is a failure. It is none if no route leads to the goal and the unit says so. A stuck unit without a route must
/// stand near the reachable cell that is the nearest to its goal.
fn has_failed(world: &World, unit: UnitId, goal: Option<&Goal>, why: GiveUp) -> bool {
    let from = world.cell_of(unit);
    let kind = world.unit(unit).and_then(|unit| world.unit_type(unit.kind));
    let Some(((from, goal), kind)) = from.zip(goal).zip(kind) else { return true };
    let nav = world.nav();
    let nearest = nav.sectors().snap(nav.layer(), from, goal, kind.agent, &mut SnapScratch::default());
    match (why, nearest) {
        (_, Ok(nearest)) if nearest.gap == 0 => true,
        (GiveUp::Stuck { .. }, Ok(nearest)) => chebyshev(from, nearest.to) > NEAR_CELLS,
        _ => false,
    }
}
