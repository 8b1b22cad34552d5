//! Placing doors: which steps over a sector's border represent all others.

use alloc::vec::Vec;

use super::distances::step_units;
use super::door::{Door, DoorRank};
use crate::base::{CellPos, CellRect, Dir8};
use crate::cost::{CostView, IMPASSABLE};
use crate::sectors::zones::{Connection, edge};

/// Doors of one opening are at most 16 cells apart. On open ground a border of 32 cells has a door at each end and one in the middle.
const SPACING: usize = 16;
/// An opening of up to 3 cells has one door.
const NARROW: usize = 3;

/// Finds the doors of the sector that covers `area`, in the order of their cells. The `twin` of each door is not set
/// yet.
///
/// Both sides of a border find the same doors, because they look at the same cells in the same order.
pub(super) fn find_doors(
    ground: CostView<'_>,
    area: CellRect,
    connection: Connection,
    sector_side: u32,
    out: &mut Vec<Door>,
) {
    out.clear();
    let whole = ground.field.grid().rect();
    for &side in connection.directions() {
        let edge = edge(area, side);
        let first = CellPos::new(edge.x0, edge.y0);
        if !whole.contains(first.step(side)) {
            continue;
        }
        let mut door = |at: CellPos, dir: Dir8, rank: DoorRank| {
            let place = (at.y - area.y0) as u32 * sector_side + (at.x - area.x0) as u32;
            let crossing = step_units(dir, ground.cost(at.step(dir)));
            out.push(Door { place: place as u16, crossing: crossing as u16, twin: 0, dir, side, rank });
        };
        if side.is_diagonal() {
            if is_squeeze(ground, first, side) {
                door(first, side, DoorRank::Main);
            }
            continue;
        }
        // North and south borders run east; east and west borders run south.
        let along = if side.dx() == 0 { Dir8::E } else { Dir8::S };
        let count = if side.dx() == 0 { edge.x1 - edge.x0 } else { edge.y1 - edge.y0 } as usize;
        let border = Border { ground, first, along, dir: side, count };
        border.straight(|at, rank| door(at, side, rank));
        if connection == Connection::Eight {
            border.squeezes(|at, dir| door(at, dir, DoorRank::Main));
        }
    }
    out.sort_unstable_by_key(|door| (door.place, door.dir));
}

/// Whether the diagonal step from `at` passes between two closed cells. No straight step can replace it.
fn is_squeeze(ground: CostView<'_>, at: CellPos, dir: Dir8) -> bool {
    let open = |at: CellPos| ground.field.is_passable(at);
    open(at) && open(at.step(dir)) && !open(at.step(dir.turn(1))) && !open(at.step(dir.turn(-1)))
}

/// The line of cells on this side of a border.
#[derive(Clone, Copy)]
struct Border<'a> {
    ground: CostView<'a>,
    first: CellPos,
    along: Dir8,
    /// The direction across the border.
    dir: Dir8,
    count: usize,
}

impl Border<'_> {
    fn at(&self, place: usize) -> CellPos {
        self.first.offset(self.along.dx() * place as i32, self.along.dy() * place as i32)
    }

    /// The sum of the costs on both sides; `None` where one side is closed.
    fn cost(&self, place: usize) -> Option<u16> {
        let (here, there) = (self.at(place), self.at(place).step(self.dir));
        let (here, there) = (self.ground.cost(here), self.ground.cost(there));
        (here != IMPASSABLE && there != IMPASSABLE).then(|| u16::from(here) + u16::from(there))
    }

    /// The doors of straight steps: a few of each opening.
    fn straight(&self, mut door: impl FnMut(CellPos, DoorRank)) {
        let mut place = 0;
        while place < self.count {
            if self.cost(place).is_none() {
                place += 1;
                continue;
            }
            let from = place;
            while place < self.count && self.cost(place).is_some() {
                place += 1;
            }
            self.doors_of_opening(from, place, |at, rank| door(self.at(at), rank));
        }
    }

    /// Places doors at even distances from end to end. Adds one between two of them where a place is cheaper than both.
    /// The main door is the cheapest; of equally cheap doors, the nearest to the middle.
    fn doors_of_opening(&self, from: usize, to: usize, mut door: impl FnMut(usize, DoorRank)) {
        let last = to - from - 1;
        let key = |at: usize, middle: usize| (self.cost(at), (2 * at).abs_diff(middle), at);
        if last < NARROW {
            let best = (from..to).min_by_key(|&at| key(at, 2 * from + last));
            best.into_iter().for_each(|at| door(at, DoorRank::Main));
            return;
        }
        let gaps = last.div_ceil(SPACING);
        let spaced = |gap: usize| from + last * gap / gaps;
        let between = |gap: usize| {
            let (left, right) = (spaced(gap), spaced(gap + 1));
            let ends = self.cost(left).min(self.cost(right));
            let best = (left + 1..right).min_by_key(|&at| key(at, left + right));
            best.filter(|&at| self.cost(at) < ends)
        };
        let all = || {
            (0..gaps).flat_map(|gap| [Some(spaced(gap)), between(gap)]).chain([Some(spaced(gaps))]).flatten()
        };
        let main = all().min_by_key(|&at| key(at, 2 * from + last));
        for at in all() {
            door(at, if main == Some(at) { DoorRank::Main } else { DoorRank::Side });
        }
    }

    /// The doors of diagonal steps between closed cells.
    fn squeezes(&self, mut door: impl FnMut(CellPos, Dir8)) {
        for place in 0..self.count {
            for turn in [-1, 1] {
                let (at, dir) = (self.at(place), self.dir.turn(turn));
                // Both cells must lie along this border, not past its end.
                let beside = if (self.along.dx(), self.along.dy())
                    == (dir.dx() - self.dir.dx(), dir.dy() - self.dir.dy())
                {
                    place + 1 < self.count
                } else {
                    place > 0
                };
                if beside && is_squeeze(self.ground, at, dir) {
                    door(at, dir);
                }
            }
        }
    }
}
