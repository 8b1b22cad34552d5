//! A few small scenes that need no files.

use waymarch_maps::crowd::{CrowdAgent, CrowdScene};

fn scene(name: &str, agents: Vec<CrowdAgent>, seconds: u32) -> CrowdScene {
    let lower_bound = agents.iter().map(|agent| agent.shortest / agent.speed).fold(0.0, f64::max);
    CrowdScene {
        name: name.to_owned(),
        ticks_per_second: 20,
        max_ticks: seconds * 20,
        tolerance: 0.2,
        lower_bound,
        perf: false,
        walls: Vec::new(),
        measure_lines: Vec::new(),
        agents,
        interchangeable: Vec::new(),
    }
}

fn agent(at: [f64; 2], goal: [f64; 2], group: u32) -> CrowdAgent {
    let shortest = (goal[0] - at[0]).hypot(goal[1] - at[1]);
    CrowdAgent { at, radius: 0.4, speed: 2.0, goal, group, shortest }
}

/// Units on a circle, each with its goal on the opposite side.
fn circle(name: &str, count: u32, radius: f64, seconds: u32) -> CrowdScene {
    let on = |number: u32| {
        let angle = std::f64::consts::TAU * f64::from(number) / f64::from(count);
        [radius * angle.cos(), radius * angle.sin()]
    };
    let unit = |number| agent(on(number), on(number).map(|part| -part), 0);
    scene(name, (0..count).map(unit).collect(), seconds)
}

/// 9 units through a block of 36 idle allies.
fn through_idle() -> CrowdScene {
    let mut agents = Vec::new();
    let place = |number: u32, spacing: f64, middle: f64| (f64::from(number) - middle) * spacing;
    for y in 0..6 {
        for x in 0..6 {
            let at = [place(x, 1.2, 2.5), place(y, 1.2, 2.5)];
            agents.push(agent(at, at, 0));
        }
    }
    for y in 0..3 {
        for x in 0..3 {
            let at = [place(x, 1.0, 1.0) - 10.0, place(y, 1.0, 1.0)];
            agents.push(agent(at, [at[0] + 20.0, at[1]], 1));
        }
    }
    scene("idle_45", agents, 60)
}

/// 25 units through a door of 3 cells.
fn door() -> CrowdScene {
    let mut agents = Vec::new();
    for y in 0..5 {
        for x in 0..5 {
            let at = [f64::from(x) - 14.0, f64::from(y) - 2.0];
            agents.push(agent(at, [at[0] + 24.0, at[1]], 0));
        }
    }
    let walls = vec![[0.0, 1.5, 1.0, 15.5], [0.0, -15.5, 1.0, -1.5]];
    let measure_lines = vec![[1.0, -1.5, 1.0, 1.5]];
    CrowdScene { walls, measure_lines, ..scene("door3_25", agents, 120) }
}

/// All small scenes.
pub(super) fn scenes() -> Vec<CrowdScene> {
    let head_on = vec![agent([-10.0, 0.0], [10.0, 0.0], 0), agent([10.0, 0.0], [-10.0, 0.0], 0)];
    vec![
        scene("headon_2", head_on, 60),
        circle("circle_16", 16, 10.0, 60),
        circle("circle_100", 100, 25.0, 120),
        through_idle(),
        door(),
    ]
}
