//! A normal game with orders and buildings every second, and the time to save, restore and load it.

use waymarch::base::{ByteWriter, CellPos};
use waymarch::config::Config;
use waymarch::cost::{Stamp, ValidMap};
use waymarch::world::{UnitId, World};

use super::case::Case;
use super::squad_game::{SquadGame, SquadSize};
use super::storms::{failures, give};
use super::tick_log::TickLog;
use super::tick_log::{ROUNDS, best_round};
use crate::diagnostics::Failure;

/// 20 ticks per second.
const TICKS: usize = 20;
/// Every 2 ticks one order is given: 10 per second.
const ORDER_EVERY: usize = 2;
/// The numbers of units of the orders, in turn: mostly 1, sometimes a whole squad of 25.
const ORDERED: [usize; 8] = [1, 1, 25, 1, 4, 1, 12, 1];
/// 60 seconds run before the measurement, and 60 seconds are measured.
const BEFORE: usize = 60;
const MEASURED: usize = 60;
/// The limit for the p99 of planning: 2 ms.
const PLANNING_MS: f64 = 2.0;

/// The settings of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Under {
    /// The defaults: a tick may expand 6,144 nodes in four parallel searches.
    Defaults,
    /// For games that plan on one core within 2 ms: one search at a time, fewer nodes, and a cache for the tiles of all flows.
    OneCore,
}

impl Under {
    fn config(self) -> Config {
        match self {
            Self::Defaults => Config::default(),
            Self::OneCore => Config::default().for_one_core(),
        }
    }
}

/// The commands at the start of a tick.
#[derive(Clone, Default)]
struct Turn {
    order: Option<(Vec<UnitId>, CellPos)>,
    building: Option<CellPos>,
}

impl Turn {
    fn give(&self, world: &mut World) {
        if let Some(at) = self.building {
            // The site was tested before, so placing does not fail.
            let _placed = world.place(&Stamp::solid(3, 3), at);
        }
        if let Some(order) = &self.order {
            give(world, std::slice::from_ref(order));
        }
    }
}

/// The commands of tick `number`, drawn for the game as it is at that tick.
fn turn(game: &mut SquadGame, number: usize) -> Result<Turn, Failure> {
    let mut turn = Turn::default();
    if number.is_multiple_of(ORDER_EVERY) {
        let squad = game.places.random.below(game.squads.len() as u32) as usize;
        let goal = game.goal_for(squad)?;
        let many = ORDERED[number / ORDER_EVERY % ORDERED.len()];
        let from = game.places.random.below((game.squads[squad].len() - many + 1) as u32) as usize;
        let units = game.squads[squad][from..from + many].to_vec();
        game.note(&units, goal);
        turn.order = Some((units, goal));
    }
    if number.is_multiple_of(TICKS) {
        turn.building = Some(game.site()?);
    }
    Ok(turn)
}

/// 1,000 travelling units on weighted ground, with ten orders and one building per second; and snapshots of this game.
pub(super) fn steady(word: &str, map: &ValidMap, seed: u32, under: Under) -> Result<Vec<Case>, Failure> {
    let mut game = SquadGame::new(map, under.config(), SquadSize { squads: 40, members: 25 }, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    for number in 0..BEFORE * TICKS {
        turn(&mut game, number)?.give(&mut game.world);
        game.world.tick();
    }
    let start = game.world.clone();
    // This game has all its memory already. Its copies are timed too, but have to allocate first.
    let (mut log, mut turns, mut failed) = (TickLog::default(), Vec::new(), 0);
    for number in BEFORE * TICKS..(BEFORE + MEASURED) * TICKS {
        let turn = turn(&mut game, number)?;
        log.tick(&mut game.world, |world| turn.give(world));
        failed += failures(&game.world);
        turns.push(turn);
    }
    let again = best_round(ROUNDS - 1, &start, |world, log| {
        turns.iter().for_each(|turn| log.tick(world, |world| turn.give(world)));
    });
    log.best_of(&again);
    let (p99, waiting) = (log.planning_percentile(99), game.world.service().waiting());
    let mut cases = vec![Case {
        case: match under {
            Under::OneCore => "steady",
            Under::Defaults => "steady, default settings",
        },
        map: word.to_owned(),
        units: game.world.unit_count(),
        failed,
        lost: 0,
        limit: format!(
            "p99 {p99:.2} of {PLANNING_MS:.0} ms, {} allocations of 0; {waiting} wait at the end",
            log.allocations
        ),
        holds: p99 <= PLANNING_MS && log.allocations == 0,
        log,
    }];
    if under == Under::OneCore {
        cases.extend(snapshots(word, &mut game)?);
    }
    Ok(cases)
}

/// Saving and restoring run 21 times. Limits for their medians: 1/4 ms and 1 ms.
const SNAPSHOTS: usize = 21;
const SAVE_MS: f64 = 0.25;
const RESTORE_MS: f64 = 1.0;

/// Times saving, restoring a snapshot after ten ticks and a building, and loading it into a new `World`.
fn snapshots(word: &str, game: &mut SquadGame) -> Result<[Case; 3], Failure> {
    let (mut save, mut restore, mut load) = (TickLog::default(), TickLog::default(), TickLog::default());
    let mut memory = Vec::new();
    let (mut differ, mut lost) = (0, 0);
    for _ in 0..SNAPSHOTS {
        let mut writer = ByteWriter::reusing(std::mem::take(&mut memory));
        save.time(|| game.world.save_into(&mut writer));
        memory = writer.into_bytes();
        let hash = game.world.state_hash();
        let site = game.site()?;
        game.world.place(&Stamp::solid(3, 3), site).map_err(Failure::invalid)?;
        (0..10).for_each(|_| game.world.tick());
        game.forget_site(site)?;
        restore.time(|| game.world.restore(&memory)).map_err(Failure::invalid)?;
        differ += usize::from(game.world.state_hash() != hash);
    }
    for _ in 0..3 {
        let world = load.time(|| World::load(&memory)).map_err(Failure::invalid)?;
        lost += usize::from(world.state_hash() != game.world.state_hash());
    }
    let units = game.world.unit_count();
    let case = |case, log: TickLog, limit: Option<f64>, lost| {
        let median = log.planning_percentile(50);
        let told = match limit {
            Some(limit) => format!("median {median:.2} of {limit} ms, {} KiB", memory.len() / 1024),
            None => "map, planes and doors made anew: no limit".to_owned(),
        };
        let holds = limit.is_none_or(|limit| median <= limit);
        Case { case, map: word.to_owned(), units, failed: 0, lost, limit: told, holds, log }
    };
    Ok([
        case("snapshot save", save, Some(SAVE_MS), 0),
        case("snapshot restore", restore, Some(RESTORE_MS), differ),
        case("snapshot load", load, None, lost),
    ])
}
