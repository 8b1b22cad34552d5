//! Saves while routes are missing or being found. Loaded Worlds once went on differently.

use waymarch::base::{Agent, CellRect, GridSize, LocomotorId, SizeClass, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, Map, Rules, Stamp, TerrainId};
use waymarch::planners::PlannerList;
use waymarch::query::{Goal, Shape};
use waymarch::world::{Command, Navigator, Order, PlayerId, UnitType, World};
use waymarch_testkit::splitmix::SplitMix;

use crate::twins::{WALL, field, goes_on_alike, soldier};

#[test]
fn an_order_whose_route_was_closed_when_the_game_was_saved_goes_on_alike() {
    for (ahead, waits) in [(0, 0), (1, 0), (5, 0), (0, 2), (5, 2)] {
        let mut world = field(2, 7, Rules::standard(), Config::default());
        let closed = CellRect { x0: 0, y0: 1, x1: 2, y1: 5 };
        world.apply(&Command::SetTerrain { area: closed, terrain: TerrainId(2) }).expect("on the map");
        let agent = Agent { locomotor: LocomotorId(2), size: SizeClass::TWO };
        let kind = world.add_type(UnitType::new("truck", agent)).expect("legal");
        world.place(&Stamp::filled("bridge", 1, 2, FootCell::NoStop), cell(1, 1)).expect("on the map");
        let unit = world.spawn(kind, PlayerId(1), cell(0, 2)).expect("on the map");
        world.order(&[unit], Order::move_to(cell(0, 5))).expect("alive");
        (0..5).for_each(|_| world.tick());
        let closed = CellRect { x0: 1, y0: 4, x1: 2, y1: 7 };
        world.apply(&Command::SetTerrain { area: closed, terrain: TerrainId(4) }).expect("on the map");
        (0..waits).for_each(|_| world.tick());
        goes_on_alike(world, ahead, 60);
    }
}

#[test]
fn a_unit_shut_in_and_halted_when_the_game_was_saved_goes_on_alike() {
    for (ahead, stuck_threshold) in [(0, 1), (1, 1), (5, 1), (5, 12)] {
        let config = Config { stuck_threshold, ..Config::default() };
        let mut world = field(3, 3, Rules::standard(), config);
        let kind = UnitType { acceleration: 1000, ..UnitType::new("tank", LocomotorId(1)) };
        let kind = world.add_type(kind).expect("legal");
        let places = [(0, cell(2, 0)), (255, cell(1, 1))];
        let units = places.map(|(owner, at)| world.spawn(kind, PlayerId(owner), at).expect("on the map"));
        world.place(&Stamp::filled("wall", 3, 2, FootCell::Wall(5)), cell(0, 0)).expect("on the map");
        world.order(&units, Order::Move(Goal::OutOf(Shape::Point(cell(2, 0))))).expect("alive");
        (0..8).for_each(|_| world.tick());
        let area = CellRect { x0: 1, y0: 2, x1: 3, y1: 3 };
        world.apply(&Command::SetElevation { area, height: -32_768 }).expect("on the map");
        (0..2).for_each(|_| world.tick());
        world.engage(&units[..1]).expect("alive");
        goes_on_alike(world.clone(), ahead, 20);
        (0..3).for_each(|_| world.tick());
        world.resume(&units[..1]).expect("alive");
        goes_on_alike(world, ahead, 60);
    }
}

/// A World in which a unit walks far. The node budget is small, so the search for its route takes many ticks. Before the order, part of the map is
/// closed: jump data are made again, and published 8 ticks later. The order comes `after` ticks after that edit.
fn slow_far_route(after: u32, ticks: u32) -> World {
    let config = Config { sector_size: 8, max_path_nodes_per_tick: 64, path_lanes: 1, ..Config::default() };
    let mut world = field(512, 8, Rules::standard(), config);
    let kind = soldier(&mut world, SizeClass::ONE);
    let unit = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
    world.tick();
    let area = CellRect { x0: 0, y0: 0, x1: 512, y1: 3 };
    world.apply(&Command::SetTerrain { area, terrain: WALL }).expect("on the map");
    (0..after).for_each(|_| world.tick());
    world.order(&[unit], Order::move_to(cell(500, 6))).expect("alive");
    (0..ticks).for_each(|_| world.tick());
    world
}

#[test]
fn a_far_route_that_paused_before_jump_data_were_published_goes_on_alike() {
    for after in 0..8 {
        (0..12).for_each(|ticks| goes_on_alike(slow_far_route(after, ticks), 0, 12));
    }
}

#[test]
fn a_route_that_paused_before_settings_changed_goes_on_alike() {
    let mut paused = 0;
    for ticks in 0..30 {
        let config = Config {
            short_path_threshold: 8192,
            max_path_nodes_per_tick: 64,
            path_lanes: 1,
            ..Config::default()
        };
        // Random rough ground and walls, so that the search expands many nodes.
        let mut rng = SplitMix::new(1);
        let mut map = Map::flat("rough", GridSize::new(96, 96).expect("legal"), Rules::standard());
        for at in CellRect::at(cell(4, 4), 88, 88).cells() {
            map.set_terrain(at, rng.pick(&[TerrainId(0), TerrainId(2), TerrainId(2), WALL]));
        }
        let mut world = World::new(Navigator::new(map, config.clone()).expect("legal"));
        let kind = soldier(&mut world, SizeClass::ONE);
        let unit = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
        (0..9).for_each(|_| world.tick());
        world.order(&[unit], Order::move_to(cell(93, 90))).expect("alive");
        (0..ticks).for_each(|_| world.tick());
        paused = paused.max(world.service().work().pauses);
        world.configure(Config { route_per_mille: 3000, ..config }).expect("legal");
        goes_on_alike(world, 0, 30);
    }
    assert!(paused > 2, "{paused}");
}

/// The running World once charged the budget for visible cells that did not change. The loaded World did not know that the cheapest ground
/// of the map had become cheaper, and charged nothing.
#[test]
fn an_edit_that_makes_the_cheapest_ground_cheaper_is_charged_alike_after_loading() {
    for waits in 1..6 {
        let mut world = field(129, 47, Rules::standard(), Config::default());
        let rough = world.nav().layer().rules().rules().terrains.iter().position(|kind| kind.name == "Rough");
        let rough = TerrainId(rough.expect("in the rules") as u8);
        let all = CellRect { x0: 0, y0: 0, x1: 129, y1: 47 };
        world.apply(&Command::SetTerrain { area: all, terrain: rough }).expect("on the map");
        let kind = soldier(&mut world, SizeClass::ONE);
        let units = world.spawn_many(kind, PlayerId(0), &[cell(42, 46); 8]).expect("open");
        world.tick();
        world.order(&units, Order::move_to(cell(118, 0))).expect("alive");
        (0..waits).for_each(|_| world.tick());
        let far = CellRect { x0: 2, y0: 28, x1: 5, y1: 29 };
        world.apply(&Command::SetTerrain { area: far, terrain: TerrainId(0) }).expect("on the map");
        goes_on_alike(world, 0, 20);
    }
}

/// A World in which four units walk far with a node budget of 97. `planners` are set before the ticks 2, 4, 6 and so on.
fn world_with_planners(planners: &[&str], ticks: usize) -> World {
    let config = Config {
        short_path_threshold: 0,
        max_path_nodes_per_tick: 97,
        path_lanes: 64,
        sector_size: 8,
        ..Config::default()
    };
    let mut world = field(40, 40, Rules::standard(), config);
    let rough = CellRect { x0: 9, y0: 9, x1: 30, y1: 30 };
    world.apply(&Command::SetTerrain { area: rough, terrain: TerrainId(2) }).expect("on the map");
    let kind = soldier(&mut world, SizeClass::ONE);
    for (x, y) in [(1, 0), (8, 0), (20, 39), (39, 24)] {
        let unit = world.spawn(kind, PlayerId(0), cell(x, y)).expect("open");
        world.order(&[unit], Order::move_to(cell(39 - x, 39 - y))).expect("alive");
    }
    for tick in 0..ticks {
        if let Some(name) = planners.get(tick / 2).filter(|_| tick % 2 == 0) {
            world.set_planner(PlannerList::builtin().take(name));
        }
        world.tick();
    }
    world
}

#[test]
fn a_search_that_paused_before_the_game_set_another_planner_goes_on_alike() {
    let planners = ["hpa", "jpsw-1050", "astar", "jps+", "jpsw", "hybrid", "hpa", "context"];
    let name_at = |tick: usize| planners[(tick / 2).min(planners.len() - 1)];
    let mut paused = 0;
    for ticks in 1..2 * planners.len() {
        let mut world = world_with_planners(&planners, ticks);
        paused += usize::from(world.service().waiting() > 0);
        let mut loaded = World::load(&world.save()).expect("its own save");
        loaded.set_planner(PlannerList::builtin().take(name_at(ticks - 1)));
        for tick in ticks..ticks + 30 {
            if tick % 2 == 0 {
                for world in [&mut world, &mut loaded] {
                    world.set_planner(PlannerList::builtin().take(name_at(tick)));
                }
            }
            [&mut world, &mut loaded].into_iter().for_each(World::tick);
            assert_eq!(world.state_hash(), loaded.state_hash(), "saved after {ticks} ticks, tick {tick}");
            assert_eq!(world.events(), loaded.events());
        }
    }
    assert!(paused > 4, "{paused} saves with paused searches");
}

#[test]
fn the_hybrid_as_planner_of_the_game_goes_on_alike_after_an_edit_of_half_the_map() {
    for ticks in 0..12 {
        // A* needs more ticks than jump point search with this budget.
        let config = Config { max_path_nodes_per_tick: 64, ..Config::default() };
        let mut world = field(24, 24, Rules::standard(), config);
        let kind = soldier(&mut world, SizeClass::ONE);
        let units = [cell(1, 1), cell(2, 20)].map(|at| world.spawn(kind, PlayerId(0), at).expect("open"));
        world.set_planner(PlannerList::builtin().take("hybrid"));
        world.order(&units, Order::move_to(cell(20, 3))).expect("alive");
        world.tick();
        // More than an eighth of the map changes, so all jump planes are made again.
        let area = CellRect { x0: 4, y0: 5, x1: 14, y1: 20 };
        world.apply(&Command::SetTerrain { area, terrain: WALL }).expect("on the map");
        (0..ticks).for_each(|_| world.tick());
        let mut loaded = World::load(&world.save()).expect("its own save");
        loaded.set_planner(PlannerList::builtin().take("hybrid"));
        for world in [&mut world, &mut loaded] {
            world.order(&units, Order::move_to(cell(21, 22))).expect("alive");
        }
        for tick in 0..20 {
            [&mut world, &mut loaded].into_iter().for_each(World::tick);
            assert_eq!(
                world.state_hash(),
                loaded.state_hash(),
                "saved {ticks} ticks after the edit, tick {tick}"
            );
        }
    }
}
