//! Crowd scenes: units with goals between walls, in JSON files that other engines read too.
//!
//! Lengths are in cells, times in seconds. An agent is `[x, y, radius, speed, goal_x, goal_y, group, shortest route]`; a wall or measure line is
//! `[x0, y0, x1, y1]`. [`CrowdScene::ground`] turns the walls into a map.

mod ground;
mod read;
#[cfg(test)]
mod tests;

pub use ground::Ground;
pub use read::{read, read_scene};

/// A unit of a scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdAgent {
    /// Its start.
    pub at: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Its speed in cells per second.
    pub speed: f64,
    /// Its goal.
    pub goal: [f64; 2],
    /// The number of its group.
    pub group: u32,
    /// The length of its shortest route; 0 for a unit that stays.
    pub shortest: f64,
}

/// A crowd scene.
#[derive(Clone, PartialEq, Debug)]
pub struct CrowdScene {
    /// The scene's name.
    pub name: String,
    /// Ticks per second.
    pub ticks_per_second: u16,
    /// The run ends after this many ticks.
    pub max_ticks: u32,
    /// A unit has arrived when it is this near to its goal, in cells.
    pub tolerance: f64,
    /// A lower bound of the time until all units have arrived, in seconds.
    pub lower_bound: f64,
    /// Whether the scene only measures speed.
    pub perf: bool,
    /// Walls as boxes.
    pub walls: Vec<[f64; 4]>,
    /// Lines at which the width of the stream is measured.
    pub measure_lines: Vec<[f64; 4]>,
    /// The units.
    pub agents: Vec<CrowdAgent>,
    /// Groups whose units may exchange their goals.
    pub interchangeable: Vec<u32>,
}
