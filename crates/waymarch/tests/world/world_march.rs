//! Groups whose order names a formation hold it on the way: on open ground, around obstacles, and again behind narrow places.

use waymarch::base::{CellPos, Dir8, Fine, cell};
use waymarch::config::{Config, FormationMarch};
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, formation_error};
use waymarch::world::{EventKind, Order, UnitId, World};
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
fn a_wedge_on_open_ground_is_a_wedge_after_five_seconds_and_halfway() {
    for formation in [Formation::Wedge, Formation::Line, Formation::Box, Formation::Column, Formation::Circle]
    {
        let mut world = flat_world(160, 96, Config::default());
        let units = block(&mut world, cell(10, 45), 6, 6);
        world.order(&units, Order::move_to(cell(130, 48)).formation(formation.clone())).expect("good");
        let mut errors = Vec::new();
        for _ in 0..24 {
            (0..20).for_each(|_| world.tick());
            errors.push((out_of_formation(&world, &units), middle(&world, &units).x));
        }
        let ticks = 480 + arrive(&mut world, &units, 3_000);
        println!("{formation:?} {ticks} {errors:?}");
    }
}

#[test]
fn a_formation_is_taken_again_behind_a_gap() {
    for (gap, formation_march) in [
        (1, FormationMarch::Wait),
        (3, FormationMarch::Wait),
        (1, FormationMarch::Close),
        (3, FormationMarch::Close),
        (1, FormationMarch::Goal),
        (3, FormationMarch::Goal),
    ] {
        let mut world = flat_world(160, 96, Config { formation_march, ..Config::default() });
        for (from, to) in [(0, 47), (47 + gap, 96)] {
            for y in (from..to).step_by(16) {
                let high = (to - y).min(16) as u32;
                world.place(&Stamp::solid(1, high), cell(60, y)).expect("room");
            }
        }
        let units = block(&mut world, cell(10, 45), 6, 6);
        world.order(&units, Order::move_to(cell(140, 48)).formation(Formation::Wedge)).expect("good");
        let mut errors = Vec::new();
        for _ in 0..80 {
            (0..20).for_each(|_| world.tick());
            errors.push((out_of_frame(&world, &units, 1), middle(&world, &units).x));
            if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
                break;
            }
        }
        println!("gap {gap} {formation_march:?}: {} {errors:?}", world.now());
    }
}

#[test]
fn a_turn_wheels_the_block() {
    let mut world = flat_world(128, 128, Config::default());
    // A long wall: the route goes round its end.
    for y in (0..80).step_by(16) {
        world.place(&Stamp::solid(2, 16), cell(60, y)).expect("room");
    }
    let units = block(&mut world, cell(20, 30), 6, 6);
    world.order(&units, Order::move_to(cell(100, 30)).formation(Formation::Box)).expect("good");
    let mut errors = Vec::new();
    for _ in 0..80 {
        (0..20).for_each(|_| world.tick());
        let at = middle(&world, &units);
        errors.push((out_of_frame(&world, &units, 1), at.x, at.y));
        if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
            break;
        }
    }
    println!("wheel: {} {errors:?}", world.now());
}

#[test]
fn an_obstacle_smaller_than_the_formation_parts_it() {
    let mut world = flat_world(160, 96, Config::default());
    world.place(&Stamp::solid(4, 4), cell(60, 46)).expect("room");
    let units = block(&mut world, cell(10, 42), 6, 12);
    world
        .order(&units, Order::move_to(cell(130, 48)).formation(Formation::Line).facing(Dir8::E))
        .expect("good");
    let mut errors = Vec::new();
    for _ in 0..60 {
        (0..20).for_each(|_| world.tick());
        errors.push((out_of_formation(&world, &units), middle(&world, &units).x));
        if units.iter().all(|&unit| world.orders_of(unit).next().is_none()) {
            break;
        }
    }
    println!("obstacle: {} {errors:?}", world.now());
}

#[test]
fn the_setting_goal_forms_up_at_the_goal_only() {
    let config = Config { formation_march: FormationMarch::Goal, ..Config::default() };
    let mut world = flat_world(160, 96, config);
    let units = block(&mut world, cell(10, 45), 6, 6);
    world.order(&units, Order::move_to(cell(130, 48)).formation(Formation::Wedge)).expect("good");
    (0..100).for_each(|_| world.tick());
    assert_eq!(out_of_frame(&world, &units, 1), None);
    let early = out_of_formation(&world, &units);
    let ticks = 100 + arrive(&mut world, &units, 3_000);
    println!("goal {ticks} {early}");
}
