//! Reads crowd scenes.

use std::path::Path;

use serde::Deserialize;

use super::{CrowdAgent, CrowdScene};
use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

/// Files larger than 256 MiB are refused.
const MAX_BYTES: u64 = 256 << 20;

/// All coordinates lie within 4000 cells of the origin.
const FAR: f64 = 4000.0;

#[derive(Deserialize)]
struct JsonScene {
    name: String,
    dt: f64,
    max_ticks: u32,
    goal_tol: f64,
    #[serde(default)]
    lower_bound_s: f64,
    #[serde(default)]
    perf: bool,
    #[serde(default)]
    walls: Vec<[f64; 4]>,
    #[serde(default)]
    measure_lines: Vec<[f64; 4]>,
    agents: Vec<[f64; 8]>,
    #[serde(default)]
    interchangeable_groups: Vec<u32>,
}

/// Reads a scene from a file.
///
/// # Errors
/// [`FileError`] with the file, the place in it and the problem.
pub fn read(path: &Path) -> FileResult<CrowdScene> {
    let bytes = file_bytes::read_file(path, MAX_BYTES)?;
    read_scene(&path.display().to_string(), &bytes)
}

/// Reads a scene from the bytes of a file; `name` appears in errors.
///
/// # Errors
/// As [`read`].
pub fn read_scene(name: &str, bytes: &[u8]) -> FileResult<CrowdScene> {
    let text = file_bytes::utf8(name, bytes)?;
    let scene: JsonScene = serde_json::from_str(text).map_err(|error| {
        let place = Place::Text { line: error.line().max(1), column: error.column().max(1), span: None };
        FileError::new(name, error.to_string()).at(place)
    })?;
    let wrong = |key: String, problem: &str| Err(FileError::new(name, problem).at(Place::Key(key)));
    let ticks = (1.0 / scene.dt).round();
    if !(1.0..=240.0).contains(&ticks) {
        return wrong("dt".into(), "`dt` must be 1/240 to 1 second");
    }
    if !(0.0..=FAR).contains(&scene.goal_tol) || !(0.0..=1e9).contains(&scene.lower_bound_s) {
        return wrong(
            "goal_tol".into(),
            "`goal_tol` must be 0..=4000 cells and `lower_bound_s` 0..=1e9 seconds",
        );
    }
    for (list, lines) in [("walls", &scene.walls), ("measure_lines", &scene.measure_lines)] {
        if let Some(at) = lines.iter().position(|line| !line.iter().all(|part| part.abs() <= FAR)) {
            return wrong(format!("{list}[{at}]"), "coordinates must lie within 4000 cells of the origin");
        }
    }
    let mut agents = Vec::with_capacity(scene.agents.len());
    for (number, &[x, y, radius, speed, goal_x, goal_y, group, shortest]) in scene.agents.iter().enumerate() {
        let key = || format!("agents[{number}]");
        if ![x, y, goal_x, goal_y].iter().all(|part| part.abs() <= FAR) {
            return wrong(key(), "coordinates must lie within 4000 cells of the origin");
        }
        if !(0.0625..=8.0).contains(&radius) || !(0.001..=64.0).contains(&speed) {
            return wrong(
                key(),
                "the radius must be 1/16 to 8 cells and the speed 0.001 to 64 cells per second",
            );
        }
        if !(0.0..=4e9).contains(&group) || group.fract() != 0.0 || !(0.0..=1e9).contains(&shortest) {
            return wrong(
                key(),
                "the group must be a whole number and the shortest route a length of 0 or more",
            );
        }
        agents.push(CrowdAgent {
            at: [x, y],
            radius,
            speed,
            goal: [goal_x, goal_y],
            group: group as u32,
            shortest,
        });
    }
    Ok(CrowdScene {
        name: scene.name,
        ticks_per_second: ticks as u16,
        max_ticks: scene.max_ticks,
        tolerance: scene.goal_tol,
        lower_bound: scene.lower_bound_s,
        perf: scene.perf,
        walls: scene.walls,
        measure_lines: scene.measure_lines,
        agents,
        interchangeable: scene.interchangeable_groups,
    })
}
