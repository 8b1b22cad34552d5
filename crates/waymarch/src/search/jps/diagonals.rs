//! Where diagonal jumps stop: one bit per cell and diagonal direction, laid out along the diagonals.

use super::stops::StopPlanes;
use crate::base::{BitLines, CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per diagonal direction, the cells where a diagonal jump must look up: because a straight
/// jump from there finds a jump point, or because the next diagonal step is not legal.
///
/// The bits lie along the diagonals, so that a diagonal jump is a scan for one set bit, as a straight one is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagonalPlanes {
    grid: GridSize,
    north_east: BitLines,
    south_east: BitLines,
    south_west: BitLines,
    north_west: BitLines,
}

impl DiagonalPlanes {
    /// From the closed cells of a map and the stops of its straight jumps.
    #[must_use]
    pub fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let plane = BitLines::new(grid.width() + grid.height() - 1, grid.width());
        let mut planes = Self {
            grid,
            north_east: plane.clone(),
            south_east: plane.clone(),
            south_west: plane.clone(),
            north_west: plane,
        };
        planes.recompute(closed, stops, grid.rect());
        planes
    }

    /// Sets right what a change of cells within `changed` can affect; `stops` must be up to date.
    pub fn update(&mut self, closed: &RowColBits, stops: &StopPlanes, changed: CellRect) {
        // Stops changed one cell around; what sees them lies in the same rows and columns.
        let around = changed.grow(1, 1).intersect(self.grid.rect());
        let whole = self.grid.rect();
        self.recompute(closed, stops, CellRect { x0: whole.x0, x1: whole.x1, ..around });
        self.recompute(closed, stops, CellRect { y0: whole.y0, y1: whole.y1, ..around });
    }

    fn recompute(&mut self, closed: &RowColBits, stops: &StopPlanes, area: CellRect) {
        for at in area.cells() {
            if closed.get(at) {
                for dir in [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW] {
                    self.set(at, dir, true);
                }
                continue;
            }
            let sees = |dir: Dir8| {
                let stop = stops.jump(at, dir);
                let to = at.offset(dir.dx() * stop.steps as i32, dir.dy() * stop.steps as i32);
                !closed.get(to)
            };
            let seen = [sees(Dir8::N), sees(Dir8::E), sees(Dir8::S), sees(Dir8::W)];
            let open = |dir: Dir8| !closed.get(at.step(dir));
            for (quarter, dir) in [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW].into_iter().enumerate() {
                let legal = open(dir) && open(dir.turn(1)) && open(dir.turn(-1));
                self.set(at, dir, !legal || seen[quarter] || seen[(quarter + 1) % 4]);
            }
        }
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "the value of a bit is a bool")]
    fn set(&mut self, at: CellPos, dir: Dir8, value: bool) {
        let (rising, falling) = (rising(at), self.falling(at));
        let (plane, line) = match dir {
            Dir8::NE => (&mut self.north_east, rising),
            Dir8::SW => (&mut self.south_west, rising),
            Dir8::SE => (&mut self.south_east, falling),
            _ => (&mut self.north_west, falling),
        };
        plane.set(line, at.x as u32, value);
    }

    /// The line of a cell on the diagonals that go from north-west to south-east.
    #[inline]
    fn falling(&self, at: CellPos) -> u32 {
        (at.x - at.y + self.grid.height() as i32 - 1) as u32
    }

    /// How many diagonal steps from `at` (at least one, which must be legal) to the first cell where to look up.
    #[inline]
    pub(super) fn jump(&self, at: CellPos, dir: Dir8) -> u32 {
        let x = at.x as u32;
        match dir {
            Dir8::NE => self.north_east.next_set(rising(at), x + 1) - x,
            Dir8::SE => self.south_east.next_set(self.falling(at), x + 1) - x,
            Dir8::SW => (at.x - self.south_west.previous_set(rising(at), at.x - 1)) as u32,
            _ => (at.x - self.north_west.previous_set(self.falling(at), at.x - 1)) as u32,
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let Self { north_east, south_east, south_west, north_west, .. } = self;
        [north_east, south_east, south_west, north_west].into_iter().map(BitLines::memory_bytes).sum()
    }
}

/// The line of a cell on the diagonals that go from south-west to north-east.
#[inline]
fn rising(at: CellPos) -> u32 {
    (at.x + at.y) as u32
}
