//! Discs and closed cells: moving along walls and out of closed ground.

use super::ground::Walls;
use crate::base::{CellPos, FINE_BITS, FINE_CELL, Fine, WideVec, root};

/// The largest number of steps in which a disc is moved past walls in a tick: 64.
const MAX_STEPS: i64 = 64;

/// An overlap with closed ground of less than 8/65,536 of a cell is rounding.
const TOLERANCE: i64 = 8;

/// The corners of the rectangle of all cells within `reach` of a point along both axes.
#[inline]
pub(super) fn cells_within<W: Walls>(walls: &W, at: Fine, reach: i64) -> (CellPos, CellPos) {
    let shift = walls.shift();
    let low = |part: i32| ((i64::from(part) - reach) >> FINE_BITS) as i32;
    let high = |part: i32| ((i64::from(part) + reach) >> FINE_BITS) as i32;
    let at = at.minus(shift);
    (CellPos::new(low(at.x), low(at.y)), CellPos::new(high(at.x), high(at.y)))
}

/// Calls `visit` with the offset from the nearest point of each closed cell within `reach` to `at`. Leaves out cells
/// behind another closed cell.
#[inline]
pub(super) fn for_each_wall<W: Walls>(walls: &W, at: Fine, reach: i64, mut visit: impl FnMut(WideVec)) {
    let (low, high) = cells_within(walls, at, reach);
    if walls.is_all_open(low, high) {
        return;
    }
    let (shift, inset) = (walls.shift(), i64::from(walls.inset()));
    let at = at.minus(shift);
    let own = at.cell();
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            if walls.is_open(CellPos::new(x, y)) {
                continue;
            }
            // The cells between this cell and the unit are nearer. If one of them is closed, it hides this cell.
            let (beside_x, beside_y) = (x + (own.x - x).signum(), y + (own.y - y).signum());
            let hidden = (beside_x != x && !walls.is_open(CellPos::new(beside_x, y)))
                || (beside_y != y && !walls.is_open(CellPos::new(x, beside_y)));
            if !hidden {
                visit(WideVec::new(beyond(at.x, x, inset), beyond(at.y, y, inset)));
            }
        }
    }
}

/// How far a coordinate lies beyond the nearer side of a cell whose sides are moved in by `inset`; 0 between the sides.
#[inline]
fn beyond(at: i32, cell: i32, inset: i64) -> i64 {
    let start = i64::from(cell) * i64::from(FINE_CELL) + inset;
    let at = i64::from(at);
    at - at.max(start).min(start + i64::from(FINE_CELL) - 2 * inset)
}

/// How deep a disc is in closed ground; 0 outside.
fn depth<W: Walls>(walls: &W, at: Fine, radius: i64) -> i64 {
    let mut least = radius * radius;
    for_each_wall(walls, at, radius, |offset| least = least.min(offset.length_squared()));
    if least == radius * radius { 0 } else { radius - least.isqrt() }
}

/// Moves a disc out of closed ground in up to 4 steps. It may still overlap afterwards.
pub(in crate::avoid) fn push_out<W: Walls>(walls: &W, at: Fine, radius: i64) -> Fine {
    let mut at = at;
    for _ in 0..4 {
        let mut nearest = (radius * radius, None);
        for_each_wall(walls, at, radius, |offset| {
            if offset.length_squared() < nearest.0 {
                nearest = (offset.length_squared(), Some(offset));
            }
        });
        let Some(offset) = nearest.1 else { return at };
        // With its centre inside a closed cell the disc has no direction out, so it stays.
        let Some(polar) = offset.polar() else { return at };
        let out = polar.unit.along(radius - polar.length() + 2);
        at = at.plus(out.fine());
    }
    at
}

/// Where a disc that moves from `from` to `to` ends: at `to`, beside the wall in between, or at `from`.
///
/// *Invariant:* a disc outside of closed ground stays outside, apart from rounding, at any speed. A disc inside gets no
/// deeper.
pub(in crate::avoid) fn slide<W: Walls>(walls: &W, from: Fine, to: Fine, radius: i64) -> Fine {
    // The steps are so short that none of them jumps over a corner.
    let step = radius.min(i64::from(FINE_CELL) / 2).max(1);
    let path = to.wide().minus(from.wide()).clamp_length((MAX_STEPS - 1) * step);
    let steps = (root(path.length_squared()) / step + 1).min(MAX_STEPS);
    let mut at = from;
    let mut allowed = depth(walls, from, radius).max(TOLERANCE);
    for done in 1..=steps {
        let target = from.wide().plus(path.times(done).div_round(steps)).fine();
        let mut next = target;
        let mut deep = depth(walls, next, radius);
        if deep > TOLERANCE {
            next = push_out(walls, next, radius);
            deep = depth(walls, next, radius);
            // A push out of the wall must not move the disc to the other side.
            let too_far = next.wide().minus(target.wide()).length_squared() > step * step;
            if deep > allowed || too_far {
                return at;
            }
        }
        (at, allowed) = (next, allowed.min(deep.max(TOLERANCE)));
        if next != target && steps > 1 {
            return at;
        }
    }
    at
}
