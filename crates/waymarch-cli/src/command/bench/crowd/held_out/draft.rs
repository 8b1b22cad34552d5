//! Builds a scene from open and closed cells and from units in blocks.

use waymarch::base::{CellPos, LocomotorId};
use waymarch::config::Config;
use waymarch::query::{PathQuery, Smoothing};
use waymarch::search::{Route, SmoothPath};
use waymarch::world::Navigator;
use waymarch_maps::crowd::{CrowdAgent, CrowdScene};

use super::super::super::floor_plan::{Area, FloorPlan};
use crate::diagnostics::{Failure, Kind};
use crate::movement_metrics::distance;

/// Units move 2 cells per second, at 20 ticks per second.
const SPEED: f64 = 2.0;
const TICKS: u16 = 20;

/// Units in rows and columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) middle: [f64; 2],
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) spacing: f64,
    pub(super) radius: f64,
    /// The rotation of the block, in degrees.
    pub(super) turn: f64,
}

impl Block {
    /// Units of radius 0.4, one cell apart.
    pub(super) fn new(middle: [f64; 2], columns: u32, rows: u32) -> Self {
        Self { middle, columns, rows, spacing: 1.0, radius: 0.4, turn: 0.0 }
    }

    fn offsets(self) -> impl Iterator<Item = [f64; 2]> {
        let part =
            move |number: u32, count: u32| (f64::from(number) - f64::from(count - 1) / 2.0) * self.spacing;
        let (sin, cos) = self.turn.to_radians().sin_cos();
        let numbers = (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (column, row)));
        numbers.map(move |(column, row)| {
            let (x, y) = (part(column, self.columns), part(row, self.rows));
            [x * cos - y * sin, x * sin + y * cos]
        })
    }
}

/// A scene under construction.
pub(super) struct Draft {
    plan: FloorPlan,
    agents: Vec<CrowdAgent>,
    groups: u32,
    lines: Vec<[f64; 4]>,
}

impl From<FloorPlan> for Draft {
    fn from(plan: FloorPlan) -> Self {
        Self { plan, agents: Vec::new(), groups: 0, lines: Vec::new() }
    }
}

impl Draft {
    /// A scene with all cells closed.
    pub(super) fn solid(width: i32, height: i32) -> Self {
        FloorPlan::solid(width, height).into()
    }

    /// A scene with all cells open, except a border one cell thick that keeps units inside.
    pub(super) fn field(width: i32, height: i32) -> Self {
        FloorPlan::field(width, height).into()
    }

    pub(super) fn wall(self, area: Area) -> Self {
        Self { plan: self.plan.wall(area), ..self }
    }

    pub(super) fn clear(self, area: Area) -> Self {
        Self { plan: self.plan.clear(area), ..self }
    }

    /// Whether a cell is closed; cells outside the scene are.
    pub(super) fn is_closed(&self, at: CellPos) -> bool {
        self.plan.is_closed(at)
    }

    /// Adds a line at which the width of the stream is measured.
    pub(super) fn measure(mut self, line: [f64; 4]) -> Self {
        self.lines.push(line);
        self
    }

    /// Adds a group in a block, whose goal is the same block around `to`.
    pub(super) fn send(self, block: Block, to: [f64; 2]) -> Self {
        let ends = block
            .offsets()
            .map(|[x, y]| ([block.middle[0] + x, block.middle[1] + y], [to[0] + x, to[1] + y]));
        self.group(block.radius, ends)
    }

    /// Adds a group of units, each with its start and its goal.
    pub(super) fn group(mut self, radius: f64, ends: impl Iterator<Item = ([f64; 2], [f64; 2])>) -> Self {
        let group = self.groups;
        let agent = |(at, goal)| CrowdAgent { at, radius, speed: SPEED, goal, group, shortest: 0.0 };
        self.agents.extend(ends.map(agent));
        self.groups += 1;
        self
    }

    /// The finished scene. Members of a group may exchange goals. The lower bound of the time is the longest of the units' shortest
    /// routes divided by the speed. The routes come from the engine's exact search, smoothed by string pulling.
    pub(super) fn scene(self, name: &str) -> Result<CrowdScene, Failure> {
        let walls = self.plan.boxes();
        let mut scene = CrowdScene {
            name: name.to_owned(),
            ticks_per_second: TICKS,
            max_ticks: 0,
            tolerance: 0.2,
            lower_bound: 0.0,
            perf: false,
            walls,
            measure_lines: self.lines,
            agents: self.agents,
            interchangeable: (0..self.groups).collect(),
        };
        measure_routes(&mut scene)?;
        let longest = scene.agents.iter().map(|agent| agent.shortest).fold(0.0, f64::max);
        scene.lower_bound = longest / SPEED;
        // The time limit: one minute, five times the lower bound, and one second per unit.
        let seconds = 60.0 + 5.0 * scene.lower_bound + scene.agents.len() as f64;
        scene.max_ticks = seconds.ceil() as u32 * u32::from(TICKS);
        Ok(scene)
    }
}

/// Finds the length of each unit's shortest route.
fn measure_routes(scene: &mut CrowdScene) -> Result<(), Failure> {
    let invalid =
        |error: &dyn ToString| Failure::new(Kind::Invalid, format!("{}: {}", scene.name, error.to_string()));
    let ground = scene.ground().map_err(Failure::from)?;
    let mut nav = Navigator::new(ground.map.clone(), Config::default()).map_err(|error| invalid(&error))?;
    let (mut route, mut path, mut lengths) = (Route::new(), SmoothPath::new(), Vec::new());
    for agent in &scene.agents {
        let [from, to] = [agent.at, agent.goal].map(|at| ground.point(at).cell());
        let query = PathQuery::new(from, to, LocomotorId(0));
        nav.path_into(&query, &mut route).map_err(|error| invalid(&error))?;
        nav.smooth_into(&query, &route, Smoothing::Funnel, &mut path).map_err(|error| invalid(&error))?;
        let place = |raw: i32, axis: usize| f64::from(raw) / 1024.0 - ground.shift[axis];
        let turns = path.points.iter().map(|at| [place(at.x.raw(), 0), place(at.y.raw(), 1)]);
        let turns: Vec<[f64; 2]> = turns.collect();
        let inner = turns.get(1..turns.len().saturating_sub(1)).unwrap_or_default();
        let (mut last, mut length) = (agent.at, 0.0);
        for &point in inner.iter().chain([&agent.goal]) {
            length += distance(last, point);
            last = point;
        }
        lengths.push(length);
    }
    scene.agents.iter_mut().zip(lengths).for_each(|(agent, length)| agent.shortest = length);
    Ok(())
}
