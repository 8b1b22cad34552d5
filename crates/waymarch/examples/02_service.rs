//! Many units ask at once. Run it with `cargo run -p waymarch --example 02_service`.
//!
//! The path service gives each request a name and serves as many of them in a tick as the budgets allow: an order to a thousand units
//! is no lag spike. Budgets count work, never time, so that every player's machine answers in the same tick.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::{PathAsk, Priority};
use waymarch::world::{Guidance, Navigator, PathService, PathStatus};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::flat("field", GridSize::new(128, 128)?, Rules::spec_000());
    // Twenty requests a tick. No flows here (see below): everybody is to have a route of its own.
    let config = Config { max_paths_per_tick: 20, flowfield_group_threshold: 100_000, ..Config::default() };
    let nav = Navigator::new(map, config)?;
    let foot = nav.locomotor("foot").ok_or("no such locomotor")?;
    let mut service = PathService::new(nav);
    service.nav_mut().place(&Stamp::solid(2, 60), cell(60, 30))?;

    // A hundred requests, and one that a player clicked.
    let ids: Vec<_> = (0..100)
        .map(|unit| {
            let (from, to) = (cell(5, 10 + unit), cell(120, 110 - unit));
            service.request(PathAsk::new(from.centre(), to, foot).with_priority(Priority::Low))
        })
        .collect();
    let clicked = PathAsk::new(cell(3, 3).centre(), cell(100, 64), foot).with_priority(Priority::High);
    let clicked = service.request(clicked);

    let mut ticks = 0;
    while service.waiting() > 0 {
        service.tick();
        ticks += 1;
        let done = ids.iter().filter(|id| service.status(**id) == Some(PathStatus::Complete)).count();
        println!("tick {ticks}: {done} of 100 have their routes, {} wait", service.waiting());
        // Whoever waits has something to follow all the same: a way over the doors between sectors, or straight on.
        assert!(ids.iter().all(|id| service.guidance(*id).is_some()));
        assert_eq!(service.status(clicked), Some(PathStatus::Complete), "players do not wait");
    }
    assert!(ticks >= 5, "twenty a tick");

    // What to follow, and what it took to find it.
    if let Some(Guidance::Waypoints(points)) = service.guidance(clicked) {
        println!("the click: {} points, the last at {:?}", points.len(), points.last());
        assert_eq!(points.last(), Some(&cell(100, 64).centre()));
    }
    if let Some(report) = service.report(clicked) {
        println!("found by {}, because {}, in {} nodes", report.planner, report.reason, report.nodes);
    }

    // That there is no way is said at once, and why.
    let inside = service.request(PathAsk::new(cell(3, 3).centre(), cell(60, 40), foot));
    let status = service.status(inside).ok_or("it was not cancelled")?;
    println!("into the wall: {status}");
    assert!(matches!(status, PathStatus::Unreachable(_)));
    Ok(())
}
