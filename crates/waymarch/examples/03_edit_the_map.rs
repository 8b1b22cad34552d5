//! Buildings appear and disappear while a unit walks. Run it with `cargo run -p waymarch --example 03_edit_the_map`.
//!
//! A `World` moves units tick by tick and reports events. Every change is a command, so games can be recorded.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::world::{EventKind, Navigator, Order, PlayerId, RouteChange, UnitType, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::flat("field", GridSize::new(64, 32)?, Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default())?);
    let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
    let soldier = world.add_type(UnitType::new("soldier", foot))?;
    let unit = world.spawn(soldier, PlayerId(0), cell(4, 16))?;
    world.order(&[unit], Order::move_to(cell(60, 16)))?;

    // A wall with one gap is built across the route. Later the gap is closed, and then opened again.
    let mut gap = None;
    let mut story = Vec::new();
    for tick in 0..1200 {
        if tick == 40 {
            world.place(&Stamp::solid(1, 30), cell(32, 0))?;
        }
        if tick == 80 {
            gap = Some(world.place(&Stamp::solid(1, 2), cell(32, 30))?);
        }
        if let Some(gap) = gap.filter(|_| tick == 150) {
            world.remove_stamp(gap)?;
        }
        world.tick();
        for event in world.events() {
            println!("tick {tick}: at {:?}: {:?}", world.cell_of(event.unit), event.what);
            story.push(event.what);
        }
        if story.last() == Some(&EventKind::Arrived) {
            break;
        }
    }

    // Events report that the route changed, that no route was left, and that the unit went on when the gap opened. An order
    // to move always ends with an event. If the gap stayed closed, that event would be `GaveUp` with a reason.
    assert!(story.iter().any(|what| matches!(what, EventKind::Blocked(_))));
    assert!(story.contains(&EventKind::RouteChanged(RouteChange::Opened)));
    assert_eq!(story.last(), Some(&EventKind::Arrived));
    assert_eq!(world.cell_of(unit), Some(cell(60, 16)));
    Ok(())
}
