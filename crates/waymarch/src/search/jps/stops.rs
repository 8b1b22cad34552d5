//! Where straight jumps stop: one bit per cell and straight direction, and bits for closed cells along rows and along columns.

use super::planes::{Planes, put};
use crate::base::{BitLines, CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: for each straight direction, the cells where a jump must stop: closed cells and jump points.
///
/// A cell is a jump point for a straight direction if, on one side, the cell beside it is open and the cell diagonally
/// behind it is closed. Only there can an optimal route turn without cutting a corner. The bits lie along their
/// direction, so a jump is a scan for one set bit. A change of one cell affects only the 3×3 cells around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct StopPlanes {
    grid: GridSize,
    /// Jump points and closed cells, which scans look for: north, east, south, west.
    planes: [Planes<1>; 4],
    /// Closed cells, along columns and along rows. Read only where a scan has ended, so scans read half as much.
    closed: [Planes<1>; 2],
}

/// Where a straight jump ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Stop {
    /// The number of steps.
    pub(in crate::search) steps: u32,
    /// Whether the jump ended at a closed cell or at the edge of the map, without a jump point.
    pub(in crate::search) closed: bool,
}

impl StopPlanes {
    /// Makes the planes from the closed cells of a map.
    pub(in crate::search) fn new(closed: &RowColBits) -> Self {
        let grid = closed.grid();
        let [east, west, rows] = planes(closed.rows(), grid.height());
        let [south, north, columns] = planes(closed.columns(), grid.width());
        Self { grid, planes: [north, east, south, west], closed: [columns, rows] }
    }

    /// The map's size.
    pub(in crate::search) fn grid(&self) -> GridSize {
        self.grid
    }

    /// Updates the bits that a change of cells within `changed` can affect.
    pub(in crate::search) fn update(&mut self, closed: &RowColBits, changed: CellRect) {
        for at in changed.grow(1, 1).intersect(self.grid.rect()).cells() {
            let here = closed.get(at);
            for (plane, ahead) in self.planes.iter_mut().zip(Dir8::STRAIGHT) {
                let opens = |side: Dir8| {
                    let beside = at.step(side);
                    !closed.get(beside) && closed.get(beside.step(ahead.opposite()))
                };
                let jump_point = !here && (opens(ahead.turn(2)) || opens(ahead.turn(-2)));
                let spot = if ahead.dx() != 0 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) };
                put(&mut plane.words_mut(spot)[0], spot, here || jump_point);
            }
            let [columns, rows] = &mut self.closed;
            let (column, row) = (columns.spot(at.x, at.y), rows.spot(at.y, at.x));
            put(&mut columns.words_mut(column)[0], column, here);
            put(&mut rows.words_mut(row)[0], row, here);
        }
    }

    /// The first stop after `at`, a cell on the map. `DIR` is 0 north, 1 east, 2 south, 3 west.
    #[inline(always)]
    pub(in crate::search) fn jump<const DIR: usize>(&self, at: CellPos) -> Stop {
        self.jump_from::<DIR>(self.spot::<DIR>(at))
    }

    /// As [`StopPlanes::jump`], from a spot on the line of that direction.
    #[inline(always)]
    pub(in crate::search) fn jump_from<const DIR: usize>(&self, spot: u32) -> Stop {
        let found = self.scan::<DIR>(spot);
        let [closed] = self.closed[DIR % 2].words(found);
        Stop { steps: distance::<DIR>(spot, found), closed: closed >> (found & 63) & 1 != 0 }
    }

    /// The steps to the first stop after `at`, without its kind.
    #[inline(always)]
    pub(in crate::search) fn steps<const DIR: usize>(&self, at: CellPos) -> u32 {
        let spot = self.spot::<DIR>(at);
        distance::<DIR>(spot, self.scan::<DIR>(spot))
    }

    /// The spot of a cell on the line of a direction.
    #[inline(always)]
    pub(in crate::search) fn spot<const DIR: usize>(&self, at: CellPos) -> u32 {
        let plane = &self.planes[DIR];
        if DIR % 2 == 1 { plane.spot(at.y, at.x) } else { plane.spot(at.x, at.y) }
    }

    /// By how much the spot for direction `DIR` changes with a step of (`dx`, `dy`). Add it with wrapping.
    #[inline(always)]
    pub(in crate::search) fn stride<const DIR: usize>(&self, dx: i32, dy: i32) -> u32 {
        let (across, along) = if DIR % 2 == 1 { (dy, dx) } else { (dx, dy) };
        self.planes[DIR].spots_per_line().wrapping_mul(across as u32).wrapping_add(along as u32)
    }

    #[inline(always)]
    fn scan<const DIR: usize>(&self, spot: u32) -> u32 {
        if DIR == 1 || DIR == 2 { self.planes[DIR].next(spot) } else { self.planes[DIR].previous(spot) }
    }

    /// As [`StopPlanes::jump`], with the direction known at run time.
    pub(in crate::search) fn jump_towards(&self, at: CellPos, dir: Dir8) -> Stop {
        match dir {
            Dir8::E => self.jump::<1>(at),
            Dir8::S => self.jump::<2>(at),
            Dir8::W => self.jump::<3>(at),
            _ => self.jump::<0>(at),
        }
    }

    /// The words of a row or column for direction `DIR`: where jumps stop, and which of these cells are closed.
    #[inline]
    pub(in crate::search) fn line<const DIR: usize>(&self, line: i32) -> [&[[u64; 1]]; 2] {
        [self.planes[DIR].line(line as u32), self.closed[DIR % 2].line(line as u32)]
    }

    /// Bytes held.
    pub(in crate::search) fn memory_bytes(&self) -> usize {
        self.planes.iter().chain(&self.closed).map(Planes::memory_bytes).sum()
    }
}

/// The steps from one spot to another farther on.
#[inline(always)]
const fn distance<const DIR: usize>(from: u32, to: u32) -> u32 {
    if DIR == 1 || DIR == 2 { to - from } else { from - to }
}

/// The stops along the lines of `closed`, towards higher and towards lower places, and the closed cells.
fn planes(closed: &BitLines, lines: u32) -> [Planes<1>; 3] {
    let mut up = Planes::new(lines, closed.length());
    let (mut down, mut shut) = (up.clone(), up.clone());
    for line in 0..lines {
        let here = closed.line(line);
        let beside = [line.checked_sub(1), Some(line + 1).filter(|&line| line < lines)];
        let beside = beside.map(|side| side.map(|side| closed.line(side)));
        let (to_up, to_down, to_shut) = (up.line_mut(line), down.line_mut(line), shut.line_mut(line));
        for at in 1..here.len() - 1 {
            let (mut stops_up, mut stops_down) = (here[at], here[at]);
            for side in beside.into_iter().flatten() {
                // Jumps to higher places stop where a run of open cells starts on the line beside. Jumps to lower
                // places stop where one ends.
                stops_up |= !side[at] & (side[at] << 1 | side[at - 1] >> 63);
                stops_down |= !side[at] & (side[at] >> 1 | side[at + 1] << 63);
            }
            to_up[at - 1] = [stops_up];
            to_down[at - 1] = [stops_down];
            to_shut[at - 1] = [here[at]];
        }
        up.seal(line);
        down.seal(line);
        shut.seal(line);
    }
    [up, down, shut]
}
