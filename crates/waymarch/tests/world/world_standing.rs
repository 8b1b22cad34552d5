//! Units in place stand still: they hold their facing, and take the facing that their order names.

use std::collections::BTreeMap;

use waymarch::base::{Angle, Dir8, Fixed, cell};
use waymarch::config::Config;
use waymarch::groups::Formation;
use waymarch::world::{Order, UnitId, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::block;

/// 6 degrees, in 65,536ths of a turn.
const SIX_DEGREES: u16 = 65_536_u32.div_ceil(60) as u16;

/// Runs ticks. Returns the ticks of units without an order, and how many of them turned a unit by more than 6 degrees.
fn idle_turns(world: &mut World, units: &[UnitId], ticks: u32) -> (usize, usize) {
    let (mut idle, mut turned) = (0, 0);
    let mut before: BTreeMap<UnitId, Angle> = BTreeMap::new();
    for _ in 0..ticks {
        world.tick();
        for &unit in units {
            if world.orders_of(unit).next().is_some() {
                before.remove(&unit);
                continue;
            }
            let now = world.unit(unit).expect("alive").facing;
            if let Some(old) = before.insert(unit, now) {
                idle += 1;
                turned += usize::from(old.turn_to(now).unsigned_abs() > SIX_DEGREES);
            }
        }
    }
    (idle, turned)
}

#[test]
fn units_in_place_do_not_turn_while_others_arrive_beside_them_and_walk_through_them() {
    let mut world = flat_world(64, 64, Config::default());
    let units = block(&mut world, cell(4, 20), 6, 6);
    world.order(&units, Order::move_to(cell(30, 24)).formation(Formation::Box)).expect("good");
    let (idle, turned) = idle_turns(&mut world, &units, 500);
    assert!(idle > 4_000 && turned * 200 <= idle, "{turned} of {idle} while they arrive");
    let others = block(&mut world, cell(4, 20), 4, 4);
    world.order(&others, Order::move_to(cell(56, 24))).expect("good");
    let (idle, turned) = idle_turns(&mut world, &units, 600);
    assert!(idle == 36 * 599 && turned * 200 <= idle, "{turned} of {idle} while others walk through");
}

#[test]
fn a_unit_that_is_pushed_steps_back_without_turning() {
    let mut world = flat_world(48, 32, Config::default());
    let standing = block(&mut world, cell(24, 16), 1, 1)[0];
    let start = world.unit(standing).expect("alive");
    let walker = block(&mut world, cell(4, 16), 1, 1)[0];
    world.order(&[walker], Order::move_to(cell(44, 16))).expect("good");
    let mut farthest = Fixed::ZERO;
    for _ in 0..600 {
        world.tick();
        let unit = world.unit(standing).expect("alive");
        assert_eq!(unit.facing, start.facing, "tick {}", world.now());
        farthest = farthest.max(unit.position.distance(start.position));
    }
    let end = world.unit(standing).expect("alive").position.distance(start.position);
    assert!(farthest > Fixed::from_raw(256) && farthest < Fixed::from_cells(2), "it makes way: {farthest}");
    assert!(end < Fixed::from_raw(200), "it is back: {end}");
}

#[test]
fn an_order_without_a_formation_can_name_a_facing() {
    for count in [1, 2, 12] {
        let mut world = flat_world(64, 64, Config::default());
        let units = block(&mut world, cell(8, 8), count, 1);
        world.order(&units, Order::move_to(cell(40, 40)).facing(Dir8::N)).expect("good");
        (0..700).for_each(|_| world.tick());
        for &unit in &units {
            assert!(world.orders_of(unit).next().is_none());
            assert_eq!(world.unit(unit).expect("alive").facing, Dir8::N.into(), "one of {count}");
        }
    }
}
