//! `RouteChanged` reaches all units that an edit concerns: also those that follow a flow, alone or in a group.

use waymarch::base::{CellPos, GridSize, LocomotorId, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::PathAsk;
use waymarch::world::{
    EventKind, Guidance, Navigator, Order, PathId, PathService, PlayerId, RouteChange, UnitId, UnitType,
    World,
};

const FOOT: LocomotorId = LocomotorId(0);

fn nav() -> Navigator {
    let map = Map::flat("field", GridSize::new(128, 48).expect("legal"), Rules::standard());
    Navigator::new(map, Config::default()).expect("legal")
}

/// Units before x = 20 and, `passed` of them, behind x = 70.
fn army(count: i32, passed: i32) -> (World, Vec<UnitId>) {
    let mut world = World::new(nav());
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let place = |k: i32| {
        let from = if k < passed { 72 } else { 6 };
        cell(from + 2 * (k % 5), 16 + 2 * (k / 5))
    };
    let places: Vec<CellPos> = (0..count).map(place).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    (world, units)
}

/// The units that are told of another route for a reason, within some ticks.
fn told(world: &mut World, why: RouteChange, ticks: u32) -> Vec<UnitId> {
    let mut told = Vec::new();
    for _ in 0..ticks {
        world.tick();
        let events = world.events().iter().filter(|event| event.what == EventKind::RouteChanged(why));
        told.extend(events.map(|event| event.unit));
    }
    told.sort_unstable();
    told
}

#[test]
fn finding_12_a_wall_before_a_flow_is_told_to_each_of_its_units_once() {
    for together in [true, false] {
        for count in [4, 24] {
            let (mut world, units) = army(count, 0);
            if together {
                world.order(&units, Order::move_to(cell(115, 24))).expect("legal");
            } else {
                // Orders of their own, to one place.
                for &unit in &units {
                    world.order(&[unit], Order::move_to(cell(115, 24))).expect("legal");
                }
            }
            assert_eq!(told(&mut world, RouteChange::Ground, 60), [], "nothing has happened");
            world.place(&Stamp::solid(2, 40), cell(50, 4)).expect("it fits");
            assert_eq!(
                told(&mut world, RouteChange::Ground, 60),
                units,
                "{count} units, together: {together}"
            );
            assert_eq!(told(&mut world, RouteChange::Ground, 60), [], "once");
        }
    }
}

#[test]
fn finding_12_an_opened_route_is_told_to_the_units_of_a_flow_and_they_take_it() {
    for together in [true, false] {
        let (mut world, units) = army(24, 0);
        // A wall with a door at its north end only.
        let wall = world.place(&Stamp::solid(2, 42), cell(60, 6)).expect("it fits");
        if together {
            world.order(&units, Order::move_to(cell(80, 40))).expect("legal");
        } else {
            for &unit in &units {
                world.order(&[unit], Order::move_to(cell(80, 40))).expect("legal");
            }
        }
        (0..60).for_each(|_| world.tick());
        world.remove_stamp(wall).expect("it stands");
        assert_eq!(told(&mut world, RouteChange::Opened, 80), units, "together: {together}");
    }
}

#[test]
fn finding_12_units_that_have_passed_the_wall_are_not_told() {
    let (mut world, units) = army(24, 10);
    for &unit in &units {
        world.order(&[unit], Order::move_to(cell(115, 24))).expect("legal");
    }
    (0..60).for_each(|_| world.tick());
    world.place(&Stamp::solid(2, 40), cell(50, 4)).expect("it fits");
    assert_eq!(told(&mut world, RouteChange::Ground, 80), units[10..]);
}

/// A service in which 12 requests follow one flow.
fn followers() -> (PathService, Vec<PathId>) {
    let mut service = PathService::new(nav());
    let ids: Vec<PathId> = (0..12)
        .map(|k| service.request(PathAsk::new(cell(6 + k % 4, 20 + k / 4).centre(), cell(115, 24), FOOT)))
        .collect();
    (0..20).for_each(|_| service.tick());
    assert!(ids.iter().all(|&id| matches!(service.guidance(id), Some(Guidance::Flow(..)))));
    (service, ids)
}

#[test]
fn the_area_of_the_trait_reaches_followers_of_a_flow() {
    use waymarch::base::Fixed;
    use waymarch::world::Pathfinder;
    let (mut service, _) = followers();
    let nodes = |service: &mut PathService| {
        let before = service.work().nodes;
        // Each follower is checked once in 8 ticks.
        (0..8).for_each(|_| service.tick());
        service.work().nodes - before
    };
    let idle = nodes(&mut service);
    service.invalidate_area(cell(60, 44).centre(), Fixed::from_cells(1));
    assert_eq!(nodes(&mut service), idle, "no route is near");
    service.invalidate_area(cell(60, 24).centre(), Fixed::from_cells(20));
    assert!(nodes(&mut service) > idle, "the best route is found again");
    assert_eq!(service.changed(), [], "it is the same");
}

#[test]
fn the_service_lists_followers_of_a_flow_whose_route_is_changed_and_no_others() {
    let (mut service, ids) = followers();
    // One unit has passed.
    service.moved(ids[5], cell(90, 24).centre());
    (0..9).for_each(|_| service.tick());
    service.nav_mut().place(&Stamp::solid(2, 40), cell(50, 4)).expect("it fits");
    let mut listed = Vec::new();
    for _ in 0..40 {
        service.tick();
        listed.extend_from_slice(service.changed());
    }
    let concerned: Vec<PathId> = ids.iter().copied().filter(|&id| id != ids[5]).collect();
    assert_eq!(listed, concerned);
    // An edit beside the way concerns nobody.
    service.nav_mut().place(&Stamp::solid(2, 2), cell(100, 2)).expect("it fits");
    for _ in 0..40 {
        service.tick();
        assert_eq!(service.changed(), []);
    }
}
