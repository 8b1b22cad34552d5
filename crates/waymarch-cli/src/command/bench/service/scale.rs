//! Scale: how the time of a tick grows with the units, at rest and on the move, and what single events cost.

use std::time::Instant;

use waymarch::base::{ByteWriter, CellPos, CellRect, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp, ValidMap};
use waymarch::world::{Order, PlayerId, Threads, UnitId, UnitType, World};

use super::case::Case;
use super::places::prepared_navigator;
use super::squad_game::{SquadGame, SquadSize};
use super::storms::give;
use super::tick_log::{TickLog, best_round};
use crate::diagnostics::Failure;
use crate::stats::percentile_of;

/// The map of units at rest and of plain marches has 1,024 cells per side.
const FLAT: &str = "flat 1024x1024";
const FLAT_SIDE: u32 = 1024;
/// The map of the war.
pub(super) const WAR: &str = "generate:1:1024x1024";
const MARCH: &str = "scale march";
/// At most 100 members per group.
const MEMBERS: usize = 100;
/// The numbers of units on the march. The time per unit should be the same for all.
const MARCHING: [usize; 6] = [1_000, 2_500, 5_000, 10_000, 20_000, 50_000];
/// The numbers of units at rest.
const RESTING: [usize; 3] = [5_000, 20_000, 50_000];
/// A resting unit may cost 20 ns per tick.
const REST_NS: f64 = 20.0;
/// The war: 20,000 units, an edit every 10 ticks; on two threads, median 16 ms and p99 25 ms.
const WARRIORS: usize = 20_000;
const EDIT_EVERY: usize = 10;
const WAR_MS: [f64; 2] = [16.0, 25.0];
/// 5,000 units on the march: median 5 ms on one thread, 3 ms on two.
const ARMY: usize = 5_000;
const ARMY_MS: [f64; 2] = [5.0, 3.0];
/// Ticks on two threads are timed by a clock, 3 times; the shortest time of each tick counts.
const ROUNDS: usize = 3;
/// One order to 5,000 units: the longest of the next ticks may take twice as long as a usual one.
const ORDERED: u32 = 5_000;
const ORDER_TIMES: f64 = 2.0;
/// A rollback of eight ticks with 500 units may take 5 ms.
const ROLLED_BACK: usize = 500;
const ROLLBACK_TICKS: usize = 8;
const ROLLBACK_MS: f64 = 5.0;
/// Ticks before each measurement, and measured ticks.
const BEFORE: usize = 60;
const MEASURED: usize = 60;

/// The named cases of the scale. `war` loads the map of the war.
pub(super) fn scale(
    names: &[&str],
    war: impl Fn() -> Result<ValidMap, Failure>,
    seed: u32,
) -> Result<Vec<Case>, Failure> {
    let wanted = |name: &str| names.contains(&name);
    let size = GridSize::new(FLAT_SIDE, FLAT_SIDE).map_err(Failure::invalid)?;
    let flat = &Map::flat(FLAT, size, Rules::standard()).validate().map_err(Failure::invalid)?;
    let mut cases = Vec::new();
    for units in RESTING.into_iter().filter(|_| wanted("scale rest")) {
        cases.push(rest(flat, units)?);
    }
    for units in MARCHING.into_iter().filter(|_| wanted(MARCH)) {
        cases.push(march(flat, seed, units)?);
    }
    if wanted("scale order") {
        cases.push(order(flat)?);
    }
    if wanted("scale rollback") {
        cases.push(rollback(flat, seed)?);
    }
    if wanted("scale war") {
        cases.push(battle(&war()?, seed)?);
    }
    Ok(cases)
}

fn case(name: &'static str, word: &str, units: usize, log: TickLog) -> Case {
    Case {
        case: name,
        map: word.to_owned(),
        units,
        failed: 0,
        lost: 0,
        limit: String::new(),
        holds: true,
        log,
    }
}

/// Soldiers in one block on open ground.
fn block(map: &ValidMap, units: u32) -> Result<(World, Vec<UnitId>), Failure> {
    let (nav, agent) = prepared_navigator(map, Config::default())?;
    let mut world = World::new(nav);
    let kind = world.add_type(UnitType::new("soldier", agent)).map_err(Failure::invalid)?;
    let places: Vec<_> =
        CellRect::at(cell(20, 20), 250, units.div_ceil(250)).cells().take(units as usize).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).map_err(Failure::invalid)?;
    Ok((world, units))
}

/// Units that have nothing to do.
fn rest(map: &ValidMap, units: usize) -> Result<Case, Failure> {
    let (mut world, _) = block(map, units as u32)?;
    (0..BEFORE).for_each(|_| world.tick());
    let mut log = TickLog::default();
    (0..MEASURED).for_each(|_| log.tick(&mut world, |_| {}));
    let each = log.whole_percentile(50) * 1e6 / units as f64;
    let (limit, holds) = (format!("{each:.1} of {REST_NS:.0} ns per unit"), each <= REST_NS);
    Ok(Case { limit, holds, ..case("scale rest", FLAT, units, log) })
}

/// The points of the plot: moving units, and nanoseconds per unit.
pub(super) fn plot_points(cases: &[Case]) -> Vec<(usize, f64)> {
    let marches = cases.iter().filter(|case| case.case == MARCH);
    marches.map(|case| (case.units, case.log.whole_percentile(50) * 1e6 / case.units as f64)).collect()
}

/// The times of ticks on two threads by the clock, in milliseconds. `commands` come before each tick.
fn on_two_threads(
    start: &World,
    ticks: usize,
    commands: impl Fn(&mut World, usize),
) -> Result<Vec<f64>, Failure> {
    let threads = Threads::new(2).map_err(Failure::invalid)?;
    let mut best = vec![f64::MAX; ticks];
    for _ in 0..ROUNDS {
        let mut world = start.clone();
        for (number, best) in best.iter_mut().enumerate() {
            let before = Instant::now();
            commands(&mut world, number);
            world.tick_with(&threads);
            *best = best.min(before.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(best)
}

/// Groups of 100 on their way, each to a goal of its own.
fn march(map: &ValidMap, seed: u32, units: usize) -> Result<Case, Failure> {
    let size = SquadSize { squads: units / MEMBERS, members: MEMBERS };
    let mut game = SquadGame::new(map, Config::default(), size, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    // The more groups there are, the more ticks pass until all have their routes.
    (0..BEFORE + size.squads).for_each(|_| game.world.tick());
    let log = best_round(ROUNDS, &game.world, |world, log| {
        (0..MEASURED).for_each(|_| log.tick(world, |_| {}));
    });
    let median = log.whole_percentile(50);
    let moving = game.world.units().filter(|unit| unit.velocity != Default::default()).count();
    let each = median * 1e3 / units as f64;
    let mut limit = format!("{each:.3} µs per unit, {moving} units move");
    let mut holds = true;
    if units == ARMY {
        let two = percentile_of(&on_two_threads(&game.world, MEASURED, |_, _| {})?, 50);
        let [alone, both] = ARMY_MS;
        limit = format!(
            "{limit}; median {median:.2} of {alone:.0} ms on one thread, {two:.2} of {both:.0} ms on two"
        );
        holds = median <= alone && two <= both;
    }
    Ok(Case { limit, holds, ..case(MARCH, FLAT, units, log) })
}

/// One order to one group of 5,000: the longest tick after it beside a usual one.
fn order(map: &ValidMap) -> Result<Case, Failure> {
    let (mut world, units) = block(map, ORDERED)?;
    world.order(&units, Order::move_to(cell(500, 500))).map_err(Failure::invalid)?;
    (0..BEFORE).for_each(|_| world.tick());
    let mut usual = TickLog::default();
    (0..MEASURED).for_each(|_| usual.tick(&mut world, |_| {}));
    world.order(&units, Order::move_to(cell(520, 60))).map_err(Failure::invalid)?;
    let mut log = TickLog::default();
    (0..20).for_each(|_| log.tick(&mut world, |_| {}));
    let (usual, longest) = (usual.whole_percentile(50), log.whole_percentile(100));
    let limit = format!("{longest:.2} ms, {ORDER_TIMES:.0} times {usual:.2} ms allowed");
    let holds = longest <= ORDER_TIMES * usual;
    Ok(Case { limit, holds, ..case("scale order", FLAT, units.len(), log) })
}

/// Restoring a snapshot and playing eight ticks again.
fn rollback(map: &ValidMap, seed: u32) -> Result<Case, Failure> {
    let size = SquadSize { squads: ROLLED_BACK / MEMBERS, members: MEMBERS };
    let mut game = SquadGame::new(map, Config::default(), size, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    (0..BEFORE).for_each(|_| game.world.tick());
    let (mut log, mut lost, mut memory) = (TickLog::default(), 0, Vec::new());
    for _ in 0..MEASURED / 3 {
        let mut writer = ByteWriter::reusing(std::mem::take(&mut memory));
        game.world.save_into(&mut writer);
        memory = writer.into_bytes();
        (0..ROLLBACK_TICKS).for_each(|_| game.world.tick());
        let hash = game.world.state_hash();
        log.time(|| -> Result<(), Failure> {
            game.world.restore(&memory).map_err(Failure::invalid)?;
            (0..ROLLBACK_TICKS).for_each(|_| game.world.tick());
            Ok(())
        })?;
        lost += usize::from(game.world.state_hash() != hash);
    }
    let median = log.whole_percentile(50);
    let limit = format!("median {median:.2} of {ROLLBACK_MS:.0} ms for {ROLLBACK_TICKS} ticks");
    Ok(Case { limit, holds: median <= ROLLBACK_MS, lost, ..case("scale rollback", FLAT, ROLLED_BACK, log) })
}

/// 20,000 units in 200 groups on weighted ground. Buildings go up and come down.
fn battle(map: &ValidMap, seed: u32) -> Result<Case, Failure> {
    let size = SquadSize { squads: WARRIORS / MEMBERS, members: MEMBERS };
    let mut game = SquadGame::new(map, Config::default(), size, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    let mut sites = Vec::new();
    for _ in 0..(BEFORE + MEASURED).div_ceil(EDIT_EVERY) {
        sites.push(game.site()?);
    }
    (0..BEFORE).for_each(|number| {
        build(&mut game.world, &sites, number);
        game.world.tick();
    });
    let log = best_round(ROUNDS, &game.world, |world, log| {
        (BEFORE..BEFORE + MEASURED).for_each(|number| log.tick(world, |world| build(world, &sites, number)));
    });
    let both = on_two_threads(&game.world, MEASURED, |world, number| build(world, &sites, BEFORE + number))?;
    let [median, p99] = [50, 99].map(|percent| percentile_of(&both, percent));
    let limit = format!(
        "whole tick on two threads {median:.2} of {:.0} ms, p99 {p99:.2} of {:.0} ms; on one {:.2} and {:.2} ms",
        WAR_MS[0],
        WAR_MS[1],
        log.whole_percentile(50),
        log.whole_percentile(99)
    );
    let holds = median <= WAR_MS[0] && p99 <= WAR_MS[1];
    Ok(Case { limit, holds, ..case("scale war", WAR, WARRIORS, log) })
}

/// Places a building in every tenth tick. A unit may have come to stand at its site since: then nothing is built.
fn build(world: &mut World, sites: &[CellPos], number: usize) {
    if number.is_multiple_of(EDIT_EVERY) {
        let _ = world.place(&Stamp::solid(3, 3), sites[number / EDIT_EVERY]);
    }
}
