//! Where diagonal jumps stop: bits per cell and diagonal direction, laid out along the diagonals.

use super::along::is_south;
use super::diagonal_lines::DiagonalLines;
use super::planes::{Planes, put};
use super::stops::StopPlanes;
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per diagonal direction, the cells where a diagonal jump must look up: because a straight
/// jump from there finds a jump point, or because the next diagonal step is not legal.
///
/// The bits lie along the diagonals, so that a diagonal jump is a scan for set bits, as a straight one is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DiagonalPlanes {
    grid: GridSize,
    lines: DiagonalLines,
    /// Bit 0: a jump east or west finds something; bit 1: a jump north or south does; bit 2: the next step is not legal.
    /// North-east, south-east, south-west, north-west.
    planes: [Planes<3>; 4],
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

/// Up to 64 cells of a diagonal, from a spot on; bits of cells that no legal step leads to are clear.
#[derive(Clone, Copy)]
pub(super) struct Glance {
    /// Where a jump east or west finds something.
    pub(super) sideways: u64,
    /// Where a jump north or south finds something.
    pub(super) up_down: u64,
    /// Where the next step is not legal; only the first counts.
    pub(super) ends: u64,
}

impl DiagonalPlanes {
    /// From the closed cells of a map and the stops of its straight jumps.
    pub(super) fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let plane = Planes::new(grid.width(), grid.height());
        let planes = [plane.clone(), plane.clone(), plane.clone(), plane];
        let mut planes = Self { grid, lines: DiagonalLines::new(grid), planes };
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
        self.planes[DIR].spot(self.lines.line::<DIR>(at), at.y)
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
        let (ends, legal);
        if is_south(DIR) {
            let ahead = u64::MAX << (spot & 63);
            ends = last & ahead;
            // Up to the lowest end; all bits if there is none.
            legal = ahead & (ends ^ ends.wrapping_sub(1));
        } else {
            let ahead = u64::MAX >> (!spot & 63);
            ends = last & ahead;
            // Down to the highest end; bit 0 does no harm if there is none.
            legal = ahead & u64::MAX << (63 - (ends | 1).leading_zeros());
        }
        Glance { sideways: sideways & legal, up_down: up_down & legal, ends }
    }

    /// The spot at which what was seen from `spot` on ends, or else the one to look from next.
    #[inline(always)]
    pub(super) fn end<const DIR: usize>(spot: u32, ends: u64) -> Result<u32, u32> {
        let base = spot & !63;
        if ends == 0 {
            Err(if is_south(DIR) { base + 64 } else { base - 1 })
        } else {
            Ok(base + if is_south(DIR) { ends.trailing_zeros() } else { 63 - ends.leading_zeros() })
        }
    }

    /// Goes from `at`, the first step being legal, and calls `found` with the number of steps wherever a straight jump
    /// sideways (first flag) or up and down (second flag) finds something, nearest first. The number of legal steps.
    /// `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline]
    pub(super) fn walk<const DIR: usize>(&self, at: CellPos, mut found: impl FnMut(u32, [bool; 2])) -> u32 {
        let start = self.spot::<DIR>(at);
        let mut from = Self::after::<DIR>(start);
        loop {
            let Glance { sideways, up_down, ends } = self.look::<DIR>(from);
            let base = from & !63;
            let mut either = sideways | up_down;
            while either != 0 {
                let bit = if is_south(DIR) { either.trailing_zeros() } else { 63 - either.leading_zeros() };
                either ^= 1 << bit;
                found(
                    Self::distance::<DIR>(start, base + bit),
                    [sideways, up_down].map(|bits| bits >> bit & 1 != 0),
                );
            }
            match Self::end::<DIR>(from, ends) {
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
