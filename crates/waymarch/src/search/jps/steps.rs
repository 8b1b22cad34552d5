//! Which diagonal steps are legal: one bit per step, laid out along the diagonals.

use super::along::is_south;
use super::diagonal_lines::DiagonalLines;
use super::planes::{Planes, put};
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: the diagonal steps that are not legal.
///
/// A step is legal in both directions or in none, so one bit serves both. It belongs to the cell at the southern end of the step. The
/// length of a diagonal is a scan for one set bit. A change of one cell affects only the 3×3 cells around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StepPlanes {
    grid: GridSize,
    lines: DiagonalLines,
    /// The steps to the north-east and those to the north-west.
    planes: [Planes<1>; 2],
}

impl StepPlanes {
    /// Makes the planes from the closed cells of a map.
    pub(super) fn new(closed: &RowColBits) -> Self {
        let grid = closed.grid();
        let plane = Planes::new(grid.width(), grid.height());
        let planes = [plane.clone(), plane];
        let mut steps = Self { grid, lines: DiagonalLines::new(grid), planes };
        let rows = closed.rows();
        for y in 0..grid.height() {
            let (here, above) = (rows.line(y), y.checked_sub(1).map(|above| rows.line(above)));
            for at in 1..here.len() - 1 {
                let either = |at: usize| here[at] | above.map_or(u64::MAX, |above| above[at]);
                let (before, this, after) = (either(at - 1), either(at), either(at + 1));
                let x = (at as i32 - 1) * 64;
                steps.forbid::<0>(x, y as i32, this | this >> 1 | after << 63);
                steps.forbid::<3>(x, y as i32, this | this << 1 | before >> 63);
            }
        }
        steps
    }

    /// Forbids steps in direction `DIR` from the cells of set bits, which stand for up to 64 cells from (`x`, `y`) on.
    fn forbid<const DIR: usize>(&mut self, x: i32, y: i32, mut illegal: u64) {
        while illegal != 0 {
            let at = CellPos::new(x + illegal.trailing_zeros() as i32, y);
            illegal &= illegal - 1;
            if at.x as u32 >= self.grid.width() {
                return;
            }
            let spot = self.spot::<DIR>(at);
            self.planes[DIR % 2].words_mut(spot)[0] |= 1 << (spot & 63);
        }
    }

    /// Updates the bits that a change of cells within `changed` can affect.
    pub(super) fn update(&mut self, closed: &RowColBits, changed: CellRect) {
        for at in changed.grow(1, 1).intersect(self.grid.rect()).cells() {
            let shut = |dir: Dir8| closed.get(at.step(dir));
            let straight = closed.get(at) || shut(Dir8::N);
            let spot = self.spot::<0>(at);
            put(&mut self.planes[0].words_mut(spot)[0], spot, straight || shut(Dir8::NE) || shut(Dir8::E));
            let spot = self.spot::<3>(at);
            put(&mut self.planes[1].words_mut(spot)[0], spot, straight || shut(Dir8::NW) || shut(Dir8::W));
        }
    }

    #[inline(always)]
    fn spot<const DIR: usize>(&self, at: CellPos) -> u32 {
        self.planes[DIR % 2].spot(self.lines.line::<DIR>(at), at.y)
    }

    /// The number of successive legal steps in diagonal direction `DIR` from `at`.
    #[inline(always)]
    pub(super) fn legal<const DIR: usize>(&self, at: CellPos) -> u32 {
        let (plane, spot) = (&self.planes[DIR % 2], self.spot::<DIR>(at));
        if is_south(DIR) { plane.next(spot) - spot - 1 } else { spot - plane.previous(spot + 1) }
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.planes.iter().map(Planes::memory_bytes).sum()
    }
}
