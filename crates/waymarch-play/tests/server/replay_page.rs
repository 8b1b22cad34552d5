//! Replay pages are small enough to be sent around.

use waymarch::world::Serial;
use waymarch_maps::scenario::{Placement, Simulation, builtin_scenario};
use waymarch_play::replay_page;

#[test]
fn five_seconds_of_a_thousand_units_fit_into_three_megabytes() {
    let mut scenario = builtin_scenario("order-storm").unwrap();
    // The `order-storm` scenario with a thousand units.
    scenario.squads.truncate(1);
    scenario.squads[0].place = Placement::Rect(scenario.setup.map.size.rect(), 1000);
    scenario.groups.iter_mut().for_each(|group| group.squads = vec![0]);
    let mut simulation = Simulation::new(scenario, 0).unwrap();
    (0..100).for_each(|_| simulation.step(&Serial));
    let moving = simulation.world().units().filter(|unit| !unit.velocity.is_zero()).count();
    assert!(moving >= 500, "only {moving} units move");
    let html = replay_page(&simulation.finish(), &Serial).unwrap();
    let units = 1000;
    println!("{units} units, 100 ticks: {} bytes", html.len());
    assert!(html.len() <= 3_000_000, "{} bytes", html.len());
}
