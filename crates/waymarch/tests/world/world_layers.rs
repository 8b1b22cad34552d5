//! Collision layers: units without a common layer do not see each other.

use waymarch::base::{CellPos, CellRect, CollisionLayers, Fine, Fixed, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{LocomotorDef, Map, Rules, SurfaceMask, TerrainId};
use waymarch::query::{BlockedBy, Goal};
use waymarch::world::{
    EventKind, Executor, GiveUp, Navigator, Order, PlayerId, Serial, UnitId, UnitType, UnitTypeId, World,
};

use crate::squads::other_executor;

const RIVER: TerrainId = TerrainId(3);
const BRIDGE: TerrainId = TerrainId(5);
const WALL: TerrainId = TerrainId(6);

/// The standard rules, and a locomotor `air`.
fn rules() -> Rules {
    let mut rules = Rules::standard();
    rules.locomotors.push(LocomotorDef::new("air", SurfaceMask::AIR));
    rules.locomotors.push(LocomotorDef::new("hover", SurfaceMask::GROUND | SurfaceMask::WATER));
    rules
}

fn map(width: u32, height: u32) -> Map {
    Map::flat("field", GridSize::new(width, height).expect("legal"), rules())
}

fn world_on(map: Map) -> World {
    World::new(Navigator::new(map, Config::default()).expect("legal"))
}

fn kind(world: &mut World, locomotor: &str, layers: Option<CollisionLayers>) -> UnitTypeId {
    let id = world.nav().locomotor(locomotor).expect("in the rules");
    world.add_type(UnitType { layers, ..UnitType::new(locomotor, id) }).expect("legal")
}

fn spawn(world: &mut World, kind: UnitTypeId, owner: u8, area: CellRect) -> Vec<UnitId> {
    let places: Vec<CellPos> = area.cells().collect();
    world.spawn_many(kind, PlayerId(owner), &places).expect("open ground")
}

fn hold(world: &mut World, units: &[UnitId]) {
    world.order(units, Order::Hold).expect("legal");
    (0..2).for_each(|_| world.tick());
}

/// Where units are.
fn places(world: &World, units: &[UnitId]) -> Vec<Option<Fine>> {
    units.iter().map(|&unit| world.place_of(unit)).collect()
}

/// Runs a World and counts arrivals and units that give up.
fn play(world: &mut World, ticks: u32, executor: &impl Executor) -> (usize, Vec<GiveUp>) {
    let (mut arrived, mut gave_up) = (0, Vec::new());
    for _ in 0..ticks {
        world.tick_with(executor);
        for event in world.events() {
            match event.what {
                EventKind::Arrived => arrived += 1,
                EventKind::GaveUp(why) => gave_up.push(why),
                _ => {}
            }
        }
    }
    (arrived, gave_up)
}

#[test]
fn types_have_the_layers_of_their_locomotors_unless_they_name_others() {
    let mut world = world_on(map(16, 16));
    let (ground, water, air) = (CollisionLayers::GROUND, CollisionLayers::WATER, CollisionLayers::AIR);
    for (locomotor, layers) in
        [("foot", ground), ("track", ground), ("float", water), ("air", air), ("hover", ground | water)]
    {
        let id = kind(&mut world, locomotor, None);
        assert_eq!(world.layers_of_type(id), Some(layers), "{locomotor}");
        let id = kind(&mut world, locomotor, Some(CollisionLayers::UNDER));
        assert_eq!(world.layers_of_type(id), Some(CollisionLayers::UNDER), "{locomotor}");
    }
    assert_eq!(world.layers_of_type(UnitTypeId(99)), None);
}

/// Whether there is infantry in the scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Infantry {
    None,
    Holds,
}

/// A line of holding enemy infantry across the whole map. The unit of player 0 is to get to the other side.
fn before_a_line(locomotor: &str, layers: Option<CollisionLayers>, infantry: Infantry) -> (World, UnitId) {
    let mut world = world_on(map(48, 24));
    let mover = kind(&mut world, locomotor, layers);
    let foot = kind(&mut world, "foot", None);
    let unit = world.spawn(mover, PlayerId(0), cell(5, 12)).expect("open");
    if infantry == Infantry::Holds {
        let line = spawn(&mut world, foot, 1, CellRect::at(cell(20, 0), 3, 24));
        hold(&mut world, &line);
    } else {
        (0..2).for_each(|_| world.tick());
    }
    world.order(&[unit], Order::move_to(cell(40, 12))).expect("legal");
    (world, unit)
}

#[test]
fn a_helicopter_flies_over_holding_enemy_infantry_and_arrives() {
    for layers in [None, Some(CollisionLayers::AIR | CollisionLayers::UNDER)] {
        let (mut above, unit) = before_a_line("air", layers, Infantry::Holds);
        let (mut alone, same) = before_a_line("air", layers, Infantry::None);
        let mut arrived = false;
        for tick in 0..500 {
            above.tick();
            alone.tick();
            assert_eq!(
                above.place_of(unit),
                alone.place_of(same),
                "tick {tick}: as if the ground were empty"
            );
            arrived |= above.events().iter().any(|event| event.what == EventKind::Arrived);
        }
        assert!(arrived, "{:?}", above.unit(unit));
    }
}

/// The same line stops a unit on the ground, and an aircraft that flies as low as the ground.
#[test]
fn units_with_a_common_layer_are_stopped_by_holding_enemies() {
    let low = CollisionLayers::AIR | CollisionLayers::GROUND;
    for (locomotor, layers) in [("foot", None), ("air", Some(low)), ("hover", None)] {
        let (mut world, unit) = before_a_line(locomotor, layers, Infantry::Holds);
        let (arrived, gave_up) = play(&mut world, 1500, &Serial);
        assert!(arrived == 0 && gave_up.len() == 1, "{locomotor}: {arrived} {gave_up:?}");
        let GiveUp::Stuck { by, .. } = gave_up[0] else { panic!("{gave_up:?}") };
        assert!(
            by.is_some() && world.cell_of(unit).is_some_and(|at| at.x < 20),
            "{locomotor}: by {by:?} at {:?}",
            world.cell_of(unit)
        );
    }
}

#[test]
fn a_unit_under_the_ground_passes_below_holding_enemies() {
    let (mut world, unit) = before_a_line("foot", Some(CollisionLayers::UNDER), Infantry::Holds);
    let (arrived, gave_up) = play(&mut world, 500, &Serial);
    assert!(arrived == 1 && gave_up.is_empty(), "{gave_up:?} at {:?}", world.cell_of(unit));
}

/// A river from west to east, and a bridge over it, full of holding infantry.
fn at_the_bridge(infantry: Infantry) -> (World, Vec<UnitId>) {
    let mut map = map(64, 32);
    let mut fill = |area: CellRect, terrain| area.cells().for_each(|at| map.set_terrain(at, terrain));
    fill(CellRect::at(cell(0, 12), 64, 8), RIVER);
    fill(CellRect::at(cell(30, 12), 5, 8), BRIDGE);
    let mut world = world_on(map);
    let (float, foot) = (kind(&mut world, "float", None), kind(&mut world, "foot", None));
    let boats = spawn(&mut world, float, 0, CellRect::at(cell(4, 14), 4, 4));
    if infantry == Infantry::Holds {
        let units = spawn(&mut world, foot, 1, CellRect::at(cell(30, 10), 5, 12));
        hold(&mut world, &units);
    } else {
        (0..2).for_each(|_| world.tick());
    }
    world.order(&boats, Order::move_to(cell(55, 15))).expect("legal");
    (world, boats)
}

#[test]
fn boats_pass_under_a_bridge_full_of_holding_infantry() {
    let ((mut world, boats), (mut empty, same)) =
        (at_the_bridge(Infantry::Holds), at_the_bridge(Infantry::None));
    let mut arrived = 0;
    for tick in 0..900 {
        world.tick();
        empty.tick();
        assert_eq!(places(&world, &boats), places(&empty, &same), "tick {tick}: as under an empty bridge");
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert_eq!(arrived, 16);
}

/// Two armies that meet at a wall with gaps of one and of three cells, and cross each other in the open. Units are of one kind.
fn armies(world: &mut World, kind: UnitTypeId, owners: [u8; 2]) -> Vec<UnitId> {
    let mut all = Vec::new();
    for (owner, area, to) in [
        (owners[0], CellRect::at(cell(6, 20), 6, 6), cell(66, 22)),
        (owners[1], CellRect::at(cell(60, 20), 6, 6), cell(10, 22)),
        (owners[0], CellRect::at(cell(16, 48), 5, 5), cell(16, 14)),
        (owners[0], CellRect::at(cell(6, 40), 5, 5), cell(30, 40)),
    ] {
        let units = spawn(world, kind, owner, area);
        world.order(&units, Order::move_to(to)).expect("legal");
        all.extend(units);
    }
    let guards = spawn(world, kind, owners[1], CellRect::at(cell(34, 30), 2, 3));
    world.order(&guards, Order::Hold).expect("legal");
    all.extend(guards);
    let lone = spawn(world, kind, owners[0], CellRect::at(cell(2, 2), 12, 1));
    for (number, &unit) in lone.iter().enumerate() {
        world.order(&[unit], Order::move_to(cell(60, 20 + number as i32))).expect("legal");
    }
    all.extend(lone);
    all
}

fn walled_map() -> Map {
    let mut map = map(72, 56);
    for y in (0..56).filter(|y| *y != 22 && !(30..33).contains(y)) {
        map.set_terrain(cell(36, y), WALL);
    }
    map
}

/// Armies on the ground, and perhaps as many units on other layers, that go the same ways at the same time. Their locomotors differ: otherwise they would share flows.
/// Budgets are large, so that no army waits for the routes of the other.
fn two_armies(second: Option<CollisionLayers>) -> (World, Vec<UnitId>) {
    let config = Config {
        max_paths_per_tick: 10_000,
        max_path_nodes_per_tick: 10_000_000,
        max_flowfield_gens_per_tick: 1000,
        flowfield_cache_max_tiles: 4096,
        ..Config::default()
    };
    let mut world = World::new(Navigator::new(walled_map(), config).expect("legal"));
    let foot = kind(&mut world, "foot", None);
    let other = kind(&mut world, "track", second);
    let units = armies(&mut world, foot, [0, 1]);
    if second.is_some() {
        armies(&mut world, other, [0, 1]);
    }
    (world, units)
}

/// Every rule that looks at other units is in these games: gates, right of way, reserved passages, queues, deadlocks, slots, routes around units.
///
/// While groups form, cross each other and come to the wall, positions are equal, bit for bit. Later the numbers of requests decide a little: which of
/// two units looks along its route first. Then the army still takes about the time that it takes alone. Two armies on one layer move otherwise.
#[test]
fn an_army_moves_as_if_the_army_on_the_other_layer_did_not_exist() {
    let ((mut both, units), (mut alone, same)) = (two_armies(Some(CollisionLayers::UNDER)), two_armies(None));
    let (mut crowded, crowd) = two_armies(Some(CollisionLayers::GROUND));
    let mut any_differ = false;
    for tick in 0..250 {
        both.tick();
        alone.tick();
        crowded.tick();
        let (here, there) = (places(&both, &units), places(&alone, &same));
        any_differ |= places(&crowded, &crowd) != there;
        let differ = here.iter().zip(&there).position(|(here, there)| here != there);
        assert_eq!(differ, None, "tick {tick}");
    }
    assert!(any_differ, "on one layer the other army matters");
    // The tick at which 17 of 20 units rest.
    let done = |world: &mut World, units: &[UnitId]| {
        let rests =
            |world: &World, &unit: &UnitId| world.unit(unit).is_some_and(|unit| !unit.stance.travels());
        let found = (0..6000_u32).find(|_| {
            world.tick();
            units.iter().filter(|unit| rests(world, unit)).count() * 20 >= units.len() * 17
        });
        found.map_or(u32::MAX, |_| world.now().0 as u32)
    };
    let [here, there] = [(&mut both, &units), (&mut alone, &same)].map(|(world, units)| done(world, units));
    assert!(4 * here <= 5 * there, "{here}, {there} alone");
}

#[test]
fn games_on_several_layers_are_saved_and_played_by_threads_alike() {
    let (mut serial, _) = two_armies(Some(CollisionLayers::UNDER));
    let (mut threaded, _) = two_armies(Some(CollisionLayers::UNDER));
    let threads = other_executor();
    for tick in 0..240 {
        serial.tick();
        threaded.tick_with(&threads);
        assert_eq!(threaded.state_hash().first_difference(&serial.state_hash()), None, "tick {tick}");
        assert!(threaded.events() == serial.events(), "tick {tick}");
        if tick % 40 == 0 {
            let saved = threaded.save();
            threaded = World::load(&saved).expect("its own save");
            assert!(threaded.save() == saved);
        }
    }
}

#[test]
fn layers_that_a_type_names_are_hashed_and_layers_of_locomotors_are_not() {
    let hash = |layers| {
        let mut world = world_on(map(16, 16));
        kind(&mut world, "foot", layers);
        world.state_hash()
    };
    let usual = hash(None);
    let ground = hash(Some(CollisionLayers::GROUND));
    assert_eq!(usual.first_difference(&ground), Some("types"));
    assert_eq!(ground.first_difference(&hash(Some(CollisionLayers::AIR))), Some("types"));
}

/// A helicopter hovers over a soldier that asks for a route around others, and over the cell that the soldier is in.
#[test]
fn only_units_of_a_common_layer_block_routes() {
    let mut world = world_on(map(24, 24));
    let (air, foot) = (kind(&mut world, "air", None), kind(&mut world, "foot", None));
    let heli = world.spawn(air, PlayerId(0), cell(8, 8)).expect("open");
    let soldier = world.spawn(foot, PlayerId(1), cell(8, 8)).expect("open");
    let other = world.spawn(foot, PlayerId(0), cell(10, 8)).expect("open");
    hold(&mut world, &[heli, soldier, other]);
    let mut cells = Vec::new();
    world.blockers_near(cell(8, 8), 5, BlockedBy::Immovable, soldier, &mut cells);
    assert_eq!(cells, [cell(10, 8)], "no helicopter");
    world.blockers_near(cell(8, 8), 5, BlockedBy::Immovable, heli, &mut cells);
    assert_eq!(cells, [], "no soldier");
    world.blockers_near(cell(8, 8), 5, BlockedBy::All, UnitId::DEAD, &mut cells);
    assert_eq!(cells, [cell(8, 8), cell(10, 8)], "without a unit that asks, all count");
}

#[test]
fn aircraft_report_enemies_on_the_ground() {
    let mut world = world_on(map(32, 16));
    let (air, foot) = (kind(&mut world, "air", None), kind(&mut world, "foot", None));
    let heli = world.spawn(air, PlayerId(0), cell(3, 8)).expect("open");
    let enemy = world.spawn(foot, PlayerId(1), cell(16, 8)).expect("open");
    let sight = Fixed::from_cells(6);
    world.order(&[heli], Order::attack_move(Goal::point(cell(28, 8)), sight)).expect("legal");
    let sighted = (0..200).any(|_| {
        world.tick();
        world.events().iter().any(|event| event.what == EventKind::Sighted(enemy))
    });
    assert!(sighted);
}
