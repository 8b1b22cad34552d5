//! A game in full swing: units under way, orders and buildings by the second. And what it takes to save it and to take it back.

use waymarch::base::{ByteWriter, CellPos};
use waymarch::config::Config;
use waymarch::cost::{Stamp, ValidMap};
use waymarch::world::{UnitId, World};

use super::army::{Army, invalid};
use super::clock::Log;
use super::storms::{failures, give};
use super::{Case, ROUNDS, best_round};
use crate::diagnostics::Failure;

/// Ticks a second.
const TICKS: usize = 20;
/// A tick in so many brings an order: ten a second.
const ORDER_EVERY: usize = 2;
/// How many units orders are for, in turns: mostly one, now and then a whole squad.
const ORDERED: [usize; 8] = [1, 1, 25, 1, 4, 1, 12, 1];
/// Seconds before it is measured, and those that are.
const BEFORE: usize = 60;
const MEASURED: usize = 60;
/// What planning may take in 99 of 100 ticks.
const PLANNING_MS: f64 = 2.0;

/// Under which settings it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Under {
    /// The defaults, which let a tick expand 6,144 nodes in four searches side by side.
    Defaults,
    /// What a game sets that plans on one core and has 2 ms for it: one search at a time, fewer nodes, and room for the tiles of all flows.
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

/// What a tick begins with.
#[derive(Clone, Default)]
struct Turn {
    order: Option<(Vec<UnitId>, CellPos)>,
    building: Option<CellPos>,
}

impl Turn {
    fn give(&self, world: &mut World) {
        if let Some(at) = self.building {
            // The place was looked at before.
            let _placed = world.place(&Stamp::solid(3, 3), at);
        }
        if let Some(order) = &self.order {
            give(world, std::slice::from_ref(order));
        }
    }
}

/// What the game is at tick `number`, drawn for the army as it is then.
fn turn(army: &mut Army, number: usize) -> Result<Turn, Failure> {
    let mut turn = Turn::default();
    if number.is_multiple_of(ORDER_EVERY) {
        let squad = army.places.random.below(army.squads.len() as u32) as usize;
        let goal = army.goal_for(squad)?;
        let many = ORDERED[number / ORDER_EVERY % ORDERED.len()];
        let from = army.places.random.below((army.squads[squad].len() - many + 1) as u32) as usize;
        let units = army.squads[squad][from..from + many].to_vec();
        army.note(&units, goal);
        turn.order = Some((units, goal));
    }
    if number.is_multiple_of(TICKS) {
        turn.building = Some(army.site()?);
    }
    Ok(turn)
}

/// 1,000 units under way on weighted ground, ten orders and one building a second; and snapshots of that.
pub(super) fn steady(word: &str, map: &ValidMap, seed: u32, under: Under) -> Result<Vec<Case>, Failure> {
    let mut army = Army::muster(map, under.config(), [40, 25], seed)?;
    let orders = army.orders_for_all()?;
    give(&mut army.world, &orders);
    for number in 0..BEFORE * TICKS {
        turn(&mut army, number)?.give(&mut army.world);
        army.world.tick();
    }
    let start = army.world.clone();
    // The game that went on from the start has all its memory; its copies, which are timed too, have to make theirs anew.
    let (mut log, mut turns, mut failed) = (Log::default(), Vec::new(), 0);
    for number in BEFORE * TICKS..(BEFORE + MEASURED) * TICKS {
        let turn = turn(&mut army, number)?;
        log.tick(&mut army.world, |world| turn.give(world));
        failed += failures(&army.world);
        turns.push(turn);
    }
    let again = best_round(ROUNDS - 1, &start, |world, log| {
        turns.iter().for_each(|turn| log.tick(world, |world| turn.give(world)));
    });
    log.best_of(&again);
    let (p99, waiting) = (log.planning_percentile(99), army.world.service().waiting());
    let mut cases = vec![Case {
        case: match under {
            Under::OneCore => "steady",
            Under::Defaults => "steady, default settings",
        },
        map: word.to_owned(),
        units: army.world.unit_count(),
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
        cases.extend(snapshots(word, &mut army)?);
    }
    Ok(cases)
}

/// Each is done so often.
const SNAPSHOTS: usize = 21;
const SAVE_MS: f64 = 1.0;
const RESTORE_MS: f64 = 5.0;

/// What saving takes, going back over ten ticks and a building, and loading into nothing.
fn snapshots(word: &str, army: &mut Army) -> Result<[Case; 3], Failure> {
    let (mut save, mut restore, mut load) = (Log::default(), Log::default(), Log::default());
    let mut memory = Vec::new();
    let (mut differ, mut lost) = (0, 0);
    for _ in 0..SNAPSHOTS {
        let mut writer = ByteWriter::reusing(std::mem::take(&mut memory));
        save.time(|| army.world.save_into(&mut writer));
        memory = writer.into_bytes();
        let hash = army.world.state_hash();
        let site = army.site()?;
        army.world.place(&Stamp::solid(3, 3), site).map_err(invalid)?;
        (0..10).for_each(|_| army.world.tick());
        army.forget_site(site)?;
        restore.time(|| army.world.restore(&memory)).map_err(invalid)?;
        differ += usize::from(army.world.state_hash() != hash);
    }
    for _ in 0..3 {
        let world = load.time(|| World::load(&memory)).map_err(invalid)?;
        lost += usize::from(world.state_hash() != army.world.state_hash());
    }
    let units = army.world.unit_count();
    let case = |case, log: Log, limit: Option<f64>, lost| {
        let median = log.planning_percentile(50);
        let told = match limit {
            Some(limit) => format!("median {median:.2} of {limit:.0} ms, {} KiB", memory.len() / 1024),
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
