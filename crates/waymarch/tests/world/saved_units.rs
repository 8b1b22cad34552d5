//! Saves of units at every speed that they can have. Loading once refused some of them.

use waymarch::avoid::FINE_CELL;
use waymarch::base::{Angle, ByteReader, ByteWriter, Fixed, SizeClass, Vec2, cell};
use waymarch::config::{AvoidanceModel, Config};
use waymarch::cost::Rules;
use waymarch::world::{Order, PathService, PlayerId, UnitId, World};

use crate::twins::{field, soldier};

#[test]
fn units_spawned_on_the_same_cells_are_saved_and_loaded_while_contacts_push_them_apart() {
    for &model in AvoidanceModel::ALL {
        for (count, size) in [(10, SizeClass::ONE), (60, SizeClass::ONE), (10, SizeClass::THREE)] {
            let config = Config { avoidance_model: model, ..Config::default() };
            let mut world = field(64, 64, Rules::standard(), config);
            let kind = soldier(&mut world, size);
            let spawn = |index: i32| world.spawn(kind, PlayerId(0), cell(30 + index % 3, 30)).expect("open");
            let units: Vec<UnitId> = (0..count).map(spawn).collect();
            for tick in 0..40 {
                if tick == 20 {
                    world.order(&units, Order::move_to(cell(50, 30))).expect("alive");
                }
                world.tick();
                let loaded = World::load(&world.save());
                assert!(loaded.is_ok(), "{} {count} units, tick {tick}: {loaded:?}", model.name());
            }
        }
    }
}

#[test]
fn a_unit_on_ground_with_250_per_cent_speed_is_saved_and_loaded() {
    for percent in [100, 190, 210, 250] {
        let rules = Rules { speeds: vec![vec![Some(percent)]], ..Rules::standard() };
        let mut world = field(64, 8, rules, Config::default());
        let kind = soldier(&mut world, SizeClass::ONE);
        let unit = world.spawn(kind, PlayerId(0), cell(2, 2)).expect("open");
        world.order(&[unit], Order::move_to(cell(60, 2))).expect("alive");
        let mut fastest = Fixed::ZERO;
        for tick in 0..60 {
            world.tick();
            fastest = fastest.max(world.unit(unit).expect("alive").velocity.length());
            assert!(World::load(&world.save()).is_ok(), "{percent} per cent, tick {tick}");
        }
        // 128/1024 of a cell per tick is its own speed.
        assert_eq!(fastest.raw(), (128 * i32::from(percent) + 50) / 100, "{percent} per cent");
    }
}

#[test]
fn a_unit_that_the_game_puts_down_at_three_times_its_speed_is_saved_and_loaded() {
    let mut world = field(64, 64, Rules::standard(), Config::default());
    let kind = soldier(&mut world, SizeClass::ONE);
    let unit = world.spawn(kind, PlayerId(0), cell(2, 2)).expect("open");
    for direction in 0..256_u16 {
        for times in 1..=4 {
            let angle = Angle(direction << 8);
            let part = |part: i32| Fixed::from_raw(((i64::from(part) * 128 * times) >> 16) as i32);
            let velocity = Vec2::new(part(angle.cos_16()), part(angle.sin_16()));
            let at = world.unit(unit).expect("alive").position;
            world.put(unit, at, velocity).expect("on the map");
            assert!(World::load(&world.save()).is_ok(), "{velocity:?}");
            let speed = world.unit(unit).expect("alive").velocity.length();
            assert!(speed <= Fixed::from_raw(3 * 128 + 1), "{velocity:?} became {speed:?}");
        }
    }
}

#[test]
fn a_saved_unit_that_is_faster_than_three_times_its_speed_is_refused() {
    let mut world = field(8, 8, Rules::standard(), Config::default());
    let kind = soldier(&mut world, SizeClass::ONE);
    let unit = world.spawn(kind, PlayerId(0), cell(2, 2)).expect("open");
    let at = world.unit(unit).expect("alive").position;
    // A velocity that occurs nowhere else in the bytes.
    world.put(unit, at, Vec2::new(Fixed::from_raw(77), Fixed::from_raw(-55))).expect("on the map");
    let bytes = |x: i32, y: i32| [x.to_le_bytes(), y.to_le_bytes()].concat();
    let own = bytes(77 * (FINE_CELL >> 10), -55 * (FINE_CELL >> 10));
    let mut writer = ByteWriter::new();
    world.save_units(&mut writer);
    let saved = writer.into_bytes();
    let places: Vec<usize> =
        saved.windows(8).enumerate().filter(|(_, at)| *at == own).map(|(at, _)| at).collect();
    assert_eq!(places.len(), 1);
    let speed = FINE_CELL / 8;
    for (velocity, is_legal) in [(3 * speed + 2, true), (3 * speed + 3, false), (i32::MIN, false)] {
        let mut changed = saved.clone();
        changed[places[0]..places[0] + 8].copy_from_slice(&bytes(velocity, 0));
        let service = PathService::new(world.nav().clone());
        let loaded = World::load_units(service, &mut ByteReader::new(&changed));
        assert_eq!(loaded.is_ok(), is_legal, "{velocity}");
    }
}

/// In the bytes of a World with a group, each occurrence of tick 300 is replaced, one at a time, by the largest possible tick.
#[test]
fn a_saved_group_that_was_slotted_at_the_end_of_time_is_refused() {
    const FORMED: u64 = 300;
    let mut world = field(32, 32, Rules::standard(), Config::default());
    let kind = soldier(&mut world, SizeClass::ONE);
    let units =
        [cell(2, 2), cell(3, 2), cell(4, 2)].map(|at| world.spawn(kind, PlayerId(0), at).expect("open"));
    (0..FORMED).for_each(|_| world.tick());
    world.order(&units, Order::move_to(cell(25, 25))).expect("alive");
    (0..10).for_each(|_| world.tick());
    let mut writer = ByteWriter::new();
    world.save_units(&mut writer);
    let saved = writer.into_bytes();
    let ticks = saved.windows(8).enumerate().filter(|(_, bytes)| *bytes == FORMED.to_le_bytes());
    let places: Vec<usize> = ticks.map(|(at, _)| at).collect();
    let mut refused = 0;
    for &place in &places {
        let mut changed = saved.clone();
        changed[place..place + 8].fill(255);
        let service = PathService::new(world.nav().clone());
        match World::load_units(service, &mut ByteReader::new(&changed)) {
            Ok(mut loaded) => (0..30).for_each(|_| loaded.tick()),
            Err(error) => refused += u32::from(error.to_string().contains("in the future")),
        }
    }
    assert!(refused >= 2, "{refused} of {}: when it was formed, and when it got its slots", places.len());
}
