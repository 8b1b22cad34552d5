//! A World that runs makes no memory.

use waymarch::base::{CellPos, CellRect, Fixed, cell};
use waymarch::config::Config;
use waymarch::query::{Goal, Shape};
use waymarch::world::{EventKind, Order, PlayerId};
use waymarch_testkit::alloc::{CountingAllocator, allocations_in};
use waymarch_testkit::worlds::{flat_world, soldier};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn ticks_of_a_steady_world_allocate_nothing() {
    let mut world = flat_world(256, 256, Config::default());
    let kind = soldier(&mut world);
    // Travellers, and out of their way those who hold and those who follow.
    let blocks = [((10, 10), 25, 10), ((10, 100), 15, 10)];
    let places: Vec<CellPos> = blocks
        .iter()
        .flat_map(|&((x, y), width, height)| CellRect::at(cell(x, y), width, height).cells())
        .collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units[..200], Order::move_to(cell(240, 240))).expect("good");
    let docks = Goal::AnyOf(vec![Shape::Point(cell(200, 200)), Shape::Point(cell(250, 3))]);
    world.order(&units[200..250], Order::Move(docks)).expect("good");
    world.order(&units[350..], Order::Hold).expect("good");
    world.order(&units[251..350], Order::follow(units[250], Fixed::from_cells(30))).expect("good");
    (0..300).for_each(|_| world.tick());
    for _ in 0..300 {
        let before = world.service().work();
        let (count, ()) = allocations_in(|| world.tick());
        // A unit that others keep from getting on may be given another route, which is kept somewhere.
        let answered = world.service().work() != before || !world.events().is_empty();
        assert!(count.calls == 0 || answered, "under way: {count:?}");
    }
    let mut arrived = 0;
    let (count, ()) = allocations_in(|| {
        for _ in 0..5000 {
            world.tick();
            arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
        }
    });
    assert_eq!(arrived, 250);
    // The list of events grows once, when many arrive in one tick.
    assert!(count.calls <= 16, "{count:?}");
}
