//! Units that have arrived: they hold place and facing. Groups that cross or swap places arrive in good time and in formation.

use waymarch::base::{Agent, CellPos, Dir8, Fine, SizeClass, cell};
use waymarch::config::{Config, FormationMarch};
use waymarch::groups::{Formation, formation_error};
use waymarch::world::{EventKind, Order, PlayerId, UnitId, UnitType, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::block;

/// A cell, in 1/65,536 of a cell.
const CELL: u64 = 65_536;
/// 0.3 cells.
const IN_FORMATION: u64 = CELL * 3 / 10;

/// How far units are out of formation: the root mean square distance to their slots after both centres are moved together.
fn out_of_formation(world: &World, units: &[UnitId]) -> u64 {
    let at: Vec<Fine> = units.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    let slots: Vec<Fine> = units.iter().map(|&unit| world.slot_of(unit).expect("a member")).collect();
    formation_error(&at, &slots)
}

/// Runs until no unit has an order, and checks that none gives up. Returns the number of ticks.
fn arrive(world: &mut World, most: u32) -> u32 {
    for tick in 1..=most {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
        }
        if world.units().all(|unit| world.orders_of(unit.id).next().is_none()) {
            return tick;
        }
    }
    panic!("not all have arrived after {most} ticks");
}

/// Orders a block of a hundred across the map in a box.
fn cross(world: &mut World, from: CellPos, to: CellPos) -> Vec<UnitId> {
    let units = block(world, from, 10, 10);
    let order = Order::move_to(to).formation(Formation::Box);
    world.order(&units, order).expect("good");
    units
}

#[test]
fn two_blocks_of_a_hundred_pass_at_right_angles_in_1_35_times_the_time_of_one_alone() {
    let mut alone = flat_world(96, 96, Config::default());
    cross(&mut alone, cell(10, 43), cell(80, 48));
    let time = arrive(&mut alone, 900);
    let mut world = flat_world(96, 96, Config::default());
    let west = cross(&mut world, cell(10, 43), cell(80, 48));
    let north = cross(&mut world, cell(43, 10), cell(48, 80));
    let both = arrive(&mut world, 2000);
    assert!(100 * both <= 135 * time, "{both} ticks, alone {time}");
    (0..40).for_each(|_| world.tick());
    for units in [west, north] {
        let error = out_of_formation(&world, &units);
        assert!(error <= IN_FORMATION, "{error}/65536 cells");
    }
}

/// Forty units on a circle go to the opposite sides, each straight through the middle.
#[test]
fn a_ring_swaps_sides_in_1_6_times_the_time_of_one_unit_and_does_not_overshoot() {
    let mut world = flat_world(64, 64, Config::default());
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
    // The same ring as in the scenario circle-swap: 40 points of a circle with a radius of 24 cells.
    let ring: Vec<CellPos> = (0..40)
        .map(|n| {
            let (turn, quarter) = (n % 10, n / 10);
            // 24 times the sines and cosines of 0, 9, …, 81 degrees.
            let sine = [0, 4, 7, 11, 14, 17, 19, 21, 23, 24];
            let cosine = [24, 24, 23, 21, 19, 17, 14, 11, 7, 4];
            let (x, y) = (cosine[turn], sine[turn]);
            match quarter {
                0 => cell(32 + x, 32 + y),
                1 => cell(32 - y, 32 + x),
                2 => cell(32 - x, 32 - y),
                _ => cell(32 + y, 32 - x),
            }
        })
        .collect();
    let units = world.spawn_many(kind, PlayerId(0), &ring).expect("open");
    for (&unit, &from) in units.iter().zip(&ring) {
        let to = cell(64 - from.x, 64 - from.y);
        world.order(&[unit], Order::move_to(to)).expect("good");
    }
    // 48 cells at 1/8 cell per tick.
    let alone = 384;
    let (mut last, mut farthest) = (0, vec![None; units.len()]);
    for tick in 1..=800 {
        world.tick();
        for event in world.events().iter().filter(|event| event.what == EventKind::Arrived) {
            last = tick;
            let index = units.iter().position(|&unit| unit == event.unit).expect("one of them");
            farthest[index] = world.place_of(event.unit);
        }
    }
    assert!(farthest.iter().all(Option::is_some), "all arrive");
    assert!(10 * last <= 16 * alone, "the last after {last} ticks");
    for (&unit, arrived) in units.iter().zip(&farthest) {
        let at = world.place_of(unit).expect("alive");
        let off = at.distance_squared(arrived.expect("arrived"));
        assert!(off <= CELL.pow(2), "{unit:?} is over a cell from where it arrived");
    }
}

/// Thirty soldiers and six big vehicles that start before them go to one formation that faces south.
fn soldiers_and_vehicles(formation: Formation, march: FormationMarch) -> (World, Vec<UnitId>) {
    let config = Config { formation_march: march, ..Config::default() };
    let mut world = flat_world(96, 96, config);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let big = Agent { locomotor: foot, size: SizeClass::TWO };
    let soldiers = block(&mut world, cell(20, 30), 6, 5);
    let kind = world.add_type(UnitType::vehicle("tank", big)).expect("legal");
    let cells: Vec<CellPos> = (0..6).map(|n| cell(28 + n % 2 * 3, 28 + n / 2 * 3)).collect();
    let tanks = world.spawn_many(kind, PlayerId(0), &cells).expect("open");
    let all: Vec<UnitId> = soldiers.into_iter().chain(tanks).collect();
    let order = Order::move_to(cell(60, 28)).formation(formation).facing(Dir8::S);
    world.order(&all, order).expect("good");
    (world, all)
}

/// Runs for 10 seconds, and checks that all units stand still, face south, and are in formation.
fn check_at_rest(world: &mut World, all: &[UnitId], formation: &Formation) {
    let before: Vec<Fine> = all.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    (0..200).for_each(|_| world.tick());
    for (&unit, before) in all.iter().zip(&before) {
        let moved = world.place_of(unit).expect("alive").distance_squared(*before);
        assert!(moved <= (CELL / 8).pow(2), "{formation:?}: {unit:?} still moves");
        let facing = world.unit(unit).expect("alive").facing;
        // 6 degrees.
        let off = facing.turn_to(Dir8::S.into()).unsigned_abs();
        assert!(off <= 1092, "{formation:?}: {unit:?} faces {off}/65536 of a turn off");
    }
    let error = out_of_formation(world, all);
    assert!(error <= IN_FORMATION, "{formation:?}: {error}/65536 cells out of formation");
}

/// The soldiers push vehicles out of their slots, which then take up to 12 seconds to return.
#[test]
fn soldiers_and_vehicles_in_one_formation_come_to_rest_and_face_as_ordered() {
    for formation in [Formation::Box, Formation::Hex, Formation::Adaptive] {
        let (mut world, all) = soldiers_and_vehicles(formation.clone(), FormationMarch::Goal);
        arrive(&mut world, 1500);
        (0..260).for_each(|_| world.tick());
        check_at_rest(&mut world, &all, &formation);
    }
}

/// In formation, all members arrive at their slots from the same side, so that none has to pass through the others.
#[test]
fn a_box_that_is_held_on_the_way_stands_still_two_seconds_after_the_last_arrival() {
    let (mut world, all) = soldiers_and_vehicles(Formation::Box, FormationMarch::Wait);
    let mut arrived: Vec<Option<Fine>> = vec![None; all.len()];
    let mut farthest = 0;
    for _ in 0..1500 {
        world.tick();
        for event in world.events().iter().filter(|event| event.what == EventKind::Arrived) {
            let index = all.iter().position(|&unit| unit == event.unit).expect("one of them");
            arrived[index] = world.place_of(event.unit);
        }
        for (&unit, from) in all.iter().zip(&arrived) {
            let at = world.place_of(unit).expect("alive");
            farthest = from.map_or(0, |from| at.distance_squared(from)).max(farthest);
        }
        if arrived.iter().all(Option::is_some) {
            break;
        }
    }
    assert!(arrived.iter().all(Option::is_some), "all arrive");
    assert!(farthest <= CELL.pow(2), "{} / 65536 cells from arrival", farthest.isqrt());
    (0..40).for_each(|_| world.tick());
    check_at_rest(&mut world, &all, &Formation::Box);
}
