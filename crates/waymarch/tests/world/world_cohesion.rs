//! Cohesion: a group stays together or reports that it broke.

use waymarch::base::{CellPos, CellRect, Fixed, Vec2, cell};
use waymarch::config::{Config, GroupSpeed};
use waymarch::cost::Stamp;
use waymarch::world::{Cohesion, EventKind, GroupId, Order, PlayerId, UnitId, UnitType, World};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::block;

/// A block of another player. Groups of different players do not wait for each other.
fn strangers(world: &mut World, at: CellPos, columns: u32, rows: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(at, columns, rows).cells().collect();
    world.spawn_many(kind, PlayerId(1), &places).expect("open")
}

/// Plays until all orders have ended. Returns the events of the group's first member and the group's cohesion in each tick.
fn play(world: &mut World, units: &[UnitId], most: u32) -> (Vec<(UnitId, EventKind)>, Vec<Cohesion>) {
    let (mut told, mut was, mut arrived) = (Vec::new(), Vec::new(), 0);
    for _ in 0..most {
        world.tick();
        for event in world.events() {
            arrived += usize::from(event.what == EventKind::Arrived && units.contains(&event.unit));
            if matches!(event.what, EventKind::GroupBroke | EventKind::GroupTogether) {
                told.push((event.unit, event.what));
            }
        }
        was.extend(world.group_of(units[0]).and_then(|group| world.cohesion_of(group)));
        if arrived == units.len() {
            break;
        }
    }
    assert_eq!(arrived, units.len(), "all units arrived");
    was.dedup();
    (told, was)
}

/// The slow twin: the number of members near the group's centre, and of all members. `more` is added to the limit, in 1024ths of a cell.
fn near(world: &World, group: GroupId, limit: u32, more: i64) -> (u32, u32) {
    let of = |at: Vec2| (i64::from(at.x.raw()), i64::from(at.y.raw()));
    let members: Vec<UnitId> =
        world.units().filter(|unit| world.group_of(unit.id) == Some(group)).map(|unit| unit.id).collect();
    let position = |&unit: &UnitId| of(world.unit(unit).expect("alive").position);
    let at: Vec<(i64, i64)> = members.iter().map(position).collect();
    let slot = |&unit: &UnitId| of(Vec2::from(world.slot_of(unit).expect("a member")));
    let slots: Vec<(i64, i64)> = members.iter().map(slot).collect();
    let middle = |points: &[(i64, i64)]| {
        let sum = points.iter().fold((0, 0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        (sum.0 / points.len() as i64, sum.1 / points.len() as i64)
    };
    let far = |a: (i64, i64), b: (i64, i64)| ((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)).isqrt();
    let (of_units, of_slots) = (middle(&at), middle(&slots));
    let reach = slots.iter().map(|&slot| far(slot, of_slots)).max().unwrap_or(0);
    let limit = reach + 1024 * i64::from(limit) + more;
    (at.iter().filter(|&&at| far(at, of_units) <= limit).count() as u32, at.len() as u32)
}

#[test]
fn a_group_that_a_gate_cuts_in_two_says_so_and_when_it_is_together_again() {
    let mut world = flat_world(120, 80, Config { congestion: false, ..Config::default() });
    // A wall with a door. The only other opening is far away, at the end of the wall.
    for y in (0..64).filter(|&y| !(8..10).contains(&y)) {
        world.place(&Stamp::solid(1, 1), cell(60, y)).expect("open");
    }
    let units = block(&mut world, cell(30, 4), 10, 8);
    world.order(&units, Order::move_to(cell(90, 9))).expect("good");
    let mut shut = false;
    let (mut told, mut was) = (Vec::new(), Vec::new());
    for _ in 0..4000 {
        world.tick();
        let through =
            units.iter().filter(|&&unit| world.unit(unit).expect("alive").position.x > Fixed::from_cells(61));
        if !shut && through.count() >= units.len() / 2 {
            // The door is closed as soon as no unit stands in it.
            shut = world.place(&Stamp::solid(1, 2), cell(60, 8)).is_ok();
        }
        let both = |what| matches!(what, EventKind::GroupBroke | EventKind::GroupTogether);
        told.extend(
            world.events().iter().filter(|event| both(event.what)).map(|event| (event.unit, event.what)),
        );
        was.extend(world.group_of(units[0]).and_then(|group| world.cohesion_of(group)));
    }
    assert!(shut);
    was.dedup();
    assert_eq!(told, [(units[0], EventKind::GroupBroke), (units[0], EventKind::GroupTogether)], "{was:?}");
    assert_eq!(was, [Cohesion::Gathering, Cohesion::Together, Cohesion::Broken, Cohesion::Together]);
}

#[test]
fn a_group_that_gathers_from_all_over_the_map_has_not_broken() {
    let mut world = flat_world(160, 60, Config::default());
    let mut units = block(&mut world, cell(4, 4), 4, 4);
    units.extend(block(&mut world, cell(150, 50), 4, 4));
    world.order(&units, Order::move_to(cell(80, 30))).expect("good");
    let (told, was) = play(&mut world, &units, 3000);
    assert_eq!(told, []);
    assert_eq!(was, [Cohesion::Gathering, Cohesion::Together]);
}

#[test]
fn the_cohesion_of_crossing_groups_equals_the_twins() {
    for limit in [1, 3, 12] {
        let mut world = flat_world(100, 100, Config { group_cohesion: limit, ..Config::default() });
        let eastwards = block(&mut world, cell(10, 45), 8, 10);
        let southwards = strangers(&mut world, cell(45, 10), 10, 8);
        world.order(&eastwards, Order::move_to(cell(88, 50))).expect("good");
        world.order(&southwards, Order::move_to(cell(50, 88))).expect("good");
        let (mut is, mut changes, mut broke) = ([Cohesion::Gathering; 2], 0, 0);
        for tick in 0..1200_u32 {
            // Cohesion is computed from the positions at the start of a tick.
            let look = |group, more| near(&world, group, limit, more);
            let looked: Vec<Option<[(u32, u32); 2]>> = [&eastwards, &southwards]
                .iter()
                .map(|units| world.group_of(units[0]).map(|group| [look(group, -4), look(group, 4)]))
                .collect();
            world.tick();
            for (number, units) in [&eastwards, &southwards].iter().enumerate() {
                let Some(now) = world.group_of(units[0]).and_then(|group| world.cohesion_of(group)) else {
                    continue;
                };
                changes += u32::from(now != is[number]);
                // The World checks cohesion once a second. Cases close to the limit are skipped.
                let Some([(least, all), (most, _)]) = looked[number].filter(|_| world.now().0 % 20 == 0)
                else {
                    continue;
                };
                let expected = |near: u32| match is[number] {
                    Cohesion::Together if 16 * near < 12 * all => Cohesion::Broken,
                    Cohesion::Gathering | Cohesion::Broken if 16 * near >= 14 * all => Cohesion::Together,
                    as_before => as_before,
                };
                if expected(least) == expected(most) {
                    let what = format!("tick {tick}, limit {limit}: {least} to {most} of {all} near");
                    assert_eq!(now, expected(least), "{what}");
                }
                broke += u32::from(now == Cohesion::Broken);
                is[number] = now;
            }
        }
        assert!(broke > 0 || limit > 1, "groups that cross each other do not stay within a cell");
        assert!(changes >= 2, "both groups were together at some tick");
    }
}

#[test]
fn at_the_speed_of_the_slowest_no_member_runs_far_ahead() {
    let spread = |group_cohesion: u32, synchronized_arrival: bool| {
        let config = Config {
            group_speed: GroupSpeed::Slowest,
            synchronized_arrival,
            group_cohesion,
            ..Config::default()
        };
        let mut world = flat_world(200, 40, config);
        let foot = world.nav().locomotor("foot").expect("it has it");
        let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
        // Half of the members start 30 cells behind.
        let (ahead, behind) = (CellRect::at(cell(40, 18), 3, 3), CellRect::at(cell(10, 18), 3, 3));
        let places: Vec<CellPos> = ahead.cells().chain(behind.cells()).collect();
        let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
        world.order(&units, Order::move_to(cell(180, 19))).expect("good");
        (0..600).for_each(|_| world.tick());
        let x = |unit: &UnitId| world.unit(*unit).expect("alive").position.x.raw();
        units.iter().map(x).max().expect("some") - units.iter().map(x).min().expect("some")
    };
    for together in [false, true] {
        let (tight, loose) = (spread(2, together), spread(1000, together));
        assert!(
            tight * 2 < loose || (together && tight < loose),
            "apart by {tight} and {loose} 1024ths of a cell"
        );
    }
}
