//! Scale: how the time of a tick grows with the units, at rest and on the move, and what single events cost.

use waymarch::base::{ByteWriter, CellRect, cell};
use waymarch::config::Config;
use waymarch::cost::{Stamp, ValidMap};
use waymarch::world::{Order, PlayerId, UnitId, UnitType, World};

use super::case::Case;
use super::places::prepared_navigator;
use super::squad_game::{SquadGame, SquadSize};
use super::storms::give;
use super::tick_log::TickLog;
use crate::diagnostics::Failure;

/// The map of units at rest and of plain marches has 1,024 cells per side.
pub(super) const FLAT: &str = "flat:1024x1024";
/// The map of the war.
pub(super) const WAR: &str = "generate:1:1024x1024";
/// At most 100 members per group.
const MEMBERS: usize = 100;
/// The numbers of units on the march. The time per unit should be the same for all.
const MARCHING: [usize; 6] = [1_000, 2_500, 5_000, 10_000, 20_000, 50_000];
/// The numbers of units at rest.
const RESTING: [usize; 3] = [5_000, 20_000, 50_000];
/// A resting unit may cost 20 ns per tick.
const REST_NS: f64 = 20.0;
/// The war: 20,000 units, an edit every 10 ticks; median 16 ms and p99 25 ms.
const WARRIORS: usize = 20_000;
const EDIT_EVERY: usize = 10;
const WAR_MS: [f64; 2] = [16.0, 25.0];
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

/// All cases of the scale.
pub(super) fn scale(flat: &ValidMap, war: &ValidMap, seed: u32) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for units in RESTING {
        cases.push(rest(flat, units)?);
    }
    for units in MARCHING {
        cases.push(march(flat, seed, units)?);
    }
    cases.push(order(flat)?);
    cases.push(rollback(flat, seed)?);
    cases.push(battle(war, seed)?);
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

/// Groups of 100 on their way, each to a goal of its own.
fn march(map: &ValidMap, seed: u32, units: usize) -> Result<Case, Failure> {
    let size = SquadSize { squads: units / MEMBERS, members: MEMBERS };
    let mut game = SquadGame::new(map, Config::default(), size, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    // All groups have their routes after some more ticks the more there are.
    (0..BEFORE + size.squads).for_each(|_| game.world.tick());
    let mut log = TickLog::default();
    (0..MEASURED).for_each(|_| log.tick(&mut game.world, |_| {}));
    let each = log.whole_percentile(50) * 1e3 / units as f64;
    Ok(Case { limit: format!("{each:.3} µs per unit"), ..case("scale march", FLAT, units, log) })
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
    let mut log = TickLog::default();
    let mut sites = Vec::new();
    for _ in 0..(BEFORE + MEASURED).div_ceil(EDIT_EVERY) {
        sites.push(game.site()?);
    }
    for number in 0..BEFORE + MEASURED {
        let edit = number.is_multiple_of(EDIT_EVERY).then(|| sites[number / EDIT_EVERY]);
        let command = |world: &mut World| {
            // A unit may have come to stand there since: then nothing is built.
            if let Some(at) = edit {
                let _ = world.place(&Stamp::solid(3, 3), at);
            }
        };
        if number < BEFORE {
            command(&mut game.world);
            game.world.tick();
        } else {
            log.tick(&mut game.world, command);
        }
    }
    let (median, p99) = (log.whole_percentile(50), log.whole_percentile(99));
    let limit = format!(
        "whole tick {median:.2} of {:.0} ms, p99 {p99:.2} of {:.0} ms on two threads; this is one",
        WAR_MS[0], WAR_MS[1]
    );
    let holds = median <= 2.0 * WAR_MS[0] && p99 <= 2.0 * WAR_MS[1];
    Ok(Case { limit, holds, ..case("scale war", WAR, WARRIORS, log) })
}
