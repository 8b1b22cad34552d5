//! A line of knots (turning points) between fixed ends, pulled until it is taut.

use alloc::vec::Vec;

use super::sight::{LineCost, Sight};
use crate::base::{CellPos, Dir8, Scratch, poison_list, reserve_total};

/// The longest move of a knot at a time on ground of one cost: 32 cells.
const LONGEST_STEP: i32 = 32;
/// The longest move where costs differ: 8 cells. There a line is summed cell by cell, and knots of cheapest routes are already well placed.
const LONGEST_UNEVEN_STEP: i32 = 8;
/// The most moves of a knot by steps of one length before shorter steps are tried: 16.
const MOVES: u32 = 16;
/// The most rounds over all knots: 64. Each round makes the line cheaper, and four rounds are usually enough; the bound guarantees an end.
const ROUNDS: u32 = 64;

/// A turning point, with the cost of the straight line from the previous one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Knot {
    pub(super) at: CellPos,
    leg: LineCost,
    /// Whether it is in its best place between its present neighbours.
    settled: bool,
}

/// Scratch: a line of knots.
#[derive(Clone, Debug, Default)]
pub(super) struct Knots {
    pub(super) list: Vec<Knot>,
}

impl Scratch for Knots {
    /// The number of knots.
    type Demand = usize;

    fn poison(&mut self) {
        let leg = LineCost { low: 7, high: 7, length: 7 };
        poison_list(&mut self.list, Knot { at: CellPos::new(7, -7), leg, settled: true });
    }

    fn reserve(&mut self, knots: usize) {
        reserve_total(&mut self.list, knots);
    }
}

impl Knots {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds a knot at the end. The line to it must be clear.
    pub(super) fn push(&mut self, sight: &Sight<'_>, at: CellPos) {
        let leg = self.list.last().map_or(LineCost::default(), |before| line(sight, before.at, at));
        self.list.push(Knot { at, leg, settled: false });
    }

    /// Removes and moves knots while the line gets cheaper. The ends do not move.
    ///
    /// Afterwards, removing a knot would make the line more expensive or blocked, and moving a knot would not make it cheaper. So pulling
    /// again changes nothing.
    pub(super) fn pull(&mut self, sight: &Sight<'_>) {
        for _ in 0..ROUNDS {
            self.take_out(sight);
            if self.move_all(sight) == Moved::None {
                break;
            }
        }
    }

    /// Removes every knot whose neighbours can be connected by a clear line that costs no more. A knot is checked again whenever a
    /// neighbour is removed, so one pass is enough.
    fn take_out(&mut self, sight: &Sight<'_>) {
        let mut kept = 0;
        for index in 0..self.list.len() {
            let mut knot = self.list[index];
            while let [.., before, middle] = &self.list[..kept] {
                let Some(leg) = past(sight, before.at, middle, &knot) else { break };
                knot.leg = leg;
                knot.settled = false;
                kept -= 1;
                self.list[kept - 1].settled = false;
            }
            self.list[kept] = knot;
            kept += 1;
        }
        self.list.truncate(kept);
    }

    fn move_all(&mut self, sight: &Sight<'_>) -> Moved {
        let mut moved = Moved::None;
        for index in 1..self.list.len().saturating_sub(1) {
            if self.list[index].settled {
                continue;
            }
            let before = self.list[index].at;
            self.move_one(sight, index);
            let still = self.list[index].at == before;
            self.list[index].settled = still;
            if !still {
                self.list[index - 1].settled = false;
                self.list[index + 1].settled = false;
                moved = Moved::Some;
            }
        }
        moved
    }

    /// Moves one knot by shorter and shorter steps, each time to the place where the lines to both neighbours are cheapest, if that is
    /// cheaper. Ties go to the first direction in order.
    fn move_one(&mut self, sight: &Sight<'_>, index: usize) {
        let (from, to) = (self.list[index - 1].at, self.list[index + 1].at);
        let at = self.list[index].at;
        let reach = apart(from, at).max(apart(at, to)) / 2;
        let mut step = 1;
        let longest = if sight.is_even() { LONGEST_STEP } else { LONGEST_UNEVEN_STEP };
        while step * 2 <= reach && step < longest {
            step *= 2;
        }
        while step > 0 {
            for _ in 0..MOVES {
                let knot = self.list[index];
                let mut cheapest = knot.leg.low + self.list[index + 1].leg.low;
                let mut best = None;
                let downhill = Downhill::new(from, knot.at, to);
                for dir in Dir8::ALL {
                    if !downhill.may_help(dir) {
                        continue;
                    }
                    let place = knot.at.offset(dir.dx() * step, dir.dy() * step);
                    if let Some((leg, next)) = detour(sight, from, place, to, cheapest) {
                        cheapest = leg.high + next.high;
                        best = Some((place, leg, next));
                    }
                }
                let Some((place, leg, next)) = best else { break };
                self.list[index] = Knot { at: place, leg, settled: false };
                self.list[index + 1].leg = next;
            }
            step /= 2;
        }
    }
}

/// The direction in which a knot must move for the lines to its neighbours to get shorter.
///
/// The length of the lines is a convex function of the knot's place, so no step uphill shortens them, however long it
/// is. Where costs differ, a longer line can be cheaper, but then the route already goes there.
struct Downhill {
    /// The sum of the directions from both neighbours, each 2^16 long.
    uphill: (i64, i64),
}

impl Downhill {
    fn new(from: CellPos, at: CellPos, to: CellPos) -> Self {
        let away = |neighbour: CellPos| {
            let length = straight_length(neighbour, at).max(1) as i64;
            let part = |from: i32, to: i32| (i64::from(to - from) << (super::sight::FINE + 26)) / length;
            (part(neighbour.x, at.x), part(neighbour.y, at.y))
        };
        let (a, b) = (away(from), away(to));
        Self { uphill: (a.0 + b.0, a.1 + b.1) }
    }

    fn may_help(&self, dir: Dir8) -> bool {
        // 8 is more than all rounding errors.
        self.uphill.0 * i64::from(dir.dx()) + self.uphill.1 * i64::from(dir.dy()) < 8
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    None,
    Some,
}

/// The cost of the straight line that leaves out `middle`, if it is clear and certainly costs no more.
fn past(sight: &Sight<'_>, before: CellPos, middle: &Knot, after: &Knot) -> Option<LineCost> {
    // A knot at the same place as another is removed.
    if middle.at == before {
        return Some(after.leg);
    }
    if middle.at == after.at {
        return Some(middle.leg);
    }
    if in_line(before, middle.at, after.at) {
        return Some(line(sight, before, after.at));
    }
    if !sight.is_clear(before.centre(), after.at.centre()) {
        return None;
    }
    let straight = line(sight, before, after.at);
    // On ground of one cost the straight line is always the shortest.
    let bent = middle.leg.low + after.leg.low;
    (sight.is_even() || straight.high <= bent).then_some(straight)
}

/// The cost of the two lines over `place`, if they are clear and certainly cost less than `below`.
fn detour(
    sight: &Sight<'_>,
    from: CellPos,
    place: CellPos,
    to: CellPos,
    below: u64,
) -> Option<(LineCost, LineCost)> {
    if !sight.field().is_passable(place) {
        return None;
    }
    let is_clear =
        || sight.is_clear(from.centre(), place.centre()) && sight.is_clear(place.centre(), to.centre());
    if sight.is_even() {
        let (leg, next) = (line(sight, from, place), line(sight, place, to));
        return (leg.high + next.high < below && is_clear()).then_some((leg, next));
    }
    // The cheapest test comes first.
    let rest = straight_length(place, to);
    if sight.least(straight_length(from, place) + rest) >= below || !is_clear() {
        return None;
    }
    let leg = line(sight, from, place);
    if leg.high + sight.least(rest) >= below {
        return None;
    }
    let next = line(sight, place, to);
    (leg.high + next.high < below).then_some((leg, next))
}

fn line(sight: &Sight<'_>, a: CellPos, b: CellPos) -> LineCost {
    sight.line_cost(a.centre(), b.centre())
}

/// The length of the line between the middles of two cells, rounded down, in the units of [`LineCost`].
fn straight_length(a: CellPos, b: CellPos) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    ((dx * dx + dy * dy) << (2 * (super::sight::FINE + 10))).isqrt()
}

/// Whether `middle` lies on the straight line from `before` to `after`.
fn in_line(before: CellPos, middle: CellPos, after: CellPos) -> bool {
    let delta = |a: CellPos, b: CellPos| (i64::from(b.x - a.x), i64::from(b.y - a.y));
    let ((ax, ay), (bx, by)) = (delta(before, middle), delta(middle, after));
    ax * by == ay * bx && ax * bx + ay * by > 0
}

/// The greater of the distances in columns and in rows.
fn apart(a: CellPos, b: CellPos) -> i32 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}
