//! Terrain speed: independent of route costs, reached with the unit's acceleration, and the same for every source of velocities.

use waymarch::avoid::{
    Avoidance, Crowd, FINE_CELL, Fine, Guide, Kinematics, Mover, Spawn, Stance as Posture, Walls,
};
use waymarch::base::{CellPos, CellRect, Fixed, GridSize, LocomotorId, Serial, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, Map, Rules, RulesError, Stamp, TerrainId};
use waymarch::world::{Command, EventKind, Navigator, Order, PlayerId, RouteChange, UnitId, UnitType, World};

const ROAD: TerrainId = TerrainId(1);
const MUD: TerrainId = TerrainId(2);
const FOOT: LocomotorId = LocomotorId(0);

/// The default rules with speeds for foot: 150 % on roads and `mud` % in mud. Costs are unchanged.
fn rules(mud: u8) -> Rules {
    let mut rules = Rules::standard();
    rules.set_speed(ROAD, FOOT, Some(150));
    rules.set_speed(MUD, FOOT, Some(mud));
    rules
}

/// A plain with `terrain` from column 20 to 39.
fn world(rules: Rules, terrain: TerrainId) -> World {
    let map = Map::flat("belt", GridSize::new(64, 16).expect("legal"), rules);
    let mut world = World::new(Navigator::new(map, Config::default()).expect("legal"));
    let area = CellRect::at(cell(20, 0), 20, 16);
    world.apply(&Command::SetTerrain { area, terrain }).expect("on the map");
    world
}

fn send(world: &mut World, kind: UnitType, to: CellPos) -> UnitId {
    let kind = world.add_type(kind).expect("legal");
    let unit = world.spawn(kind, PlayerId(0), cell(4, 8)).expect("room");
    world.order(&[unit], Order::move_to(to)).expect("legal");
    unit
}

fn length(v: Vec2) -> i32 {
    v.distance(Vec2::ZERO).raw()
}

/// The ticks from column 22 to column 38, inside the belt of the terrain.
fn crossing(world: &mut World, kind: UnitType) -> u32 {
    let unit = send(world, kind, cell(60, 8));
    let mut ticks = 0;
    for _ in 0..6000 {
        world.tick();
        let x = world.unit(unit).expect("alive").position.x;
        ticks += u32::from(x >= Fixed::from_cells(22) && x < Fixed::from_cells(38));
        if world.cell_of(unit) == Some(cell(60, 8)) {
            return ticks;
        }
    }
    panic!("the unit never arrived");
}

#[test]
fn sixteen_cells_take_as_long_as_the_terrain_says() {
    // An eighth of a cell per tick: 128 ticks on ordinary ground.
    for (terrain, mud, expected) in [(TerrainId(0), 50, 128), (ROAD, 50, 85), (MUD, 50, 256), (MUD, 10, 1280)]
    {
        let took = crossing(&mut world(rules(mud), terrain), UnitType::new("walker", FOOT));
        assert!(took.abs_diff(expected) <= expected / 100 + 1, "{took} ticks instead of {expected}");
    }
    let took = crossing(&mut world(rules(50), MUD), UnitType::vehicle("cart", FOOT));
    assert!(took.abs_diff(256) <= 3, "vehicles too: {took}");
    let track = UnitType::new("tractor", LocomotorId(2));
    assert_eq!(crossing(&mut world(rules(50), MUD), track), 128, "no speed is named for tracks");
}

#[test]
fn units_brake_into_mud_and_accelerate_out_of_it_at_their_own_rates() {
    for (kind, gain, loss) in [
        (UnitType::new("walker", FOOT), 128 / 4, 128 / 4),
        (UnitType::vehicle("cart", FOOT), 128 / 10, 128 / 5),
        (UnitType { acceleration: 40, braking: 30, ..UnitType::new("sledge", FOOT) }, 128 / 40, 128 / 30),
    ] {
        let mut world = world(rules(25), MUD);
        let name = kind.name.clone();
        let unit = send(&mut world, kind, cell(60, 8));
        let (mut before, mut braked, mut slowest) = (0, 0, i32::MAX);
        for _ in 0..1500 {
            world.tick();
            let Some(now) = world.unit(unit) else { panic!("the unit does not exist") };
            let speed = length(now.velocity);
            assert!(speed <= before + gain + 2, "{name}: {before} {speed}");
            assert!(speed >= before - loss - 2, "{name}: {before} {speed}");
            let x = now.position.x;
            let inside = x >= Fixed::from_cells(20) && x < Fixed::from_cells(40);
            braked += u32::from(inside && speed < before - 1);
            slowest = if inside { slowest.min(speed) } else { slowest };
            before = speed;
        }
        assert!(braked >= 3, "{name}: it braked too fast, in {braked} ticks");
        assert!((30..=32).contains(&slowest), "{name}: a quarter of 128 is not {slowest}");
        assert_eq!(world.cell_of(unit), Some(cell(60, 8)), "{name}");
    }
}

#[test]
fn routes_are_chosen_by_cost_alone() {
    let corners = (cell(3, 3), cell(60, 12));
    let route = |rules: Rules| {
        let mut map = Map::flat("belt", GridSize::new(64, 16).expect("legal"), rules);
        map.terrain.iter_mut().skip(20).step_by(7).for_each(|terrain| *terrain = MUD);
        let mut nav = Navigator::new(map, Config::default()).expect("legal");
        let route = nav.path(corners.0, corners.1, FOOT).expect("a route");
        (route.cost, route.cells().collect::<Vec<_>>())
    };
    assert_eq!(route(rules(1)), route(Rules::standard()));
}

#[test]
fn a_unit_on_slow_ground_is_not_stuck() {
    let mut world = world(rules(3), MUD);
    let unit = send(&mut world, UnitType::new("walker", FOOT), cell(24, 8));
    for _ in 0..3000 {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
            assert_ne!(event.what, EventKind::RouteChanged(RouteChange::Stuck));
        }
    }
    assert_eq!(world.cell_of(unit), Some(cell(24, 8)));
}

#[test]
fn games_that_move_units_themselves_get_velocities_that_fit_the_ground() {
    let mut world = world(rules(50), MUD);
    let kind = UnitType { mover: Mover::Game, ..UnitType::new("puppet", FOOT) };
    let unit = send(&mut world, kind, cell(60, 8));
    let (mut in_mud, mut outside) = (0, 0);
    for _ in 0..1000 {
        world.tick();
        let velocity = world.desired_velocity(unit);
        let at = world.unit(unit).expect("alive").position;
        world.put(unit, at + velocity, velocity).expect("on the map");
        let x = at.x;
        if x >= Fixed::from_cells(22) && x < Fixed::from_cells(40) {
            in_mud = in_mud.max(length(velocity));
        } else if x >= Fixed::from_cells(44) {
            outside = outside.max(length(velocity));
        }
    }
    assert!((63..=65).contains(&in_mud) && (126..=129).contains(&outside), "{in_mud} {outside}");
    assert_eq!(world.cell_of(unit), Some(cell(60, 8)));
}

#[test]
fn a_bridge_over_mud_is_as_fast_as_a_bridge() {
    let mut world = world(rules(50), MUD);
    let bridge = Stamp::filled("bridge", 20, 3, FootCell::Terrain(TerrainId(5)));
    world.apply(&Command::Place { stamp: bridge, at: cell(20, 7) }).expect("on the map");
    assert_eq!(crossing(&mut world, UnitType::new("walker", FOOT)), 128);
}

#[test]
fn speeds_are_hashed_and_saved_and_change_nothing_where_all_are_ordinary() {
    let hash = |rules: Rules| {
        let mut world = world(rules, MUD);
        send(&mut world, UnitType::new("walker", FOOT), cell(60, 8));
        (0..50).for_each(|_| world.tick());
        world.state_hash()
    };
    let plain = hash(Rules::standard());
    let mut ordinary = Rules::standard();
    ordinary.set_speed(MUD, FOOT, Some(100));
    assert_eq!(hash(ordinary), plain);
    assert_ne!(hash(rules(50)), plain);
    assert_ne!(hash(rules(50)), hash(rules(49)));

    let mut one = world(rules(50), MUD);
    send(&mut one, UnitType::new("walker", FOOT), cell(60, 8));
    (0..200).for_each(|_| one.tick());
    let mut other = World::load(&one.save()).expect("its own bytes");
    for _ in 0..300 {
        one.tick();
        other.tick();
        assert_eq!(one.state_hash(), other.state_hash(), "tick {}", one.now());
    }
}

#[test]
fn mud_that_is_painted_under_a_unit_slows_it_down() {
    let mut world = world(rules(50), TerrainId(0));
    let unit = send(&mut world, UnitType::new("walker", FOOT), cell(60, 8));
    (0..100).for_each(|_| world.tick());
    let speed = |world: &World| length(world.unit(unit).expect("alive").velocity);
    assert!((126..=129).contains(&speed(&world)));
    let area = CellRect::at(cell(0, 0), 64, 16);
    world.apply(&Command::SetTerrain { area, terrain: MUD }).expect("on the map");
    (0..10).for_each(|_| world.tick());
    assert!((62..=65).contains(&speed(&world)), "{}", speed(&world));
}

#[test]
fn invalid_speeds_are_refused_by_name() {
    let wrong = |speed: u8| {
        let mut rules = Rules::standard();
        rules.set_speed(MUD, FOOT, Some(speed));
        rules.validate().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(wrong(0), Err("the speed of 'foot' on 'Rough' is 0: it must be 1..=250 per cent".into()));
    assert_eq!(wrong(251), Err("the speed of 'foot' on 'Rough' is 251: it must be 1..=250 per cent".into()));
    assert_eq!([wrong(1), wrong(250)], [Ok(()), Ok(())]);
    let mut wide = Rules::standard();
    wide.set_speed(MUD, LocomotorId(4), None);
    assert!(matches!(wide.validate(), Err(RulesError::TableShape { table: "the table of speeds", .. })));
    let mut long = Rules::standard();
    long.set_speed(TerrainId(7), FOOT, None);
    assert!(matches!(long.validate(), Err(RulesError::TableShape { what: "rows", .. })));
}

/// Ground with half the speed from column 20 on.
struct Marsh;

impl Walls for Marsh {
    fn is_open(&self, _at: CellPos) -> bool {
        true
    }

    fn pace(&self, middle: Fine) -> u16 {
        if middle.x >= 20 * FINE_CELL { 512 } else { 1024 }
    }
}

#[test]
fn crowds_without_a_world_ask_their_ground() {
    let mut crowd = Crowd::new(20);
    let kind = crowd.add_kind(Kinematics::INFANTRY).expect("legal");
    let at = Fine::centre(cell(10, 5));
    let mover = Mover::Game;
    let unit = crowd.spawn(&Spawn { id: 1, kind, at, mover, ..Spawn::default() }).expect("legal");
    crowd.guide(unit, Guide::to(Fine::centre(cell(30, 5))));
    let mut avoidance = Avoidance::default();
    let full = 2 * FINE_CELL / 20;
    for _ in 0..400 {
        let velocity = avoidance.steer(&mut crowd, &Marsh, &Serial)[unit];
        let at = crowd.positions()[unit];
        if at.x > 22 * FINE_CELL {
            assert!(velocity.x <= full / 2 + 1, "{velocity:?}");
        } else if at.x > 12 * FINE_CELL && at.x < 20 * FINE_CELL {
            assert!(velocity.x >= full - 2, "{velocity:?}");
        }
        crowd.put(unit, at.plus(velocity), velocity);
    }
    assert_eq!(crowd.stance(unit), Posture::Idle);
}
