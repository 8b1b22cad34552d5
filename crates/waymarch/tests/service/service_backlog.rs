//! Waiting requests: their number stays small in a steady game and falls to 0 soon after the last order.

use waymarch::base::{Agent, CellPos, LocomotorId, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::query::PathAsk;
use waymarch::world::{EventKind, Navigator, Order, PathService, PathStatus, PlayerId, World};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::worlds::soldier;

const SIDE: u32 = 160;

fn ground() -> Grid {
    Grid::patches(11, SIDE, SIDE, &[1, 2, 3, 1, 4, 255])
}

/// Open cells that can all reach each other.
fn places(world: &World, grid: &Grid) -> Vec<CellPos> {
    let foot = Agent::from(LocomotorId(0));
    let open: Vec<CellPos> = grid.open_cells().map(|(x, y)| cell(x, y)).collect();
    let reached = |root: CellPos| open.iter().filter(|&&at| world.nav().reachable(root, at, foot)).count();
    let root = open.iter().copied().step_by(501).max_by_key(|&root| reached(root)).expect("open ground");
    open.into_iter().filter(|&at| world.nav().reachable(root, at, foot)).collect()
}

/// Plays a game with an order every other tick, for one, four or twelve units, and a building every second. Returns the number of waiting
/// requests in each tick, and the number of ticks after the last order until none waited.
fn backlog(config: Config, ticks: usize) -> (Vec<usize>, usize) {
    let grid = ground();
    let nav = Navigator::new(grid.to_map("ground"), config).expect("a legal map");
    let mut world = World::new(nav);
    let places = places(&world, &grid);
    let (kind, mut rng) = (soldier(&mut world), SplitMix::new(6));
    let mut squads = Vec::new();
    for squad in 0..12 {
        let camp = places.len() / 12 * squad;
        squads.push(world.spawn_many(kind, PlayerId(0), &places[camp..camp + 12]).expect("open"));
    }
    let mut waited = Vec::new();
    for tick in 0..ticks {
        if tick % 2 == 0 {
            let squad = &squads[rng.below(12) as usize];
            let many = [1, 1, 4, 1, 12, 1][tick / 2 % 6];
            world.order(&squad[..many], Order::move_to(rng.pick(&places))).expect("on the map");
        }
        if tick % 20 == 0 {
            // A building that does not fit is left out.
            let _ = world.place(&Stamp::solid(2, 2), rng.pick(&places));
        }
        world.tick();
        waited.push(world.service().waiting());
    }
    for tick in 0..400 {
        if world.service().waiting() == 0 {
            return (waited, tick);
        }
        world.tick();
    }
    panic!("{} requests wait for ever", world.service().waiting());
}

#[test]
fn in_a_steady_game_the_queue_does_not_grow_and_drains_when_orders_stop() {
    for config in
        [Config::default(), Config { path_lanes: 1, max_path_nodes_per_tick: 4864, ..Config::default() }]
    {
        let (waited, drained) = backlog(config, 800);
        let most = |part: &[usize]| part.iter().copied().max().unwrap_or(0);
        let (early, late) = (most(&waited[100..400]), most(&waited[400..]));
        println!("at most {early}, then {late}; gone after {drained} ticks");
        assert!(early > 0, "no request ever waited");
        assert!(late <= early + 16, "the queue grows: {early}, then {late}");
        assert!(drained <= 60, "{drained} ticks");
    }
}

#[test]
fn neighbours_wait_for_the_first_route_although_it_takes_many_ticks() {
    for lanes in [1, 4] {
        let grid = ground();
        let config = Config { path_lanes: lanes, max_path_nodes_per_tick: 256, ..Config::default() };
        let world = World::new(Navigator::new(grid.to_map("ground"), config.clone()).expect("a legal map"));
        let places = places(&world, &grid);
        let mut service = PathService::new(Navigator::new(grid.to_map("ground"), config).expect("legal"));
        let (from, to) = (places[300], places[places.len() - 300]);
        let near = |at: CellPos| {
            let close = |other: &&CellPos| at.x.abs_diff(other.x).max(at.y.abs_diff(other.y)) <= 2;
            places.iter().filter(close).copied().take(5).collect::<Vec<_>>()
        };
        let asks = near(from).into_iter().zip(near(to));
        let foot = LocomotorId(0);
        let ids: Vec<_> =
            asks.map(|(from, to)| service.request(PathAsk::new(from.centre(), to, foot).alone())).collect();
        let mut ticks = 0;
        while service.waiting() > 0 {
            service.tick();
            ticks += 1;
            assert!(ticks < 400, "{} still wait", service.waiting());
        }
        assert!(ticks > 3, "the search never paused");
        assert!(ids.iter().all(|&id| service.status(id) == Some(PathStatus::Complete)));
        assert!(service.work().shared >= 3, "{} of {} shared", service.work().shared, ids.len());
    }
}

#[test]
fn edits_in_every_tick_leave_time_for_routes() {
    let grid = ground();
    let nav = Navigator::new(grid.to_map("ground"), Config::default()).expect("a legal map");
    let mut world = World::new(nav);
    let places = places(&world, &grid);
    let (kind, mut rng) = (soldier(&mut world), SplitMix::new(9));
    let units = world.spawn_many(kind, PlayerId(0), &places[..40]).expect("open");
    for &unit in &units {
        world.order(&[unit], Order::move_to(rng.pick(&places))).expect("on the map");
    }
    let mut ticks = 0;
    while ticks == 0 || world.service().waiting() > 0 {
        if let Ok(stamp) = world.place(&Stamp::solid(1, 1), rng.pick(&places)) {
            world.tick();
            world.remove_stamp(stamp).expect("it stands");
        }
        world.tick();
        ticks += 1;
        assert!(ticks < 600, "{} still wait", world.service().waiting());
    }
}

/// The smallest caches and budgets that the settings allow.
fn smallest() -> Config {
    Config {
        path_cache_size: 1,
        flowfield_cache_max_tiles: 1,
        max_paths_per_tick: 1,
        max_flowfield_gens_per_tick: 1,
        max_path_nodes_per_tick: 64,
        path_lanes: 1,
        ..Config::default()
    }
}

/// How a game with 10,000 edits ended.
struct AfterEdits {
    /// Ticks after the last edit until no request waited.
    drained: u32,
    /// The hash of the map with its stamps.
    ground: Option<u64>,
    /// For each unit, whether it arrived, and its cell.
    ends: Vec<(bool, Option<CellPos>)>,
}

/// Plays a game of 40 units with 10,000 edits, `in_a_tick` of them in each tick. One stamp in 40 stays. Ends when no unit has an order.
fn after_edits(config: Config, in_a_tick: usize) -> AfterEdits {
    let grid = ground();
    let mut world = World::new(Navigator::new(grid.to_map("ground"), config).expect("a legal map"));
    let places = places(&world, &grid);
    let (kind, mut rng) = (soldier(&mut world), SplitMix::new(4));
    let units = world.spawn_many(kind, PlayerId(0), &places[..40]).expect("open");
    let goals: Vec<CellPos> = units.iter().map(|_| rng.pick(&places)).collect();
    for (&unit, &goal) in units.iter().zip(&goals) {
        world.order(&[unit], Order::move_to(goal)).expect("on the map");
    }
    world.tick();
    let (mut edits, mut arrived) = (0, vec![false; units.len()]);
    let mut tick = |world: &mut World| {
        world.tick();
        for event in world.events().iter().filter(|event| event.what == EventKind::Arrived) {
            arrived[units.iter().position(|&unit| unit == event.unit).expect("a unit")] = true;
        }
    };
    while edits < 10_000 {
        let at = rng.pick(&places);
        let near = |other: &CellPos| at.x.abs_diff(other.x).max(at.y.abs_diff(other.y)) < 3;
        let Ok(stamp) = world.place(&Stamp::solid(1, 1), at) else { continue };
        edits += 1;
        // Goals and their surroundings stay open.
        if edits % 40 != 0 || goals.iter().any(near) {
            world.remove_stamp(stamp).expect("it stands");
            edits += 1;
        }
        if edits % in_a_tick < 2 {
            tick(&mut world);
        }
    }
    let mut drained = 0;
    while drained == 0 || world.service().waiting() > 0 {
        tick(&mut world);
        drained += 1;
        assert!(drained < 3000, "{} still wait", world.service().waiting());
    }
    for _ in 0..6000 {
        if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
            break;
        }
        tick(&mut world);
    }
    let ends = units.iter().zip(&arrived).map(|(&unit, &arrived)| (arrived, world.cell_of(unit))).collect();
    AfterEdits { drained, ground: world.state_hash().part("cost"), ends }
}

#[test]
fn ten_thousand_edits_in_one_tick_delay_routes_and_lose_none_even_with_the_smallest_budgets() {
    let slowly = after_edits(Config::default(), 40);
    for (config, most) in [(Config::default(), 60), (smallest(), 3000)] {
        let at_once = after_edits(config, 10_000);
        assert!(at_once.drained < most, "{} ticks", at_once.drained);
        assert!(at_once.ground.is_some() && at_once.ground == slowly.ground, "the maps differ");
        assert!(at_once.ends.iter().all(|(arrived, _)| *arrived), "{:?}", at_once.ends);
        assert_eq!(at_once.ends, slowly.ends);
    }
}

/// 100,000 requests at once: an answer each, the same as with the usual settings.
#[test]
fn a_hundred_thousand_requests_with_one_route_per_tick_and_the_smallest_caches_only_wait_longer() {
    const REQUESTS: usize = 100_000;
    let grid = Grid::patches(5, 24, 24, &[1, 2, 1, 255]);
    let answers = |config: Config, most: usize| {
        let mut service = PathService::new(Navigator::new(grid.to_map("ground"), config).expect("legal"));
        let open: Vec<CellPos> = grid.open_cells().map(|(x, y)| cell(x, y)).collect();
        let (mut rng, foot) = (SplitMix::new(8), LocomotorId(0));
        let mut ask = || PathAsk::new(rng.pick(&open).centre(), rng.pick(&open), foot).alone();
        let ids: Vec<_> = (0..REQUESTS).map(|_| service.request(ask())).collect();
        let mut ticks = 0;
        while ticks % 1000 != 0 || service.waiting() > 0 {
            service.tick();
            ticks += 1;
            assert!(ticks <= most, "{} still wait", service.waiting());
        }
        let answers: Vec<_> = ids.iter().map(|&id| (service.status(id), service.end(id))).collect();
        assert!(answers.iter().all(|(status, _)| !matches!(status, Some(PathStatus::Pending) | None)));
        (answers, ticks)
    };
    let (usual, soon) = answers(Config::default(), 20_000);
    let tight = Config { max_path_nodes_per_tick: 6144, ..smallest() };
    let (late, ticks) = answers(tight, REQUESTS + 1000);
    println!("{soon} ticks, {ticks} with the smallest caches");
    assert!(soon * 4 < ticks, "{soon} and {ticks} ticks");
    assert!(late == usual, "answers differ");
}
