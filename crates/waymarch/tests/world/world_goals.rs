//! Shapes as goals of several units: every unit has its own slot inside, or at the edge when the shape is full.

use std::collections::BTreeSet;

use waymarch::avoid::Fine;
use waymarch::base::{CellRect, Fixed, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::query::{Goal, Shape};
use waymarch::world::{EventKind, Order, UnitId, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::block;

/// Runs ticks until all units have arrived. Checks that each stands in a slot of its own, and returns the slots.
fn settle(world: &mut World, units: &[UnitId], most: u32) -> Vec<Fine> {
    let mut arrived = 0;
    for _ in 0..most {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
            arrived += usize::from(event.what == EventKind::Arrived);
        }
        if arrived == units.len() {
            break;
        }
    }
    assert_eq!(arrived, units.len(), "after {most} ticks");
    (0..200).for_each(|_| world.tick());
    let slots: Vec<Fine> = units.iter().map(|&unit| world.slot_of(unit).expect("in a group")).collect();
    assert_eq!(slots.iter().collect::<BTreeSet<_>>().len(), units.len(), "every unit has its own slot");
    for (&unit, slot) in units.iter().zip(&slots) {
        let off = world.place_of(unit).expect("alive").distance_squared(*slot).isqrt();
        assert!(off < 1 << 14, "{unit} is {off} from its slot");
    }
    slots
}

#[test]
fn a_group_fills_a_rectangle_from_the_side_it_comes_from() {
    let mut world = flat_world(96, 64, Config::default());
    let units = block(&mut world, cell(5, 28), 6, 6);
    let area = CellRect::at(cell(60, 10), 20, 40);
    world.order(&units, Order::Move(Goal::rect(area))).expect("good");
    world.tick();
    let group = world.group_of(units[0]).expect("they go together");
    assert!(units.iter().all(|&unit| world.group_of(unit) == Some(group)));
    for slot in settle(&mut world, &units, 900) {
        assert!(area.contains(slot.cell()), "{slot:?}");
        assert!(slot.cell().x < 68, "on the near side: {slot:?}");
    }
}

#[test]
fn a_full_goal_spills_over_its_edge() {
    let mut world = flat_world(64, 64, Config::default());
    let units = block(&mut world, cell(5, 20), 6, 6);
    // The goal has room for about nine units.
    let goal = Goal::rect(CellRect::at(cell(40, 30), 3, 3));
    world.order(&units, Order::Move(goal.clone())).expect("good");
    let slots = settle(&mut world, &units, 900);
    let inside = slots.iter().filter(|slot| goal.contains(slot.cell())).count();
    assert!(inside >= 9, "{inside} inside");
    let farthest = slots.iter().map(|slot| goal.gap(slot.cell())).max().expect("some");
    assert!(farthest <= 4 * 1024, "the other units are at its edge: {farthest}");
}

#[test]
fn circles_rings_and_lists_of_cells_have_slots_too() {
    let cells: Vec<Shape> = (0..9).map(|n| Shape::Point(cell(30 + 3 * (n % 3), 30 + 3 * (n / 3)))).collect();
    let ring = Goal::ring(cell(40, 32), Fixed::from_cells(5), Fixed::from_cells(8));
    let circle = Goal::circle(cell(40, 32), Fixed::from_cells(6));
    for goal in [circle, ring, Goal::AnyOf(cells)] {
        let mut world = flat_world(64, 64, Config::default());
        let units = block(&mut world, cell(5, 20), 3, 3);
        world.order(&units, Order::Move(goal.clone())).expect("good");
        for slot in settle(&mut world, &units, 900) {
            assert!(goal.contains(slot.cell()), "{goal:?}: {slot:?}");
        }
    }
}

#[test]
fn slots_are_where_units_can_go() {
    let mut world = flat_world(64, 64, Config::default());
    let units = block(&mut world, cell(5, 20), 4, 4);
    // The near half of the goal is a building, and there is a closed yard in its far corner.
    world.place(&Stamp::solid(6, 12), cell(40, 26)).expect("room");
    for (at, wide, high) in [((52, 26), 1, 6), ((52, 32), 6, 1), ((57, 26), 1, 6), ((52, 25), 6, 1)] {
        world.place(&Stamp::solid(wide, high), cell(at.0, at.1)).expect("room");
    }
    let area = CellRect::at(cell(40, 26), 17, 12);
    world.order(&units, Order::Move(Goal::rect(area))).expect("good");
    for slot in settle(&mut world, &units, 1200) {
        let (at, yard) = (slot.cell(), CellRect::at(cell(53, 26), 4, 6));
        assert!(area.contains(at) && !yard.contains(at), "{at}");
        assert!(world.nav().layer().field(world.types()[0].agent).expect("costs").is_passable(at));
    }
}

#[test]
fn an_inverse_goal_forms_no_group() {
    let mut world = flat_world(64, 64, Config::default());
    let units = block(&mut world, cell(20, 20), 4, 4);
    world.order(&units, Order::Move(Goal::rect(CellRect::at(cell(18, 18), 9, 9)).inverse())).expect("good");
    let mut arrived = 0;
    for _ in 0..300 {
        world.tick();
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert_eq!((arrived, world.groups().count()), (16, 0));
}

#[test]
fn the_near_side_is_where_the_route_enters_the_goal() {
    let mut world = flat_world(64, 48, Config::default());
    // The goal lies right behind a wall from the west edge and is reached from the east.
    world.place(&Stamp::solid(40, 2), cell(0, 18)).expect("room");
    let units = block(&mut world, cell(3, 3), 4, 4);
    let area = CellRect::at(cell(2, 28), 24, 8);
    world.order(&units, Order::Move(Goal::rect(area))).expect("good");
    for slot in settle(&mut world, &units, 1200) {
        assert!(area.contains(slot.cell()) && slot.cell().x >= 20, "{slot:?}");
    }
}
