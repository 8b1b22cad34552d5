//! Where diagonal jumps stop: bits per cell and diagonal direction, laid out along the diagonals.

use super::along::is_south;
use super::diagonal_lines::DiagonalLines;
use super::planes::{Planes, put};
use super::sight::{towards_higher, towards_lower};
use super::stops::StopPlanes;
use super::turns::{FROM_START, TURNS, around};
use crate::base::{CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: for each diagonal direction, the cells where a diagonal jump must stop. There a straight jump finds a jump
/// point, or the next diagonal step is not legal.
///
/// The bits lie along the diagonals, so a diagonal jump is a scan for set bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct DiagonalPlanes {
    grid: GridSize,
    lines: DiagonalLines,
    /// Bit 0: a jump east or west finds a jump point. Bit 1: a jump north or south does. Bit 2: the next step is not legal.
    /// North-east, south-east, south-west, north-west.
    planes: [Planes<3>; 4],
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

/// The value 0 of `BEFORE`: the planes are empty, so only set bits are written.
const BLANK: u64 = 0;

/// The value 2^64 − 1 of `BEFORE`: the planes hold bits from before an edit, so clear bits are written too.
const WRITTEN: u64 = u64::MAX;

/// The bit of the middle cell in the 3×3 cells around it.
const MIDDLE: usize = 1 << 4;

/// Up to 64 cells of a diagonal from a spot on. Bits of cells that no legal step leads to are clear.
#[derive(Clone, Copy)]
pub(in crate::search) struct Glance {
    /// Cells from which a jump east or west finds a jump point.
    pub(in crate::search) sideways: u64,
    /// Cells from which a jump north or south finds a jump point.
    pub(in crate::search) up_down: u64,
    /// Cells from which the next step is not legal. Only the first counts.
    pub(in crate::search) ends: u64,
}

impl DiagonalPlanes {
    /// Makes the planes from the closed cells of a map and the stops of its straight jumps.
    pub(in crate::search) fn new(closed: &RowColBits, stops: &StopPlanes) -> Self {
        let grid = closed.grid();
        let plane = Planes::new(grid.width(), grid.height());
        let planes = [plane.clone(), plane.clone(), plane.clone(), plane];
        let mut planes = Self { grid, lines: DiagonalLines::new(grid), planes };
        planes.recompute::<BLANK>(closed, stops, grid.rect());
        planes
    }

    /// Updates the bits that a change of cells within `changed` can affect. `stops` must be up to date.
    pub(in crate::search) fn update(&mut self, closed: &RowColBits, stops: &StopPlanes, changed: CellRect) {
        // Stops and legal steps change up to one cell around the change. Cells that see those stops lie in the same rows and columns.
        self.recompute::<WRITTEN>(closed, stops, changed.grow(1, 1).intersect(self.grid.rect()));
    }

    /// Writes the bits along the rows and columns of an area, and the ends within it. `BEFORE` says what the planes held.
    fn recompute<const BEFORE: u64>(&mut self, closed: &RowColBits, stops: &StopPlanes, area: CellRect) {
        for y in area.y0..area.y1 {
            let row = |place| CellPos::new(place, y);
            towards_higher(stops.line::<1>(y), |at, seen| {
                self.note::<0, 1, 0, BEFORE>(at, seen, self.grid.width(), row)
            });
            towards_lower(stops.line::<3>(y), |at, seen| {
                self.note::<2, 3, 0, BEFORE>(at, seen, self.grid.width(), row)
            });
        }
        for x in area.x0..area.x1 {
            let column = |place| CellPos::new(x, place);
            let height = self.grid.height();
            towards_lower(stops.line::<0>(x), |at, seen| {
                self.note::<0, 3, 1, BEFORE>(at, seen, height, column)
            });
            towards_higher(stops.line::<2>(x), |at, seen| {
                self.note::<2, 1, 1, BEFORE>(at, seen, height, column)
            });
        }
        for at in area.cells() {
            let around = around(closed, at);
            if BEFORE == BLANK && around == 0 {
                continue;
            }
            let legal = if around & MIDDLE == 0 { TURNS[FROM_START][around] } else { 0 };
            let spots = [self.spot::<0>(at), self.spot::<1>(at)];
            for (quarter, dir) in DIAGONALS.into_iter().enumerate() {
                let spot = spots[quarter % 2];
                put(&mut self.planes[quarter].words_mut(spot)[2], spot, legal >> dir.index() & 1 == 0);
            }
        }
    }

    /// Writes bit `BIT` of the cells in word `at` of a row or column of `length` cells, for a rising and a falling direction.
    #[inline]
    fn note<const RISING: usize, const FALLING: usize, const BIT: usize, const BEFORE: u64>(
        &mut self,
        at: usize,
        seen: u64,
        length: u32,
        cell: impl Fn(i32) -> CellPos,
    ) {
        let first = at as u32 * 64;
        let cells = match length.saturating_sub(first) {
            0 => return,
            some => u64::MAX >> (64 - some.min(64)),
        };
        let mut todo = cells & (seen | BEFORE);
        while todo != 0 {
            let bit = todo.trailing_zeros();
            todo &= todo - 1;
            let (cell, value) = (cell((first + bit) as i32), seen >> bit & 1 != 0);
            let spot = self.spot::<RISING>(cell);
            put(&mut self.planes[RISING].words_mut(spot)[BIT], spot, value);
            let spot = self.spot::<FALLING>(cell);
            put(&mut self.planes[FALLING].words_mut(spot)[BIT], spot, value);
        }
    }

    /// The spot of a cell on its diagonal; `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline(always)]
    pub(in crate::search) fn spot<const DIR: usize>(&self, at: CellPos) -> u32 {
        self.planes[DIR].spot(self.lines.line::<DIR>(at), at.y)
    }

    /// The spot one step from `spot`.
    #[inline(always)]
    pub(in crate::search) const fn after<const DIR: usize>(spot: u32) -> u32 {
        if is_south(DIR) { spot + 1 } else { spot - 1 }
    }

    /// The steps from one spot to another farther on.
    #[inline(always)]
    pub(in crate::search) const fn distance<const DIR: usize>(from: u32, to: u32) -> u32 {
        if is_south(DIR) { to - from } else { from - to }
    }

    /// The bits from `spot` on, `spot` included, within one word.
    #[inline(always)]
    pub(in crate::search) fn look<const DIR: usize>(&self, spot: u32) -> Glance {
        let [sideways, up_down, last] = *self.planes[DIR].words(spot);
        let (ends, legal);
        if is_south(DIR) {
            let ahead = u64::MAX << (spot & 63);
            ends = last & ahead;
            // The bits up to the lowest end; all bits if there is none.
            legal = ahead & (ends ^ ends.wrapping_sub(1));
        } else {
            let ahead = u64::MAX >> (!spot & 63);
            ends = last & ahead;
            // The bits down to the highest end; bit 0 does no harm if there is none.
            legal = ahead & u64::MAX << (63 - (ends | 1).leading_zeros());
        }
        Glance { sideways: sideways & legal, up_down: up_down & legal, ends }
    }

    /// The spot where the diagonal from `spot` ends, or else the spot to look from next.
    #[inline(always)]
    pub(in crate::search) fn end<const DIR: usize>(spot: u32, ends: u64) -> Result<u32, u32> {
        let base = spot & !63;
        if ends == 0 {
            Err(if is_south(DIR) { base + 64 } else { base - 1 })
        } else {
            Ok(base + if is_south(DIR) { ends.trailing_zeros() } else { 63 - ends.leading_zeros() })
        }
    }

    /// Walks the diagonal from `at`, whose first step must be legal, and returns the number of legal steps. Calls `found` with the number of
    /// steps wherever a straight jump finds a jump point, nearest first. The first flag is for jumps east or west, the second for north or south.
    /// `DIR` is 0 north-east, 1 south-east, 2 south-west, 3 north-west.
    #[inline]
    pub(in crate::search) fn walk<const DIR: usize>(
        &self,
        at: CellPos,
        mut found: impl FnMut(u32, [bool; 2]),
    ) -> u32 {
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

    /// The number of steps from `at` to the first cell where a straight jump finds a jump point. If there is none, the error is the number
    /// of legal steps. The first step must be legal.
    pub(in crate::search) fn first<const DIR: usize>(&self, at: CellPos) -> Result<u32, u32> {
        let mut first = None;
        let clear = self.walk::<DIR>(at, |steps, _| _ = first.get_or_insert(steps));
        first.ok_or(clear)
    }

    /// Bytes held.
    pub(in crate::search) fn memory_bytes(&self) -> usize {
        self.planes.iter().map(Planes::memory_bytes).sum()
    }
}
