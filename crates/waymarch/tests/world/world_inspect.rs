//! Read access for viewers: what a World tells about units, and that reading changes nothing.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::world::{Guidance, Navigator, Order, PathStatus, PlayerId, Rung, UnitId, UnitType, World};

fn field() -> (World, Vec<UnitId>) {
    let map = Map::flat("field", GridSize::new(64, 32).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    let foot = world.nav().locomotor("foot").unwrap();
    let soldier = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let units = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(3, 5), cell(3, 7)]).unwrap();
    (world, units)
}

#[test]
fn a_unit_names_its_route_only_while_it_has_one() {
    let (mut world, units) = field();
    assert_eq!(world.route_of(units[0]), None);
    world.order(&units[..1], Order::move_to(cell(20, 3))).unwrap();
    (0..3).for_each(|_| world.tick());
    let path = world.route_of(units[0]).unwrap();
    assert_eq!(world.service().status(path), world.route_status(units[0]));
    assert_eq!(world.service().status(path), Some(PathStatus::Complete));
    assert!(matches!(world.service().guidance(path), Some(Guidance::Waypoints(_))));
    assert_eq!(world.service().end(path).map(|end| end.cell()), Some(cell(20, 3)));
    assert!(world.next_waypoint(units[0]).unwrap() >= 1);
    (0..400).for_each(|_| world.tick());
    assert_eq!(world.cell_of(units[0]), Some(cell(20, 3)));
    assert_eq!(world.route_of(units[0]), None);
}

#[test]
fn units_of_one_order_have_the_same_order_number() {
    let (mut world, units) = field();
    assert_eq!(world.order_number(units[0]), None);
    world.order(&units[..2], Order::move_to(cell(20, 3))).unwrap();
    world.order(&units[2..], Order::move_to(cell(20, 3))).unwrap();
    assert!(world.order_number(units[0]).is_some());
    assert_eq!(world.order_number(units[0]), world.order_number(units[1]));
    assert_ne!(world.order_number(units[0]), world.order_number(units[2]));
}

#[test]
fn the_ladder_is_at_its_first_rung_until_a_unit_is_stuck_and_dead_units_have_none() {
    let (mut world, units) = field();
    assert_eq!((world.rung_of(units[0]), world.trouble_of(units[0])), (Some(Rung::Ground), Some((0, 0))));
    world.remove(units[0]).unwrap();
    assert_eq!((world.rung_of(units[0]), world.trouble_of(units[0])), (None, None));
    assert_eq!((world.route_of(units[0]), world.next_waypoint(units[0])), (None, None));
    assert_eq!(world.order_number(units[0]), None);
}

#[test]
fn reading_changes_nothing() {
    let (mut watched, units) = field();
    let (mut alone, _) = field();
    for world in [&mut watched, &mut alone] {
        world.place(&Stamp::solid(2, 20), cell(12, 0)).unwrap();
        world.order(&units, Order::move_to(cell(40, 5))).unwrap();
    }
    for _ in 0..150 {
        watched.tick();
        alone.tick();
        for &unit in &units {
            let _ = (watched.route_of(unit), watched.rung_of(unit), watched.order_number(unit));
            let _ = (watched.trouble_of(unit), watched.next_waypoint(unit));
        }
        assert_eq!(watched.state_hash(), alone.state_hash());
    }
}
