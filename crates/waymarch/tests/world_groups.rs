//! Groups in a World: units told together get places of their own, keep their width, let others pass and come to rest.

use std::collections::BTreeSet;

use waymarch::base::{CellPos, CellRect, Dir8, Fixed, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, Traffic};
use waymarch::world::{EventKind, Order, PlayerId, UnitId, World};
use waymarch_testkit::worlds::{flat_world, soldier};

/// A world with a wall across column 40 that is open in some rows.
fn walled(gap: std::ops::Range<i32>) -> World {
    let mut world = flat_world(96, 64, Config::default());
    for (from, to) in [(0, gap.start), (gap.end, 64)] {
        for y in (from..to).step_by(16) {
            let high = (to - y).min(16) as u32;
            world.place(&Stamp::solid(1, high), cell(40, y)).expect("room");
        }
    }
    world
}

fn block(world: &mut World, at: CellPos, wide: u32, high: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(at, wide, high).cells().collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

/// Ticks until as many have arrived, and checks that nobody gave up; the tick of the last one.
fn until_all_are_there(world: &mut World, count: usize, most: u32) -> u32 {
    let mut arrived = 0;
    for tick in 0..most {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
            arrived += usize::from(event.what == EventKind::Arrived);
        }
        if arrived == count {
            return tick;
        }
    }
    panic!("{arrived} of {count} after {most} ticks");
}

/// That everybody stands in a slot of its own, some seconds later.
fn assert_in_slots(world: &mut World, units: &[UnitId]) {
    (0..300).for_each(|_| world.tick());
    let mut slots = BTreeSet::new();
    for &unit in units {
        let slot = world.slot_of(unit).expect("it belongs to a group");
        assert!(slots.insert(slot), "two have {slot:?}");
        let off = world.unit(unit).expect("alive").position.distance(Vec2::from(slot));
        assert!(off < Fixed::from_raw(256), "{unit} is {off} from its slot");
    }
}

#[test]
fn a_hundred_go_through_a_door_of_three_and_stand_in_slots_of_their_own() {
    let mut world = walled(30..33);
    let units = block(&mut world, cell(10, 26), 10, 10);
    world.order(&units, Order::move_to(cell(70, 31))).expect("good");
    (0..3).for_each(|_| world.tick());
    let group = world.group_of(units[0]).expect("they go together");
    let gates: Vec<_> = world.gates_of(group).collect();
    assert_eq!(gates.len(), 1, "{gates:?}");
    let (gate, traffic) = gates[0];
    assert_eq!((gate.taut.cell().x, traffic), (40, Traffic::OneWay));
    let last = until_all_are_there(&mut world, 100, 1500);
    assert!(last < 900, "a door of three lets three pass abreast: {last}");
    assert_in_slots(&mut world, &units);
}

#[test]
fn a_column_that_comes_down_a_corridor_fills_its_place_from_the_far_end_and_comes_to_rest_soon() {
    // A corridor of twelve, closed at its end: who came to its slot by way of the place's middle would push through those who stand.
    let mut world = flat_world(96, 64, Config::default());
    for y in [19, 32] {
        for x in (0..96).step_by(32) {
            world.place(&Stamp::solid(32, 1), cell(x, y)).expect("room");
        }
    }
    let units = block(&mut world, cell(4, 20), 8, 12);
    world.order(&units, Order::move_to(cell(80, 26)).formation(Formation::Hex)).expect("good");
    let last = until_all_are_there(&mut world, units.len(), 1000);
    // 76 cells at six ticks and two thirds a cell, and a little for the last.
    assert!(last < 615, "{last}");
    let before: Vec<Vec2> = units.iter().map(|&unit| world.unit(unit).expect("alive").position).collect();
    assert_in_slots(&mut world, &units);
    for (&unit, &before) in units.iter().zip(&before) {
        let moved = world.unit(unit).expect("alive").position.distance(before);
        assert!(moved < Fixed::from_cells(3), "{unit} went {moved} after all had arrived");
    }
}

#[test]
fn two_groups_change_sides_through_a_door_of_four_and_keep_right() {
    let mut world = walled(30..34);
    let west = block(&mut world, cell(24, 29), 5, 6);
    let kind = world.unit(west[0]).expect("alive").kind;
    let places: Vec<CellPos> = CellRect::at(cell(52, 29), 5, 6).cells().collect();
    let east = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&west, Order::move_to(cell(60, 31))).expect("good");
    world.order(&east, Order::move_to(cell(20, 31))).expect("good");
    let mut opposed = false;
    let mut arrived = 0;
    for _ in 0..2500 {
        world.tick();
        let groups: Vec<_> = world.groups().collect();
        opposed |= groups
            .iter()
            .any(|&group| world.gates_of(group).any(|(_, traffic)| traffic == Traffic::Opposing));
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert!(opposed, "both have to pass the same gate");
    assert_eq!(arrived, 60);
}

#[test]
fn a_formation_looks_the_way_it_was_told_and_one_alone_stands_in_the_middle() {
    let mut world = flat_world(96, 64, Config::default());
    let units = block(&mut world, cell(10, 20), 4, 5);
    let order = Order::move_to(cell(60, 30)).formation(Formation::Line).facing(Dir8::N);
    world.order(&units, order).expect("good");
    until_all_are_there(&mut world, 20, 900);
    assert_in_slots(&mut world, &units);
    let rows: BTreeSet<i32> =
        units.iter().map(|&unit| world.slot_of(unit).expect("it has one").cell().y).collect();
    assert_eq!(rows.len(), 1, "a line that looks north lies from west to east: {rows:?}");
    let alone = units[0];
    world.order(&[alone], Order::move_to(cell(20, 50)).formation(Formation::Wedge)).expect("good");
    until_all_are_there(&mut world, 1, 900);
    assert_eq!(world.cell_of(alone), Some(cell(20, 50)));
}

#[test]
fn deaths_other_orders_and_walls_on_the_way_leave_nobody_without_an_end() {
    let mut world = walled(28..36);
    let units = block(&mut world, cell(10, 26), 8, 8);
    world.order(&units, Order::move_to(cell(70, 31))).expect("good");
    world.queue(&units[..20], Order::move_to(cell(80, 50))).expect("good");
    let mut ends = 0;
    for tick in 0..3000 {
        match tick {
            40 => units[60..].iter().for_each(|&unit| world.remove(unit).expect("alive")),
            80 => world.order(&units[50..60], Order::move_to(cell(12, 60))).expect("good"),
            // Where some of the slots are.
            120 => drop(world.place(&Stamp::solid(3, 3), cell(70, 31)).expect("room")),
            _ => {}
        }
        world.tick();
        let over = |what| matches!(what, EventKind::Arrived | EventKind::GaveUp(_));
        ends += world.events().iter().filter(|event| over(event.what)).count();
    }
    assert_eq!(ends, 60 + 20, "each order ends once");
    assert!(world.units().all(|unit| world.orders_of(unit.id).next().is_none()));
    assert_eq!(world.groups().count(), 0, "groups end with their orders");
    assert_eq!(world.service().len(), 0);
}

#[test]
fn without_formation_movement_there_are_no_groups() {
    let mut world = flat_world(64, 64, Config { formation_movement: false, ..Config::default() });
    let units = block(&mut world, cell(5, 5), 4, 4);
    world.order(&units, Order::move_to(cell(50, 50))).expect("good");
    (0..5).for_each(|_| world.tick());
    assert_eq!(world.groups().count(), 0);
    assert!(units.iter().all(|&unit| world.slot_of(unit).is_none()));
}
