//! Closed ground: what units must not touch.

use super::crowd::KindId;
use super::fine::{FINE_BITS, FINE_CELL, Fine, Wide, divide};
use super::program::Line;
use crate::base::{CellPos, root};
use crate::cost::CostField;

/// Lines for walls at most.
pub(super) const MAX_WALLS: usize = 4;

/// Steps at most in which a unit is moved past walls in a tick.
const MAX_STEPS: i64 = 64;

/// Touching by less than this is roundings.
const SLACK: i64 = 8;

/// Where a unit may stand, and how fast it is there: what avoidance asks of a map.
///
/// A unit is a disc and keeps all of it out of closed cells, unless [`Walls::hull`] says that less will do.
pub trait Walls: Sync {
    /// Whether a unit may touch the cell.
    fn is_open(&self, at: CellPos) -> bool;

    /// Whether a unit may touch every cell between two corners, both included. Asked about all ground that units get near to, most of
    /// which has no walls: worth an answer that is quicker than cell by cell.
    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        (low.y..=high.y).all(|y| (low.x..=high.x).all(|x| self.is_open(CellPos::new(x, y))))
    }

    /// How much of a unit's `radius` has to stay out of closed cells, both in 65,536ths of a cell: all of it, unless cells are closed a
    /// unit's size beyond what really closes them.
    #[inline]
    fn hull(&self, radius: i32) -> i32 {
        radius
    }

    /// By how much a unit's middle lies beyond the point whose cell says where it may stand.
    #[inline]
    fn shift(&self) -> Fine {
        Fine::ZERO
    }

    /// How much smaller than its cell closed ground is, on each side: more than 0 where units squeeze between corners.
    #[inline]
    fn inset(&self) -> i32 {
        0
    }

    /// Which part of its speed a unit has whose middle is at a point, in 1024ths: what terrain does to it, whatever its way costs. Asked once a
    /// tick for each unit that is awake.
    #[inline]
    fn pace(&self, _middle: Fine) -> u16 {
        1024
    }
}

impl<W: Walls> Walls for &W {
    #[inline]
    fn is_open(&self, at: CellPos) -> bool {
        (**self).is_open(at)
    }

    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        (**self).is_all_open(low, high)
    }

    #[inline]
    fn hull(&self, radius: i32) -> i32 {
        (**self).hull(radius)
    }

    #[inline]
    fn shift(&self) -> Fine {
        (**self).shift()
    }

    #[inline]
    fn inset(&self) -> i32 {
        (**self).inset()
    }

    #[inline]
    fn pace(&self, middle: Fine) -> u16 {
        (**self).pace(middle)
    }
}

/// Which ground is closed to whom. What is the same for all kinds of units is [`Walls`], and that is enough.
pub trait Grounds: Sync {
    /// The ground of one kind.
    type Of<'a>: Walls
    where
        Self: 'a;

    /// The ground as it is for units of a kind.
    fn of(&self, kind: KindId) -> Self::Of<'_>;
}

impl<W: Walls> Grounds for W {
    type Of<'a>
        = &'a W
    where
        W: 'a;

    #[inline]
    fn of(&self, _kind: KindId) -> &W {
        self
    }
}

impl Walls for CostField {
    #[inline]
    fn is_open(&self, at: CellPos) -> bool {
        self.is_passable(at)
    }

    #[inline]
    fn is_all_open(&self, low: CellPos, high: CellPos) -> bool {
        self.closed_bits().is_clear(low, high)
    }
}

/// Ground without walls or edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenGround;

impl Walls for OpenGround {
    #[inline]
    fn is_open(&self, _at: CellPos) -> bool {
        true
    }

    #[inline]
    fn is_all_open(&self, _low: CellPos, _high: CellPos) -> bool {
        true
    }
}

/// Whether some ground within `reach` of a point along both axes is closed.
#[inline]
pub(super) fn are_near<W: Walls>(walls: &W, at: Fine, reach: i64) -> bool {
    let (low, high) = cells(walls, at, reach);
    !walls.is_all_open(low, high)
}

/// The corners of all cells within `reach` of a point along both axes.
#[inline]
fn cells<W: Walls>(walls: &W, at: Fine, reach: i64) -> (CellPos, CellPos) {
    let shift = walls.shift();
    let low = |part: i32| ((i64::from(part) - reach) >> FINE_BITS) as i32;
    let high = |part: i32| ((i64::from(part) + reach) >> FINE_BITS) as i32;
    let (x, y) = (at.x.saturating_sub(shift.x), at.y.saturating_sub(shift.y));
    (CellPos::new(low(x), low(y)), CellPos::new(high(x), high(y)))
}

/// Tells `see` how far `at` lies from the nearest point of each closed cell within `reach` that no other closed cell hides.
#[inline]
fn each_near<W: Walls>(walls: &W, at: Fine, reach: i64, mut see: impl FnMut(Wide)) {
    let (low, high) = cells(walls, at, reach);
    if walls.is_all_open(low, high) {
        return;
    }
    let (shift, inset) = (walls.shift(), i64::from(walls.inset()));
    let at = Fine::new(at.x.saturating_sub(shift.x), at.y.saturating_sub(shift.y));
    let own = at.cell();
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            if walls.is_open(CellPos::new(x, y)) {
                continue;
            }
            // The cells between this one and the unit: if closed, they are nearer.
            let (beside_x, beside_y) = (x + (own.x - x).signum(), y + (own.y - y).signum());
            let hidden = (beside_x != x && !walls.is_open(CellPos::new(beside_x, y)))
                || (beside_y != y && !walls.is_open(CellPos::new(x, beside_y)));
            if !hidden {
                see(Wide::new(beyond(at.x, x, inset), beyond(at.y, y, inset)));
            }
        }
    }
}

/// How far a coordinate lies beyond a cell's side, which is `inset` inside of it: 0 within.
#[inline]
fn beyond(at: i32, cell: i32, inset: i64) -> i64 {
    let start = i64::from(cell) * i64::from(FINE_CELL) + inset;
    let at = i64::from(at);
    at - at.max(start).min(start + i64::from(FINE_CELL) - 2 * inset)
}

/// Lines that keep a unit from closing any gap to a wall within `ticks`: the nearest walls within `reach` of its rim. Gives how many.
pub(super) fn lines<W: Walls>(
    walls: &W,
    at: Fine,
    radius: i64,
    reach: i64,
    ticks: i64,
    out: &mut [Line; MAX_WALLS],
) -> usize {
    let mut found = [(i64::MAX, Wide::ZERO); MAX_WALLS];
    let mut count = 0;
    let limit = (radius + reach) * (radius + reach);
    each_near(walls, at, radius + reach, |away| {
        let square = away.square();
        if square > limit || square == 0 {
            return;
        }
        // The nearest first; of equally near ones the first that was seen, from north-west to south-east.
        let mut place = count.min(MAX_WALLS);
        while place > 0 && found[place - 1].0 > square {
            if place < MAX_WALLS {
                found[place] = found[place - 1];
            }
            place -= 1;
        }
        if place < MAX_WALLS {
            found[place] = (square, away);
            count = (count + 1).min(MAX_WALLS);
        }
    });
    for (line, (_, away)) in out.iter_mut().zip(&found[..count]) {
        let Some(polar) = away.polar() else { continue };
        let gap = polar.length() - radius;
        let pace = if gap < 0 { gap } else { divide(gap, ticks) };
        *line = Line::new(polar.unit.along(-pace), Wide::new(polar.unit.y, -polar.unit.x));
    }
    count
}

/// How deep a disc is in closed ground; 0 outside.
pub(super) fn depth<W: Walls>(walls: &W, at: Fine, radius: i64) -> i64 {
    let mut least = radius * radius;
    each_near(walls, at, radius, |away| least = least.min(away.square()));
    if least == radius * radius { 0 } else { radius - least.isqrt() }
}

/// Moves a disc out of closed ground, as far as a few steps do it.
pub(super) fn push_out<W: Walls>(walls: &W, at: Fine, radius: i64) -> Fine {
    let mut at = at;
    for _ in 0..4 {
        let mut nearest = (radius * radius, None);
        each_near(walls, at, radius, |away| {
            if away.square() < nearest.0 {
                nearest = (away.square(), Some(away));
            }
        });
        let Some(away) = nearest.1 else { return at };
        // Who stands in the middle of closed ground goes nowhere: there is no telling which way.
        let Some(polar) = away.polar() else { return at };
        let out = polar.unit.along(radius - polar.length() + 2);
        at = at.plus(out.fine());
    }
    at
}

/// Where a disc ends up that moves from `from` to `to`: there, or beside the wall that is in the way, or where it was.
///
/// Invariant: a disc that is outside of closed ground stays outside (by more than roundings), however fast it is; one that is inside
/// gets no deeper.
pub(super) fn slide<W: Walls>(walls: &W, from: Fine, to: Fine, radius: i64) -> Fine {
    // In steps that cannot jump over a corner; nobody goes further than so many of them.
    let step = radius.min(i64::from(FINE_CELL) / 2).max(1);
    let way = to.wide().minus(from.wide()).clamp((MAX_STEPS - 1) * step);
    let steps = (root(way.square()) / step + 1).min(MAX_STEPS);
    let mut at = from;
    let mut allowed = depth(walls, from, radius).max(SLACK);
    for done in 1..=steps {
        let wanted = from.wide().plus(way.times(done).over(steps)).fine();
        let mut next = wanted;
        let mut deep = depth(walls, next, radius);
        if deep > SLACK {
            next = push_out(walls, next, radius);
            deep = depth(walls, next, radius);
            // Being pushed out must not carry it to the other side.
            let carried = next.wide().minus(wanted.wide()).square() > step * step;
            if deep > allowed || carried {
                return at;
            }
        }
        (at, allowed) = (next, allowed.min(deep.max(SLACK)));
        if next != wanted && steps > 1 {
            return at;
        }
    }
    at
}
