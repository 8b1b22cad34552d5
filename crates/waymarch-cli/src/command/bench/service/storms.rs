//! All units ordered in one tick, an edit in every tick, and units behind walls.

use waymarch::base::{CellPos, Fixed, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp, StampId, ValidMap};
use waymarch::world::{EventKind, Order, PathStatus, PlayerId, UnitId, UnitType, World};

use super::case::Case;
use super::places::prepared_navigator;
use super::squad_game::{SquadGame, SquadSize};
use super::tick_log::{ROUNDS, best_round};
use crate::diagnostics::Failure;

/// 10 groups are ordered in the same tick.
const GROUPS: usize = 10;
/// 30 ticks after the order are measured.
const LATER: usize = 30;
/// The limit for the tick of the order: 5 ms per 800 units.
const ORDER_MS: f64 = 5.0;

/// Orders ten groups of `units` units in total across the map in one tick.
pub(super) fn order_storm(word: &str, map: &ValidMap, units: usize, seed: u32) -> Result<Case, Failure> {
    let mut game =
        SquadGame::new(map, Config::default(), SquadSize { squads: GROUPS, members: units / GROUPS }, seed)?;
    let orders = game.orders_for_all()?;
    let (mut failed, mut lost, mut straight) = (0, 0, 0);
    let log = best_round(ROUNDS, &game.world, |world, log| {
        (failed, lost, straight) = (0, 0, 0);
        log.tick(world, |world| give(world, &orders));
        for unit in world.units() {
            let is_led = world.heads_for(unit.id).is_some_and(|to| to != unit.position);
            match world.route_status(unit.id) {
                Some(PathStatus::Complete | PathStatus::Temporary) if is_led => {}
                Some(PathStatus::Pending) if is_led => straight += 1,
                Some(PathStatus::Complete | PathStatus::Temporary | PathStatus::Pending) | None => lost += 1,
                Some(_) => failed += 1,
            }
        }
        for _ in 0..LATER {
            log.tick(world, |_| ());
            failed += failures(world);
        }
    });
    let (limit, first) = (ORDER_MS * (units as f64 / 800.0).max(1.0), log.planning[0]);
    Ok(Case {
        case: "order storm",
        map: word.to_owned(),
        units,
        failed,
        lost,
        limit: format!("the order's tick {first:.2} of {limit:.0} ms; {straight} go straight on at first"),
        holds: first <= limit,
        log,
    })
}

/// Gives orders that are known to be valid.
pub(super) fn give(world: &mut World, orders: &[(Vec<UnitId>, CellPos)]) {
    for (units, goal) in orders {
        // Units and goals come from this `World`, so the order is not refused.
        let _given = world.order(units, Order::move_to(*goal));
    }
}

/// The number of units that gave up or reported a blocked route in the last tick.
pub(super) fn failures(world: &World) -> usize {
    let is_bad = |what: &EventKind| matches!(what, EventKind::GaveUp(_) | EventKind::Blocked(_));
    world.events().iter().filter(|event| is_bad(&event.what)).count()
}

/// The edit storm: 60 ticks before the measurement, then 300 measured ticks with an edit each.
const BEFORE: usize = 60;
const EDITS: usize = 300;
/// At most 40 of its buildings stand at the same time.
const STANDING: usize = 40;
/// The limit for the p99 of planning in a tick with an edit: 5 ms.
const EDIT_MS: f64 = 5.0;

/// An edit of the map that is known to be valid.
#[derive(Clone, Copy)]
enum Edit {
    Place(CellPos),
    /// Removes the building that the edit of this number placed.
    Remove(usize),
}

/// 1,000 units travel while a building is placed or removed in every tick.
pub(super) fn edit_storm(word: &str, map: &ValidMap, seed: u32) -> Result<Case, Failure> {
    let mut game = SquadGame::new(map, Config::default(), SquadSize { squads: 40, members: 25 }, seed)?;
    let orders = game.orders_for_all()?;
    give(&mut game.world, &orders);
    (0..BEFORE).for_each(|_| game.world.tick());
    let start = game.world.clone();
    // The first run finds edits that cover no unit and cut no unit off. The timed runs repeat these edits.
    let mut edits: Vec<Edit> = Vec::new();
    let mut standing: Vec<(usize, CellPos, StampId)> = Vec::new();
    for number in 0..EDITS {
        let full = standing.len() >= STANDING || (standing.len() > 2 && game.places.random.below(2) == 0);
        if full {
            let place = game.places.random.below(standing.len() as u32) as usize;
            let (placed, at, stamp) = standing.swap_remove(place);
            edits.push(Edit::Remove(placed));
            game.forget_site(at)?;
            game.world.remove_stamp(stamp).map_err(Failure::invalid)?;
        } else {
            let at = game.site()?;
            edits.push(Edit::Place(at));
            standing.push((number, at, game.world.place(&Stamp::solid(3, 3), at).map_err(Failure::invalid)?));
        }
        game.world.tick();
    }
    let mut failed = 0;
    let log = best_round(ROUNDS, &start, |world, log| {
        failed = 0;
        let mut stamps: Vec<Option<StampId>> = Vec::with_capacity(EDITS);
        for edit in &edits {
            log.tick(world, |world| {
                stamps.push(match *edit {
                    Edit::Place(at) => world.place(&Stamp::solid(3, 3), at).ok(),
                    Edit::Remove(placed) => {
                        let _removed = stamps[placed].map(|stamp| world.remove_stamp(stamp));
                        None
                    }
                });
            });
            failed += failures(world);
        }
    });
    let lost =
        start.unit_count() - start.units().filter(|unit| start.route_status(unit.id).is_some()).count();
    let p99 = log.planning_percentile(99);
    Ok(Case {
        case: "edit storm",
        map: word.to_owned(),
        units: start.unit_count(),
        failed,
        lost,
        limit: format!("p99 {p99:.2} of {EDIT_MS:.0} ms"),
        holds: p99 <= EDIT_MS,
        log,
    })
}

/// 400 ticks behind walls are measured.
const BEHIND_WALLS: usize = 400;
/// The limit for the mean planning time of a tick behind walls: 0.1 ms.
const WALLED_MS: f64 = 0.1;

/// 80 units in a walled yard are ordered to follow a target outside.
pub(super) fn walled_in() -> Result<Case, Failure> {
    let size = GridSize::new(128, 128).map_err(Failure::invalid)?;
    let map = Map::flat("yard", size, Rules::standard()).validate().map_err(Failure::invalid)?;
    let (nav, agent) = prepared_navigator(&map, Config::default())?;
    let mut world = World::new(nav);
    let walls = [((20, 1), (40, 40)), ((20, 1), (40, 59)), ((1, 20), (40, 40)), ((1, 20), (59, 40))];
    for ((width, height), (x, y)) in walls {
        world.place(&Stamp::solid(width, height), cell(x, y)).map_err(Failure::invalid)?;
    }
    let kind = world.add_type(UnitType::new("soldier", agent)).map_err(Failure::invalid)?;
    let target = world.spawn(kind, PlayerId(1), cell(110, 110)).map_err(Failure::invalid)?;
    let yard: Vec<CellPos> = (0..80).map(|unit| cell(45 + unit % 10, 45 + unit / 10)).collect();
    let soldiers = world.spawn_many(kind, PlayerId(0), &yard).map_err(Failure::invalid)?;
    world.tick();
    let mut silent = 0;
    let log = best_round(ROUNDS, &world, |world, log| {
        let order = Order::follow(target, Fixed::from_cells(2));
        let mut told = [false; 128];
        for tick in 0..=BEHIND_WALLS {
            log.tick(world, |world| {
                if tick == 0 {
                    // The target exists, so the order is not refused.
                    let _given = world.order(&soldiers, order.clone());
                }
            });
            for event in world.events() {
                if matches!(event.what, EventKind::Blocked(_) | EventKind::GaveUp(_)) {
                    told[event.unit.index() as usize] = true;
                }
            }
        }
        silent = soldiers.iter().filter(|soldier| !told[soldier.index() as usize]).count();
    });
    let (first, later) = (log.planning[0], &log.planning[1..]);
    let mean = later.iter().sum::<f64>() / later.len() as f64;
    Ok(Case {
        case: "walled-in",
        map: "yard 128x128".to_owned(),
        units: soldiers.len(),
        failed: 0,
        lost: silent,
        limit: format!("first tick {first:.2} ms, then {mean:.3} of {WALLED_MS} ms a tick"),
        holds: mean <= WALLED_MS,
        log,
    })
}
