//! Corners and pillars: units pass corners that only their centres see past, and leave ground that was closed around them.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, SizeClass, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{CornerRule, Stamp};
use waymarch::groups::Formation;
use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitId, UnitType, World};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::worlds::{flat_world, soldier, until_done};

fn world_on(grid: &Grid, config: Config) -> World {
    World::new(Navigator::new(grid.to_map("corners"), config).expect("a legal map"))
}

/// The ticks until all units have arrived, or the number of missing units after `most` ticks.
fn ticks_until_all_arrive(world: &mut World, units: &[UnitId], most: u32) -> Result<u32, usize> {
    let mut left = units.len();
    for tick in 1..=most {
        world.tick();
        let there = |what: &EventKind| *what == EventKind::Arrived;
        left -=
            world.events().iter().filter(|event| units.contains(&event.unit) && there(&event.what)).count();
        if left == 0 {
            return Ok(tick);
        }
    }
    Err(left)
}

/// Two crossing streets, each eight cells wide.
fn crossroads() -> Grid {
    let mut grid = Grid::filled(60, 60, 255);
    for y in 0..60 {
        for x in 0..60 {
            if (26..34).contains(&x) || (26..34).contains(&y) {
                grid.set((x, y), 1);
            }
        }
    }
    grid
}

#[test]
fn a_unit_that_is_pushed_into_a_side_street_comes_back_around_its_corner() {
    let grid = crossroads();
    for offset in 0..24 {
        let mut world = world_on(&grid, Config::default());
        let kind = soldier(&mut world);
        let places: Vec<CellPos> = CellRect::at(cell(29, 40), 2, 2).cells().collect();
        let mut units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
        let strayed = world.spawn(kind, PlayerId(0), cell(34, 26)).expect("open");
        units.push(strayed);
        world.order(&units, Order::move_to(cell(30, 8))).expect("good");
        // After its order the unit is put beside the corner, against the wall.
        world.tick();
        let at = Vec2::new(Fixed::from_raw(34 * 1024 + 16 * offset), Fixed::from_raw(26 * 1024 + 410));
        world.put(strayed, at, Vec2::ZERO).expect("alive");
        assert!(ticks_until_all_arrive(&mut world, &units, 700).is_ok(), "{offset}");
    }
}

/// Pillars of one and of four cells, at least two cells apart.
fn forest(seed: u64) -> Grid {
    let mut grid = Grid::filled(90, 50, 1);
    let mut random = SplitMix::new(seed);
    for _ in 0..600 {
        let side = 1 + random.below(2) as i32;
        let (x, y) = (25 + random.below(40) as i32, 2 + random.below(45) as i32);
        let mut around = (y - 2..y + side + 2).flat_map(|y| (x - 2..x + side + 2).map(move |x| (x, y)));
        if around.all(|at| grid.get(at) == Some(1)) {
            for (x, y) in [(x, y), (x + side - 1, y), (x, y + side - 1), (x + side - 1, y + side - 1)] {
                grid.set((x, y), 255);
            }
        }
    }
    grid
}

#[test]
fn a_group_gets_through_a_forest_of_pillars() {
    for seed in 1..=4 {
        let mut world = world_on(&forest(seed), Config::default());
        let kind = soldier(&mut world);
        let places: Vec<CellPos> = CellRect::at(cell(6, 20), 12, 10).cells().collect();
        let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
        world.order(&units, Order::move_to(cell(78, 25)).formation(Formation::Box)).expect("good");
        let took = ticks_until_all_arrive(&mut world, &units, 1400);
        assert!(took.is_ok(), "{seed}: {took:?} units did not arrive");
    }
}

#[test]
fn a_unit_that_is_wedged_between_closed_cells_gets_out() {
    for rule in [CornerRule::Forbid, CornerRule::AllowOne, CornerRule::Allow] {
        let mut world = flat_world(32, 32, Config { corner_rule: rule, ..Config::default() });
        let kind = soldier(&mut world);
        let agent = Agent { size: SizeClass::TWO, ..world.types()[usize::from(kind.0)].agent };
        let big =
            world.add_type(UnitType { speed: Fixed::ONE, ..UnitType::new("big", agent) }).expect("legal");
        let unit = world.spawn(big, PlayerId(0), cell(15, 15)).expect("open");
        world.order(&[unit], Order::move_to(cell(4, 4))).expect("good");
        world.tick();
        // The point of the unit that follows routes is exactly on a corner of four cells. The stamp then closes these cells.
        world
            .put(
                unit,
                Vec2::new(Fixed::from_raw(16 * 1024 + 512), Fixed::from_raw(16 * 1024 + 512)),
                Vec2::ZERO,
            )
            .expect("alive");
        world.place(&Stamp::solid(4, 4), cell(15, 15)).expect("on the map");
        let told = until_done(&mut world, unit, 1500);
        assert_eq!(told.last(), Some(&EventKind::Arrived), "{rule:?}: {told:?}");
    }
}

#[test]
fn a_unit_that_follows_a_patrol_never_gives_up() {
    for stride in [3, 6, 10] {
        let mut world = flat_world(48, 24, Config::default());
        let kind = soldier(&mut world);
        let leader = world.spawn(kind, PlayerId(0), cell(10, 12)).expect("open");
        let followers: Vec<UnitId> =
            (0..3).map(|row| world.spawn(kind, PlayerId(0), cell(6, 10 + row)).expect("open")).collect();
        world.order(&[leader], Order::Patrol(vec![cell(10, 12), cell(10 + stride, 12)])).expect("good");
        world.order(&followers[..2], Order::follow(leader, Fixed::ONE)).expect("good");
        world.order(&followers[2..], Order::guard(leader, Fixed::from_cells(2))).expect("good");
        for tick in 0..4000 {
            world.tick();
            let gave_up = world.events().iter().find(|event| matches!(event.what, EventKind::GaveUp(_)));
            assert_eq!(gave_up, None, "{stride} cells, tick {tick}");
        }
    }
}

#[test]
fn a_unit_that_skipped_a_gate_resumes_it_when_it_loses_sight_of_its_slot() {
    // A wall with a door far in the south, and a gap in front of the slots that closes while the units walk to it.
    let mut grid = Grid::filled(64, 48, 1);
    for y in 0..48 {
        if !(8..16).contains(&y) && !(40..44).contains(&y) {
            grid.set((32, y), 255);
        }
    }
    let mut world = world_on(&grid, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(6, 8), 6, 6).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units, Order::move_to(cell(52, 11))).expect("good");
    for _ in 0..60 {
        world.tick();
    }
    world.place(&Stamp::solid(1, 8), cell(32, 8)).expect("on the map");
    let took = ticks_until_all_arrive(&mut world, &units, 1600);
    assert!(took.is_ok(), "{took:?} units did not arrive");
}
