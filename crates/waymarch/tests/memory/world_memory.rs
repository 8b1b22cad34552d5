//! A World in a steady state does not allocate.

use waymarch::base::{CellPos, CellRect, Fine, Fixed, cell};
use waymarch::config::{Config, GroupSpeed};
use waymarch::cost::Stamp;
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, EventKind, Interpolation, Navigator, Order, PlayerId, World};
use waymarch_testkit::alloc::{Allocations, allocations_in};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::worlds::{flat_world, soldier};

#[test]
fn ticks_of_a_steady_world_allocate_nothing() {
    let mut world = flat_world(256, 256, Config::default());
    world.skip_whole_checks();
    let kind = soldier(&mut world);
    // Units that travel, and away from their routes units that hold and units that follow.
    let blocks = [((10, 10), 25, 10), ((10, 100), 15, 10)];
    let places: Vec<CellPos> = blocks
        .iter()
        .flat_map(|&((x, y), width, height)| CellRect::at(cell(x, y), width, height).cells())
        .collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units[..200], Order::move_to(cell(240, 240))).expect("good");
    let yard = Shape::Rect(CellRect::at(cell(195, 100), 12, 12));
    let docks = Goal::AnyOf(vec![yard, Shape::Point(cell(250, 3))]);
    world.order(&units[200..250], Order::Move(docks)).expect("good");
    world.order(&units[350..], Order::Hold).expect("good");
    world.order(&units[251..350], Order::follow(units[250], Fixed::from_cells(30))).expect("good");
    (0..300).for_each(|_| world.tick());
    for _ in 0..300 {
        let before = world.service().work();
        let (count, ()) = allocations_in(|| world.tick());
        // A blocked unit may get another route, and storing it may allocate.
        let answered = world.service().work() != before || !world.events().is_empty();
        assert!(count.calls == 0 || answered, "a tick without an answer allocates: {count:?}");
    }
    let (mut arrived, mut calls) = (0, 0);
    for _ in 0..5000 {
        let before = world.service().work();
        let (count, ()) = allocations_in(|| world.tick());
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
        // When many blocked units ask again in one tick, lists grow.
        calls += if world.service().work() == before { count.calls } else { 0 };
    }
    assert_eq!(arrived, 250);
    // Lists grow once, when many units arrive in one tick.
    assert!(calls <= 16, "{calls}");
}

#[test]
fn groups_that_are_re_slotted_all_the_time_allocate_nothing() {
    let config = Config { group_speed: GroupSpeed::Slowest, ..Config::default() };
    let mut world = flat_world(128, 128, config);
    world.skip_whole_checks();
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(10, 10), 10, 8).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    let prey = world.spawn(kind, PlayerId(1), cell(60, 60)).expect("open");
    world.order(&[prey], Order::patrol([cell(100, 60), cell(60, 100), cell(60, 60)])).expect("good");
    let (near, far) = (Fixed::from_cells(3), Fixed::from_cells(8));
    world.order(&units[..40], Order::around(prey, Around::in_range(near, far))).expect("good");
    world.order(&units[40..60], Order::around(prey, Around::Surround)).expect("good");
    world.order(&units[60..70], Order::guard(prey, far)).expect("good");
    world
        .order(&units[70..], Order::FollowGroup { units: units[..40].to_vec(), distance: near })
        .expect("good");
    (0..1500).for_each(|_| world.tick());
    let mut calls = 0;
    for _ in 0..1500 {
        let before = world.service().work();
        let (count, ()) = allocations_in(|| world.tick());
        // Storing a new route may allocate.
        calls += if world.service().work() == before { count.calls } else { 0 };
    }
    assert!(calls == 0, "{calls}");
}

#[test]
fn groups_that_choose_between_two_bridges_allocate_nothing_in_the_end() {
    let mut world = flat_world(128, 64, Config::default());
    world.skip_whole_checks();
    for (top, high) in [(0, 12), (13, 19), (33, 31)] {
        for y in (top..top + high).step_by(16) {
            world.place(&Stamp::solid(4, (top + high - y).min(16) as u32), cell(60, y)).expect("room");
        }
    }
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(30, 8), 10, 10).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    // Orders go back and forth: after some of them all lists have their full capacity.
    let (mut made, mut sent) = (Vec::new(), 0);
    for turn in 0..6 {
        let to = if turn % 2 == 0 { cell(90, 12) } else { cell(34, 12) };
        world.order(&units, Order::move_to(to)).expect("good");
        let mut calls = 0;
        for tick in 0..1400 {
            let before = world.service().work();
            let (count, ()) = allocations_in(|| world.tick());
            sent += units.iter().filter(|&&unit| tick == 100 && world.is_on_detour(unit)).count();
            // Ticks in which units are sent around count too. Ticks that search do not count, because storing a new route may allocate.
            calls += if world.service().work().nodes == before.nodes { count.calls } else { 0 };
        }
        made.push(calls);
    }
    assert!(sent >= 6 * 20, "{sent}");
    assert!(made[4..] == [0, 0], "{made:?}");
}

/// Plays the same minute `count` times: squads of 1, 4, 12 and 25 units cross weighted ground, and buildings are placed and removed.
/// Returns the allocations of the ticks in each minute.
fn rounds(world: &mut World, count: usize) -> Vec<Allocations> {
    world.skip_whole_checks();
    const SIDE: i32 = 128;
    let kind = soldier(world);
    let camps = [cell(16, 16), cell(96, 16), cell(16, 96), cell(96, 96)];
    let stamp = Stamp::solid(3, 3);
    let mut squads = Vec::new();
    for camp in camps {
        let places: Vec<CellPos> = CellRect::at(camp, 10, 10).cells().step_by(4).collect();
        squads.push(world.spawn_many(kind, PlayerId(0), &places).expect("open"));
    }
    let goals: Vec<CellPos> =
        (0..16).map(|i| cell(12 + i * 37 % (SIDE - 24), 12 + i * 53 % (SIDE - 24))).collect();
    let mut made = Vec::new();
    for _ in 0..count {
        let mut all = Allocations::default();
        let mut standing = Vec::new();
        for tick in 0..1200_usize {
            if tick % 10 == 0 {
                let turn = tick / 10;
                let members = [25, 1, 12, 4][turn % 4];
                let goal = goals[turn * 7 % goals.len()];
                world.order(&squads[turn % 3][..members], Order::move_to(goal)).expect("a goal on the map");
            }
            if tick % 40 == 0 {
                // Buildings stand between the goals. A building that cannot be placed is left out.
                let at = cell(40 + (tick as i32 / 40 * 29) % 48, 40 + (tick as i32 / 40 * 17) % 48);
                standing.extend(world.place(&stamp, at));
                if standing.len() > 4 {
                    world.remove_stamp(standing.remove(0)).expect("it stands");
                }
            }
            let (count, ()) = allocations_in(|| world.tick());
            (all.calls, all.bytes) = (all.calls + count.calls, all.bytes + count.bytes);
        }
        for id in standing.drain(..) {
            world.remove_stamp(id).expect("it stands");
        }
        made.push(all);
    }
    made
}

#[test]
fn orders_groups_and_buildings_that_come_and_go_allocate_nothing_in_the_end() {
    let grid = Grid::patches(3, 128, 128, &[100, 80, 113, 200]);
    let config = Config { path_lanes: 1, ..Config::default() };
    let nav = Navigator::new(grid.to_map("patches"), config).expect("a legal map");
    let made = rounds(&mut World::new(nav), 6);
    println!("{made:?}");
    // The remaining allocations come from lists that become longer than ever before. They get fewer with each minute.
    assert!(made[0].calls > 100, "nothing was going on: {made:?}");
    assert!(made[5].calls == 0, "{made:?}");
}

/// A copied or loaded World returns lists to stores that did not create them.
#[test]
fn orders_go_on_in_worlds_that_were_copied_or_loaded() {
    let mut world = flat_world(128, 128, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(10, 10), 10, 8).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    // 40 units share flows; the others have a route each.
    world.order(&units[..40], Order::move_to(cell(110, 110))).expect("good");
    for (number, &unit) in units[40..].iter().enumerate() {
        world.order(&[unit], Order::move_to(cell(100, 3 + 3 * number as i32))).expect("good");
    }
    (0..60).for_each(|_| world.tick());
    let loaded = World::load(&world.save()).expect("what was saved");
    for mut world in [world.clone(), loaded] {
        for turn in 0..40 {
            world.order(&units, Order::Stop).expect("good");
            (0..2).for_each(|_| world.tick());
            for (number, squad) in units.chunks(1 + turn % 20).enumerate() {
                let to =
                    cell(20 + (number as i32 * 37 + turn as i32 * 11) % 100, 20 + (number as i32 * 53) % 100);
                world.order(squad, Order::move_to(to)).expect("good");
            }
            (0..10).for_each(|_| world.tick());
        }
        (0..2000).for_each(|_| world.tick());
        assert!(world.units().all(|unit| unit.velocity.is_zero()), "all units have stopped");
    }
}

#[test]
fn another_formation_for_a_group_is_copied_once_not_once_per_member() {
    let mut world = flat_world(128, 128, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(10, 10), 20, 20).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units, Order::move_to(cell(90, 90))).expect("good");
    (0..3).for_each(|_| world.tick());
    let slots: Vec<Fine> = places.iter().map(|&at| Fine::centre(at)).collect();
    let bytes = size_of_val(&slots[..]) as u64;
    let formation = Formation::Custom(slots);
    let (count, done) = allocations_in(|| world.reform(&units, &formation, None));
    assert!(done.is_ok() && count.bytes <= 2 * bytes, "{count:?} for a formation of {bytes} bytes");
}

#[test]
fn drawing_between_ticks_allocates_nothing() {
    let mut world = flat_world(64, 64, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(10, 10), 10, 8).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    let mut drawn = Interpolation::new(&world);
    world.order(&units, Order::move_to(cell(50, 50))).expect("good");
    for n in 0..40 {
        world.tick();
        if n == 20 {
            world.remove(units[7]).expect("alive");
        }
        let (count, sum) = allocations_in(|| {
            drawn.tick(&world);
            drawn.at(Fixed::HALF).map(|pose| i64::from(pose.position.x.raw())).sum::<i64>()
        });
        assert_eq!(count.calls, 0, "{count:?}");
        assert!(sum > 0);
    }
}
