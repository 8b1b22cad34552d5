//! Where diagonal jumps stop: bits per cell and diagonal direction, laid out along the diagonals.

use super::planes::{Planes, put};
use super::stops::StopPlanes;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per diagonal direction, the cells where a diagonal jump must look up: because a straight
/// jump from there finds a jump point, or because the next diagonal step is not legal.
///
/// The bits lie along the diagonals, a place for each row of the map, so that a diagonal jump is a scan for set bits, as a
/// straight one is. A diagonal that leaves the map on the left or right goes on, on the same line, where it would come in on
/// the other side: every cell has its place and none is wasted. No scan goes over the seam, for the step over the
/// edge is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DiagonalPlanes {
    grid: GridSize,
    /// The map's height, rounded up to a multiple of its width.
    rounded_height: u32,
    /// Bit 0: a jump east or west finds something; bit 1: a jump north or south does; bit 2: the next step is not legal.
    /// North-east, south-east, south-west, north-west.
    planes: [Planes<3>; 4],
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

/// Up to 64 cells of a diagonal, from a spot on; bits past the last legal step are clear.
#[derive(Clone, Copy)]
pub(super) struct Glance {
    /// The spot of bit 0.
    pub(super) base: u32,
    /// Where a jump east or west finds something.
    pub(super) sideways: u64,
    /// Where a jump north or south finds something.
    pub(super) up_down: u64,
    /// The spot from which no step is legal, or else the one to look from next.
    pub(super) end: Result<u32, u32>,
}

impl DiagonalPlanes {
    /// From the closed cells of a map and the stops of its straight jumps.
    pub(super) fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let plane = Planes::new(grid.width(), grid.height());
        let rounded_height = grid.height().next_multiple_of(grid.width());
        let planes = [plane.clone(), plane.clone(), plane.clone(), plane];
        let mut planes = Self { grid, rounded_height, planes };
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
            let spots = [self.spot::<0>(at), self.spot::<1>(at)];
            let seen = Dir8::STRAIGHT.map(|dir| !stops.jump_towards(at, dir).closed);
            let open = |dir: Dir8| !closed.get(at.step(dir));
            let here = !closed.get(at);
            for (quarter, dir) in DIAGONALS.into_iter().enumerate() {
                let legal = here && open(dir) && open(dir.turn(1)) && open(dir.turn(-1));
                // Of the two straight directions beside a diagonal, the odd ones are sideways.
                let (first, second) = (seen[quarter], seen[(quarter + 1) % 4]);
                let bits = if quarter % 2 == 1 { [first, second] } else { [second, first] };
                let spot = spots[quarter % 2];
                let [sideways, up_down, last] = self.planes[quarter].words_mut(spot);
                put(sideways, spot, here && bits[0]);
                put(up_down, spot, here && bits[1]);
                put(last, spot, !legal);
            }
        }
    }

    /// The spot of a cell on its diagonal; `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(super) fn spot<const DIR: usize>(&self, at: CellPos) -> u32 {
        let (x, y, width) = (at.x as u32, at.y as u32, self.grid.width());
        let mut line = if DIR % 2 == 0 { x + y } else { x + (self.rounded_height - y) };
        if line >= width {
            line -= width;
            if line >= width {
                // On maps that are higher than wide only.
                line %= width;
            }
        }
        self.planes[DIR].spot(line as i32, at.y)
    }

    /// The spot one step from `spot`.
    #[inline(always)]
    pub(super) const fn after<const DIR: usize>(spot: u32) -> u32 {
        if is_south(DIR) { spot + 1 } else { spot - 1 }
    }

    /// The steps from one spot to another further on.
    #[inline(always)]
    pub(super) const fn distance<const DIR: usize>(from: u32, to: u32) -> u32 {
        if is_south(DIR) { to - from } else { from - to }
    }

    /// What can be seen from `spot` on, that included, in one word.
    #[inline(always)]
    pub(super) fn look<const DIR: usize>(&self, spot: u32) -> Glance {
        let [sideways, up_down, last] = *self.planes[DIR].words(spot);
        let base = spot & !63;
        let (mut ahead, end);
        if is_south(DIR) {
            ahead = u64::MAX << (spot & 63);
            let ends = last & ahead;
            // Up to the lowest end; all bits if there is none.
            ahead &= ends ^ ends.wrapping_sub(1);
            end = if ends == 0 { Err(base + 64) } else { Ok(base + ends.trailing_zeros()) };
        } else {
            ahead = u64::MAX >> (!spot & 63);
            let ends = last & ahead;
            end = if ends == 0 {
                Err(base - 1)
            } else {
                let highest = 63 - ends.leading_zeros();
                ahead &= u64::MAX << highest;
                Ok(base + highest)
            };
        }
        Glance { base, sideways: sideways & ahead, up_down: up_down & ahead, end }
    }

    /// Goes from `at`, the first step being legal, and calls `found` with the number of steps wherever a straight jump
    /// sideways (first flag) or up and down (second flag) finds something, nearest first. The number of legal steps.
    /// `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline]
    pub(super) fn walk<const DIR: usize>(&self, at: CellPos, mut found: impl FnMut(u32, [bool; 2])) -> u32 {
        let start = self.spot::<DIR>(at);
        let mut from = Self::after::<DIR>(start);
        loop {
            let Glance { base, sideways, up_down, end } = self.look::<DIR>(from);
            let mut either = sideways | up_down;
            while either != 0 {
                let bit = if is_south(DIR) { either.trailing_zeros() } else { 63 - either.leading_zeros() };
                either ^= 1 << bit;
                found(Self::distance::<DIR>(start, base + bit), [sideways, up_down].map(|bits| bits >> bit & 1 != 0));
            }
            match end {
                Ok(last) => return Self::distance::<DIR>(start, last),
                Err(next) => from = next,
            }
        }
    }

    /// The first cell from `at` where a straight jump finds something, as a number of steps, or the number of clear steps if
    /// there is none; the first step must be legal.
    pub(super) fn first<const DIR: usize>(&self, at: CellPos) -> Result<u32, u32> {
        let mut first = None;
        let clear = self.walk::<DIR>(at, |steps, _| _ = first.get_or_insert(steps));
        first.ok_or(clear)
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.planes.iter().map(Planes::memory_bytes).sum()
    }
}

/// Whether a diagonal direction leads to higher rows.
const fn is_south(quarter: usize) -> bool {
    quarter == 1 || quarter == 2
}
