//! A straight line over a lattice of squares: exactly which squares it crosses.

use crate::base::Vec2;

/// The side of a square of the lattice: one cell, 1024 units.
pub(super) const SIDE: i64 = 1024;

/// The direction of the lines of squares that a segment is divided into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    /// West to east: a line is a row.
    Rows,
    /// North to south: a line is a column.
    Columns,
}

/// A segment in 1024ths of a cell; `along` is the axis on which it is longer.
///
/// The ends are sorted first, so a line and its reverse are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) lines: Lines,
    /// The position of the end with the smaller `across`, then the smaller `along`.
    pub(super) start: (i64, i64),
    pub(super) end: (i64, i64),
}

/// The squares of one line that a segment crosses, `first..=last`, and the exact positions where it enters and leaves the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) line: i64,
    pub(super) first: i64,
    pub(super) last: i64,
    /// The lesser and the greater position along the line, times [`Segment::scale`].
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Segment {
    /// The segment between two points moved by `shift` 1024ths on both axes.
    ///
    /// Points must be on a legal map (under 2^23), so that no product below exceeds 2^47.
    pub(super) fn new(a: Vec2, b: Vec2, shift: i64) -> Self {
        let (a, b) = (moved(a, shift), moved(b, shift));
        let lines = if (a.0 - b.0).abs() >= (a.1 - b.1).abs() { Lines::Rows } else { Lines::Columns };
        let turned = |(x, y): (i64, i64)| match lines {
            Lines::Rows => (x, y),
            Lines::Columns => (y, x),
        };
        let (a, b) = (turned(a), turned(b));
        let (start, end) = if (a.1, a.0) <= (b.1, b.0) { (a, b) } else { (b, a) };
        Self { lines, start, end }
    }

    /// Its extent along its lines; in magnitude at least [`Segment::across`].
    pub(super) fn along(&self) -> i64 {
        self.end.0 - self.start.0
    }

    /// Its extent across its lines; never negative.
    pub(super) fn across(&self) -> i64 {
        self.end.1 - self.start.1
    }

    /// The factor of positions in a [`Span`], which makes them whole numbers.
    pub(super) fn scale(&self) -> i64 {
        self.across().max(1)
    }

    /// Whether it runs exactly on the border between two lines of squares.
    pub(super) fn is_on_border(&self) -> bool {
        self.across() == 0 && self.start.1 % SIDE == 0
    }

    /// The position along the lines where it is at `across`, times [`Segment::scale`].
    pub(super) fn place_at(&self, across: i64) -> i64 {
        self.start.0 * self.scale() + (across - self.start.1) * self.along()
    }

    /// The squares that it crosses, line by line: squares whose inside holds more than one point of it. A segment on the border between two
    /// lines counts as in the second.
    pub(super) fn spans(&self) -> impl Iterator<Item = Span> {
        let (from, to) = (self.start.1, self.end.1);
        let first_line = from.div_euclid(SIDE);
        let last_line = if from == to { first_line } else { (to - 1).div_euclid(SIDE) };
        let side = SIDE * self.scale();
        let end = Place::new(self.end.0 * self.scale(), side);
        // The position at the next line, and the increment per line, so that no line needs a division.
        let (mut crossing, per_line) = if first_line == last_line {
            (end, end)
        } else {
            let crossing = Place::new(self.place_at((first_line + 1) * SIDE), side);
            (crossing, Place::new(self.along() * SIDE, side))
        };
        let mut enter = Place::new(self.start.0 * self.scale(), side);
        (first_line..=last_line).map(move |line| {
            let leave = if line == last_line { end } else { crossing };
            let (low, high) = if enter.at <= leave.at { (enter, leave) } else { (leave, enter) };
            enter = leave;
            crossing = crossing.plus(per_line, side);
            // Leave out a square that is only touched. For a single point, take the square that holds it.
            let last = (high.square - i64::from(high.within == 0)).max(low.square);
            Span { line, first: low.square, last, low: low.at, high: high.at }
        })
    }

    /// The square of its length, in units of 2^-20 of a squared cell.
    pub(super) fn length_squared(&self) -> u64 {
        let (along, across) = (self.along().unsigned_abs(), self.across().unsigned_abs());
        along * along + across * across
    }
}

/// A position along a line, split into squares and a rest.
#[derive(Clone, Copy)]
struct Place {
    at: i64,
    square: i64,
    within: i64,
}

impl Place {
    fn new(at: i64, side: i64) -> Self {
        let square = at.div_euclid(side);
        Self { at, square, within: at - square * side }
    }

    #[inline]
    fn plus(self, other: Self, side: i64) -> Self {
        let (square, within) = (self.square + other.square, self.within + other.within);
        let at = self.at + other.at;
        if within < side {
            Self { at, square, within }
        } else {
            Self { at, square: square + 1, within: within - side }
        }
    }
}

fn moved(at: Vec2, shift: i64) -> (i64, i64) {
    (i64::from(at.x.raw()) + shift, i64::from(at.y.raw()) + shift)
}
