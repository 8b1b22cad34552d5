//! Who takes which place when they are many: blocks of neighbours, each solved exactly.

use alloc::vec::Vec;
use core::ops::Range;

use super::exact::{Exact, Point};

/// Members to a block.
const BLOCK: usize = 32;

/// Frames in which blocks are cut, one after the other: the first cut at so many eighths, along axes turned by (x, y).
const SWEEPS: [(usize, i64, i64); 3] = [(3, 1, 1), (4, 1, 2), (5, 2, 1)];

/// Scratch: assignments that are near the best.
///
/// Both sets are halved at their medians, along the axis they extend further on, until blocks are small; then blocks are solved
/// exactly. That keeps neighbours neighbours but is wrong along the cuts, so blocks are cut anew along other lines and solved again. No step makes
/// the sum of squared legs larger. Costs about n steps for each member of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    rows: Vec<u32>,
    columns: Vec<u32>,
    stack: Vec<Range<usize>>,
    members: Vec<Point>,
    places: Vec<Point>,
    /// The member at each place.
    row_of: Vec<u32>,
}

/// A point's coordinate along one of the axes of a frame turned by (x, y).
fn along(point: Point, (x, y): (i64, i64)) -> i64 {
    i64::from(point.x) * x + i64::from(point.y) * y
}

/// The axis along which points extend further, of a frame's two.
fn longer(points: &[Point], which: &[u32], frame: (i64, i64)) -> (i64, i64) {
    let extent = |axis: (i64, i64)| {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for &place in which {
            let at = along(points[place as usize], axis);
            (low, high) = (low.min(at), high.max(at));
        }
        high - low
    };
    let other = (-frame.1, frame.0);
    if extent(frame) >= extent(other) { frame } else { other }
}

fn cut(points: &[Point], which: &mut [u32], at: usize, axis: (i64, i64)) {
    which.select_nth_unstable_by_key(at, |&place| (along(points[place as usize], axis), place));
}

/// What a sweep cuts: both sets alike, or the places alone, each with the member it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    Both,
    Places,
}

impl Blocks {
    /// The place of each member, into `out`; both lists are equally long.
    pub(super) fn solve(
        &mut self,
        exact: &mut Exact,
        members: &[Point],
        places: &[Point],
        out: &mut Vec<u32>,
    ) {
        let count = members.len().min(places.len());
        self.rows.clear();
        self.rows.extend(0..count as u32);
        self.columns.clear();
        self.columns.extend(0..count as u32);
        self.row_of.clear();
        self.row_of.resize(count, 0);
        self.sweep(exact, members, places, (4, 1, 0), Cut::Both);
        for sweep in SWEEPS {
            self.sweep(exact, members, places, sweep, Cut::Places);
        }
        out.clear();
        out.resize(count, 0);
        for (column, &row) in self.row_of.iter().enumerate() {
            out[row as usize] = column as u32;
        }
    }

    /// Cuts everything into blocks and solves each.
    fn sweep(
        &mut self,
        exact: &mut Exact,
        members: &[Point],
        places: &[Point],
        (eighths, x, y): (usize, i64, i64),
        what: Cut,
    ) {
        let whole = 0..self.columns.len();
        self.stack.clear();
        self.stack.push(whole.clone());
        while let Some(range) = self.stack.pop() {
            if range.len() <= BLOCK {
                self.solve_block(exact, members, places, range, what);
                continue;
            }
            let at = if range == whole { range.len() * eighths / 8 } else { range.len() / 2 };
            let columns = &mut self.columns[range.clone()];
            let axis = longer(places, columns, (x, y));
            cut(places, columns, at, axis);
            if what == Cut::Both {
                cut(members, &mut self.rows[range.clone()], at, axis);
            }
            self.stack.push(range.start..range.start + at);
            self.stack.push(range.start + at..range.end);
        }
    }

    fn solve_block(
        &mut self,
        exact: &mut Exact,
        members: &[Point],
        places: &[Point],
        range: Range<usize>,
        what: Cut,
    ) {
        let columns = &mut self.columns[range.clone()];
        if what == Cut::Places {
            for at in range.clone() {
                self.rows[at] = self.row_of[columns[at - range.start] as usize];
            }
        }
        let rows = &mut self.rows[range];
        // Cutting leaves an order behind that says nothing.
        rows.sort_unstable();
        columns.sort_unstable();
        self.members.clear();
        self.members.extend(rows.iter().map(|&row| members[row as usize]));
        self.places.clear();
        self.places.extend(columns.iter().map(|&column| places[column as usize]));
        let found = exact.solve(&self.members, &self.places);
        for (&row, &column) in rows.iter().zip(found) {
            self.row_of[columns[column as usize] as usize] = row;
        }
    }
}
