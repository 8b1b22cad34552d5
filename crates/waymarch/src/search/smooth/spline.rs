//! Rounded turns: a Catmull-Rom curve through the points of a taut string, where it stays on open ground.

use alloc::vec::Vec;

use super::path::SmoothPath;
use super::sight::Sight;
use crate::base::{Fixed, Vec2};
use crate::query::Spline;

/// The greatest distance from a turn at which its curve begins: 3 cells.
const SHOULDER: i64 = 3 * 1024;
/// The most times that a curve is made flatter before the straight line is kept: 3 attempts.
const TRIES: u32 = 3;

/// Rounds the turns of `path` in place; `curve` is scratch.
///
/// A curve has `samples` straight pieces. All pieces are clear, and the curve costs at most an eighth more than the line that it replaces. If a full
/// curve fails, flatter ones are tried; if all fail, the line stays. All turning points stay.
pub(super) fn round_turns(sight: &Sight<'_>, spline: Spline, curve: &mut Vec<Vec2>, path: &mut SmoothPath) {
    let spline = spline.within_range();
    let turns = path.points.len();
    if turns < 3 || spline.samples < 2 || spline.tension == Fixed::ONE {
        return;
    }
    curve.clear();
    curve.push(path.points[0]);
    for index in 1..turns {
        let leg = Leg {
            before: index.checked_sub(2).map(|before| path.points[before]),
            from: path.points[index - 1],
            to: path.points[index],
            after: path.points.get(index + 1).copied(),
        };
        leg.draw(sight, spline, curve);
        push(curve, leg.to);
    }
    core::mem::swap(&mut path.points, curve);
    path.measure(sight);
}

/// A straight line between two turns, with the turns before and after it.
struct Leg {
    before: Option<Vec2>,
    from: Vec2,
    to: Vec2,
    after: Option<Vec2>,
}

impl Leg {
    /// Adds the points between the ends of the leg: a curve after the turn at its start, a straight line, and a curve before the turn at
    /// its end. Adds nothing if no curve fits.
    fn draw(&self, sight: &Sight<'_>, spline: Spline, curve: &mut Vec<Vec2>) {
        let kept = curve.len();
        let (leave, arrive) = shoulders(self.from, self.to);
        let mut at = self.from;
        if let Some(before) = self.before {
            let near = shoulders(before, self.from).1;
            if draw(sight, spline, [near, self.from, leave, beyond(self.from, leave)], curve) == Drawn::Curve
            {
                push(curve, leave);
                at = leave;
            }
        }
        let straight_ends = curve.len();
        let mut end = self.to;
        if let Some(after) = self.after {
            let far = shoulders(self.to, after).0;
            push(curve, arrive);
            if draw(sight, spline, [beyond(self.to, arrive), arrive, self.to, far], curve) == Drawn::Curve {
                end = arrive;
            } else {
                curve.truncate(straight_ends);
            }
        }
        // The ends of the curves are rounded to 1024ths, so the line between them may touch a cell that the leg just misses.
        if at != end && !sight.is_clear(at, end) {
            curve.truncate(kept);
        }
    }
}

/// The point as far beyond `at` as `from` is before it.
fn beyond(from: Vec2, at: Vec2) -> Vec2 {
    let (dx, dy) = difference(from, at);
    moved(at, dx, dy)
}

/// Whether there is a curve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Curve,
    Nothing,
}

/// The two points on the line from `from` to `to` where the first curve ends and the second begins. They are at most [`SHOULDER`] from
/// their end of the line, and no farther than the middle.
fn shoulders(from: Vec2, to: Vec2) -> (Vec2, Vec2) {
    let (dx, dy) = difference(from, to);
    let length = (dx * dx + dy * dy).unsigned_abs().isqrt().max(1) as i64;
    let reach = SHOULDER.min(length / 2);
    // Rounded in the same way from both ends, so that the reverse path has the same points.
    let part = |delta: i64| rounded(delta * reach, length);
    (moved(from, part(dx), part(dy)), moved(to, -part(dx), -part(dy)))
}

/// Adds the points between `b` and `c` of the curve through `a`, `b`, `c` and `d`, or none.
fn draw(sight: &Sight<'_>, spline: Spline, ends: [Vec2; 4], curve: &mut Vec<Vec2>) -> Drawn {
    let [_, b, c, _] = ends;
    if b == c {
        return Drawn::Nothing;
    }
    let kept = curve.len();
    let straight = sight.line_cost(b, c).low;
    let allowed = straight + straight / 8;
    let mut fullness = i64::from((Fixed::ONE - spline.tension).raw());
    for _ in 0..TRIES {
        let samples = i64::from(spline.samples);
        for sample in 1..samples {
            push(curve, between(ends, fullness, sample, samples));
        }
        if fits(sight, b, &curve[kept..], c, allowed) {
            return Drawn::Curve;
        }
        curve.truncate(kept);
        fullness /= 2;
    }
    Drawn::Nothing
}

/// Whether the line from `from` over `points` to `to` is clear and costs no more than `allowed`.
fn fits(sight: &Sight<'_>, from: Vec2, points: &[Vec2], to: Vec2, allowed: u64) -> bool {
    let mut cost = 0;
    let mut at = from;
    for &next in points.iter().chain([&to]) {
        if !sight.is_clear(at, next) {
            return false;
        }
        cost += sight.line_cost(at, next).high;
        at = next;
    }
    cost <= allowed
}

/// The point at the fraction `sample / samples` of the curve from the second to the third of four points, rounded to the nearest 1024th. The
/// tangent at either point is parallel to the line between its neighbours, and half as long times `fullness` / 1024.
fn between(ends: [Vec2; 4], fullness: i64, sample: i64, samples: i64) -> Vec2 {
    let (t, n) = (sample, samples);
    // The four Hermite polynomials times n³.
    let from = 2 * t * t * t - 3 * t * t * n + n * n * n;
    let to = 3 * t * t * n - 2 * t * t * t;
    let leaving = t * t * t - 2 * t * t * n + t * n * n;
    let arriving = t * t * t - t * t * n;
    let whole = 2048 * n * n * n;
    // Under 2^23 × 2^11 × 2^12 each.
    let on_axis = |[a, b, c, d]: [i64; 4]| {
        let straight = 2048 * (from * b + to * c);
        rounded(straight + fullness * (leaving * (c - a) + arriving * (d - b)), whole)
    };
    let x = on_axis(ends.map(|point| i64::from(point.x.raw())));
    let y = on_axis(ends.map(|point| i64::from(point.y.raw())));
    Vec2 { x: Fixed::saturate(x), y: Fixed::saturate(y) }
}

/// `value / by`, rounded to the nearest whole number, halves away from zero.
fn rounded(value: i64, by: i64) -> i64 {
    (value.abs() + by / 2) / by * value.signum()
}

fn difference(from: Vec2, to: Vec2) -> (i64, i64) {
    let axis = |from: Fixed, to: Fixed| i64::from(to.raw()) - i64::from(from.raw());
    (axis(from.x, to.x), axis(from.y, to.y))
}

fn moved(at: Vec2, dx: i64, dy: i64) -> Vec2 {
    let axis = |at: Fixed, by: i64| Fixed::saturate(i64::from(at.raw()) + by);
    Vec2 { x: axis(at.x, dx), y: axis(at.y, dy) }
}

/// Adds a point unless it is the last one.
fn push(curve: &mut Vec<Vec2>, point: Vec2) {
    if curve.last() != Some(&point) {
        curve.push(point);
    }
}
