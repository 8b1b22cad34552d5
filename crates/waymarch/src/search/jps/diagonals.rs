//! Where diagonal jumps stop: bits per cell and diagonal direction, laid out along the diagonals.

use super::planes::{Go, Planes};
use super::stops::StopPlanes;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per diagonal direction, the cells where a diagonal jump must look up: because a straight
/// jump from there finds a jump point, or because the next diagonal step is not legal.
///
/// The bits lie along the diagonals, so that a diagonal jump is a scan for one set bit, as a straight one is. Diagonals that
/// leave the map on one side go on, on the same line, where they would come in on the other: every cell has its place
/// and none is wasted. No scan goes over the seam, for the step over the edge is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct DiagonalPlanes {
    grid: GridSize,
    /// Bit 0: a jump east or west finds something; bit 1: a jump north or south does; bit 2: the next step is not legal.
    /// North-east, south-east, south-west, north-west.
    planes: [Planes<3>; 4],
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

impl DiagonalPlanes {
    /// From the closed cells of a map and the stops of its straight jumps.
    pub(super) fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let (long, short) = (grid.width().max(grid.height()), grid.width().min(grid.height()));
        let plane = Planes::new(long, short);
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
            let lines = [self.rising(at), self.falling(at)];
            let place = self.place(at) as u32;
            if closed.get(at) {
                for (quarter, plane) in self.planes.iter_mut().enumerate() {
                    plane.set(lines[quarter % 2], place, [false, false, true]);
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
                self.planes[quarter].set(lines[quarter % 2], place, [sideways, up_down, !legal]);
            }
        }
    }

    /// Whether places on a line are rows, the map being at least as wide as high; else they are columns.
    #[inline]
    fn by_rows(&self) -> bool {
        self.grid.height() <= self.grid.width()
    }

    /// The place of a cell on its line.
    #[inline]
    fn place(&self, at: CellPos) -> i32 {
        if self.by_rows() { at.y } else { at.x }
    }

    /// The line of a cell on the diagonals that go from south-west to north-east.
    #[inline]
    fn rising(&self, at: CellPos) -> u32 {
        let (sum, lines) = ((at.x + at.y) as u32, self.grid.width().max(self.grid.height()));
        if sum < lines { sum } else { sum - lines }
    }

    /// The line of a cell on the diagonals that go from north-west to south-east.
    #[inline]
    fn falling(&self, at: CellPos) -> u32 {
        let difference = if self.by_rows() { at.x - at.y } else { at.y - at.x };
        let lines = self.grid.width().max(self.grid.height());
        if difference >= 0 { difference as u32 } else { (difference + lines as i32) as u32 }
    }

    /// Goes from `at`, the first step being legal, and calls `found` with the number of steps wherever a straight jump
    /// sideways (first flag) or up and down (second flag) finds something. The number of legal steps.
    /// `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(in crate::search) fn walk<const DIR: usize>(
        &self,
        at: CellPos,
        mut found: impl FnMut(u32, [bool; 2]),
    ) -> u32 {
        let line = if DIR % 2 == 0 { self.rising(at) } else { self.falling(at) };
        let start = self.place(at);
        let mut steps = 0;
        let visit = |place: i32, [sideways, up_down, last]: [bool; 3]| {
            steps = place.abs_diff(start);
            if sideways | up_down {
                found(steps, [sideways, up_down]);
            }
            if last { Go::Stop } else { Go::On }
        };
        let upwards = if self.by_rows() { DIR == 1 || DIR == 2 } else { DIR < 2 };
        if upwards {
            self.planes[DIR].each_next(line, start, visit);
        } else {
            self.planes[DIR].each_previous(line, start, visit);
        }
        steps
    }

    /// The first cell from `at` where a straight jump finds something, as a number of steps, or the number of clear steps if
    /// there is none; the first step must be legal.
    pub(super) fn first<const DIR: usize>(&self, at: CellPos) -> Result<u32, u32> {
        let line = if DIR % 2 == 0 { self.rising(at) } else { self.falling(at) };
        let start = self.place(at);
        let mut end = Err(0);
        let visit = |place: i32, [sideways, up_down, _]: [bool; 3]| {
            let steps = place.abs_diff(start);
            end = if sideways | up_down { Ok(steps) } else { Err(steps) };
            Go::Stop
        };
        let upwards = if self.by_rows() { DIR == 1 || DIR == 2 } else { DIR < 2 };
        if upwards {
            self.planes[DIR].each_next(line, start, visit);
        } else {
            self.planes[DIR].each_previous(line, start, visit);
        }
        end
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.planes.iter().map(Planes::memory_bytes).sum()
    }
}
