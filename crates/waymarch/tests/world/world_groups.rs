//! Groups in a World: units of one order get slots of their own, keep their width, give right of way and stop.

use std::collections::BTreeSet;

use waymarch::base::{CellPos, CellRect, Dir8, Fixed, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, Traffic};
use waymarch::world::{CommandError, EventKind, Order, PlayerId, UnitId, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::block;

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

/// Runs ticks until `count` units have arrived, and returns the tick of the last one. Checks that no unit gave up.
fn ticks_until_all_arrive(world: &mut World, count: usize, most: u32) -> u32 {
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

/// Checks that some seconds later every unit stands in a slot of its own.
fn assert_in_slots(world: &mut World, units: &[UnitId]) {
    (0..300).for_each(|_| world.tick());
    let mut slots = BTreeSet::new();
    for &unit in units {
        let slot = world.slot_of(unit).expect("it belongs to a group");
        assert!(slots.insert(slot), "two units have the slot {slot:?}");
        let off = world.unit(unit).expect("alive").position.distance(Vec2::from(slot));
        assert!(off < Fixed::from_raw(256), "{unit} is {off} from its slot");
    }
}

#[test]
fn a_hundred_units_go_through_a_door_of_three_cells_and_stand_in_slots_of_their_own() {
    let mut world = walled(30..33);
    let units = block(&mut world, cell(10, 26), 10, 10);
    world.order(&units, Order::move_to(cell(70, 31))).expect("good");
    (0..3).for_each(|_| world.tick());
    let group = world.group_of(units[0]).expect("they go together");
    let gates: Vec<_> = world.gates_of(group).collect();
    assert_eq!(gates.len(), 1, "{gates:?}");
    let (gate, traffic) = gates[0];
    assert_eq!((gate.taut.cell().x, traffic), (40, Traffic::OneWay));
    let last = ticks_until_all_arrive(&mut world, 100, 1500);
    assert!(last < 900, "a door of three lets three pass abreast: {last}");
    assert_in_slots(&mut world, &units);
}

#[test]
fn a_column_in_a_corridor_fills_its_slots_from_the_far_end_and_stops_soon() {
    // A corridor of twelve cells with a closed end: a unit that went to its slot through the middle would push through units that stand.
    let mut world = flat_world(96, 64, Config::default());
    for y in [19, 32] {
        for x in (0..96).step_by(32) {
            world.place(&Stamp::solid(32, 1), cell(x, y)).expect("room");
        }
    }
    let units = block(&mut world, cell(4, 20), 8, 12);
    world.order(&units, Order::move_to(cell(80, 26)).formation(Formation::Hex)).expect("good");
    let last = ticks_until_all_arrive(&mut world, units.len(), 1000);
    // 76 cells at 6 2/3 ticks per cell, and some ticks for the last unit.
    assert!(last < 615, "{last}");
    let before: Vec<Vec2> = units.iter().map(|&unit| world.unit(unit).expect("alive").position).collect();
    assert_in_slots(&mut world, &units);
    for (&unit, &before) in units.iter().zip(&before) {
        let moved = world.unit(unit).expect("alive").position.distance(before);
        assert!(moved < Fixed::from_cells(3), "{unit} went {moved} after all had arrived");
    }
}

#[test]
fn two_groups_change_sides_through_a_door_of_four_cells_and_keep_right() {
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
    assert!(opposed, "both groups pass the same gate");
    assert_eq!(arrived, 60);
}

#[test]
fn a_formation_faces_its_order_and_a_lone_unit_stands_in_the_centre() {
    let mut world = flat_world(96, 64, Config::default());
    let units = block(&mut world, cell(10, 20), 4, 5);
    let order = Order::move_to(cell(60, 30)).formation(Formation::Line).facing(Dir8::N);
    world.order(&units, order).expect("good");
    ticks_until_all_arrive(&mut world, 20, 900);
    assert_in_slots(&mut world, &units);
    let rows: BTreeSet<i32> =
        units.iter().map(|&unit| world.slot_of(unit).expect("it has one").cell().y).collect();
    assert_eq!(rows.len(), 1, "a line that faces north lies from west to east: {rows:?}");
    let alone = units[0];
    world.order(&[alone], Order::move_to(cell(20, 50)).formation(Formation::Wedge)).expect("good");
    ticks_until_all_arrive(&mut world, 1, 900);
    assert_eq!(world.cell_of(alone), Some(cell(20, 50)));
}

#[test]
fn deaths_new_orders_and_walls_leave_no_order_without_an_end() {
    let mut world = walled(28..36);
    let units = block(&mut world, cell(10, 26), 8, 8);
    world.order(&units, Order::move_to(cell(70, 31))).expect("good");
    world.queue(&units[..20], Order::move_to(cell(80, 50))).expect("good");
    let mut ends = 0;
    for tick in 0..3000 {
        match tick {
            40 => units[60..].iter().for_each(|&unit| world.remove(unit).expect("alive")),
            80 => world.order(&units[50..60], Order::move_to(cell(12, 60))).expect("good"),
            // A wall where some of the slots are.
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

#[test]
fn an_order_for_8193_units_is_refused_with_the_limit_instead_of_losing_the_group() {
    let mut world = flat_world(128, 128, Config::default());
    let units = block(&mut world, cell(2, 2), 100, 83);
    let (units, late) = units.split_at(8192);
    let all: Vec<UnitId> = units.iter().chain(&late[..1]).copied().collect();
    let before = world.state_hash();
    let refusal = world.order(&all, Order::move_to(cell(120, 120))).expect_err("one too many");
    assert_eq!(refusal, CommandError::TooManyMembers(8193));
    assert!(refusal.to_string().contains("at most 8192"), "{refusal}");
    assert_eq!(world.state_hash(), before, "a refused command changes nothing");
    // A unit named twice counts once, and orders without a group have no such limit.
    let twice: Vec<UnitId> = units.iter().chain(&units[..9]).copied().collect();
    world.order(&all, Order::Stop).expect("no group is formed");
    world.order(&twice, Order::move_to(cell(120, 120))).expect("8192 units");
    (0..2).for_each(|_| world.tick());
    let group = world.group_of(units[0]).expect("the order has a group");
    assert!(units.iter().all(|&unit| world.group_of(unit) == Some(group)));
    assert_eq!(world.join(&late[..1], units[0]), Err(CommandError::TooManyMembers(8193)));
    world.join(&units[..5], units[0]).expect("these belong to it already");
}
