//! What a renderer draws between two ticks.

use waymarch::base::Fixed;
use waymarch::prelude::*;
use waymarch_testkit::worlds::{flat_world, soldier};

fn walkers() -> (World, UnitTypeId, Vec<UnitId>) {
    let mut world = flat_world(64, 64, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = (3..9).map(|y| cell(3, y)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units, Order::move_to(cell(50, 40))).expect("good");
    (0..30).for_each(|_| world.tick());
    (world, kind, units)
}

fn of(drawn: &Interpolation, unit: UnitId, raw: i32) -> Pose {
    let mut all = drawn.at(Fixed::from_raw(raw)).filter(|pose| pose.unit.id == unit);
    let pose = all.next().expect("the unit is drawn");
    assert!(all.next().is_none(), "the unit is drawn once");
    pose
}

#[test]
fn walking_units_are_drawn_between_their_two_positions() {
    let (mut world, _, units) = walkers();
    let mut drawn = Interpolation::new(&world);
    for _ in 0..20 {
        let before: Vec<Unit> = world.units().collect();
        world.tick();
        drawn.tick(&world);
        let after: Vec<Unit> = world.units().collect();
        for (index, &unit) in units.iter().enumerate() {
            let [first, half, last] = [0, 512, 1024].map(|raw| of(&drawn, unit, raw));
            assert_eq!((first.position, first.facing), (before[index].position, before[index].facing));
            assert_eq!((last.position, last.facing), (after[index].position, after[index].facing));
            assert_eq!((last.unit, last.presence), (after[index], Presence::Stays));
            let doubled = (half.position - first.position) * Fixed::from_cells(2);
            let off = doubled - (last.position - first.position);
            assert!(off.x.raw().abs() <= 2 && off.y.raw().abs() <= 2, "{off}");
        }
        assert_eq!((of(&drawn, units[0], -5), of(&drawn, units[0], 9999)), {
            (of(&drawn, units[0], 0), of(&drawn, units[0], 1024))
        });
    }
}

#[test]
fn spawned_removed_and_teleported_units_do_not_slide() {
    let (mut world, kind, units) = walkers();
    let mut drawn = Interpolation::new(&world);
    let gone = world.unit(units[2]).expect("alive");
    world.remove(units[2]).expect("alive");
    // It gets the index of the removed unit.
    let new = world.spawn(kind, PlayerId(0), cell(40, 3)).expect("open");
    assert_eq!((new.index(), new == units[2]), (units[2].index(), false));
    world.put(units[4], Vec2::from_cells(30, 5), Vec2::ZERO).expect("on the map");
    world.tick();
    drawn.tick(&world);
    for raw in [0, 700, 1024] {
        let left = of(&drawn, units[2], raw);
        assert_eq!((left.presence, left.position), (Presence::Leaves, gone.position));
        let came = of(&drawn, new, raw);
        assert_eq!((came.presence, came.position), (Presence::Appears, cell(40, 3).centre()));
        let put = of(&drawn, units[4], raw);
        assert_eq!(put.presence, Presence::Jumps);
        assert_eq!(put.position, world.unit(units[4]).expect("alive").position);
        assert_eq!(of(&drawn, units[0], raw).presence, Presence::Stays);
        assert!(drawn.at(Fixed::from_raw(raw)).map(|pose| pose.unit.id).is_sorted());
    }
    world.tick();
    drawn.tick(&world);
    assert!(drawn.at(Fixed::HALF).all(|pose| pose.presence == Presence::Stays), "one tick later all stay");
}

#[test]
fn a_rollback_is_drawn_from_what_was_seen_before() {
    let (mut world, _, units) = walkers();
    let saved = world.save();
    let mut drawn = Interpolation::new(&world);
    (0..5).for_each(|_| {
        world.tick();
        drawn.tick(&world);
    });
    let seen = world.unit(units[0]).expect("alive").position;
    world.restore(&saved).expect("its own save");
    drawn.tick(&world);
    assert_eq!(of(&drawn, units[0], 0).position, seen);
    assert_eq!(of(&drawn, units[0], 1024).position, world.unit(units[0]).expect("alive").position);
    drawn.reset(&world);
    assert_eq!(drawn.before(), drawn.after());
}
