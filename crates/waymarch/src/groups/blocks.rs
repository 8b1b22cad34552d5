//! Who takes which place when they are many: blocks of neighbours, each solved exactly.

use alloc::vec::Vec;
use core::ops::Range;

use super::exact::Exact;
use super::likeness::{Likeness, Point};
use crate::base::spoil;

/// Members to a block.
const BLOCK: usize = 24;
/// How blocks are cut the second time: at so many eighths first, along axes turned by (x, y).
const ANEW: (usize, i32, i32) = (3, 1, 1);
/// A member is held against so many others for an exchange, by the order in which blocks were cut.
const WINDOW: usize = 1024;
/// As many of them at once.
const LANES: usize = 32;

/// Scratch: assignments that are near the best.
///
/// Members are laid over the places ([`Likeness`]); both sets are halved at their medians, along the axis they extend further on, until
/// blocks are small; those are solved exactly. Then all pairs that gain by an exchange exchange, once; and blocks are cut anew along
/// other lines and solved again. No step but the first makes the sum of squared legs larger.
///
/// Measured against the best: at most 0.25 % above for 201 to 500 members, from two shapes into six, at a way of about the group's
/// own size (`tests/groups_assignment.rs`).
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    rows: Vec<u32>,
    columns: Vec<u32>,
    stack: Vec<Range<usize>>,
    laid: Vec<Point>,
    members: Vec<Point>,
    places: Vec<Point>,
    /// The member at each place.
    row_of: Vec<u32>,
    pairs: Pairs,
}

/// Members and their places as four lists of small numbers, so that many can be looked at at once.
#[derive(Clone, Debug, Default)]
struct Pairs {
    x: Vec<i16>,
    y: Vec<i16>,
    place_x: Vec<i16>,
    place_y: Vec<i16>,
}

/// What a sweep cuts: both sets alike, or the places alone, each with the member it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    Both,
    Places,
}

impl Blocks {
    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        for list in [&mut self.rows, &mut self.columns, &mut self.row_of] {
            spoil(list, u32::MAX);
        }
        for list in [&mut self.laid, &mut self.members, &mut self.places] {
            spoil(list, Point { x: -7, y: 7 });
        }
        spoil(&mut self.stack, 7..7);
        let Pairs { x, y, place_x, place_y } = &mut self.pairs;
        for list in [x, y, place_x, place_y] {
            spoil(list, 7);
        }
    }

    /// The place of each member, into `out`; both lists are equally long.
    pub(super) fn solve(
        &mut self,
        exact: &mut Exact,
        members: &[Point],
        places: &[Point],
        out: &mut Vec<u32>,
    ) {
        let count = members.len().min(places.len());
        let (members, places) = (&members[..count], &places[..count]);
        self.rows.clear();
        self.rows.extend(0..count as u32);
        self.columns.clear();
        self.columns.extend(0..count as u32);
        self.row_of.clear();
        self.row_of.resize(count, 0);
        let likeness = Likeness::of(members, places);
        let mut laid = core::mem::take(&mut self.laid);
        laid.clear();
        laid.extend(members.iter().map(|&at| likeness.map(at)));
        self.sweep(exact, &laid, places, (4, 1, 0), Cut::Both);
        self.laid = laid;
        self.exchange(members, places);
        self.sweep(exact, members, places, ANEW, Cut::Places);
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
        (eighths, x, y): (usize, i32, i32),
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
            self.stack.push(range.start + at..range.end);
            self.stack.push(range.start..range.start + at);
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
        // Cutting leaves an order behind that says nothing.
        columns.sort_unstable();
        if what == Cut::Places {
            for (row, &column) in self.rows[range.clone()].iter_mut().zip(&*columns) {
                *row = self.row_of[column as usize];
            }
        }
        let rows = &mut self.rows[range];
        rows.sort_unstable();
        self.members.clear();
        self.members.extend(rows.iter().map(|&row| members[row as usize]));
        self.places.clear();
        self.places.extend(columns.iter().map(|&column| places[column as usize]));
        let found = exact.solve(&self.members, &self.places);
        for (&row, &column) in rows.iter().zip(found) {
            self.row_of[columns[column as usize] as usize] = row;
        }
    }

    /// Lets all pairs exchange that gain by it: two do if the one's place lies behind the other's, as seen from where they are.
    fn exchange(&mut self, members: &[Point], places: &[Point]) {
        let Self { columns, row_of, pairs, .. } = self;
        let Pairs { x, y, place_x, place_y } = pairs;
        let row = |column: u32| members[row_of[column as usize] as usize];
        fill(x, columns.iter().map(|&column| row(column).x));
        fill(y, columns.iter().map(|&column| row(column).y));
        fill(place_x, columns.iter().map(|&column| places[column as usize].x));
        fill(place_y, columns.iter().map(|&column| places[column as usize].y));
        let count = columns.len();
        for one in 0..count {
            let end = count.min(one + WINDOW);
            let mut from = one + 1;
            while from < end {
                let to = end.min(from + LANES);
                let (own_x, own_y, place) = (x[one], y[one], (place_x[one], place_y[one]));
                let others = x[from..to].iter().zip(&y[from..to]);
                let theirs = place_x[from..to].iter().zip(&place_y[from..to]);
                // Coordinates are below 2^12: differences fit 16 bits, products 32.
                let gain = |((x, y), (px, py)): ((&i16, &i16), (&i16, &i16))| {
                    i32::from(x.wrapping_sub(own_x)) * i32::from(px.wrapping_sub(place.0))
                        + i32::from(y.wrapping_sub(own_y)) * i32::from(py.wrapping_sub(place.1))
                };
                let worst = others.clone().zip(theirs.clone()).map(gain).fold(0, i32::min);
                if worst < 0 {
                    // The one that gains most; the others are held against the new place.
                    let found = others.zip(theirs).map(gain).position(|gain| gain == worst);
                    let other = from + found.unwrap_or(0);
                    x.swap(one, other);
                    y.swap(one, other);
                    let (a, b) = (columns[one] as usize, columns[other] as usize);
                    row_of.swap(a, b);
                }
                from = to;
            }
        }
    }
}

fn fill(list: &mut Vec<i16>, values: impl Iterator<Item = i32>) {
    list.clear();
    list.extend(values.map(|value| value as i16));
}

/// A point's coordinate along one of the axes of a turned frame.
#[inline]
fn along(point: Point, (x, y): (i32, i32)) -> i32 {
    point.x * x + point.y * y
}

/// The axis along which points extend further, of a frame's two.
fn longer(points: &[Point], which: &[u32], frame: (i32, i32)) -> (i32, i32) {
    let other = (-frame.1, frame.0);
    let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
    for &place in which {
        let at = (along(points[place as usize], frame), along(points[place as usize], other));
        low = (low.0.min(at.0), low.1.min(at.1));
        high = (high.0.max(at.0), high.1.max(at.1));
    }
    if i64::from(high.0) - i64::from(low.0) >= i64::from(high.1) - i64::from(low.1) { frame } else { other }
}

fn cut(points: &[Point], which: &mut [u32], at: usize, axis: (i32, i32)) {
    which.select_nth_unstable_by_key(at, |&place| (along(points[place as usize], axis), place));
}
