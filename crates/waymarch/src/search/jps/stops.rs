//! Where straight jumps stop: one bit per cell and straight direction.

use crate::base::{BitLines, CellPos, CellRect, Dir8, GridSize, RowColBits};

/// Derived from passability: per straight direction, the cells where a jump must stop, being closed or a jump point.
///
/// A cell is a jump point for a straight direction when the cell behind and beside it is closed and the one beside it is
/// open (ERRATA 1): only there can an optimal way turn off without cutting a corner. The bits lie along their
/// direction, so that a jump is a scan for one set bit. A change of one cell changes only the 3×3 around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopPlanes {
    grid: GridSize,
    east: BitLines,
    west: BitLines,
    south: BitLines,
    north: BitLines,
}

/// Where a straight jump ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    /// How many steps away.
    pub(super) steps: u32,
    /// The column (east, west) or row (south, north) where it is.
    pub(super) place: i32,
}

impl StopPlanes {
    /// From the closed cells of a map.
    #[must_use]
    pub fn new(closed: &RowColBits) -> Self {
        let grid = closed.grid();
        let (east, west) = planes(closed.rows(), grid.height());
        let (south, north) = planes(closed.columns(), grid.width());
        Self { grid, east, west, south, north }
    }

    /// Sets right what a change of cells within `changed` can affect.
    pub fn update(&mut self, closed: &RowColBits, changed: CellRect) {
        for at in changed.grow(1, 1).intersect(self.grid.rect()).cells() {
            let (x, y) = (at.x as u32, at.y as u32);
            let here = closed.get(at);
            let stops = |ahead: Dir8| {
                let opens = |side: Dir8| {
                    let beside = at.step(side);
                    !closed.get(beside) && closed.get(beside.step(ahead.opposite()))
                };
                here || opens(ahead.turn(2)) || opens(ahead.turn(-2))
            };
            self.east.set(y, x, stops(Dir8::E));
            self.west.set(y, x, stops(Dir8::W));
            self.south.set(x, y, stops(Dir8::S));
            self.north.set(x, y, stops(Dir8::N));
        }
    }

    /// The first stop from `at` (not counting `at`) in a straight direction; at the edge the cell beyond it.
    #[inline]
    pub(super) fn jump(&self, at: CellPos, dir: Dir8) -> Stop {
        let (x, y) = (at.x as u32, at.y as u32);
        match dir {
            Dir8::E => {
                let place = self.east.next_set(y, x + 1);
                Stop { steps: place - x, place: place as i32 }
            }
            Dir8::W => {
                let place = self.west.previous_set(y, at.x - 1);
                Stop { steps: (at.x - place) as u32, place }
            }
            Dir8::S => {
                let place = self.south.next_set(x, y + 1);
                Stop { steps: place - y, place: place as i32 }
            }
            _ => {
                let place = self.north.previous_set(x, at.y - 1);
                Stop { steps: (at.y - place) as u32, place }
            }
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let Self { east, west, south, north, .. } = self;
        [east, west, south, north].into_iter().map(BitLines::memory_bytes).sum()
    }
}

/// The stops along the lines of `closed`, towards higher places and towards lower ones.
fn planes(closed: &BitLines, lines: u32) -> (BitLines, BitLines) {
    let mut up = BitLines::new(lines, closed.length());
    let mut down = up.clone();
    for line in 0..lines {
        let here = closed.line(line);
        let words = here.len() - 1;
        let beside = [line.checked_sub(1), Some(line + 1).filter(|&line| line < lines)];
        let (to_up, to_down) = (up.line_mut(line), down.line_mut(line));
        to_up[1..words].copy_from_slice(&here[1..words]);
        to_down[1..words].copy_from_slice(&here[1..words]);
        for side in beside.into_iter().flatten() {
            let side = closed.line(side);
            for at in 1..words {
                let word = side[at];
                // An open cell whose neighbour below (above) is closed: where a run of open cells starts (ends).
                to_up[at] |= !word & (word << 1 | side[at - 1] >> 63);
                to_down[at] |= !word & (word >> 1 | side[at + 1] << 63);
            }
        }
        up.seal(line);
        down.seal(line);
    }
    (up, down)
}
