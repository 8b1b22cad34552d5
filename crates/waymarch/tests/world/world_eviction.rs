//! Units on ground that an edit has closed: under a new building, and where a bridge is gone. And where a building can stand.

use waymarch::base::{CellPos, CellRect, Fixed, Vec2, cell};
use waymarch::config::{Config, Eviction, RepathFrequency};
use waymarch::cost::{FootCell, Stamp, TerrainId};
use waymarch::world::{
    Command, Death, Displaced, EventKind, Mover, Order, PlayerId, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::block;
use crate::twins::{self, goes_on_alike, rules_with_air};

const RULES: [Eviction; 4] = [Eviction::Stay, Eviction::Walk, Eviction::Put, Eviction::Die];
const WATER: TerrainId = TerrainId(4);
const ROAD: TerrainId = TerrainId(1);

fn field(eviction: Eviction) -> World {
    flat_world(48, 32, Config { eviction, ..Config::default() })
}

fn displaced(world: &World, unit: UnitId) -> Vec<EventKind> {
    let own = world.events().iter().filter(|event| event.unit == unit).map(|event| event.what);
    own.filter(|what| matches!(what, EventKind::Displaced(_) | EventKind::Died(_))).collect()
}

fn is_on_open_ground(world: &World, unit: UnitId) -> bool {
    let kind = world.unit(unit).and_then(|unit| world.unit_type(unit.kind)).expect("alive");
    let at = world.cell_of(unit).expect("alive");
    world.nav().layer().field(kind.agent).is_some_and(|field| field.is_passable(at))
}

#[test]
fn each_rule_frees_a_new_building_from_idle_units_in_its_own_way() {
    for rule in RULES {
        let mut world = field(rule);
        let squad = block(&mut world, cell(10, 10), 5, 5);
        let bystander = block(&mut world, cell(30, 20), 1, 1)[0];
        (0..10).for_each(|_| world.tick());
        world.place(&Stamp::solid(5, 5), cell(10, 10)).expect("it fits");
        world.tick();
        assert_eq!(displaced(&world, bystander), []);
        for &unit in &squad {
            let told = displaced(&world, unit);
            let expected = match rule {
                Eviction::Stay => matches!(told[..], [EventKind::Displaced(Displaced::Stays)]),
                Eviction::Walk => matches!(told[..], [EventKind::Displaced(Displaced::Walks(_))]),
                Eviction::Put => {
                    matches!(told[..], [EventKind::Displaced(Displaced::Put(at))] if world.cell_of(unit) == Some(at))
                }
                Eviction::Die => told == [EventKind::Died(Death::OnClosedGround)],
            };
            assert!(expected, "{rule:?}: {told:?}");
        }
        if rule == Eviction::Put {
            let cells: std::collections::BTreeSet<_> =
                squad.iter().map(|&unit| world.cell_of(unit)).collect();
            assert_eq!(cells.len(), 25, "each on a free cell of its own");
        }
        for _ in 0..100 {
            world.tick();
            assert!(squad.iter().all(|&unit| displaced(&world, unit).is_empty()), "each unit is told once");
        }
        let out = squad
            .iter()
            .filter(|&&unit| world.unit(unit).is_some() && is_on_open_ground(&world, unit))
            .count();
        let gone = squad.iter().filter(|&&unit| world.unit(unit).is_none()).count();
        let expected = match rule {
            Eviction::Stay => (0, 0),
            Eviction::Walk | Eviction::Put => (25, 0),
            Eviction::Die => (0, 25),
        };
        assert_eq!((out, gone), expected, "{rule:?}");
    }
}

#[test]
fn a_unit_walks_out_at_its_own_speed_to_the_nearest_open_cell_and_stays_there() {
    let mut world = field(Eviction::Walk);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    world.tick();
    world.place(&Stamp::solid(9, 9), cell(18, 11)).expect("it fits");
    let mut before = world.place_of(unit).expect("alive");
    let speed = world.unit_type(world.unit(unit).expect("alive").kind).expect("known").speed.raw() << 6;
    let mut steps = 0;
    for _ in 0..60 {
        world.tick();
        let at = world.place_of(unit).expect("alive");
        let went = at.distance_squared(before).isqrt() as i32;
        assert!(went <= speed + 2, "{went}");
        steps += u32::from(went > 0);
        before = at;
    }
    // Three cells at an eighth of a cell per tick.
    assert_eq!((world.cell_of(unit), steps), (Some(cell(17, 15)), 24));
    (0..100).for_each(|_| world.tick());
    assert_eq!(world.place_of(unit), Some(before), "it rests there");
}

#[test]
fn orders_wait_while_a_unit_walks_out_and_it_leaves_on_the_side_of_its_goal() {
    let mut world = field(Eviction::Walk);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, PlayerId(0), cell(20, 15)).expect("open");
    world.order(&[unit], Order::move_to(cell(44, 15))).expect("legal");
    (0..8).for_each(|_| world.tick());
    // A wall from edge to edge, with the unit inside: nearer to the west, but the goal is in the east.
    world.place(&Stamp::solid(7, 32), cell(19, 0)).expect("it fits");
    world.tick();
    assert!(
        matches!(displaced(&world, unit)[..], [EventKind::Displaced(Displaced::Walks(at))] if at.x == 26)
    );
    let mut ends = Vec::new();
    for _ in 0..400 {
        world.tick();
        ends.extend(world.events().iter().map(|event| event.what));
    }
    assert_eq!(world.cell_of(unit), Some(cell(44, 15)), "{ends:?}");
    assert_eq!(ends, [EventKind::Arrived]);
}

#[test]
fn units_on_a_bridge_that_goes_are_evicted_by_the_rule() {
    for rule in RULES {
        let mut world = field(rule);
        world
            .apply(&Command::SetTerrain { area: CellRect::at(cell(14, 0), 20, 32), terrain: WATER })
            .expect("legal");
        let bridge = Stamp::filled("bridge", 20, 3, FootCell::Terrain(ROAD));
        let bridge = world.place(&bridge, cell(14, 14)).expect("it fits");
        let squad = block(&mut world, cell(17, 14), 3, 3);
        let ship = {
            let naval = world.nav().locomotor("float").expect("in the rules");
            let kind = world.add_type(UnitType::new("ship", naval)).expect("legal");
            world.spawn(kind, PlayerId(0), cell(20, 20)).expect("water")
        };
        (0..5).for_each(|_| world.tick());
        world.remove_stamp(bridge).expect("it stands");
        (0..80).for_each(|_| world.tick());
        assert_eq!(world.cell_of(ship), Some(cell(20, 20)), "water is open to it");
        let alive = squad.iter().filter(|&&unit| world.unit(unit).is_some()).count();
        let dry = squad
            .iter()
            .filter(|&&unit| world.unit(unit).is_some() && is_on_open_ground(&world, unit))
            .count();
        let expected = match rule {
            Eviction::Stay => (9, 0),
            Eviction::Walk | Eviction::Put => (9, 9),
            Eviction::Die => (0, 0),
        };
        assert_eq!((alive, dry), expected, "{rule:?}");
    }
}

#[test]
fn a_stamp_with_a_lifetime_and_a_closing_gate_evict_too() {
    let mut world = field(Eviction::Put);
    let gate = world.place(&Stamp::filled("gate", 1, 1, FootCell::Gate), cell(10, 10)).expect("it fits");
    world.apply(&Command::SetGate { id: gate, gate: waymarch::cost::GateState::Open }).expect("a gate");
    world
        .apply(&Command::SetTerrain { area: CellRect::at(cell(20, 20), 3, 3), terrain: WATER })
        .expect("legal");
    world
        .place(&Stamp::filled("ice", 3, 3, FootCell::Terrain(ROAD)).lasting(30), cell(20, 20))
        .expect("it fits");
    let kind = soldier(&mut world);
    let units = world.spawn_many(kind, PlayerId(0), &[cell(10, 10), cell(21, 21)]).expect("open");
    (0..20).for_each(|_| world.tick());
    assert!(units.iter().all(|&unit| is_on_open_ground(&world, unit)));
    world.apply(&Command::SetGate { id: gate, gate: waymarch::cost::GateState::Closed }).expect("a gate");
    world.tick();
    assert_eq!(world.cell_of(units[0]), Some(cell(10, 9)));
    (0..20).for_each(|_| world.tick());
    assert_eq!(world.cell_of(units[1]), Some(cell(21, 19)));
}

#[test]
fn a_unit_that_the_game_moves_is_told_where_to_go_and_led_there() {
    let mut world = field(Eviction::Walk);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let kind = UnitType { mover: Mover::Game, ..UnitType::new("puppet", foot) };
    let kind = world.add_type(kind).expect("legal");
    let unit = world.spawn(kind, PlayerId(0), cell(11, 11)).expect("open");
    world.place(&Stamp::solid(4, 4), cell(10, 10)).expect("it fits");
    world.tick();
    let EventKind::Displaced(Displaced::Walks(to)) = displaced(&world, unit)[0] else { panic!() };
    assert_eq!(to, cell(11, 9));
    let before = world.place_of(unit);
    (0..5).for_each(|_| world.tick());
    assert_eq!(world.place_of(unit), before, "only the game moves it");
    for _ in 0..40 {
        let at = world.unit(unit).expect("alive").position;
        let velocity = world.desired_velocity(unit);
        world.put(unit, at + velocity, velocity).expect("on the map");
        world.tick();
    }
    assert!(is_on_open_ground(&world, unit), "{:?}", world.cell_of(unit));
}

#[test]
fn a_second_building_sends_a_walking_unit_elsewhere() {
    let mut world = field(Eviction::Walk);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    world.place(&Stamp::solid(6, 6), cell(19, 12)).expect("it fits");
    (0..4).for_each(|_| world.tick());
    world.place(&Stamp::solid(3, 20), cell(16, 5)).expect("it fits");
    world.tick();
    let told = displaced(&world, unit);
    assert!(matches!(told[..], [EventKind::Displaced(Displaced::Walks(_))]), "{told:?}");
    (0..100).for_each(|_| world.tick());
    assert!(is_on_open_ground(&world, unit));
}

#[test]
fn a_unit_without_open_ground_near_stays_and_is_told_so() {
    for rule in [Eviction::Walk, Eviction::Put] {
        let mut world = field(rule);
        let unit = block(&mut world, cell(20, 15), 1, 1)[0];
        world
            .apply(&Command::SetTerrain { area: CellRect::at(cell(0, 0), 48, 32), terrain: WATER })
            .expect("legal");
        world.tick();
        assert_eq!(displaced(&world, unit), [EventKind::Displaced(Displaced::Stays)]);
        (0..20).for_each(|_| world.tick());
        // Land comes back beside it: now there is a place to go to.
        world
            .apply(&Command::SetTerrain { area: CellRect::at(cell(24, 10), 9, 9), terrain: ROAD })
            .expect("legal");
        (0..80).for_each(|_| world.tick());
        assert_eq!(world.cell_of(unit), Some(cell(24, 15)), "{rule:?}");
    }
}

#[test]
fn a_unit_that_comes_back_to_closed_ground_is_told_again() {
    let mut world = field(Eviction::Stay);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    let house = world.place(&Stamp::solid(3, 3), cell(19, 14)).expect("it fits");
    let mut count = 0;
    for tick in 0..60 {
        match tick {
            20 => world.remove_stamp(house).expect("it stands"),
            40 => drop(world.place(&Stamp::solid(3, 3), cell(19, 14)).expect("it fits")),
            // Edits elsewhere say nothing new.
            10 | 30 | 50 => drop(world.place(&Stamp::solid(1, 1), cell(tick / 2, 2)).expect("it fits")),
            _ => {}
        }
        world.tick();
        count += displaced(&world, unit).len();
    }
    assert_eq!(count, 2);
}

#[test]
fn the_rule_can_change_while_units_stand_on_closed_ground() {
    let mut world = field(Eviction::Stay);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    world.place(&Stamp::solid(3, 3), cell(19, 14)).expect("it fits");
    (0..10).for_each(|_| world.tick());
    world.configure(Config { eviction: Eviction::Walk, ..Config::default() }).expect("legal");
    (0..40).for_each(|_| world.tick());
    assert!(!is_on_open_ground(&world, unit), "a rule counts at the next edit");
    world.place(&Stamp::solid(1, 1), cell(2, 2)).expect("it fits");
    (0..40).for_each(|_| world.tick());
    assert!(is_on_open_ground(&world, unit));
}

#[test]
fn eviction_does_not_wait_for_a_slow_review_of_routes() {
    let config =
        Config { eviction: Eviction::Die, repath_frequency: RepathFrequency::Low, ..Config::default() };
    let mut world = flat_world(48, 32, config);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    (0..3).for_each(|_| world.tick());
    world.place(&Stamp::solid(3, 3), cell(19, 14)).expect("it fits");
    world.tick();
    assert_eq!(displaced(&world, unit), [EventKind::Died(Death::OnClosedGround)]);
}

#[test]
fn evicted_units_go_on_after_loading_and_restoring() {
    for rule in RULES {
        let mut world = field(rule);
        let squad = block(&mut world, cell(10, 10), 4, 4);
        world.order(&squad[..8], Order::move_to(cell(40, 20))).expect("legal");
        (0..12).for_each(|_| world.tick());
        world.place(&Stamp::solid(8, 8), cell(9, 8)).expect("it fits");
        goes_on_alike(world.clone(), 7, 150);
        (0..6).for_each(|_| world.tick());
        goes_on_alike(world, 9, 150);
    }
}

#[test]
fn a_transport_that_is_evicted_to_death_puts_its_units_out() {
    let mut world = field(Eviction::Die);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    let wheel = world.nav().locomotor("wheel").expect("in the rules");
    let truck = world.add_type(UnitType { capacity: 2, ..UnitType::new("truck", wheel) }).expect("legal");
    let carrier = world.spawn(truck, PlayerId(0), cell(24, 15)).expect("open");
    world.board(&[unit], carrier).expect("places");
    world.place(&Stamp::solid(3, 3), cell(23, 14)).expect("it fits");
    world.tick();
    assert_eq!(displaced(&world, carrier), [EventKind::Died(Death::OnClosedGround)]);
    assert_eq!(world.cell_of(unit), Some(cell(24, 13)));
}

/// The units that stand on closed ground once the stamp is placed, found by placing it in a copy of the World.
fn slow_units_in_way(world: &World, stamp: &Stamp, at: CellPos) -> Vec<UnitId> {
    let mut copy = world.clone();
    let open: Vec<UnitId> =
        copy.units().map(|unit| unit.id).filter(|&unit| is_on_open_ground(&copy, unit)).collect();
    copy.place(stamp, at).expect("it fits");
    open.into_iter().filter(|&unit| !is_on_open_ground(&copy, unit)).collect()
}

#[test]
fn units_in_the_way_of_a_building_are_those_that_would_stand_on_closed_ground() {
    let config = Config { size_classes: vec![1, 2, 3], ..Config::default() };
    let mut world = twins::field(48, 32, rules_with_air(), config);
    world
        .apply(&Command::SetTerrain { area: CellRect::at(cell(20, 10), 8, 8), terrain: WATER })
        .expect("legal");
    world.place(&Stamp::filled("bridge", 8, 2, FootCell::Terrain(ROAD)), cell(20, 13)).expect("it fits");
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let mut kinds: Vec<UnitTypeId> = vec![soldier(&mut world)];
    for (name, side) in [("track", 2), ("track", 3), ("air", 1), ("float", 1), ("foot", 3)] {
        let Some(locomotor) = world.nav().locomotor(name) else { continue };
        let size = waymarch::base::SizeClass::new(side).expect("legal");
        let agent = waymarch::base::Agent { locomotor, size };
        kinds.push(world.add_type(UnitType::new(name, agent)).expect("legal"));
    }
    let mut rng = waymarch_testkit::splitmix::SplitMix::new(24);
    for _ in 0..160 {
        let at = cell(rng.below(48) as i32, rng.below(32) as i32);
        // Some cells are closed to the type.
        let _ = world.spawn(rng.pick(&kinds), PlayerId(0), at);
    }
    let feet =
        [FootCell::Blocked, FootCell::Gate, FootCell::Wall(1), FootCell::Terrain(WATER), FootCell::NoStop];
    let mut in_way = 0;
    for _ in 0..300 {
        let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
        let mut stamp = Stamp::filled("any", width, height, rng.pick(&feet));
        stamp.cells[0] = FootCell::Open;
        let at = cell(rng.below(48 - width) as i32, rng.below(32 - height) as i32);
        let site = world.can_place(&stamp, at, foot).expect("it fits");
        assert_eq!(site.units, slow_units_in_way(&world, &stamp, at), "{stamp:?} at {at}");
        in_way += site.units.len();
        let area = CellRect::at(at, width, height);
        let field = world.nav().layer().field(foot.into()).expect("known");
        let closed: Vec<CellPos> = area.cells().skip(1).filter(|&at| !field.is_passable(at)).collect();
        assert_eq!(site.closed, closed);
        assert_eq!(site.is_free(), site.units.is_empty() && closed.is_empty());
    }
    assert!(in_way > 100, "{in_way}");
}

#[test]
fn a_unit_that_the_game_has_put_out_does_not_walk_on() {
    let mut world = field(Eviction::Walk);
    let unit = block(&mut world, cell(20, 15), 1, 1)[0];
    world.place(&Stamp::solid(9, 9), cell(16, 11)).expect("it fits");
    (0..3).for_each(|_| world.tick());
    let to = cell(40, 25).centre();
    world.put(unit, to, Vec2::ZERO).expect("on the map");
    (0..30).for_each(|_| world.tick());
    assert_eq!(world.unit(unit).map(|unit| unit.position), Some(to));
    assert_eq!(world.unit(unit).map(|unit| unit.velocity.x), Some(Fixed::ZERO));
}
