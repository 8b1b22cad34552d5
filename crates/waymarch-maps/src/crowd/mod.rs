//! Crowd scenes: units with goals between walls, as JSON files that other engines read too.
//!
//! Lengths are in cells, times in seconds; `agents` are `[x, y, radius, speed, goal_x, goal_y, group, shortest way]`, `walls` and
//! `measure_lines` are `[x0, y0, x1, y1]`. [`CrowdScene::ground`] makes a map of the walls.

mod ground;
mod read;
#[cfg(test)]
mod tests;

pub use ground::Ground;
pub use read::{read, read_scene};

/// A unit of a scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdAgent {
    /// Where it starts.
    pub at: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Its speed in cells per second.
    pub speed: f64,
    /// Where it is to go.
    pub goal: [f64; 2],
    /// Who goes together.
    pub group: u32,
    /// The length of its shortest way; 0 for one that stays.
    pub shortest: f64,
}

/// A crowd scene.
#[derive(Clone, PartialEq, Debug)]
pub struct CrowdScene {
    /// What it is called.
    pub name: String,
    /// Ticks per second.
    pub ticks_per_second: u16,
    /// When to give up.
    pub max_ticks: u32,
    /// This near to its goal a unit has arrived.
    pub tolerance: f64,
    /// The shortest time in which all can be there, in seconds.
    pub lower_bound: f64,
    /// Whether it is about nothing but speed.
    pub perf: bool,
    /// Walls, as boxes.
    pub walls: Vec<[f64; 4]>,
    /// Where the width of the stream is measured.
    pub measure_lines: Vec<[f64; 4]>,
    /// The units.
    pub agents: Vec<CrowdAgent>,
    /// Groups whose units may exchange goals.
    pub interchangeable: Vec<u32>,
}
