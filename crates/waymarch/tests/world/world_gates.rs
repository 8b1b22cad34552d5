//! Gates that are open to a team: its units pass, alone, in groups and in flows; the units of other teams go around or stay out.

use waymarch::base::{CellPos, CellRect, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, GateState, Map, Rules, SideMask, Stamp, StampId, TerrainId};
use waymarch::world::{
    Command, EventKind, Navigator, Order, PlayerId, RouteChange, TeamId, UnitId, UnitType, World,
};

/// Where a wall stands, and its gate.
const WALL: i32 = 40;
const GATE: CellRect = CellRect { x0: WALL, y0: 18, x1: WALL + 2, y1: 22 };

/// Whether the wall leaves a way around at its south end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Around {
    Free,
    Walled,
}

/// A world with a wall and a gate, and `count` units of each of players 1 and 2 west of it.
fn world(around: Around, count: i32) -> (World, [Vec<UnitId>; 2], StampId) {
    let mut map = Map::flat("fort", GridSize::new(80, 64).expect("legal"), Rules::standard());
    let south = if around == Around::Free { 58 } else { 64 };
    for y in (0..south).filter(|y| !(GATE.y0..GATE.y1).contains(y)) {
        map.set_terrain(cell(WALL, y), TerrainId(6));
        map.set_terrain(cell(WALL + 1, y), TerrainId(6));
    }
    let mut world = World::new(Navigator::new(map, Config::default()).expect("legal"));
    let foot = world.nav().locomotor("foot").expect("it is in the rules");
    let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
    let gate =
        world.place(&Stamp::filled("gate", 2, 4, FootCell::Gate), cell(WALL, GATE.y0)).expect("it fits");
    let mut block = |player: u8, y: i32| -> Vec<UnitId> {
        let places: Vec<CellPos> = (0..count).map(|k| cell(20 + k % 5, y + k / 5)).collect();
        world.spawn_many(kind, PlayerId(player), &places).expect("open")
    };
    let units = [block(1, 12), block(2, 24)];
    (world, units, gate)
}

fn set_gate(world: &mut World, id: StampId, gate: GateState) {
    world.apply(&Command::SetGate { id, gate }).expect("it stands");
}

/// Plays until no unit has an order, and checks which units have been in the gate.
fn passed(world: &mut World, units: &[UnitId], ticks: u32) -> Vec<bool> {
    let mut passed = vec![false; units.len()];
    for _ in 0..ticks {
        world.tick();
        for (unit, passed) in units.iter().zip(&mut passed) {
            *passed |= GATE.contains(world.cell_of(*unit).expect("it lives"));
        }
        if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
            break;
        }
    }
    passed
}

#[test]
fn units_of_the_team_pass_the_gate_and_all_others_go_around() {
    for (count, together) in [(1, true), (4, true), (20, true), (20, false)] {
        let (mut world, [own, other], gate) = world(Around::Free, count);
        set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(1)));
        for units in [&own, &other] {
            if together {
                world.order(units, Order::move_to(cell(60, 20))).expect("legal");
            } else {
                for &unit in units {
                    world.order(&[unit], Order::move_to(cell(60, 20))).expect("legal");
                }
            }
        }
        let all: Vec<UnitId> = own.iter().chain(&other).copied().collect();
        let passed = passed(&mut world, &all, 4000);
        let (inside, outside) = passed.split_at(own.len());
        assert!(inside.iter().all(|&passed| passed), "{count}, together {together}: {inside:?}");
        assert!(outside.iter().all(|&passed| !passed), "{count}, together {together}: {outside:?}");
        for unit in all {
            let at = world.cell_of(unit).expect("it lives");
            assert!(at.x > WALL + 2, "{unit} is at {at}, with {:?}", world.orders_of(unit).next());
        }
    }
}

#[test]
fn without_another_way_the_others_are_told_that_there_is_no_route() {
    let (mut world, [own, other], gate) = world(Around::Walled, 9);
    set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(1)));
    // The others wait at the wall, and not before the gate, where they would block it.
    for (units, to) in [(&own, cell(60, 20)), (&other, cell(60, 60))] {
        world.order(units, Order::move_to(to)).expect("legal");
    }
    let mut gave_up = Vec::new();
    for _ in 0..3000 {
        world.tick();
        let events = world.events().iter().filter(|event| matches!(event.what, EventKind::GaveUp(_)));
        gave_up.extend(events.map(|event| event.unit));
    }
    gave_up.sort_unstable();
    assert_eq!(gave_up, other);
    assert!(own.iter().all(|&unit| world.cell_of(unit).expect("it lives").x > WALL + 2));
    assert!(other.iter().all(|&unit| world.cell_of(unit).expect("it lives").x < WALL));
}

#[test]
fn a_player_that_joins_the_team_may_pass_and_one_that_leaves_may_not() {
    for count in [1, 12] {
        let (mut world, [own, other], gate) = world(Around::Free, count);
        set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(1)));
        for units in [&own, &other] {
            world.order(units, Order::move_to(cell(60, 20))).expect("legal");
        }
        (0..30).for_each(|_| world.tick());
        world.set_team(PlayerId(2), TeamId(1));
        world.set_team(PlayerId(1), TeamId(9));
        let all: Vec<UnitId> = own.iter().chain(&other).copied().collect();
        let passed = passed(&mut world, &all, 4000);
        let (left, joined) = passed.split_at(own.len());
        assert!(left.iter().all(|&passed| !passed), "{count}: {left:?}");
        assert!(joined.iter().all(|&passed| passed), "{count}: {joined:?}");
        assert!(all.iter().all(|&unit| world.cell_of(unit).expect("it lives").x > WALL + 2));
    }
}

#[test]
fn units_on_their_long_way_are_told_when_the_gate_opens_to_them() {
    let (mut world, [own, other], gate) = world(Around::Free, 1);
    for units in [&own, &other] {
        world.order(units, Order::move_to(cell(60, 20))).expect("legal");
    }
    (0..40).for_each(|_| world.tick());
    set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(2)));
    let mut told = Vec::new();
    for _ in 0..40 {
        world.tick();
        let opened = EventKind::RouteChanged(RouteChange::Opened);
        told.extend(world.events().iter().filter(|event| event.what == opened).map(|event| event.unit));
    }
    assert_eq!(told, other);
    let all = [own[0], other[0]];
    assert_eq!(passed(&mut world, &all, 4000), [false, true]);
}

#[test]
fn games_with_gates_of_teams_are_the_same_after_loading_and_going_back() {
    let (mut world, [own, other], gate) = world(Around::Free, 15);
    for units in [&own, &other] {
        world.order(units, Order::move_to(cell(60, 20))).expect("legal");
    }
    (0..20).for_each(|_| world.tick());
    let early = world.save();
    set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(1)));
    for tick in 0..600 {
        world.tick();
        if tick % 100 == 7 {
            let loaded = World::load(&world.save()).expect("its own save");
            assert_eq!(loaded.state_hash(), world.state_hash(), "tick {tick}");
            let mut back = world.clone();
            back.restore(&early).expect("its own save");
            back.restore(&world.save()).expect("its own save");
            let (mut one, mut two, mut three) = (world.clone(), loaded, back);
            for _ in 0..60 {
                [&mut one, &mut two, &mut three].into_iter().for_each(World::tick);
            }
            assert_eq!(one.state_hash(), two.state_hash(), "loaded at tick {tick}");
            assert_eq!(one.state_hash(), three.state_hash(), "restored at tick {tick}");
            world.set_team(PlayerId(2), TeamId(if tick % 200 == 7 { 1 } else { 2 }));
        }
    }
}

#[test]
fn new_units_and_upgrades_stand_in_a_gate_of_their_team_only() {
    let (mut world, [own, other], gate) = world(Around::Free, 1);
    set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(1)));
    let (kind, at) = (world.unit(own[0]).expect("it lives").kind, cell(WALL, 20));
    assert!(world.spawn(kind, PlayerId(2), at).is_err());
    let guard = world.spawn(kind, PlayerId(1), at).expect("open to the team");
    (0..10).for_each(|_| world.tick());
    assert_eq!(world.cell_of(guard), Some(at));
    // The gate closes: the guard stands on closed ground, and is told.
    set_gate(&mut world, gate, GateState::OpenTo(SideMask::of(2)));
    world.tick();
    assert!(
        world
            .events()
            .iter()
            .any(|event| event.unit == guard && matches!(event.what, EventKind::Displaced(_)))
    );
    assert!(world.cell_of(other[0]).is_some());
}
