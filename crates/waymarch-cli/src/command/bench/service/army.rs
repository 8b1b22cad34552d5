//! The army: thousands of units in groups of 100, measured by phase of the tick.

use waymarch::base::CellPos;
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::world::{EventKind, UnitId, World};

use super::super::cells::chebyshev;
use super::case::Case;
use super::squad_game::{SquadGame, SquadSize};
use super::storms::give;
use super::tick_log::{TickLog, best_round};
use crate::diagnostics::Failure;
use crate::report::grouped;

/// At most 100 members per group.
const MEMBERS: usize = 100;
/// `bench movement` gives orders for 1,800 ticks, as many as `bench service` runs by default.
const ORDERED_TICKS: usize = 1800;
/// Every 20 ticks (1 second) one group gets a new order.
const ORDER_EVERY: usize = 20;
/// Later orders lead 32 to 128 cells: near enough that most end during the measurement, far enough to need routes.
const NEAR: u32 = 32;
const FAR: u32 = 128;
/// The measured ticks run 2 times, and the shortest time of each counts.
const ROUNDS: usize = 2;
/// Then the game goes on without new orders until all have ended, for at most 12,000 ticks (10 minutes).
const PLAYED_OUT: usize = 12_000;
/// The limits for whole ticks: median 8 ms, p99 16 ms.
const MEDIAN_MS: f64 = 8.0;
const P99_MS: f64 = 16.0;

/// The size of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArmySize {
    pub(super) units: usize,
    /// Ticks before the measurement, and measured ticks.
    pub(super) before: usize,
    pub(super) measured: usize,
}

/// The order of a tick, if it has one: the units and their goal.
type Turn = Option<(Vec<UnitId>, CellPos)>;

/// The order of tick `number`. The groups take turns.
fn turn(game: &mut SquadGame, number: usize) -> Result<Turn, Failure> {
    if !number.is_multiple_of(ORDER_EVERY) {
        return Ok(None);
    }
    let squad = number / ORDER_EVERY % game.squads.len();
    let from = game.world.cell_of(game.squads[squad][0]).unwrap_or_default();
    let reach = NEAR..=FAR;
    let near = game.places.draw(game.world.nav(), |at| reach.contains(&chebyshev(at, from)));
    // The ground that can be reached may be smaller than that.
    let goal = near.or_else(|_| game.places.draw(game.world.nav(), |_| true))?;
    Ok(Some((game.squads[squad].clone(), goal)))
}

fn command(world: &mut World, turn: &Turn) {
    if let Some(order) = turn {
        give(world, std::slice::from_ref(order));
    }
}

/// The army without measurement: `bench movement` plays it to its end.
pub(in super::super) struct Army {
    game: SquadGame,
    /// The tick that comes next.
    number: usize,
}

impl Army {
    pub(in super::super) fn new(map: &ValidMap, seed: u32, units: usize) -> Result<Self, Failure> {
        Ok(Self { game: SquadGame::new(map, Config::default(), army_squads(units), seed)?, number: 0 })
    }

    /// Gives the orders of the next tick: to all squads at first, later to one in turn.
    pub(in super::super) fn give_orders(&mut self) -> Result<(), Failure> {
        if self.number == 0 {
            let orders = self.game.orders_for_all()?;
            give(&mut self.game.world, &orders);
        } else if self.has_more_orders() {
            let turn = turn(&mut self.game, self.number)?;
            command(&mut self.game.world, &turn);
        }
        self.number += 1;
        Ok(())
    }

    /// Whether orders are still to come.
    pub(in super::super) fn has_more_orders(&self) -> bool {
        self.number < ORDERED_TICKS
    }

    pub(in super::super) fn world(&self) -> &World {
        &self.game.world
    }

    pub(in super::super) fn tick(&mut self) {
        self.game.world.tick();
    }
}

/// The squads of an army: as equal as possible.
fn army_squads(units: usize) -> SquadSize {
    let squads = units.div_ceil(MEMBERS).max(1);
    SquadSize { squads, members: units.div_ceil(squads) }
}

/// Checks that units with an order have a heading, and that every order ends with an event.
#[derive(Default)]
struct OrderAudit {
    /// Units times ticks with an order but without a heading.
    without_heading: usize,
    gave_up: usize,
    arrived: usize,
    /// By unit index: whether the unit has an order that has not ended with an event.
    open: Vec<bool>,
}

impl OrderAudit {
    fn ordered(&mut self, units: &[UnitId]) {
        for unit in units {
            let index = unit.index() as usize;
            self.open.resize(self.open.len().max(index + 1), false);
            self.open[index] = true;
        }
    }

    /// Adds the tick that has just passed.
    fn add_tick(&mut self, world: &World) {
        for event in world.events() {
            match event.what {
                EventKind::Arrived => self.arrived += 1,
                EventKind::GaveUp(_) => self.gave_up += 1,
                _ => continue,
            }
            self.open[event.unit.index() as usize] = false;
        }
        let has_no_heading = |&(unit, _): &(UnitId, _)| {
            world.orders_of(unit).next().is_some() && world.heads_for(unit).is_none()
        };
        self.without_heading += world.positions().filter(has_no_heading).count();
    }

    fn without_end(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }
}

/// Units in groups of 100 cross weighted ground with default settings. Every second one group gets a new goal.
pub(super) fn army(word: &str, map: &ValidMap, seed: u32, size: ArmySize) -> Result<Case, Failure> {
    let mut game = SquadGame::new(map, Config::default(), army_squads(size.units), seed)?;
    let mut audit = OrderAudit::default();
    let orders = game.orders_for_all()?;
    orders.iter().for_each(|(units, _)| audit.ordered(units));
    give(&mut game.world, &orders);
    let (mut log, mut turns, mut start) = (TickLog::default(), Vec::new(), None);
    for number in 0..size.before + size.measured {
        let turn = if number == 0 { None } else { turn(&mut game, number)? };
        turn.iter().for_each(|(units, _)| audit.ordered(units));
        if number < size.before {
            command(&mut game.world, &turn);
            game.world.tick();
        } else {
            start.get_or_insert_with(|| game.world.clone());
            // This game has all its memory already. Its copy is timed too, but has to allocate first.
            log.tick(&mut game.world, |world| command(world, &turn));
            turns.push(turn);
        }
        audit.add_tick(&game.world);
    }
    if let Some(start) = start {
        let again = best_round(ROUNDS - 1, &start, |world, log| {
            turns.iter().for_each(|turn| log.tick(world, |world| command(world, turn)));
        });
        log.best_of(&again);
    }
    let mut later = 0;
    while later < PLAYED_OUT && game.world.positions().any(|(unit, _)| has_order(&game.world, unit)) {
        game.world.tick();
        audit.add_tick(&game.world);
        later += 1;
    }
    let (median, p99) = (log.whole_percentile(50), log.whole_percentile(99));
    let (unled, unheard) = (audit.without_heading, audit.without_end());
    Ok(Case {
        case: "army",
        map: word.to_owned(),
        units: game.world.unit_count(),
        failed: audit.gave_up,
        lost: unled + unheard,
        limit: format!(
            "whole tick {median:.2} of {MEDIAN_MS:.0} ms, p99 {p99:.2} of {P99_MS:.0} ms, {} allocations of 0; \
             {} ticks without a heading, {unheard} orders without an end, {} arrived; over {} ticks later",
            log.allocations,
            grouped(unled as u64),
            grouped(audit.arrived as u64),
            grouped(later as u64),
        ),
        holds: median <= MEDIAN_MS && p99 <= P99_MS && log.allocations == 0,
        log,
    })
}

fn has_order(world: &World, unit: UnitId) -> bool {
    world.orders_of(unit).next().is_some()
}
