//! The corners of a map: the only cells where a shortest route needs to turn.

use alloc::vec::Vec;

use crate::base::{CellPos, Dir8, GridSize, RowColBits};
use crate::cost::{DIAGONAL, STRAIGHT};

/// Derived from passability: the corners, and which of them are seen from a cell.
///
/// A corner is an open cell with a closed cell diagonally beside it and both cells between them open. A shortest route that never cuts
/// corners bends only there. (Uras, Koenig and Hernández call them subgoals.) Corners are numbered row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Corners {
    /// The cells where sight ends: corners and closed cells.
    stops: RowColBits,
    closed: RowColBits,
    words_per_row: usize,
    words: Vec<CornerWord>,
    count: u32,
}

/// 64 cells of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CornerWord {
    corners: u64,
    /// The number of corners before this word.
    before: u32,
}

const DIAGONALS: [Dir8; 4] = [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW];

impl Corners {
    pub(super) fn new(closed: &RowColBits) -> Self {
        let grid = closed.grid();
        let words_per_row = grid.width().div_ceil(64) as usize;
        let mut words = Vec::with_capacity(words_per_row * grid.height() as usize);
        let mut count = 0;
        let rows = closed.rows();
        let mut stops = RowColBits::new(grid);
        stops.fill(|y, out| {
            let here = rows.line(y);
            let beside = [y.checked_sub(1), Some(y + 1).filter(|&y| y < grid.height())];
            for (at, out) in out.iter_mut().enumerate() {
                let mut corners = 0;
                for side in beside.into_iter().flatten().map(|y| rows.line(y)) {
                    // Open here, open above and to one side, closed diagonally between. Computed for 64 cells at once.
                    let next = |line: &[u64]| line[at + 1] >> 1 | line[at + 2] << 63;
                    let previous = |line: &[u64]| line[at + 1] << 1 | line[at] >> 63;
                    corners |= !here[at + 1]
                        & !side[at + 1]
                        & (next(side) & !next(here) | previous(side) & !previous(here));
                }
                words.push(CornerWord { corners, before: count });
                count += corners.count_ones();
                *out = corners | here[at + 1];
            }
        });
        Self { stops, closed: closed.clone(), words_per_row, words, count }
    }

    /// The map's size.
    pub(super) fn grid(&self) -> GridSize {
        self.closed.grid()
    }

    /// The number of corners.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The number of the corner at `at`, a cell on the map; `None` if it is no corner.
    #[inline]
    pub(super) fn number(&self, at: CellPos) -> Option<u32> {
        let word = self.words[at.y as usize * self.words_per_row + (at.x as usize >> 6)];
        let bit = 1 << (at.x as u32 & 63);
        (word.corners & bit != 0).then(|| word.before + (word.corners & (bit - 1)).count_ones())
    }

    /// All corners, in the order of their numbers.
    pub(super) fn cells(&self) -> impl Iterator<Item = CellPos> {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let (x, y) = ((at % self.words_per_row * 64) as i32, (at / self.words_per_row) as i32);
            let mut left = word.corners;
            core::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as i32)?;
                left &= left - 1;
                Some(CellPos::new(x + bit, y))
            })
        })
    }

    /// Calls `found` with every corner that `from`, an open cell, sees, and with its distance. `from` itself is left out.
    ///
    /// A cell sees a corner if the parallelogram of all shortest routes between them holds no other corner and no closed cell. Sight is
    /// mutual. Every reachable cell is reached over corners that see each other.
    pub(super) fn seen_from(&self, from: CellPos, mut found: impl FnMut(CellPos, u32)) {
        let mut runs = [0; 4];
        for (run, dir) in runs.iter_mut().zip(Dir8::STRAIGHT) {
            *run = self.stops.clear_run(from, dir);
            let stop = ahead(from, dir, *run + 1);
            if !self.closed.get(stop) {
                found(stop, (*run + 1) * STRAIGHT);
            }
        }
        for (quarter, dir) in DIAGONALS.into_iter().enumerate() {
            // The greatest extent of the rows of the parallelogram on either side.
            let mut sides = [(dir.turn(-1), runs[quarter]), (dir.turn(1), runs[(quarter + 1) % 4])];
            let (mut at, mut steps) = (from, 0);
            while self.clear_step(at, dir) {
                at = at.step(dir);
                steps += 1;
                if self.number(at).is_some() {
                    found(at, steps * DIAGONAL);
                    break;
                }
                for (side, limit) in &mut sides {
                    if *limit == 0 {
                        continue;
                    }
                    let run = self.stops.clear_run(at, *side);
                    if run < *limit {
                        *limit = run;
                        let stop = ahead(at, *side, run + 1);
                        if !self.closed.get(stop) {
                            found(stop, steps * DIAGONAL + (run + 1) * STRAIGHT);
                        }
                    }
                }
            }
        }
    }

    /// Whether a diagonal step from `at` is legal without cutting a corner.
    #[inline]
    fn clear_step(&self, at: CellPos, dir: Dir8) -> bool {
        let closed = |dx, dy| self.closed.get(at.offset(dx, dy));
        !closed(dir.dx(), 0) && !closed(0, dir.dy()) && !closed(dir.dx(), dir.dy())
    }

    /// Whether the route from `from` to `to` that goes diagonally first, then straight, is open.
    pub(super) fn is_clear(&self, from: CellPos, to: CellPos) -> bool {
        let turn = turn_on(from, to);
        let mut at = from;
        if let Some(dir) = direction(from, turn) {
            while at != turn {
                if !self.clear_step(at, dir) {
                    return false;
                }
                at = at.step(dir);
            }
        }
        direction(turn, to).is_none_or(|dir| {
            let steps = turn.x.abs_diff(to.x).max(turn.y.abs_diff(to.y));
            self.closed.clear_run(turn, dir) >= steps
        })
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.stops.memory_bytes() + self.closed.memory_bytes() + self.words.len() * size_of::<CornerWord>()
    }
}

/// The cell `steps` steps away.
#[inline]
fn ahead(at: CellPos, dir: Dir8, steps: u32) -> CellPos {
    at.offset(dir.dx() * steps as i32, dir.dy() * steps as i32)
}

/// The direction from one cell to another that lies straight or diagonally from it.
#[inline]
fn direction(from: CellPos, to: CellPos) -> Option<Dir8> {
    Dir8::from_delta((to.x - from.x).signum(), (to.y - from.y).signum())
}

/// The cell where the route that goes diagonally first turns straight.
#[inline]
pub(super) fn turn_on(from: CellPos, to: CellPos) -> CellPos {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let diagonal = dx.abs().min(dy.abs());
    from.offset(diagonal * dx.signum(), diagonal * dy.signum())
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::{Corners, turn_on};
    use crate::base::{CellPos, Dir8, GridSize, Rng, RowColBits};

    /// Random ground, `per_mille` of it closed.
    fn ground(seed: u64, per_mille: u64) -> RowColBits {
        let mut rng = Rng::pcg32(seed, 1);
        let grid = GridSize::new(70 + rng.below(20), 20 + rng.below(80)).expect("legal");
        let mut closed = RowColBits::new(grid);
        for at in grid.rect().cells() {
            closed.set(at, u64::from(rng.below(1000)) < per_mille);
        }
        closed
    }

    #[test]
    fn corners_are_where_their_definition_says() {
        for seed in 0..20 {
            let closed = ground(seed, 50 + seed * 25);
            let corners = Corners::new(&closed);
            let corner = |at: &CellPos| {
                let open = |dir| !closed.get(at.step(dir));
                !closed.get(*at)
                    && [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW]
                        .into_iter()
                        .any(|dir| !open(dir) && open(dir.turn(1)) && open(dir.turn(-1)))
            };
            let expected: Vec<CellPos> = closed.grid().rect().cells().filter(corner).collect();
            assert_eq!(corners.cells().collect::<Vec<_>>(), expected);
            for (number, &at) in expected.iter().enumerate() {
                assert_eq!(corners.number(at), Some(number as u32));
            }
            assert_eq!(corners.count() as usize, expected.len());
        }
    }

    #[test]
    fn sight_between_corners_is_mutual_and_the_route_is_open_in_both_directions() {
        for seed in 0..20 {
            let closed = ground(seed, 20 + seed * 25);
            let corners = Corners::new(&closed);
            let mut seen = BTreeSet::new();
            for at in corners.cells() {
                corners.seen_from(at, |to, cost| {
                    assert!(seen.insert((at, to, cost)), "{to} is found once from {at}");
                    assert!(corners.number(to).is_some() && corners.is_clear(at, to));
                    let turn = turn_on(at, to);
                    let steps = |a: CellPos, b: CellPos| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
                    assert_eq!(cost, steps(at, turn) * 1448 + steps(turn, to) * 1024);
                });
            }
            assert!(seen.iter().all(|&(from, to, cost)| seen.contains(&(to, from, cost))));
            assert!(!seen.is_empty());
        }
    }
}
