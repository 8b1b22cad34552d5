//! The map of a crowd scene: walls become closed cells.

use waymarch::avoid::{FINE_CELL, Fine};
use waymarch::base::{CellPos, GridSize};
use waymarch::cost::{Map, Rules};

use super::CrowdScene;
use crate::error::{FileError, FileResult, Place};

/// The map extends about 12 cells beyond the scene on every side.
const MARGIN: f64 = 12.0;

/// A crowd scene as a map, and the position of the scene's origin on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ground {
    /// The map. Wall cells are closed to all locomotors, all others are open.
    pub map: Map,
    /// Added to the scene's coordinates to get map coordinates, in cells.
    pub shift: [f64; 2],
}

impl Ground {
    /// Converts a point of the scene to the map. It multiplies by a power of two and rounds, so the result is equal on every machine.
    #[must_use]
    pub fn point(&self, at: [f64; 2]) -> Fine {
        let part = |axis: usize| ((at[axis] + self.shift[axis]) * f64::from(FINE_CELL)).round() as i32;
        Fine::new(part(0), part(1))
    }
}

impl CrowdScene {
    /// The scene's map. A cell that a wall covers in part is closed.
    /// The grid is shifted so that walls lie on its lines, if all walls have the same offset. The outermost walls are extended to the map's edge.
    ///
    /// # Errors
    /// [`FileError`] if the scene is larger than a map can be.
    pub fn ground(&self) -> FileResult<Ground> {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        let points = self.agents.iter().flat_map(|agent| [agent.at, agent.goal]);
        let corners = self.walls.iter().flat_map(|wall| [[wall[0], wall[1]], [wall[2], wall[3]]]);
        for point in points.chain(corners).chain([[0.0, 0.0]]) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let off_grid = |axis: usize| self.walls.first().map_or(0.0, |wall| wall[axis] - wall[axis].floor());
        let shift = [0, 1].map(|axis| MARGIN - low[axis].floor() - off_grid(axis));
        let side = |axis: usize| (high[axis] + shift[axis] + MARGIN).ceil() as u32;
        let size = GridSize::new(side(0), side(1)).map_err(|error| {
            FileError::new(self.name.clone(), error.to_string()).at(Place::Key("agents".into()))
        })?;
        let rules = Rules::standard();
        let wall = rules.terrains.iter().position(|terrain| terrain.name == "Wall").unwrap_or(0) as u8;
        let mut map = Map::flat(self.name.clone(), size, rules);
        for &[x0, y0, x1, y1] in &self.walls {
            // A wall at the outer limit of the scene extends to the map's edge, so that no unit can walk around the wall of a door.
            let first = |at: f64, axis: usize| {
                if at <= low[axis] { 0 } else { (at + shift[axis]).floor() as i32 }
            };
            let end = |at: f64, axis: usize| {
                if at >= high[axis] { side(axis) as i32 } else { (at + shift[axis]).ceil() as i32 }
            };
            for y in first(y0.min(y1), 1)..end(y0.max(y1), 1) {
                for x in first(x0.min(x1), 0)..end(x0.max(x1), 0) {
                    map.set_terrain(CellPos::new(x, y), waymarch::cost::TerrainId(wall));
                }
            }
        }
        Ok(Ground { map, shift })
    }
}
