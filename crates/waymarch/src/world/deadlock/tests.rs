//! Zones with too many units, and zones of damaged saves.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, GridSize, Tick, cell};
use crate::config::Config;
use crate::cost::{Map, Rules};
use crate::nav::Navigator;
use crate::world::deadlock::zone::Zone;
use crate::world::units::zone_step::ZoneStep;
use crate::world::{PlayerId, UnitType, World};

/// Units in a block 30 cells wide, inside a zone.
fn world_with_zone(count: i32) -> World {
    let map = Map::flat("field", GridSize::new(64, 64).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    let foot = world.nav().locomotor("foot").unwrap();
    let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let places: Vec<CellPos> = (0..count).map(|number| cell(10 + number % 30, 10 + number / 30)).collect();
    world.spawn_many(kind, PlayerId(0), &places).unwrap();
    let area = CellRect::at(cell(5, 5), 50, 50);
    world.state.zones.list.push(Zone { area, since: Tick(0), reached: Tick(0), calm: 0, frozen: 0 });
    world
}

/// Such a zone took from the plan before whether a unit had reached its goal. A World that was loaded knew of no plan before.
#[test]
fn a_zone_with_more_units_than_are_planned_goes_on_alike_whatever_was_planned_before() {
    let mut world = world_with_zone(600);
    let mut other = world.clone();
    for tick in 0..12 {
        other.poison_scratch();
        world.tick();
        other.tick();
        assert_eq!(world.state.zones, other.state.zones, "tick {tick}");
        assert_eq!(world.state_hash(), other.state_hash(), "tick {tick}");
    }
    assert!(!world.state.zones.list.is_empty());
}

/// All pairs of units in the zone were compared, although no step was planned.
#[test]
fn a_zone_with_more_units_than_are_planned_finds_no_clusters() {
    let mut world = world_with_zone(600);
    (0..12).for_each(|_| world.tick());
    assert!(world.pipeline.deadlocks.late.is_empty());
    let mut world = world_with_zone(60);
    (0..12).for_each(|_| world.tick());
    assert_eq!(world.pipeline.deadlocks.late.len(), 60);
}

/// A damaged save panicked in the first tick, with overflow checks.
#[test]
fn a_unit_that_was_told_to_step_at_the_end_of_time_is_loaded_and_ticked() {
    let mut world = world_with_zone(3);
    let step = ZoneStep { from: cell(10, 10), to: cell(11, 10), since: Tick::MAX, waits: false };
    world.state.units.step[0] = Some(step);
    let mut loaded = World::load(&world.save()).unwrap();
    (0..100).for_each(|_| loaded.tick());
}
