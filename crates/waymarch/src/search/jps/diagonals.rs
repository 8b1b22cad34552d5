//! Where diagonal jumps stop: bits per cell and diagonal direction, laid out along the diagonals.

use super::planes::{Go, Planes};
use super::stops::StopPlanes;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per diagonal direction, the cells where a diagonal jump must look up: because a straight
/// jump from there finds a jump point, or because the next diagonal step is not legal.
///
/// The bits lie along the diagonals, so that a diagonal jump is a scan for one set bit, as a straight one is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DiagonalPlanes {
    grid: GridSize,
    /// Bit 0: look up; bit 1: a jump east or west finds something; bit 2: a jump north or south does;
    /// bit 3: the next step is not legal.
    /// North-east, south-east, south-west, north-west.
    planes: [Planes<4>; 4],
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

impl DiagonalPlanes {
    /// From the closed cells of a map and the stops of its straight jumps.
    pub(super) fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let plane = Planes::new(grid.width() + grid.height() - 1, grid.width());
        let mut planes = Self { grid, planes: [plane.clone(), plane.clone(), plane.clone(), plane] };
        planes.recompute(closed, stops, grid.rect());
        planes
    }

    /// Sets right what a change of cells within `changed` can affect; `stops` must be up to date.
    pub(super) fn update(&mut self, closed: &RowColBits, stops: &StopPlanes, changed: CellRect) {
        // Stops changed one cell around; what sees them lies in the same rows and columns.
        let around = changed.grow(1, 1).intersect(self.grid.rect());
        let whole = self.grid.rect();
        self.recompute(closed, stops, CellRect { x0: whole.x0, x1: whole.x1, ..around });
        self.recompute(closed, stops, CellRect { y0: whole.y0, y1: whole.y1, ..around });
    }

    fn recompute(&mut self, closed: &RowColBits, stops: &StopPlanes, area: CellRect) {
        for at in area.cells() {
            let lines = [rising(at), self.falling(at)];
            if closed.get(at) {
                for (plane, line) in self.planes.iter_mut().zip([lines[0], lines[1], lines[0], lines[1]]) {
                    plane.set(line, at.x as u32, [true, false, false, true]);
                }
                continue;
            }
            let seen = Dir8::STRAIGHT.map(|dir| !stops.jump_towards(at, dir).closed);
            let open = |dir: Dir8| !closed.get(at.step(dir));
            for (quarter, dir) in DIAGONALS.into_iter().enumerate() {
                let legal = open(dir) && open(dir.turn(1)) && open(dir.turn(-1));
                // Of the two straight directions beside a diagonal, the odd ones are sideways.
                let (first, second) = (seen[quarter], seen[(quarter + 1) % 4]);
                let (sideways, up_down) = if quarter % 2 == 1 { (first, second) } else { (second, first) };
                let bits = [!legal || sideways || up_down, sideways, up_down, !legal];
                self.planes[quarter].set(lines[quarter % 2], at.x as u32, bits);
            }
        }
    }

    /// The line of a cell on the diagonals that go from north-west to south-east.
    #[inline]
    fn falling(&self, at: CellPos) -> u32 {
        (at.x - at.y + self.grid.height() as i32 - 1) as u32
    }

    /// Goes from `at`, the first step being legal, and calls `found` with each column where a straight jump sideways (first
    /// flag) or up and down (second flag) finds something. The number of legal steps.
    /// `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(super) fn walk<const DIR: usize>(&self, at: CellPos, mut found: impl FnMut(i32, [bool; 2])) -> u32 {
        let line = if DIR % 2 == 0 { rising(at) } else { self.falling(at) };
        let mut end = at.x;
        let visit = |place: i32, [_, sideways, up_down, last]: [bool; 4]| {
            if sideways | up_down {
                found(place, [sideways, up_down]);
            }
            end = place;
            if last { Go::Stop } else { Go::On }
        };
        if DIR < 2 {
            self.planes[DIR].each_next(line, at.x, visit);
        } else {
            self.planes[DIR].each_previous(line, at.x, visit);
        }
        end.abs_diff(at.x)
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.planes.iter().map(Planes::memory_bytes).sum()
    }
}

/// The line of a cell on the diagonals that go from south-west to north-east.
#[inline]
fn rising(at: CellPos) -> u32 {
    (at.x + at.y) as u32
}
