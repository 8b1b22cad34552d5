//! The twin of lines of sight and their cost: intersects the line with every cell, in exact fractions.

use crate::rule::{BLOCKED, Rule, cost_at};

/// One cell is 1024 units of a point.
pub const CELL: i64 = 1024;

/// A point in 1/1024 cell.
pub type Point = (i64, i64);

/// The middle of a cell.
#[must_use]
pub fn middle((x, y): (i32, i32)) -> Point {
    (i64::from(x) * CELL + CELL / 2, i64::from(y) * CELL + CELL / 2)
}

/// A fraction with a denominator above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i64, below: i64) -> Self {
        let sign = i128::from(below.signum());
        Self(sign * i128::from(above), sign * i128::from(below))
    }

    fn less(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    fn max(self, other: Self) -> Self {
        if self.less(other) { other } else { self }
    }

    fn min(self, other: Self) -> Self {
        if other.less(self) { other } else { self }
    }
}

/// The part of a line inside a rectangle, including its border, as fractions of the line's length; `None` if they do not meet.
fn within(a: Point, b: Point, low: Point, high: Point) -> Option<(Fraction, Fraction)> {
    let (mut from, mut to) = (Fraction(0, 1), Fraction(1, 1));
    for (start, end, low, high) in [(a.0, b.0, low.0, high.0), (a.1, b.1, low.1, high.1)] {
        if start == end {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (enter, leave) = if start < end { (low, high) } else { (high, low) };
        from = from.max(Fraction::new(enter - start, end - start));
        to = to.min(Fraction::new(leave - start, end - start));
    }
    (!to.less(from)).then_some((from, to))
}

/// Whether a line has a point strictly inside a rectangle.
fn enters(a: Point, b: Point, low: Point, high: Point) -> bool {
    let inside = |at: i64, low: i64, high: i64| low < at && at < high;
    let (flat, upright) = (a.1 == b.1, a.0 == b.0);
    if (upright && !inside(a.0, low.0, high.0)) || (flat && !inside(a.1, low.1, high.1)) {
        return false;
    }
    if flat && upright {
        return true;
    }
    within(a, b, low, high).is_some_and(|(from, to)| from.less(to))
}

/// The cells around a line, some of them off the grid.
fn cells_near(a: Point, b: Point, margin: i64) -> impl Iterator<Item = (i32, i32)> {
    let cell = |at: i64| at.div_euclid(CELL);
    let columns = cell(a.0.min(b.0)) - margin..=cell(a.0.max(b.0)) + margin;
    let rows = cell(a.1.min(b.1)) - margin..=cell(a.1.max(b.1)) + margin;
    rows.flat_map(move |y| columns.clone().map(move |x| (x as i32, y as i32)))
}

/// Whether a square of `side` cells can move straight from `a` to `b` without covering a blocked cell or crossing the edge.
/// The square stands like a unit of that size whose own cell has its middle at `a`. Touching is allowed. `cost` is for size one.
#[must_use]
pub fn body_sees(cost: &[u8], (width, height): (u32, u32), side: u8, a: Point, b: Point) -> bool {
    let (back, ahead) = (i64::from((side - 1) / 2), i64::from(side / 2));
    cells_near(a, b, i64::from(side) + 1).all(|(x, y)| {
        if cost_at(cost, width, height, x, y) != BLOCKED {
            return true;
        }
        // The square covers (p - back - ½, p + ahead + ½) and the cell (x, x + 1): they overlap while p is in between.
        let reach = |at: i32| {
            let at = i64::from(at) * CELL;
            (at - ahead * CELL - CELL / 2, at + CELL + back * CELL + CELL / 2)
        };
        let ((left, right), (top, bottom)) = (reach(x), reach(y));
        !enters(a, b, (left, top), (right, bottom))
    })
}

/// Whether a thin line is clear. Every cell that it crosses in more than a point, or has an end in or on the border of, must be open; at
/// every corner that it passes, enough of the adjacent cells must be open.
#[must_use]
pub fn thin_sees(cost: &[u8], (width, height): (u32, u32), rule: Rule, a: Point, b: Point) -> bool {
    let needed = match rule {
        Rule::Allow => 0,
        Rule::AllowOne => 1,
        Rule::Forbid | Rule::Four => 2,
    };
    // The corners on the line, with the open cells beside each.
    let mut corners: Vec<(Fraction, u8)> = Vec::new();
    for (x, y) in cells_near(a, b, 1) {
        let low = (i64::from(x) * CELL, i64::from(y) * CELL);
        let Some((from, to)) = within(a, b, low, (low.0 + CELL, low.1 + CELL)) else { continue };
        let open = cost_at(cost, width, height, x, y) != BLOCKED;
        let is_inner = Fraction(0, 1).less(from) && from.less(Fraction(1, 1));
        if from.less(to) || !is_inner || a == b {
            if !open {
                return false;
            }
            continue;
        }
        match corners.iter_mut().find(|(at, _)| !at.less(from) && !from.less(*at)) {
            Some((_, count)) => *count += u8::from(open),
            None => corners.push((from, u8::from(open))),
        }
    }
    corners.iter().all(|&(_, open)| open >= needed)
}

/// [`line_cost`] has 30 fraction bits.
pub const FINE: u32 = 30;

/// The cost of the straight line between the middles of two cells, rounded down: the length inside each cell times the
/// cell's cost, in 2^-[`FINE`] of 1/1024 cell. For grids of up to a hundred cells per side.
#[must_use]
pub fn line_cost(cost: &[u8], (width, height): (u32, u32), a: (i32, i32), b: (i32, i32)) -> u128 {
    let (from, to) = (middle(a), middle(b));
    let half = CELL / 2;
    let (dx, dy) = ((from.0 - to.0).abs() / half, (from.1 - to.1).abs() / half);
    let whole = i128::from(dx.max(1)) * i128::from(dy.max(1)) * 2;
    let mut paid = 0;
    for (x, y) in cells_near(from, to, 0) {
        let low = (i64::from(x) * CELL, i64::from(y) * CELL);
        let Some((enter, leave)) = within(from, to, low, (low.0 + CELL, low.1 + CELL)) else { continue };
        // Denominators are half cells times `dx` or `dy`.
        let part = |Fraction(above, below): Fraction| above * whole / below;
        let cost = i128::from(cost_at(cost, width, height, x, y));
        paid += (part(leave) - part(enter)) * cost;
    }
    let paid = paid.unsigned_abs();
    let square = (dx * dx + dy * dy).unsigned_abs();
    // The root of the square is in half cells: 2^9 of 1/1024 cell.
    ((paid * paid * u128::from(square)) << (2 * (FINE - 9))).isqrt() * (1 << 18) / whole.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: [u8; 9] = [1; 9];

    #[test]
    fn a_body_needs_all_cells_it_sweeps_and_a_thin_line_only_those_it_enters() {
        let mut cost = [1; 9];
        cost[1] = BLOCKED; // (1, 0)
        let (a, b) = (middle((0, 0)), middle((1, 1)));
        assert!(body_sees(&OPEN, (3, 3), 1, a, b));
        assert!(!body_sees(&cost, (3, 3), 1, a, b));
        assert!(thin_sees(&cost, (3, 3), Rule::AllowOne, a, b));
        assert!(!thin_sees(&cost, (3, 3), Rule::Forbid, a, b));
        let (a, b) = (middle((0, 1)), middle((2, 1)));
        assert!(body_sees(&cost, (3, 3), 1, a, b), "touching is allowed");
    }

    #[test]
    fn a_line_pays_for_the_length_in_each_cell() {
        let cost = [1, 3, 5, 7];
        let unit = 1_u128 << FINE;
        assert_eq!(line_cost(&cost, (4, 1), (0, 0), (3, 0)), (512 + 3072 + 5120 + 3584) * unit);
        let diagonal = line_cost(&[2, 9, 9, 4], (2, 2), (0, 0), (1, 1)) >> FINE;
        assert_eq!(diagonal, 4344); // √2 × 1024 × 3
        // (0, 0) to (2, 1): a quarter each in four cells.
        let mixed = line_cost(&[1, 2, 9, 9, 3, 4], (3, 2), (0, 0), (2, 1)) >> FINE;
        assert_eq!(mixed, 5724); // √5 × 1024 × 2.5
    }
}
