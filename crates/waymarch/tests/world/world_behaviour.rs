//! Bugs of shipped engines that a World must not have. Tests of the same bug begin with the same letter (b, f, h, p, q, r).

use waymarch::base::{CellPos, CellRect, Fixed, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, Stamp, StampId, TerrainId};
use waymarch::query::{BlockedBy, Goal};
use waymarch::world::{
    Command, Displaced, EventKind, GiveUp, Order, PathReason, PathStatus, PlayerId, RouteChange, UnitId,
    UnitMotion, UnitType, World,
};
use waymarch_testkit::worlds::{flat_world, one_at, soldier, told, until_done};

use crate::squads::field;

const WATER: TerrainId = TerrainId(4);
const BRIDGE: TerrainId = TerrainId(5);

/// A wall of one cell around a yard, its north-west corner at `at`.
fn wall_in(world: &mut World, at: CellPos, side: u32) -> Vec<StampId> {
    let (long, short) = (Stamp::solid(side, 1), Stamp::solid(1, side));
    let far = side as i32 - 1;
    let pieces = [(&long, at), (&long, at.offset(0, far)), (&short, at), (&short, at.offset(far, 0))];
    pieces.map(|(stamp, at)| world.place(stamp, at).expect("it fits")).to_vec()
}

/// Eighty units in a closed yard have the order to follow a unit outside.
fn besieged(distance: Fixed) -> (World, Vec<UnitId>, UnitId, Vec<StampId>) {
    let mut world = field(64, 64);
    let wall = wall_in(&mut world, cell(10, 10), 14);
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(12, 12), 10, 8).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    let target = world.spawn(kind, PlayerId(1), cell(50, 50)).expect("open");
    world.order(&units, Order::follow(target, distance)).expect("good");
    (world, units, target, wall)
}

#[test]
fn b_walled_in_units_are_told_once_and_cost_almost_no_work_afterwards() {
    let (mut world, units, target, wall) = besieged(Fixed::ZERO);
    let mut told_so = vec![Vec::new(); units.len()];
    for _ in 0..800 {
        world.tick();
        // A unit may get another route past the others meanwhile.
        let past_others = EventKind::RouteChanged(RouteChange::Stuck);
        for event in world.events().iter().filter(|event| event.what != past_others) {
            told_so[event.unit.index() as usize].push(event.what);
        }
    }
    let story = [
        EventKind::OrderStarted,
        EventKind::Blocked(PathReason::NoRoute),
        EventKind::GaveUp(GiveUp::Nearest(PathReason::NoRoute)),
    ];
    assert!(told_so.iter().all(|events| *events == story), "{told_so:?}");
    let before = world.service().work();
    for _ in 0..2000 {
        world.tick();
        assert!(world.events().is_empty(), "{:?}", world.events());
    }
    assert_eq!(world.service().work(), before, "no search, only two table lookups");
    // A gap in the wall lets the units out.
    world.remove_stamp(wall[3]).expect("it stands");
    (0..1200).for_each(|_| world.tick());
    let at = |unit| world.unit(unit).map(|unit| unit.position).expect("alive");
    let far = |unit: &&UnitId| at(**unit).distance(at(target)) > Fixed::from_cells(8);
    let left: Vec<_> = units.iter().filter(far).map(|&unit| (at(unit), world.motion_of(unit))).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn b_attempts_of_walled_in_units_get_rarer_and_are_spread_over_ticks() {
    let (mut world, units, ..) = besieged(Fixed::from_cells(5));
    let (mut last, mut told_so) = (0, 0);
    let mut by_period = Vec::new();
    let mut most_in_tick = 0;
    for tick in 1..=8000 {
        world.tick();
        told_so += world.events().iter().filter(|event| matches!(event.what, EventKind::Blocked(_))).count();
        let now = world.service().work().answered;
        if tick > 400 {
            most_in_tick = most_in_tick.max(now - last);
        }
        last = now;
        if tick % 2000 == 0 {
            by_period.push(now - by_period.iter().sum::<u64>());
        }
    }
    assert_eq!(told_so, units.len(), "each is told once");
    // In the end each unit tries about once in 2,000 ticks.
    assert!(by_period[1..].iter().all(|&requests| requests <= units.len() as u64 * 5 / 4), "{by_period:?}");
    assert!(most_in_tick <= 20, "{most_in_tick}");
}

#[test]
fn f_reading_the_world_changes_nothing() {
    let run = |looks| {
        let mut world = field(96, 96);
        let kind = soldier(&mut world);
        let places: Vec<CellPos> = CellRect::at(cell(2, 2), 12, 5).cells().collect();
        let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
        world.order(&units, Order::move_to(cell(90, 80))).expect("good");
        let mut hashes = Vec::new();
        for tick in 0..300 {
            if tick == 40 {
                world.place(&Stamp::solid(40, 3), cell(20, 30)).expect("it fits");
            }
            if looks {
                let agent = world.types()[0].agent;
                let from = world.cell_of(units[tick % 60]).expect("alive");
                let _any_answer = world.queries().path(from, cell(5, 90), agent);
                let _any_place = world.queries().snap(from, &Goal::point(cell(30, 31)), agent);
                let _any_way = world.desired_velocity(units[3]);
                let mut cells = Vec::new();
                world.blockers_near(from, 5, BlockedBy::All, units[0], &mut cells);
            }
            world.tick();
            hashes.push(world.state_hash());
        }
        hashes
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn h_a_move_without_a_route_says_so_at_once_and_ends_with_the_reason() {
    let mut world = field(64, 64);
    world.place(&Stamp::solid(1, 64), cell(30, 0)).expect("it fits");
    let unit = one_at(&mut world, cell(5, 20));
    world.order(&[unit], Order::move_to(cell(60, 20))).expect("on the map");
    world.tick();
    let at_once: Vec<EventKind> = told(&world, unit).collect();
    assert_eq!(at_once, [EventKind::OrderStarted, EventKind::Blocked(PathReason::NoRoute)]);
    let end = until_done(&mut world, unit, 400);
    assert_eq!(end, [EventKind::GaveUp(GiveUp::Nearest(PathReason::NoRoute))]);
    assert_eq!(world.cell_of(unit), Some(cell(29, 20)), "the nearest reachable cell");
    assert_eq!(world.orders_of(unit).count(), 0);
}

#[test]
fn h_without_escalation_a_move_without_a_route_ends_at_once() {
    let mut world = flat_world(64, 64, Config { repath_escalation: false, ..Config::default() });
    world.place(&Stamp::solid(1, 64), cell(30, 0)).expect("it fits");
    let unit = one_at(&mut world, cell(5, 20));
    world.order(&[unit], Order::move_to(cell(60, 20))).expect("on the map");
    world.queue(&[unit], Order::move_to(cell(9, 20))).expect("on the map");
    world.tick();
    let reason = PathReason::NoRoute;
    let story = [
        EventKind::OrderStarted,
        EventKind::Blocked(reason),
        EventKind::GaveUp(GiveUp::NoRoute(reason)),
        EventKind::OrderStarted,
    ];
    assert_eq!(told(&world, unit).collect::<Vec<_>>(), story, "the unit continues with its next order");
    assert_eq!(until_done(&mut world, unit, 100), [EventKind::Arrived]);
}

fn bridge_stamp() -> Stamp {
    Stamp {
        name: "bridge".to_string(),
        width: 6,
        height: 1,
        cells: vec![FootCell::Terrain(BRIDGE); 6],
        lifetime: None,
    }
}

/// The orders that end within `ticks` ticks, and their last events.
fn ends_within(world: &mut World, ticks: u32) -> Vec<(UnitId, EventKind)> {
    let mut ends = Vec::new();
    for _ in 0..ticks {
        world.tick();
        let over = |what| matches!(what, EventKind::Arrived | EventKind::GaveUp(_));
        ends.extend(
            world.events().iter().filter(|event| over(event.what)).map(|event| (event.unit, event.what)),
        );
    }
    ends
}

/// A river from north to south with a bridge in row 20, and an optional second bridge.
fn river(far_bridge: Option<i32>) -> (World, StampId) {
    river_with(far_bridge, Config::default())
}

/// The same river with settings under which any number of units get routes of their own. By default ten units follow a flow.
fn river_for_routes(far_bridge: Option<i32>) -> (World, StampId) {
    river_with(far_bridge, Config { flowfield_group_threshold: 1000, ..Config::default() })
}

fn river_with(far_bridge: Option<i32>, config: Config) -> (World, StampId) {
    let mut world = flat_world(64, 64, config);
    world
        .apply(&Command::SetTerrain { area: CellRect::at(cell(28, 0), 6, 64), terrain: WATER })
        .expect("good");
    let bridge = bridge_stamp();
    if let Some(row) = far_bridge {
        world.place(&bridge, cell(28, row)).expect("it fits");
    }
    let near = world.place(&bridge, cell(28, 20)).expect("it fits");
    (world, near)
}

/// Ten units in a file; the first ones are on the bridge.
fn march(world: &mut World) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = (0..10).map(|i| cell(26 - 2 * i, 20)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units, Order::move_to(cell(60, 20))).expect("good");
    (0..40).for_each(|_| world.tick());
    units
}

#[test]
fn p_units_react_at_once_when_a_bridge_is_destroyed_under_them_and_when_it_is_rebuilt() {
    let (mut world, bridge) = river(None);
    let units = march(&mut world);
    let on_it: Vec<bool> =
        units.iter().map(|&unit| world.cell_of(unit).is_some_and(|at| (28..34).contains(&at.x))).collect();
    assert!(on_it.iter().any(|&on| on) && !on_it.iter().all(|&on| on));
    world.remove_stamp(bridge).expect("it stands");
    world.tick();
    for (&unit, &on_it) in units.iter().zip(&on_it) {
        let stays = EventKind::Displaced(Displaced::Stays);
        let expected = match on_it {
            true => vec![stays, EventKind::Blocked(PathReason::StartClosed)],
            false => vec![EventKind::Blocked(PathReason::NoRoute)],
        };
        assert_eq!(told(&world, unit).collect::<Vec<_>>(), expected, "{unit}");
    }
    // A unit at the shore is already at its nearest cell; all others are still moving.
    let mut ends = ends_within(&mut world, 3);
    world.place(&bridge_stamp(), cell(28, 20)).expect("it fits");
    let early: Vec<UnitId> = ends.iter().map(|&(unit, _)| unit).collect();
    assert!(early.len() <= 1 && early.iter().all(|&unit| world.cell_of(unit) == Some(cell(27, 20))));
    ends = ends_within(&mut world, 900);
    assert_eq!(ends.len() + early.len(), units.len());
    assert!(ends.iter().all(|&(_, end)| end == EventKind::Arrived), "{ends:?}");
}

#[test]
fn p_units_before_a_destroyed_bridge_take_the_other_one() {
    let told = before_a_destroyed_bridge(river_for_routes(Some(40)));
    assert_eq!(told, [EventKind::RouteChanged(RouteChange::Ground), EventKind::Arrived]);
    // A flow finds another route by itself, and tells its units too.
    assert_eq!(before_a_destroyed_bridge(river(Some(40))), told);
}

/// The events of the last of ten units when the bridge in front of them is destroyed. All of them arrive.
fn before_a_destroyed_bridge((mut world, bridge): (World, StampId)) -> Vec<EventKind> {
    let units = march(&mut world);
    world.remove_stamp(bridge).expect("it stands");
    let mut seen = vec![Vec::new(); units.len()];
    for _ in 0..1200 {
        world.tick();
        for event in world.events() {
            seen[event.unit.index() as usize].push(event.what);
        }
    }
    let near = |at: CellPos| at.x.abs_diff(60).max(at.y.abs_diff(20)) <= 3;
    assert!(units.iter().all(|&unit| world.cell_of(unit).is_some_and(near)), "{seen:?}");
    seen.pop().expect("ten units")
}

#[test]
fn p_units_on_a_detour_come_back_to_a_bridge_that_was_rebuilt() {
    let told = on_a_detour(river_for_routes(Some(60)));
    assert_eq!(told, [EventKind::RouteChanged(RouteChange::Opened), EventKind::Arrived]);
    assert_eq!(on_a_detour(river(Some(60))), told);
}

/// The events of the last of ten units when the bridge is rebuilt while it walks to another one.
fn on_a_detour((mut world, bridge): (World, StampId)) -> Vec<EventKind> {
    let units = march(&mut world);
    let last = units[9];
    world.remove_stamp(bridge).expect("it stands");
    (0..40).for_each(|_| world.tick());
    assert!(world.cell_of(last).is_some_and(|at| at.y > 20), "the unit walks to the other bridge");
    world.place(&Stamp::solid(2, 2), cell(40, 30)).expect("it fits");
    (0..10).for_each(|_| world.tick());
    assert_eq!(told(&world, last).count(), 0, "a house elsewhere causes no event");
    world.place(&bridge_stamp(), cell(28, 20)).expect("it fits");
    until_done(&mut world, last, 900)
}

#[test]
fn p_units_before_a_river_without_a_bridge_get_a_reason() {
    let (mut world, bridge) = river(None);
    let units = march(&mut world);
    world.remove_stamp(bridge).expect("it stands");
    let mut ends = ends_within(&mut world, 900);
    ends.sort_by_key(|&(unit, _)| unit);
    let over: Vec<UnitId> = ends.iter().map(|&(unit, _)| unit).collect();
    assert_eq!(over, units, "every unit gets exactly one final event");
    let reason = EventKind::GaveUp(GiveUp::Nearest(PathReason::NoRoute));
    assert_eq!(ends.last().map(|&(_, end)| end), Some(reason));
}

#[test]
fn q_a_goal_inside_an_obstacle_is_approached_on_the_near_side() {
    let mut world = field(64, 64);
    world.place(&Stamp::solid(3, 3), cell(30, 30)).expect("it fits");
    for from in [cell(5, 31), cell(60, 31), cell(31, 5), cell(31, 60)] {
        let unit = one_at(&mut world, from);
        world.order(&[unit], Order::move_to(cell(31, 31))).expect("on the map");
        let end = until_done(&mut world, unit, 900);
        assert!(matches!(end.last(), Some(EventKind::GaveUp(GiveUp::Nearest(_)))), "{end:?}");
        let at = world.cell_of(unit).expect("alive");
        // Two cells from the centre, on the side of the unit.
        let near = cell(31 + 2 * (from.x - 31).signum(), 31 + 2 * (from.y - 31).signum());
        assert_eq!(at, near, "from {from}");
        world.remove(unit).expect("alive");
    }
}

#[test]
fn r_units_start_in_the_first_tick_in_the_right_direction() {
    // More orders than routes can be found in one tick.
    let mut world = field(128, 128);
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(40, 40), 20, 20).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    let before: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let goal = cell(100, 64);
    world.order(&units, Order::move_to(goal)).expect("good");
    let began: Vec<Vec2> = before.clone();
    world.tick();
    for ((unit, now), before) in world.positions().zip(before) {
        // Each unit has its own slot around the goal.
        let slot = Vec2::from(world.slot_of(unit).expect("the units form a group"));
        assert!(slot.distance(goal.centre()) < Fixed::from_cells(14), "{slot:?}");
        let (went, ahead) = (now - before, slot - before);
        assert!(
            went.dot(ahead) > 0 && went.length().raw() <= 33,
            "{went:?} towards {slot:?} from {before:?}"
        );
    }
    // Units in front start first. Half a second later all move, and on average they have come half as far as a lone unit.
    (0..9).for_each(|_| world.tick());
    let mut gained = 0;
    for ((unit, now), began) in world.positions().zip(began) {
        let ahead = Vec2::from(world.slot_of(unit).expect("the units form a group")) - began;
        let along = (now - began).dot(ahead) / i64::from(ahead.length().raw());
        assert!(along > 64, "{along} from {began:?}");
        gained += along;
    }
    assert!(gained / 400 > 400, "{gained}");
}

#[test]
fn r_a_unit_behind_a_wall_starts_along_its_route_and_not_into_the_wall() {
    let mut world = field(64, 64);
    world.place(&Stamp::solid(1, 40), cell(32, 0)).expect("it fits");
    let unit = one_at(&mut world, cell(30, 20));
    world.order(&[unit], Order::move_to(cell(40, 20))).expect("good");
    world.tick();
    assert_eq!(world.route_status(unit), Some(PathStatus::Complete));
    let went = world.unit(unit).expect("alive").velocity;
    assert!(went.y > Fixed::from_raw(28), "southwards, around the end of the wall: {went}");
}

#[test]
fn a_unit_that_was_built_over_gets_out_and_continues() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(20, 20));
    world.order(&[unit], Order::move_to(cell(50, 20))).expect("good");
    (0..5).for_each(|_| world.tick());
    world.place(&Stamp::solid(5, 5), cell(18, 18)).expect("it fits");
    let events = until_done(&mut world, unit, 600);
    let stays = EventKind::Displaced(Displaced::Stays);
    assert_eq!(events, [stays, EventKind::Blocked(PathReason::StartClosed), EventKind::Arrived]);
}

#[test]
fn a_building_on_the_route_changes_it_and_one_beside_it_does_not() {
    let mut world = field(64, 64);
    let unit = one_at(&mut world, cell(5, 20));
    world.order(&[unit], Order::move_to(cell(60, 20))).expect("good");
    (0..20).for_each(|_| world.tick());
    world.place(&Stamp::solid(5, 5), cell(30, 23)).expect("it fits");
    (0..5).for_each(|_| world.tick());
    assert_eq!(world.events(), [], "the building is beside the route");
    world.place(&Stamp::solid(5, 5), cell(30, 18)).expect("it fits");
    let events = until_done(&mut world, unit, 900);
    assert_eq!(events, [EventKind::RouteChanged(RouteChange::Ground), EventKind::Arrived]);
}

#[test]
fn a_stuck_unit_tries_again_and_finds_a_route_around() {
    // Routes are not reviewed after edits: a unit notices the wall only when it is stuck.
    let mut world = flat_world(64, 64, Config { repath_on_block: false, ..Config::default() });
    let unit = one_at(&mut world, cell(5, 20));
    world.order(&[unit], Order::move_to(cell(40, 20))).expect("good");
    (0..20).for_each(|_| world.tick());
    world.place(&Stamp::solid(1, 30), cell(20, 5)).expect("it fits");
    let events = until_done(&mut world, unit, 1500);
    assert_eq!(events, [EventKind::RouteChanged(RouteChange::Stuck), EventKind::Arrived]);
}

/// Units that cannot move. They differ only in their random numbers.
fn paralysed(count: i32, config: Config) -> (World, Vec<UnitId>) {
    let mut world = flat_world(64, 64, config);
    let foot = world.nav().locomotor("foot").expect("it has it");
    let kind = UnitType { speed: Fixed::ZERO, ..UnitType::new("statue", foot) };
    let kind = world.add_type(kind).expect("a legal kind");
    let places: Vec<CellPos> = (0..count).map(|i| cell(1 + i % 60, 1 + i / 60)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units, Order::move_to(cell(30, 60))).expect("good");
    (world, units)
}

#[test]
fn a_unit_that_stays_stuck_tries_every_rung_and_gives_up_with_a_reason() {
    for escalation in [true, false] {
        let (mut world, units) = paralysed(1, Config { repath_escalation: escalation, ..Config::default() });
        let mut changes = Vec::new();
        let end = loop {
            world.tick();
            assert!(world.now().0 < 1000, "{changes:?}");
            for what in told(&world, units[0]) {
                if what == EventKind::RouteChanged(RouteChange::Stuck) {
                    changes.push(world.now().0);
                }
            }
            if let Some(EventKind::GaveUp(why)) = told(&world, units[0]).last() {
                break why;
            }
        };
        assert_eq!(end, GiveUp::Stuck { state: UnitMotion::Lost, by: None });
        assert_eq!(changes.len(), 3, "{changes:?}");
        assert!(changes.windows(2).all(|pair| pair[1] - pair[0] >= 30), "the cooldown is kept: {changes:?}");
        assert_eq!(world.orders_of(units[0]).count(), 0);
    }
}

#[test]
fn units_that_get_stuck_together_do_not_try_again_together() {
    let (mut world, units) = paralysed(200, Config { max_paths_per_tick: 1000, ..Config::default() });
    let mut attempts = vec![Vec::new(); units.len()];
    for _ in 0..200 {
        world.tick();
        for event in world.events() {
            if event.what == EventKind::RouteChanged(RouteChange::Stuck) {
                attempts[event.unit.index() as usize].push(world.now().0);
            }
        }
    }
    let seconds: Vec<u64> = attempts.iter().map(|ticks| ticks[1]).collect();
    let most = seconds.iter().map(|tick| seconds.iter().filter(|other| *other == tick).count()).max();
    assert!(most.is_some_and(|most| most <= 40), "{most:?} of 200 in one tick");
}

#[test]
fn near_blockers_are_listed_by_stance() {
    let mut world = field(64, 64);
    let kind = soldier(&mut world);
    let big = UnitType::new(
        "big",
        waymarch::base::Agent { size: waymarch::base::SizeClass::TWO, ..world.types()[0].agent },
    );
    let big = world.add_type(big).expect("a legal kind");
    let idle = world.spawn(kind, PlayerId(0), cell(10, 10)).expect("open");
    let moving = world.spawn(kind, PlayerId(0), cell(12, 10)).expect("open");
    let holding = world.spawn(big, PlayerId(0), cell(10, 12)).expect("open");
    world.order(&[moving], Order::move_to(cell(12, 60))).expect("good");
    world.order(&[holding], Order::Hold).expect("good");
    world.tick();
    let near = |mode, radius, except| {
        let mut cells = Vec::new();
        world.blockers_near(cell(11, 11), radius, mode, except, &mut cells);
        cells
    };
    let square = [cell(10, 12), cell(11, 12)];
    assert_eq!(near(BlockedBy::None, 2, idle), []);
    assert_eq!(near(BlockedBy::Immovable, 1, idle), square, "only blockers within the distance");
    assert_eq!(near(BlockedBy::Stationary, 1, moving), [&[cell(10, 10)][..], &square].concat());
    assert_eq!(near(BlockedBy::All, 1, holding), [cell(10, 10), cell(12, 10)]);
    assert_eq!(near(BlockedBy::All, 1, idle), [&[cell(12, 10)][..], &square].concat());
}
