//! Groups whose order names a formation hold it on the way: on open ground, around obstacles, and again behind narrow places.

use waymarch::base::{CellPos, Dir8, Fine, Fixed, cell};
use waymarch::config::{Config, FormationMarch};
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, formation_error};
use waymarch::world::{EventKind, Order, PlayerId, UnitId, UnitType, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::block;

/// How far units are out of formation: the root mean square distance to their slots after both centres are moved together, in 100ths of a cell.
fn out_of_formation(world: &World, units: &[UnitId]) -> u64 {
    let at: Vec<Fine> = units.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    let slots: Vec<Fine> = units.iter().map(|&unit| world.slot_of(unit).expect("a member")).collect();
    formation_error(&at, &slots) * 100 / 65_536
}

/// The same for the places that units have in the moving frame now. `None` if fewer than `least` units have one.
fn out_of_frame(world: &World, units: &[UnitId], least: usize) -> Option<u64> {
    let (mut at, mut places) = (Vec::new(), Vec::new());
    for &unit in units {
        if let Some(place) = world.formation_place_of(unit) {
            at.push(world.place_of(unit).expect("alive"));
            places.push(place);
        }
    }
    (at.len() >= least).then(|| formation_error(&at, &places) * 100 / 65_536)
}

/// Settings with which orders with a formation hold it on the way.
fn holds() -> Config {
    Config { formation_march: FormationMarch::Wait, ..Config::default() }
}

fn middle(world: &World, units: &[UnitId]) -> CellPos {
    let (mut x, mut y) = (0, 0);
    for &unit in units {
        let at = world.place_of(unit).expect("alive");
        (x, y) = (x + i64::from(at.x), y + i64::from(at.y));
    }
    let count = units.len() as i64;
    Fine::new((x / count) as i32, (y / count) as i32).cell()
}

/// Runs until all units have arrived, and checks that none gives up. Returns the tick.
fn arrive(world: &mut World, units: &[UnitId], most: u32) -> u32 {
    for tick in 0..most {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
        }
        if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
            return tick;
        }
    }
    panic!("not all have arrived after {most} ticks");
}

#[test]
fn a_formation_on_open_ground_is_held_five_seconds_after_setting_out_and_halfway() {
    for formation in [Formation::Wedge, Formation::Line, Formation::Box, Formation::Column, Formation::Circle]
    {
        let mut world = flat_world(160, 96, holds());
        let units = block(&mut world, cell(10, 45), 6, 6);
        world.order(&units, Order::move_to(cell(130, 48)).formation(formation.clone())).expect("good");
        (0..100).for_each(|_| world.tick());
        let early = out_of_formation(&world, &units);
        while middle(&world, &units).x < 70 {
            world.tick();
            assert!(world.now().0 < 2_000, "{formation:?} does not get on");
        }
        let halfway = out_of_formation(&world, &units);
        assert!(early < 90 && halfway < 30, "{formation:?}: {early} after 5 s, {halfway} halfway");
        arrive(&mut world, &units, 3_000);
        (0..40).for_each(|_| world.tick());
        assert!(out_of_formation(&world, &units) < 15, "{formation:?} at the goal");
        assert!(world.now().0 < 1_120, "{formation:?}: {}", world.now());
    }
}

/// The largest formation error from a tick on, until the centre of the units is at `x`.
fn worst_until(world: &mut World, units: &[UnitId], x: i32) -> u64 {
    let mut worst = 0;
    while middle(world, units).x < x {
        world.tick();
        worst = worst.max(out_of_frame(world, units, 1).unwrap_or(0));
        assert!(world.now().0 < 4_000, "the units do not get on");
    }
    worst
}

#[test]
fn a_formation_is_taken_again_behind_a_gap() {
    for (gap, again) in [(1, 85), (3, 80)] {
        let mut world = flat_world(160, 96, holds());
        for (from, to) in [(0, 47), (47 + gap, 96)] {
            for y in (from..to).step_by(16) {
                let high = (to - y).min(16) as u32;
                world.place(&Stamp::solid(1, high), cell(60, y)).expect("room");
            }
        }
        let units = block(&mut world, cell(10, 45), 6, 6);
        world.order(&units, Order::move_to(cell(140, 48)).formation(Formation::Wedge)).expect("good");
        worst_until(&mut world, &units, again);
        assert!(
            out_of_frame(&world, &units, 36).is_some_and(|error| error < 60),
            "gap {gap}: it is a wedge again"
        );
        let later = worst_until(&mut world, &units, 130);
        assert!(later < 60, "gap {gap}: {later}");
        assert!(arrive(&mut world, &units, 3_000) > 0);
    }
}

#[test]
fn a_turn_wheels_the_block() {
    let mut world = flat_world(128, 128, holds());
    // The route goes round the end of a long wall: half a turn.
    for y in (0..80).step_by(16) {
        world.place(&Stamp::solid(2, 16), cell(60, y)).expect("room");
    }
    let units = block(&mut world, cell(20, 30), 6, 6);
    world.order(&units, Order::move_to(cell(100, 30)).formation(Formation::Box)).expect("good");
    (0..100).for_each(|_| world.tick());
    let worst = worst_until(&mut world, &units, 95);
    assert!(worst < 160, "{worst}");
    assert!(out_of_frame(&world, &units, 36).is_some_and(|error| error < 40), "a block after the turn");
    arrive(&mut world, &units, 3_000);
}

#[test]
fn an_obstacle_smaller_than_the_formation_parts_it_and_does_not_break_it() {
    let mut world = flat_world(160, 96, holds());
    world.place(&Stamp::solid(4, 4), cell(60, 46)).expect("room");
    let units = block(&mut world, cell(10, 42), 6, 12);
    world
        .order(&units, Order::move_to(cell(130, 48)).formation(Formation::Line).facing(Dir8::E))
        .expect("good");
    worst_until(&mut world, &units, 50);
    let worst = worst_until(&mut world, &units, 80);
    assert!(worst < 200, "{worst}");
    let later = worst_until(&mut world, &units, 115);
    assert!(later < 60, "{later}");
    // The line passes the obstacle on both sides.
    arrive(&mut world, &units, 3_000);
}

#[test]
fn slow_members_set_the_pace_or_are_left_behind_as_the_setting_says() {
    let widest = |formation_march| {
        let mut world = flat_world(160, 96, Config { formation_march, ..Config::default() });
        let fast = block(&mut world, cell(10, 45), 5, 6);
        let foot = world.nav().locomotor("foot").expect("standard");
        let soldier = UnitType::new("slow", foot);
        let slow = UnitType { speed: Fixed::from_raw(soldier.speed.raw() / 2), ..soldier };
        let slow = world.add_type(slow).expect("legal");
        let cells: Vec<CellPos> = (0..6).map(|number| cell(15, 45 + number)).collect();
        let slow = world.spawn_many(slow, PlayerId(0), &cells).expect("room");
        let units: Vec<UnitId> = fast.into_iter().chain(slow).collect();
        world.order(&units, Order::move_to(cell(130, 48)).formation(Formation::Box)).expect("good");
        (0..300).for_each(|_| world.tick());
        out_of_formation(&world, &units)
    };
    let (wait, close) = (widest(FormationMarch::Wait), widest(FormationMarch::Close));
    assert!(wait < 50 && close > 4 * wait, "{wait} {close}");
}

#[test]
fn the_setting_goal_forms_up_at_the_goal_only() {
    let config = Config { formation_march: FormationMarch::Goal, ..Config::default() };
    let mut world = flat_world(160, 96, config);
    let units = block(&mut world, cell(10, 45), 6, 6);
    world.order(&units, Order::move_to(cell(130, 48)).formation(Formation::Line)).expect("good");
    (0..100).for_each(|_| world.tick());
    assert_eq!(out_of_frame(&world, &units, 1), None);
    assert!(out_of_formation(&world, &units) > 200);
    arrive(&mut world, &units, 3_000);
}

/// Ticks until all units have arrived when blocks of 7×6 units march in formation: the first, and also the second, which crosses its way.
fn crossing_ticks(groups: usize) -> u32 {
    let mut world = flat_world(128, 110, holds());
    let mut all = Vec::new();
    for (at, to) in [(cell(6, 66), cell(52, 69)), (cell(26, 54), cell(28, 100))].into_iter().take(groups) {
        let units = block(&mut world, at, 7, 6);
        world.order(&units, Order::move_to(to).formation(Formation::Box)).expect("good");
        all.extend(units);
    }
    arrive(&mut world, &all, 2_000)
}

#[test]
fn two_formations_that_cross_take_hardly_longer_than_one() {
    let (one, both) = (crossing_ticks(1), crossing_ticks(2));
    assert!(100 * both <= 135 * one, "{both} ticks, {one} alone");
}
