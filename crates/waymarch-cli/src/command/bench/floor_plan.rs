//! Floor plans: open and closed cells, for scenes that are built in code.

use waymarch::base::{CellPos, CellRect, GridSize, cell};
use waymarch::cost::{Map, Rules, TerrainId};

use crate::diagnostics::Failure;

/// The cells `x0..x1`, `y0..y1`, as `[x0, y0, x1, y1]`.
pub(super) type Area = [i32; 4];

/// A rectangle of open and closed cells.
#[derive(Clone, Debug)]
pub(super) struct FloorPlan {
    width: i32,
    height: i32,
    closed: Vec<bool>,
}

impl FloorPlan {
    /// A plan with all cells closed.
    pub(super) fn solid(width: i32, height: i32) -> Self {
        Self { width, height, closed: vec![true; width.max(0) as usize * height.max(0) as usize] }
    }

    /// A plan with all cells open, except a border one cell thick that keeps units inside.
    pub(super) fn field(width: i32, height: i32) -> Self {
        Self::solid(width, height).clear([1, 1, width - 1, height - 1])
    }

    /// The indices of the cells of an area.
    fn places(&self, [x0, y0, x1, y1]: Area) -> impl Iterator<Item = usize> + use<> {
        let (width, columns) = (self.width, x0.max(0)..x1.min(self.width));
        let rows = y0.max(0)..y1.min(self.height);
        rows.flat_map(move |y| columns.clone().map(move |x| (y * width + x) as usize))
    }

    pub(super) fn wall(mut self, area: Area) -> Self {
        self.places(area).for_each(|place| self.closed[place] = true);
        self
    }

    pub(super) fn clear(mut self, area: Area) -> Self {
        self.places(area).for_each(|place| self.closed[place] = false);
        self
    }

    /// Whether a cell is closed; cells outside the plan are.
    pub(super) fn is_closed(&self, at: CellPos) -> bool {
        let inside = (0..self.width).contains(&at.x) && (0..self.height).contains(&at.y);
        !inside || self.closed[(at.y * self.width + at.x) as usize]
    }

    /// The open cells of an area, row by row.
    pub(super) fn open_cells(&self, [x0, y0, x1, y1]: Area) -> Vec<CellPos> {
        CellRect { x0, y0, x1, y1 }.cells().filter(|&at| !self.is_closed(at)).collect()
    }

    /// All open cells, row by row.
    pub(super) fn all_open_cells(&self) -> Vec<CellPos> {
        self.open_cells([0, 0, self.width, self.height])
    }

    /// The closed cells as boxes: runs in a row, merged with equal runs of the row above.
    pub(super) fn boxes(&self) -> Vec<[f64; 4]> {
        let mut walls: Vec<Area> = Vec::new();
        for y in 0..self.height {
            let mut x = 0;
            while x < self.width {
                let end = (x..self.width).find(|&end| !self.is_closed(cell(end, y))).unwrap_or(self.width);
                if end > x {
                    match walls.iter_mut().find(|wall| (wall[0], wall[2], wall[3]) == (x, end, y)) {
                        Some(above) => above[3] = y + 1,
                        None => walls.push([x, y, end, y + 1]),
                    }
                }
                x = end + 1;
            }
        }
        walls.into_iter().map(|wall| wall.map(f64::from)).collect()
    }

    /// The plan as a map with standard rules: closed cells are walls.
    pub(super) fn map(&self, name: &str) -> Result<Map, Failure> {
        let size = GridSize::new(self.width as u32, self.height as u32).map_err(Failure::invalid)?;
        let rules = Rules::standard();
        let wall = rules.terrains.iter().position(|terrain| terrain.name == "Wall").unwrap_or(0) as u8;
        let mut map = Map::flat(name, size, rules);
        for at in size.rect().cells().filter(|&at| self.is_closed(at)) {
            map.set_terrain(at, TerrainId(wall));
        }
        Ok(map)
    }
}
