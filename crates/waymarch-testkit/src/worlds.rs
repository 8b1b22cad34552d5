//! Worlds for tests.

use waymarch::base::{CellPos, GridSize};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::world::{EventKind, Navigator, PlayerId, UnitId, UnitType, UnitTypeId, World};

/// A world on flat ground with the standard rules.
///
/// # Panics
/// If the size or the settings are not legal.
#[must_use]
pub fn flat_world(width: u32, height: u32, config: Config) -> World {
    let size = GridSize::new(width, height).expect("a legal size");
    let map = Map::flat("field", size, Rules::standard());
    World::new(Navigator::new(map, config).expect("a legal map"))
}

/// Adds a unit type on foot with a speed of an eighth of a cell per tick.
///
/// # Panics
/// If the map has no locomotor `foot`.
pub fn soldier(world: &mut World) -> UnitTypeId {
    let foot = world.nav().locomotor("foot").expect("all maps of the testkit have it");
    world.add_type(UnitType::new("soldier", foot)).expect("a legal kind")
}

/// Adds a soldier type and one unit of it.
///
/// # Panics
/// If the unit cannot stand there.
pub fn one_at(world: &mut World, at: CellPos) -> UnitId {
    let kind = soldier(world);
    world.spawn(kind, PlayerId(0), at).expect("open ground")
}

/// The events of `unit` in the last tick.
pub fn told(world: &World, unit: UnitId) -> impl Iterator<Item = EventKind> {
    world.events().iter().filter(move |event| event.unit == unit).map(|event| event.what)
}

/// Runs ticks until an order of `unit` ends, at most `most` ticks; returns its events.
pub fn until_done(world: &mut World, unit: UnitId, most: u32) -> Vec<EventKind> {
    let mut seen = Vec::new();
    for _ in 0..most {
        world.tick();
        seen.extend(told(world, unit));
        if matches!(seen.last(), Some(EventKind::Arrived | EventKind::GaveUp(_))) {
            break;
        }
    }
    seen
}
