//! Checks that the scenes are valid.

use waymarch::config::AvoidanceModel;
use waymarch_maps::crowd::CrowdAgent;

use super::super::run::{Motion, RunSettings, run_scene};
use super::{names, scene};
use crate::movement_metrics::distance;

#[test]
fn starts_and_goals_are_open_and_apart_and_have_routes() {
    assert!(names().count() >= 12);
    for name in names() {
        let scene = scene(name).expect("it is in the list").expect("it can be drawn");
        assert_eq!(scene.name, name);
        let count = name.rsplit('_').next().and_then(|word| word.parse().ok());
        assert_eq!(count, Some(scene.agents.len()), "{name}");
        for of in [|agent: &CrowdAgent| agent.at, |agent: &CrowdAgent| agent.goal] {
            for (number, agent) in scene.agents.iter().enumerate() {
                let at = of(agent);
                for &[x0, y0, x1, y1] in &scene.walls {
                    let nearest = [at[0].clamp(x0, x1), at[1].clamp(y0, y1)];
                    assert!(distance(at, nearest) >= agent.radius, "{name}: {at:?} is in a wall");
                }
                for other in &scene.agents[..number] {
                    let apart = distance(at, of(other));
                    assert!(apart >= agent.radius + other.radius, "{name}: {at:?} and {:?}", of(other));
                }
            }
        }
        for agent in &scene.agents {
            let straight = distance(agent.at, agent.goal);
            assert!(agent.shortest >= straight - 1e-9 && straight > 10.0, "{name}: {agent:?}");
            assert!(agent.shortest / agent.speed <= scene.lower_bound + 1e-9, "{name}: {agent:?}");
        }
    }
}

#[test]
fn shortest_routes_around_walls_are_as_long_as_a_pulled_string() {
    // Around the end of the wall at x = 46. The string turns half a cell away from the corners.
    let scene = scene("uturn_60").expect("a scene").expect("drawn");
    let agent = scene.agents[0];
    let corners = [[46.5, 23.5], [46.5, 26.5]];
    let string = distance(agent.at, corners[0]) + 3.0 + distance(corners[1], agent.goal);
    assert!((agent.shortest - string).abs() < 0.01, "{} {string}", agent.shortest);
}

#[test]
fn all_units_reach_their_goals_at_a_crossroads_and_among_pillars() {
    for name in ["crossroads_96", "pillars_120"] {
        let scene = scene(name).expect("a scene").expect("drawn");
        let model = AvoidanceModel::default();
        let how =
            RunSettings { model, seed: 1, ticks_per_second: None, motion: Motion::Infantry, threads: 1 };
        let record = run_scene(&scene, how).expect("it can be played");
        let last = record.frames.last().expect("the start at least");
        for (number, (at, goal)) in last.iter().zip(&record.goals).enumerate() {
            assert!(distance(*at, *goal) < 1.0, "{name}: unit {number} is at {at:?}, not at {goal:?}");
        }
    }
}
