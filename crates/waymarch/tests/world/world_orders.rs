//! Orders: units carry them out and report how they ended.

use waymarch::base::{CellPos, CellRect, Fixed, GridSize, Id, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Command, CommandError, EventKind, GiveUp, MAX_QUEUED, MAX_STOPS, Navigator, Order, OrderError,
    PathReason, PlayerId, Stance, UnitId, UnitType, UnitTypeError, UnitTypeId, When, World,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::worlds::{flat_world, one_at, soldier, until_done};

use crate::squads::field;

#[test]
fn finding_15_a_follower_says_when_it_is_near_enough_and_again_after_it_has_set_out() {
    let map = Map::flat("field", GridSize::new(64, 40).expect("legal"), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).expect("legal"));
    let kind = soldier(&mut world);
    let [leader, follower, guard] =
        [cell(20, 10), cell(5, 10), cell(5, 20)].map(|at| world.spawn(kind, PlayerId(0), at).expect("open"));
    world.order(&[follower], Order::follow(leader, Fixed::ONE)).expect("legal");
    world.order(&[guard], Order::guard(leader, Fixed::from_cells(4))).expect("legal");
    let in_place = |world: &mut World| {
        let mut count = [0, 0];
        for _ in 0..500 {
            world.tick();
            for event in world.events().iter().filter(|event| event.what == EventKind::InPlace) {
                count[usize::from(event.unit == guard)] += 1;
                assert_ne!(event.unit, leader);
            }
        }
        count
    };
    assert_eq!(in_place(&mut world), [1, 1]);
    let apart = |world: &World| {
        let at = |unit| world.unit(unit).expect("it lives").position;
        at(leader).distance(at(follower))
    };
    assert!(apart(&world) <= Fixed::from_raw(1536), "{:?}", apart(&world));
    world.order(&[leader], Order::move_to(cell(50, 30))).expect("legal");
    let again = in_place(&mut world);
    assert!(again.iter().all(|&count| count >= 1), "{again:?}");
    assert_eq!(in_place(&mut world), [0, 0], "nothing has moved");
}

#[test]
fn a_unit_goes_to_its_goal_at_its_speed_and_stops_there() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(3, 3));
    world.order(&[unit], Order::move_to(cell(43, 3))).expect("a good order");
    let events = until_done(&mut world, unit, 1000);
    assert_eq!(events, [EventKind::OrderStarted, EventKind::Arrived]);
    assert_eq!(world.cell_of(unit), Some(cell(43, 3)));
    // 40 cells at an eighth of a cell per tick, and a few ticks to start and stop.
    assert!((320..=326).contains(&world.now().0), "{}", world.now());
    assert_eq!(
        (world.unit(unit).map(|unit| unit.stance), world.orders_of(unit).count()),
        (Some(Stance::Idle), 0)
    );
    (0..40).for_each(|_| world.tick());
    let before = world.unit(unit).expect("alive");
    assert!(before.position.distance(cell(43, 3).centre()) <= Fixed::from_raw(33), "{before:?}");
    (0..20).for_each(|_| world.tick());
    let after = world.unit(unit).expect("alive");
    assert_eq!((after.position, after.velocity), (before.position, Vec2::ZERO));
}

/// Checks that a move between cells is a legal step: into an open cell and past no corner.
fn assert_legal(name: &str, grid: &Grid, before: CellPos, now: CellPos) {
    let open = |at: CellPos| grid.get((at.x, at.y)).is_some_and(|cost| cost != 255);
    assert!(open(now), "{name}: entered {now}");
    assert!(open(cell(before.x, now.y)) && open(cell(now.x, before.y)), "{name}: {before} to {now}");
    assert!(before.x.abs_diff(now.x) <= 1 && before.y.abs_diff(now.y) <= 1, "{name}: {before} to {now}");
}

#[test]
fn a_unit_alone_arrives_on_all_kinds_of_maps_and_never_enters_a_closed_cell() {
    for (name, grid) in every_kind(11, 70, 50) {
        let mut world =
            World::new(Navigator::new(grid.to_map(name), Config::default()).expect("a legal map"));
        let kind = soldier(&mut world);
        let foot = world.nav().locomotor("foot").expect("it has it");
        let mut rng = SplitMix::new(5);
        for _ in 0..20 {
            let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                continue;
            };
            let unit = world.spawn(kind, PlayerId(0), from).expect("open ground");
            world.order(&[unit], Order::move_to(to)).expect("on the map");
            let reachable = world.nav().reachable(from, to, foot);
            let (mut before, mut end) = (from, None);
            for _ in 0..12_000 {
                world.tick();
                let now = world.cell_of(unit).expect("alive");
                assert_legal(name, &grid, before, now);
                before = now;
                end = world.events().iter().map(|event| event.what).find(|&what| is_end(what));
                if end.is_some() {
                    break;
                }
            }
            if reachable {
                assert_eq!((end, before), (Some(EventKind::Arrived), to), "{name}: {from} to {to}");
            } else {
                let nearest = EventKind::GaveUp(GiveUp::Nearest(PathReason::NoRoute));
                assert_eq!(end, Some(nearest), "{name}: {from} to {to}");
            }
            world.remove(unit).expect("alive");
        }
    }
}

fn is_end(what: EventKind) -> bool {
    matches!(what, EventKind::Arrived | EventKind::GaveUp(_))
}

#[test]
fn forty_units_end_their_orders_on_all_kinds_of_maps() {
    for (name, grid) in every_kind(11, 70, 50) {
        let mut world =
            World::new(Navigator::new(grid.to_map(name), Config::default()).expect("a legal map"));
        let kind = soldier(&mut world);
        let foot = world.nav().locomotor("foot").expect("it has it");
        let mut rng = SplitMix::new(5);
        let mut expected = Vec::new();
        for _ in 0..40 {
            let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                continue;
            };
            let unit = world.spawn(kind, PlayerId(0), from).expect("open ground");
            world.order(&[unit], Order::move_to(to)).expect("on the map");
            expected.push((unit, world.nav().reachable(from, to, foot)));
        }
        let mut ends = vec![None; expected.len()];
        let mut cells: Vec<CellPos> = expected.iter().filter_map(|(unit, _)| world.cell_of(*unit)).collect();
        for _ in 0..60_000 {
            world.tick();
            for event in world.events().iter().filter(|event| is_end(event.what)) {
                let end = &mut ends[event.unit.index() as usize];
                assert_eq!(*end, None, "{name}: an order ends once");
                *end = Some(event.what);
            }
            for (before, (unit, ..)) in cells.iter_mut().zip(&expected) {
                let now = world.cell_of(*unit).expect("alive");
                assert_legal(name, &grid, *before, now);
                *before = now;
            }
            if ends.iter().all(Option::is_some) {
                break;
            }
        }
        assert!(ends.iter().all(Option::is_some), "{name}: {ends:?}");
        let could = expected.iter().filter(|(_, reachable)| *reachable).count();
        let arrived = ends.iter().filter(|end| **end == Some(EventKind::Arrived)).count();
        // In a maze without loops, units that have arrived may shut others in. On open ground all arrive.
        let least = if name == "open" { could } else { could * 9 / 10 };
        assert!((least..=could).contains(&arrived), "{name}: {arrived} of {could}");
    }
}

#[test]
fn queued_orders_are_carried_out_one_after_the_other() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(3, 3));
    let stops = [cell(10, 3), cell(10, 12), cell(3, 12)];
    stops.iter().for_each(|&at| world.queue(&[unit], Order::move_to(at)).expect("room in the queue"));
    assert_eq!(world.orders_of(unit).count(), 3);
    for at in stops {
        assert_eq!(until_done(&mut world, unit, 500), [EventKind::OrderStarted, EventKind::Arrived]);
        assert_eq!(world.cell_of(unit), Some(at));
    }
    world.queue(&[unit], Order::move_to(cell(30, 30))).expect("room");
    world.queue(&[unit], Order::move_to(cell(40, 30))).expect("room");
    world.order(&[unit], Order::move_to(cell(3, 13))).expect("in place of those");
    until_done(&mut world, unit, 100);
    assert_eq!((world.cell_of(unit), world.orders_of(unit).count()), (Some(cell(3, 13)), 0));
}

#[test]
fn a_full_queue_refuses_and_changes_nothing() {
    let mut world = field(20, 20);
    let (full, free) = (one_at(&mut world, cell(3, 3)), one_at(&mut world, cell(4, 3)));
    (0..MAX_QUEUED).for_each(|_| world.queue(&[full], Order::move_to(cell(9, 9))).expect("room"));
    let before = world.state_hash();
    let refused = world.queue(&[free, full], Order::move_to(cell(1, 1)));
    assert_eq!(refused, Err(CommandError::QueueFull(full)));
    assert_eq!(world.state_hash(), before);
    world.order(&[full], Order::Stop).expect("orders at once need no room");
}

#[test]
fn stop_stops_and_hold_never_gives_way() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(3, 3));
    for (order, stance) in [(Order::Stop, Stance::Idle), (Order::Hold, Stance::Holding)] {
        world.order(&[unit], Order::move_to(cell(60, 3))).expect("good");
        (0..20).for_each(|_| world.tick());
        assert_eq!(world.unit(unit).map(|unit| unit.stance), Some(Stance::Moving));
        let at = world.unit(unit).map(|unit| unit.position).expect("alive");
        world.order(&[unit], order).expect("good");
        (0..20).for_each(|_| world.tick());
        let unit = world.unit(unit).expect("alive");
        assert_eq!((unit.stance, unit.velocity), (stance, Vec2::ZERO));
        // A unit on hold stops at once; other units brake.
        let on = unit.position - at;
        assert!((0..=256).contains(&on.x.raw()) && on.y.abs().raw() <= 1, "{on}");
    }
}

#[test]
fn a_patrol_goes_round_for_ever_and_with_one_stop_to_and_fro() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(3, 3));
    let stops = [cell(9, 3), cell(9, 9), cell(3, 9)];
    let visits = |world: &mut World, order: Order, at: &[CellPos]| {
        world.order(&[unit], order).expect("good");
        let mut seen = Vec::new();
        for _ in 0..800 {
            world.tick();
            for event in world.events().iter().filter(|event| event.unit == unit) {
                if let EventKind::ReachedStop(stop) = event.what {
                    assert_eq!(world.cell_of(unit), Some(at[usize::from(stop)]));
                    seen.push(stop);
                }
            }
        }
        seen
    };
    assert_eq!(visits(&mut world, Order::patrol(stops), &stops)[..7], [0, 1, 2, 0, 1, 2, 0]);
    let here = world.cell_of(unit).expect("alive");
    let to = cell(20, 20);
    assert_eq!(visits(&mut world, Order::patrol([to]), &[to, here])[..4], [0, 1, 0, 1]);
}

#[test]
fn followers_keep_near_until_their_leader_is_gone() {
    let mut world = field(64, 64);
    let leader = one_at(&mut world, cell(3, 3));
    let follower = one_at(&mut world, cell(3, 30));
    let distance = Fixed::from_cells(3);
    world.order(&[leader], Order::patrol([cell(50, 3), cell(50, 50)])).expect("good");
    world.order(&[follower], Order::follow(leader, distance)).expect("good");
    (0..1500).for_each(|_| world.tick());
    let apart = |world: &World| {
        let at = |unit| world.unit(unit).map(|unit| unit.position).expect("alive");
        at(leader).distance(at(follower))
    };
    let mut farthest = Fixed::ZERO;
    for _ in 0..1500 {
        world.tick();
        farthest = farthest.max(apart(&world));
    }
    assert!(farthest <= Fixed::from_cells(9), "{farthest}");
    world.order(&[leader], Order::Stop).expect("good");
    (0..200).for_each(|_| world.tick());
    assert!(apart(&world) <= distance + Fixed::ONE, "{}", apart(&world));
    world.remove(leader).expect("alive");
    world.tick();
    let told: Vec<EventKind> = world.events().iter().map(|event| event.what).collect();
    assert_eq!(told, [EventKind::GaveUp(GiveUp::TargetGone)]);
    assert_eq!(world.orders_of(follower).count(), 0);
}

#[test]
fn two_units_that_follow_each_other_come_together_and_stop() {
    let mut world = field(64, 64);
    let (a, b) = (one_at(&mut world, cell(3, 3)), one_at(&mut world, cell(50, 40)));
    world.order(&[a], Order::follow(b, Fixed::from_cells(2))).expect("good");
    world.order(&[b], Order::follow(a, Fixed::from_cells(2))).expect("good");
    (0..600).for_each(|_| world.tick());
    let before: Vec<_> = world.positions().collect();
    (0..100).for_each(|_| world.tick());
    assert_eq!(world.positions().collect::<Vec<_>>(), before);
}

#[test]
fn a_goal_with_a_shape_is_reached_at_its_rim() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(3, 30));
    let range = Goal::circle(cell(40, 30), Fixed::from_cells(6));
    world.order(&[unit], Order::Move(range.clone())).expect("good");
    assert_eq!(until_done(&mut world, unit, 500).last(), Some(&EventKind::Arrived));
    let at = world.cell_of(unit).expect("alive");
    let well_inside = Goal::circle(cell(40, 30), Fixed::from_cells(5));
    assert!(range.contains(at) && !well_inside.contains(at), "{at}");
}

#[test]
fn bad_commands_name_the_culprit_and_change_nothing() {
    let mut world = field(40, 30);
    let size = GridSize::new(40, 30).expect("legal");
    let kind = soldier(&mut world);
    world.place(&Stamp::solid(2, 2), cell(20, 20)).expect("it fits");
    let unit = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
    let gone = world.spawn(kind, PlayerId(0), cell(5, 5)).expect("open");
    world.remove(gone).expect("alive");
    let unknown = UnitTypeId(9);
    let spawn = |kind, at| Command::Spawn { kind, owner: PlayerId(0), at, facing: Default::default() };
    let order = |units: &[UnitId], order| Command::Order { units: units.to_vec(), order, when: When::Now };
    let slow = UnitType { speed: Fixed::from_cells(2), ..UnitType::new("too fast", world.types()[0].agent) };
    let too_fast = UnitTypeError::OutOfRange {
        name: "too fast".to_string(),
        key: "speed",
        value: 2048,
        expected: "0..=1024 (1024 is one cell per tick)",
    };
    let off = cell(40, 3);
    let cases = [
        (Command::AddType(slow), CommandError::Type(too_fast)),
        (spawn(unknown, cell(3, 3)), CommandError::UnknownType(unknown)),
        (spawn(kind, off), CommandError::OffMap { at: off, size }),
        (spawn(kind, cell(21, 21)), CommandError::Closed { kind, at: cell(21, 21) }),
        (Command::Remove(gone), CommandError::NoSuchUnit(gone)),
        (Command::Remove(Id::DEAD), CommandError::NoSuchUnit(Id::DEAD)),
        (order(&[], Order::Stop), CommandError::NoUnits),
        (order(&[unit, gone], Order::Stop), CommandError::NoSuchUnit(gone)),
        (order(&[unit], Order::patrol([])), CommandError::Order(OrderError::NoStops)),
        (order(&[unit], Order::patrol([off])), CommandError::Order(OrderError::StopOffMap { at: off, size })),
        (
            order(&[unit], Order::patrol(vec![cell(1, 1); MAX_STOPS + 1])),
            CommandError::Order(OrderError::TooManyStops(MAX_STOPS + 1)),
        ),
        (order(&[unit], Order::follow(gone, Fixed::ONE)), CommandError::Order(OrderError::NoTarget(gone))),
        (order(&[unit], Order::follow(unit, Fixed::ONE)), CommandError::FollowsItself(unit)),
    ];
    let before = world.state_hash();
    for (command, error) in cases {
        assert_eq!(world.apply(&command), Err(error));
        assert_eq!(world.state_hash(), before, "{command:?}");
    }
    for goal in [Goal::point(off), Goal::AnyOf(vec![]), Goal::In(Shape::Rect(CellRect::default()))] {
        let refused = world.order(&[unit], Order::Move(goal));
        assert!(matches!(refused, Err(CommandError::Order(OrderError::Goal(_)))), "{refused:?}");
    }
    let many = world.spawn_many(kind, PlayerId(1), &[cell(1, 1), cell(20, 20)]);
    assert_eq!(many, Err(CommandError::Closed { kind, at: cell(20, 20) }), "all or none");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_unit_listed_twice_gets_one_order() {
    let mut world = field(40, 30);
    let unit = one_at(&mut world, cell(3, 3));
    world.queue(&[unit, unit], Order::move_to(cell(9, 9))).expect("good");
    assert_eq!(world.orders_of(unit).count(), 1);
}

#[test]
fn unit_indices_are_reused_but_old_ids_stay_invalid() {
    let mut world = field(40, 30);
    let kind = soldier(&mut world);
    let old = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
    world.order(&[old], Order::move_to(cell(30, 3))).expect("good");
    (0..10).for_each(|_| world.tick());
    world.remove(old).expect("alive");
    let new = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
    assert_eq!((new.index(), new == old), (old.index(), false));
    assert_eq!(world.unit(old), None);
    (0..10).for_each(|_| world.tick());
    assert_eq!(world.cell_of(new), Some(cell(3, 3)), "the new unit has no orders of the old one");
    assert!(world.order(&[old], Order::Stop).is_err());
}

#[test]
fn a_custom_planner_finds_the_routes_of_a_world() {
    use waymarch::planners::PlannerList;
    let mut world = flat_world(64, 64, Config::default());
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, PlayerId(0), cell(3, 3)).expect("open");
    world.set_planner(PlannerList::builtin().take("astar"));
    world.order(&[unit], Order::move_to(cell(50, 40))).expect("good");
    (0..3).for_each(|_| world.tick());
    let path = world.route_of(unit).expect("the unit has a route");
    let report = world.service().report(path).expect("answered");
    assert_eq!(report.planner, waymarch::world::PlannerChoice::Custom);
    world.set_planner(None);
    (0..800).for_each(|_| world.tick());
    assert_eq!(world.cell_of(unit), Some(cell(50, 40)));
}
