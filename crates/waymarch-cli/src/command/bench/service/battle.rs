//! The big army: everything a World does, for thousands of units in dozens of groups, by phases of the tick.

use waymarch::base::CellPos;
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::world::{EventKind, UnitId, World};

use super::army::Army;
use super::clock::Log;
use super::storms::give;
use super::{Case, best_round};
use crate::diagnostics::Failure;
use crate::report::grouped;

/// At most so many members in a group.
const MEMBERS: usize = 100;
/// A tick in so many brings an order to a whole group.
const ORDER_EVERY: usize = 20;
/// How far later orders lead, in cells: near enough that most end while it is measured, far enough to be routes.
const NEAR: u32 = 32;
const FAR: u32 = 128;
/// The measured ticks are played so often, and of each the quickest counts.
const ROUNDS: usize = 2;
/// After them the game goes on without orders until all are done, for at most so many ticks.
const PLAYED_OUT: usize = 12_000;
/// What a tick may take, all of it: the median, and 99 of 100.
const MEDIAN_MS: f64 = 8.0;
const P99_MS: f64 = 16.0;

/// How big the game is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) units: usize,
    /// Ticks before it is measured, and those that are.
    pub(super) before: usize,
    pub(super) measured: usize,
}

/// An order for a group.
type Turn = Option<(Vec<UnitId>, CellPos)>;

/// What the game is at tick `number`: every group has its turn.
fn turn(army: &mut Army, number: usize) -> Result<Turn, Failure> {
    if !number.is_multiple_of(ORDER_EVERY) {
        return Ok(None);
    }
    let squad = number / ORDER_EVERY % army.squads.len();
    let from = army.world.cell_of(army.squads[squad][0]).unwrap_or_default();
    let reach = NEAR..=FAR;
    let goal = army
        .places
        .draw(army.world.nav(), |at| reach.contains(&at.x.abs_diff(from.x).max(at.y.abs_diff(from.y))))?;
    Ok(Some((army.squads[squad].clone(), goal)))
}

fn command(world: &mut World, turn: &Turn) {
    if let Some(order) = turn {
        give(world, std::slice::from_ref(order));
    }
}

/// Whether everybody who was told to go is led, and hears how it ended.
#[derive(Default)]
struct Roll {
    /// Units times ticks under way without anything to head for.
    without_heading: usize,
    gave_up: usize,
    arrived: usize,
    /// By the unit's number: whether it was told something of whose end nothing was heard.
    open: Vec<bool>,
}

impl Roll {
    fn told(&mut self, units: &[UnitId]) {
        for unit in units {
            let index = unit.index() as usize;
            self.open.resize(self.open.len().max(index + 1), false);
            self.open[index] = true;
        }
    }

    /// A tick has passed.
    fn call(&mut self, world: &World) {
        for event in world.events() {
            match event.what {
                EventKind::Arrived => self.arrived += 1,
                EventKind::GaveUp(_) => self.gave_up += 1,
                _ => continue,
            }
            self.open[event.unit.index() as usize] = false;
        }
        let is_left = |&(unit, _): &(UnitId, _)| {
            world.orders_of(unit).next().is_some() && world.heads_for(unit).is_none()
        };
        self.without_heading += world.positions().filter(is_left).count();
    }

    fn unheard(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }
}

/// Units in groups of a hundred cross weighted ground under default settings; every second another group is sent elsewhere.
pub(super) fn battle(word: &str, map: &ValidMap, seed: u32, size: Size) -> Result<Case, Failure> {
    let squads = size.units.div_ceil(MEMBERS).max(1);
    let mut army = Army::muster(map, Config::default(), [squads, size.units.div_ceil(squads)], seed)?;
    let mut roll = Roll::default();
    let orders = army.orders_for_all()?;
    orders.iter().for_each(|(units, _)| roll.told(units));
    give(&mut army.world, &orders);
    let (mut log, mut turns, mut start) = (Log::default(), Vec::new(), None);
    for number in 0..size.before + size.measured {
        let turn = if number == 0 { None } else { turn(&mut army, number)? };
        turn.iter().for_each(|(units, _)| roll.told(units));
        if number < size.before {
            command(&mut army.world, &turn);
            army.world.tick();
        } else {
            start.get_or_insert_with(|| army.world.clone());
            // The game that went on has all its memory; its copy, which is timed too, has to make its own anew.
            log.tick(&mut army.world, |world| command(world, &turn));
            turns.push(turn);
        }
        roll.call(&army.world);
    }
    if let Some(start) = start {
        let again = best_round(ROUNDS - 1, &start, |world, log| {
            turns.iter().for_each(|turn| log.tick(world, |world| command(world, turn)));
        });
        log.best_of(&again);
    }
    let mut later = 0;
    while later < PLAYED_OUT && army.world.positions().any(|(unit, _)| is_told(&army.world, unit)) {
        army.world.tick();
        roll.call(&army.world);
        later += 1;
    }
    let (median, p99) = (log.whole_percentile(50), log.whole_percentile(99));
    let (unled, unheard) = (roll.without_heading, roll.unheard());
    Ok(Case {
        case: "army",
        map: word.to_owned(),
        units: army.world.unit_count(),
        failed: roll.gave_up,
        lost: unled + unheard,
        limit: format!(
            "whole tick {median:.2} of {MEDIAN_MS:.0} ms, p99 {p99:.2} of {P99_MS:.0} ms, {} allocations of 0; \
             {} ticks without a heading, {unheard} orders without an end, {} arrived; over {} ticks later",
            log.allocations,
            grouped(unled as u64),
            grouped(roll.arrived as u64),
            grouped(later as u64),
        ),
        holds: median <= MEDIAN_MS && p99 <= P99_MS && log.allocations == 0,
        log,
    })
}

fn is_told(world: &World, unit: UnitId) -> bool {
    world.orders_of(unit).next().is_some()
}
