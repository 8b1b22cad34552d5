//! Determinism of whole games: memory, caches and threads change neither the hash of a tick nor an event.

use waymarch::base::{Angle, CellPos, CellRect, Fixed, StateHash, cell};
use waymarch::config::{Config, FormationMarch, GroupSpeed};
use waymarch::cost::{Falloff, FootCell, GateState, Stamp, TerrainId, ThreatSource};
use waymarch::groups::Formation;
use waymarch::query::{Goal, PathQuery, Threat};
use waymarch::search::Route;
use waymarch::world::{
    Around, Command, Event, EventKind, Executor, Navigator, Order, PlayerId, RouteChange, Serial, UnitId,
    World,
};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::worlds::soldier;

/// A game: its start, and the commands of each tick.
struct Game {
    name: &'static str,
    begin: fn(Config) -> (World, Vec<UnitId>),
    act: fn(&mut World, &[UnitId], u32),
    config: fn() -> Config,
    ticks: u32,
}

const GAMES: [Game; 4] = [
    Game { name: "army", begin: army, act: build, config: Config::default, ticks: 150 },
    Game { name: "overload", begin: scattered, act: repaint, config: hardly_any_budget, ticks: 120 },
    Game { name: "yard", begin: walled_in, act: open_and_shut, config: impatient, ticks: 200 },
    Game { name: "groups", begin: groups, act: regroup, config: in_step, ticks: 260 },
];

fn world_on(grid: &Grid, config: Config) -> World {
    World::with_seed(Navigator::new(grid.to_map("proof"), config).expect("legal"), 11)
}

fn spawn(world: &mut World, places: impl Iterator<Item = CellPos>) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = places.collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

/// Many units with few goals: flows lead them, and buildings are placed on their routes.
fn army(config: Config) -> (World, Vec<UnitId>) {
    let mut world = world_on(&Grid::filled(96, 80, 1), config);
    let units = spawn(&mut world, CellRect::at(cell(2, 10), 12, 12).cells());
    world.order(&units[..90], Order::move_to(cell(90, 70))).expect("good");
    world.queue(&units[..40], Order::move_to(cell(4, 76))).expect("good");
    world.order(&units[90..120], Order::Move(Goal::circle(cell(80, 8), Fixed::from_cells(3)))).expect("good");
    world.order(&units[120..134], Order::follow(units[0], Fixed::from_cells(4))).expect("good");
    world.order(&units[134..], Order::patrol([cell(60, 5), cell(10, 60)])).expect("good");
    (world, units)
}

fn build(world: &mut World, units: &[UnitId], tick: u32) {
    match tick {
        10 => drop(world.place(&Stamp::solid(3, 40), cell(40, 20))),
        30 => drop(world.place(&Stamp::solid(2, 30).lasting(50), cell(30, 30))),
        45 => drop(world.remove(units[3])),
        60 => drop(world.order(&units[50..70], Order::move_to(cell(3, 3)))),
        70 => drop(world.place(&Stamp::solid(20, 2), cell(60, 60))),
        _ => {}
    }
}

fn hardly_any_budget() -> Config {
    Config {
        max_paths_per_tick: 8,
        max_path_nodes_per_tick: 600,
        max_flowfield_gens_per_tick: 2,
        path_lanes: 8,
        sector_size: 16,
        ..Config::default()
    }
}

/// Every unit has another goal, on weighted ground: most searches pause, some for long.
fn scattered(config: Config) -> (World, Vec<UnitId>) {
    let grid = Grid::patches(5, 90, 70, &[1, 2, 3, 255, 1]);
    let mut world = world_on(&grid, config);
    let open: Vec<CellPos> = grid.open_cells().map(|(x, y)| cell(x, y)).collect();
    let mut rng = SplitMix::new(3);
    let units = spawn(&mut world, open.iter().step_by(67).copied());
    for &unit in &units {
        // A unit whose goal is on another island gets a route to the nearest cell.
        world.order(&[unit], Order::move_to(rng.pick(&open))).expect("on the map");
    }
    (world, units)
}

fn repaint(world: &mut World, units: &[UnitId], tick: u32) {
    let mut rng = SplitMix::new(u64::from(tick));
    let at = cell(rng.below(86) as i32, rng.below(66) as i32);
    match tick % 12 {
        3 => {
            let terrain = TerrainId(rng.below(3) as u8);
            world.apply(&Command::SetTerrain { area: CellRect::at(at, 4, 4), terrain }).map(drop)
        }
        6 => {
            let source = ThreatSource { at, radius: 8, strength: 40, falloff: Falloff::Linear };
            world.apply(&Command::AddThreat(source)).map(drop)
        }
        9 => world.order(&units[..units.len() / 3], Order::move_to(at)),
        _ => Ok(()),
    }
    .expect("all of it can be done");
}

fn impatient() -> Config {
    Config { stuck_threshold: 8, repath_cooldown: 5, ..Config::default() }
}

/// Eighty units behind a wall with a gate, and eighty outside with goals inside.
fn walled_in(config: Config) -> (World, Vec<UnitId>) {
    let mut world = world_on(&Grid::filled(64, 64, 1), config);
    for (at, width, height) in
        [(cell(20, 20), 12, 1), (cell(20, 29), 12, 1), (cell(20, 21), 1, 8), (cell(31, 21), 1, 7)]
    {
        world.place(&Stamp::solid(width, height), at).expect("it fits");
    }
    world.place(&Stamp::filled("gate", 1, 1, FootCell::Gate), cell(31, 28)).expect("it fits");
    let inside = CellRect::at(cell(21, 21), 10, 8).cells();
    let outside = CellRect::at(cell(45, 5), 6, 6).cells();
    let units = spawn(&mut world, inside.chain(outside));
    world.order(&units[..80], Order::move_to(cell(58, 58))).expect("good");
    world.order(&units[80..110], Order::move_to(cell(25, 25))).expect("good");
    world.order(&units[110..], Order::move_to(cell(40, 8))).expect("good");
    (world, units)
}

fn open_and_shut(world: &mut World, units: &[UnitId], tick: u32) {
    let gate = world.nav().layer().stamps().nth(4).expect("the gate stands").0;
    let mut set = |gate_state| world.apply(&Command::SetGate { id: gate, gate: gate_state }).map(drop);
    match tick {
        60 | 120 => set(GateState::Open),
        90 => set(GateState::Closed),
        130 => world.order(&units[..80], Order::move_to(cell(5, 58))),
        _ => Ok(()),
    }
    .expect("all of it can be done");
}

fn in_step() -> Config {
    Config { group_speed: GroupSpeed::Slowest, formation_march: FormationMarch::Wait, ..Config::default() }
}

/// Groups that cross, meet head-on, queue before one of two bridges, watch for enemies and wait before a dock.
fn groups(config: Config) -> (World, Vec<UnitId>) {
    let mut world = world_on(&Grid::filled(128, 110, 1), config);
    // A river from north to south, with two bridges.
    for (y, high) in [(0, 20), (21, 14), (36, 12)] {
        world.place(&Stamp::solid(4, high), cell(60, y)).expect("room");
    }
    world.place(&Stamp::solid(30, 1), cell(60, 48)).expect("room");
    let dock = world.place(&Stamp::solid(2, 2), cell(120, 100)).expect("room");
    let kind = soldier(&mut world);
    let mut units = spawn(&mut world, CellRect::at(cell(30, 11), 12, 12).cells());
    world.order(&units, Order::move_to(cell(95, 20))).expect("good");
    for (at, to) in [(cell(6, 66), cell(52, 69)), (cell(26, 54), cell(28, 100)), (cell(96, 66), cell(60, 69))]
    {
        let block = spawn(&mut world, CellRect::at(at, 7, 6).cells());
        // The third group keeps its formation on the way. The other two cross, and one of them waits.
        let order = Order::move_to(to);
        let order = if at.x == 96 { order.formation(Formation::Box) } else { order };
        world.order(&block, order).expect("good");
        units.extend(block);
    }
    let guests = spawn(&mut world, CellRect::at(cell(110, 90), 3, 3).cells());
    world.order(&guests, Order::around(dock, Around::Dock { queue: Angle::default() })).expect("good");
    let scouts: Vec<CellPos> = CellRect::at(cell(100, 60), 3, 2).cells().collect();
    let scouts = world.spawn_many(kind, PlayerId(1), &scouts).expect("open ground");
    world
        .order(&scouts, Order::AttackMove { goal: Goal::point(cell(80, 90)), sight: Fixed::from_cells(9) })
        .expect("good");
    (world, units)
}

fn regroup(world: &mut World, units: &[UnitId], tick: u32) {
    match tick {
        40 => drop(world.reform(&units[144..170], &Formation::Wedge, None)),
        60 => drop(world.remove(units[160])),
        80 => drop(world.order(&units[230..270], Order::patrol([cell(60, 69), cell(100, 69)]))),
        90 => drop(world.join(&units[190..200], units[0])),
        120 => drop(world.place(&Stamp::solid(3, 3), cell(40, 72))),
        _ => {}
    }
}

type Story = Vec<(StateHash, Vec<Event>)>;

/// Plays a game. `meddle` is called before each tick and must not change the game.
fn play(game: &Game, config: Config, executor: &impl Executor, mut meddle: impl FnMut(&mut World)) -> Story {
    let (mut world, units) = (game.begin)(config);
    (0..game.ticks)
        .map(|tick| {
            (game.act)(&mut world, &units, tick);
            meddle(&mut world);
            world.tick_with(executor);
            (world.state_hash(), world.events().to_vec())
        })
        .collect()
}

fn plainly(game: &Game) -> Story {
    play(game, (game.config)(), &Serial, |_| {})
}

/// Compares all parts of the hashes except `but`, and the events.
fn assert_same(one: &Story, other: &Story, but: &str, what: &str) {
    assert_eq!(one.len(), other.len());
    for (tick, ((hash, events), (their_hash, their_events))) in one.iter().zip(other).enumerate() {
        for (name, part) in hash.parts().iter().filter(|(name, _)| *name != but) {
            assert_eq!(Some(*part), their_hash.part(name), "{what}: `{name}` differs after tick {tick}");
        }
        assert_eq!(events, their_events, "{what}: events of tick {tick}");
    }
}

/// The games cover flows, pauses, edits, and units that are stuck, cut off or arrive.
#[test]
fn the_games_cover_all_kinds_of_events() {
    let seen = |story: &Story, is: fn(&EventKind) -> bool| {
        story.iter().flat_map(|(_, events)| events).filter(|event| is(&event.what)).count()
    };
    let stories = GAMES.each_ref().map(plainly);
    assert!(seen(&stories[0], |what| matches!(what, EventKind::RouteChanged(_))) > 0);
    assert!(seen(&stories[2], |what| matches!(what, EventKind::Blocked(_))) >= 80);
    assert!(seen(&stories[2], |what| *what == EventKind::Arrived) > 0);
    // In the fourth game groups meet, queue and watch for enemies.
    for (what, is) in [
        ("waits", (|what| matches!(what, EventKind::GroupWaits(_))) as fn(&EventKind) -> bool),
        ("sent round", |what| *what == EventKind::RouteChanged(RouteChange::Crowd)),
        ("in the line", |what| *what == EventKind::InPlace),
        ("sighted", |what| matches!(what, EventKind::Sighted(_))),
    ] {
        assert!(seen(&stories[3], is) > 0, "{what}");
    }
    let (mut integrated, mut pauses) = (0, 0);
    play(&GAMES[0], (GAMES[0].config)(), &Serial, |world| {
        integrated = world.service().flows().work().integrated
    });
    play(&GAMES[1], (GAMES[1].config)(), &Serial, |world| pauses = world.service().work().pauses);
    assert!(integrated > 10 && pauses > 100, "{integrated} {pauses}");
}

#[test]
fn poisoned_scratch_changes_nothing() {
    for game in &GAMES {
        let poisoned = play(game, (game.config)(), &Serial, World::poison_scratch);
        assert_same(&plainly(game), &poisoned, "", game.name);
    }
}

#[test]
fn caches_that_are_off_or_tiny_or_huge_change_nothing() {
    for game in &GAMES {
        let expected = plainly(game);
        for (routes, tiles, ttl) in [(0, 1, 1), (1, 2, 1_000_000), (100_000, 1_000_000, 1)] {
            let config = Config {
                path_cache_size: routes,
                flowfield_cache_max_tiles: tiles,
                flowfield_tile_ttl: ttl,
                ..(game.config)()
            };
            let what = format!("{}, room for {routes} routes and {tiles} tiles", game.name);
            // The cache size is a setting, and settings are hashed.
            assert_same(&expected, &play(game, config, &Serial, |_| {}), "config", &what);
        }
    }
}

#[test]
fn reading_and_querying_beside_the_game_changes_nothing() {
    for game in &GAMES {
        let mut rng = SplitMix::new(1);
        let mut route = Route::new();
        let watched = play(game, (game.config)(), &Serial, |world| {
            let foot = world.nav().locomotor("foot").expect("in the rules");
            let size = world.nav().layer().grid();
            let mut place = || cell(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
            let (from, to) = (place(), place());
            for unit in world.units().map(|unit| unit.id).collect::<Vec<_>>() {
                let _ =
                    (world.desired_velocity(unit), world.route_status(unit), world.orders_of(unit).count());
            }
            let mut nav = world.queries();
            // The answer does not matter here.
            let _ = nav.path(from, to, foot);
            let heeding = PathQuery::new(from, to, foot).with_threat(Threat::Heed);
            let _ = (nav.path_far(&heeding, &mut route), nav.path_smooth(from, to, foot));
            let _ = nav.snap(from, &Goal::circle(to, Fixed::from_cells(2)), foot);
            let _ = nav.path_or_nearest(from, &Goal::point(to), foot);
            nav.make_ready(foot);
            nav.make_ready_far(foot);
            let _ = (world.state_hash(), world.save(), world.clone());
        });
        assert_same(&plainly(game), &watched, "", game.name);
    }
}

#[test]
fn saving_and_loading_in_every_tick_changes_nothing() {
    for game in &GAMES {
        let reloaded = play(game, (game.config)(), &Serial, |world| {
            *world = World::load(&world.save()).expect("what was saved");
        });
        assert_same(&plainly(game), &reloaded, "", game.name);
    }
}

#[cfg(feature = "parallel")]
#[test]
fn one_two_three_or_eight_threads_play_the_same_game() {
    for game in &GAMES {
        let expected = plainly(game);
        for count in [1, 2, 3, 8] {
            let threads = waymarch::world::Threads::new(count).expect("the machine has threads");
            assert_eq!(threads.count(), count);
            let story = play(game, (game.config)(), &threads, |_| {});
            assert_same(&expected, &story, "", &format!("{}, {count} threads", game.name));
        }
    }
}

/// A path service without a World: ids, answers, routes, and the ticks of the answers.
#[cfg(feature = "parallel")]
#[test]
fn one_two_three_or_eight_threads_give_the_same_answers() {
    use waymarch::query::{Detail, PathAsk, Priority};
    use waymarch::world::{NoBlockers, PathService, Threads};
    let grid = Grid::patches(9, 120, 90, &[1, 3, 255, 2, 1]);
    let config = Config { max_path_nodes_per_tick: 900, path_lanes: 6, ..Config::default() };
    let served = |executor: &dyn Fn(&mut PathService)| {
        let mut service =
            PathService::new(Navigator::new(grid.to_map("served"), config.clone()).expect("legal"));
        let (mut rng, mut ids, mut told) = (SplitMix::new(4), Vec::new(), Vec::new());
        for tick in 0..60 {
            for _ in 0..rng.below(12) {
                let mut place = || cell(rng.below(120) as i32, rng.below(90) as i32);
                let (from, to) = (place(), place());
                let ask = PathAsk::new(from.centre(), to, waymarch::base::LocomotorId(0))
                    .with_priority(rng.pick(&Priority::ALL))
                    .with_detail(rng.pick(&[Detail::Full, Detail::Full, Detail::Simplified, Detail::Direct]));
                ids.push(service.request(if rng.chance(500) { ask.or_nearest() } else { ask }));
            }
            if tick % 9 == 5 {
                let at = cell(rng.below(110) as i32, rng.below(80) as i32);
                // Some stamps do not fit.
                let _ = service.nav_mut().place(&Stamp::solid(5, 2), at);
            }
            executor(&mut service);
            let of = |id: &_| format!("{:?} {:?}", service.status(*id), service.guidance(*id));
            told.push((ids.iter().map(of).collect::<Vec<_>>(), service.work()));
        }
        told
    };
    let expected = served(&|service| service.tick());
    assert!(expected.last().is_some_and(|(_, work)| work.answered > 100 && work.pauses > 0));
    for count in [1, 2, 3, 8] {
        let threads = Threads::new(count).expect("the machine has threads");
        let story = served(&|service| service.tick_with(&threads, &NoBlockers));
        assert!(story == expected, "{count} threads");
    }
}
