//! Many units ask at once. Run it with `cargo run -p waymarch --example 02_service`.
//!
//! The path service gives each request an id and serves as many requests in a tick as the budgets allow. An order to a thousand units
//! does not stall the game. Budgets count work, never time, so every player's machine answers in the same tick.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::{PathAsk, Priority};
use waymarch::world::{Guidance, Navigator, PathService, PathStatus};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::flat("field", GridSize::new(128, 128)?, Rules::standard());
    // Twenty requests a tick. The threshold switches flow fields off: every unit gets a route of its own.
    let config = Config { max_paths_per_tick: 20, flowfield_group_threshold: 100_000, ..Config::default() };
    let nav = Navigator::new(map, config)?;
    let foot = nav.locomotor("foot").ok_or("no such locomotor")?;
    let mut service = PathService::new(nav);
    service.nav_mut().place(&Stamp::solid(2, 60), cell(60, 30))?;

    // A hundred requests with low priority, and one for a player's click.
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
        // A waiting unit has guidance too: an interim route over the doors between sectors, or a straight line.
        assert!(ids.iter().all(|id| service.guidance(*id).is_some()));
        assert_eq!(
            service.status(clicked),
            Some(PathStatus::Complete),
            "the request of a click is answered at once"
        );
    }
    assert!(ticks >= 5, "at most twenty requests are answered in a tick");

    // The route to follow, and the work that found it.
    if let Some(Guidance::Waypoints(points)) = service.guidance(clicked) {
        println!("the click: {} points, the last at {:?}", points.len(), points.last());
        assert_eq!(points.last(), Some(&cell(100, 64).centre()));
    }
    if let Some(report) = service.report(clicked) {
        println!("found by {}, because {}, in {} nodes", report.planner, report.reason, report.nodes);
    }

    // An unreachable goal is reported at once, with the reason.
    let inside = service.request(PathAsk::new(cell(3, 3).centre(), cell(60, 40), foot));
    let status = service.status(inside).ok_or("the request was cancelled")?;
    println!("into the wall: {status}");
    assert!(matches!(status, PathStatus::Unreachable(_)));
    Ok(())
}
