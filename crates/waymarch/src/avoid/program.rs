//! The linear program: of all velocities that half-planes allow, the one nearest to a wish.

use super::fine::{Fine, UNIT_BITS, Wide, divide, round_unit};
use super::lines::Lines;
use crate::base::root;

/// Half-planes at most: walls and neighbours.
pub(super) const MAX_LINES: usize = 16;

/// How far outside a half-plane still counts as inside, times 2^30: three units, for the roundings.
const DEAD_BAND: i64 = 3 << UNIT_BITS;

/// Directions that differ by less count as parallel, in 2^-30.
const PARALLEL: i64 = 1 << 13;

/// Crossings of almost parallel lines are taken to be no further off than this.
const FAR: i64 = 1 << 28;

/// A half-plane of velocities: those to the right of the line through `point` along `dir` as `y` grows southwards, that is where
/// `dir.cross(v - point)` is not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    point: Fine,
    /// Of length 2^30.
    dir: Fine,
}

impl Line {
    /// None in particular.
    pub(super) const NONE: Self = Self { point: Fine::ZERO, dir: Fine::ZERO };

    /// Through a point that lies within 2^29 of zero, in a direction of length 2^30.
    #[inline]
    pub(super) const fn new(point: Wide, dir: Wide) -> Self {
        // Both fit, so nothing is lost; saturating would cost more.
        Self { point: Fine::new(point.x as i32, point.y as i32), dir: Fine::new(dir.x as i32, dir.y as i32) }
    }

    /// A point of it.
    #[inline]
    pub(super) const fn point(&self) -> Wide {
        self.point.wide()
    }

    /// Its direction, of length 2^30.
    #[inline]
    pub(super) const fn dir(&self) -> Wide {
        self.dir.wide()
    }

    /// How far outside `v` lies, times 2^30; negative inside.
    #[inline]
    pub(super) const fn outside(&self, v: Wide) -> i64 {
        self.dir().cross(self.point().minus(v))
    }
}

/// What is wanted on a line.
#[derive(Clone, Copy)]
enum Want {
    /// To be near this velocity.
    Near(Wide),
    /// To be far along this direction of length 2^30.
    Along(Wide),
}

/// The velocity within `limit` that is nearest to `wish` and inside all `lines`. Where there is none, the walls are kept and the rest
/// are violated as little as possible.
///
/// Cost: in the square of the number of lines at worst, about linear as a rule. Points of lines lie within 2^24 of zero.
pub(super) fn solve(lines: &mut Lines<'_>, limit: i64, wish: Wide) -> Wide {
    let mut found = wish.clamp(limit);
    let mut start = 0;
    while let Some(at) = lines.first_outside(start, found, DEAD_BAND) {
        let (line, before) = lines.with_those_before(at);
        match on_line(line, before, limit, Want::Near(wish)) {
            Some(better) => found = better,
            None => {
                let hard = lines.hard();
                return least_violation(lines.made(lines.len()), hard, at, limit, found);
            }
        }
        start = at + 1;
    }
    found
}

/// Goes on until a line cannot be kept: what was found, and the place of that line.
fn nearest(lines: &[Line], limit: i64, want: Want, from: Wide) -> (Wide, usize) {
    let mut found = from;
    for (at, line) in lines.iter().enumerate() {
        if line.outside(found) > DEAD_BAND {
            match on_line(line, &lines[..at], limit, want) {
                Some(better) => found = better,
                None => return (found, at),
            }
        }
    }
    (found, lines.len())
}

/// The best velocity on one line that the lines before it allow.
fn on_line(line: &Line, before: &[Line], limit: i64, want: Want) -> Option<Wide> {
    let middle = round_unit(line.point().dot(line.dir()));
    let reach = middle * middle + limit * limit - line.point().square();
    if reach < 0 {
        return None;
    }
    let reach = root(reach);
    let (mut low, mut high) = (-middle - reach, -middle + reach);
    for other in before {
        let across = line.dir().cross(other.dir()) >> UNIT_BITS;
        let ahead = other.dir().cross(line.point().minus(other.point()));
        if across.abs() <= PARALLEL {
            if ahead < -DEAD_BAND {
                return None;
            }
            continue;
        }
        let cut = divide(if across < 0 { -ahead } else { ahead }, across.abs());
        if across > 0 {
            high = high.min(cut);
        } else {
            low = low.max(cut);
        }
        if low > high + 3 {
            return None;
        }
    }
    let along = match want {
        Want::Near(wish) => round_unit(line.dir().dot(wish.minus(line.point()))).max(low).min(high),
        Want::Along(far) if far.dot(line.dir()) > 0 => high,
        Want::Along(_) => low,
    };
    Some(line.point().plus(line.dir().along(along)))
}

/// From the line that could not be kept on: the velocity that is least outside of the worst line.
fn least_violation(lines: &[Line], hard: usize, first: usize, limit: i64, from: Wide) -> Wide {
    let mut found = from;
    let mut worst = 0;
    let mut between = [Line::NONE; MAX_LINES];
    for (at, line) in lines.iter().enumerate().skip(first) {
        if line.outside(found) <= worst + DEAD_BAND {
            continue;
        }
        let mut count = hard.min(at);
        between[..count].copy_from_slice(&lines[..count]);
        for other in lines[..at].iter().skip(hard) {
            if let Some(middle) = bisector(line, other) {
                between[count] = middle;
                count += 1;
            }
        }
        // Straight away from the line.
        let away = Wide::new(-line.dir().y, line.dir().x);
        let (better, failed) = nearest(&between[..count], limit, Want::Along(away), away.along(limit));
        // That it fails can only come from roundings; then what was found so far is as good.
        if failed == count {
            found = better;
        }
        worst = line.outside(found).max(worst);
    }
    found
}

/// The line where both are violated alike: `other` may be no worse than `line`. `None` if that is so everywhere.
fn bisector(line: &Line, other: &Line) -> Option<Line> {
    let across = line.dir().cross(other.dir()) >> UNIT_BITS;
    let point = if across.abs() <= PARALLEL {
        if line.dir().dot(other.dir()) > 0 {
            return None;
        }
        line.point().plus(other.point()).over(2)
    } else {
        let ahead = other.dir().cross(line.point().minus(other.point()));
        let along = divide(if across < 0 { -ahead } else { ahead }, across.abs()).clamp(-FAR, FAR);
        line.point().plus(line.dir().along(along))
    };
    let dir = other.dir().minus(line.dir()).polar()?.unit;
    Some(Line::new(point, dir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::seen::Seen;

    const ONE: i64 = 1 << UNIT_BITS;

    /// The first so many are walls.
    fn solve(lines: &[Line], hard: usize, limit: i64, wish: Wide) -> Wide {
        let me = Seen::default();
        let mut all = Lines::new(&me, &[], wish, 1);
        all.push_walls(&lines[..hard]);
        lines[hard..].iter().for_each(|&line| all.push(line));
        super::solve(&mut all, limit, wish)
    }

    /// Allows velocities whose part along `(x, y)` (of length one) is at least `least`.
    fn at_least((x, y): (i64, i64), least: i64) -> Line {
        Line::new(Wide::new(x * least, y * least), Wide::new(y * ONE, -x * ONE))
    }

    #[test]
    fn a_wish_that_is_allowed_is_granted() {
        let lines = [at_least((1, 0), -500), at_least((0, 1), -500)];
        assert_eq!(solve(&lines, 0, 1000, Wide::new(300, 400)), Wide::new(300, 400));
    }

    #[test]
    fn a_wish_outside_is_moved_to_the_nearest_allowed_velocity() {
        let lines = [at_least((1, 0), 200)];
        assert_eq!(solve(&lines, 0, 1000, Wide::new(-300, 400)), Wide::new(200, 400));
        let lines = [at_least((1, 0), 200), at_least((0, -1), 100)];
        assert_eq!(solve(&lines, 0, 1000, Wide::new(-300, 400)), Wide::new(200, -100));
    }

    #[test]
    fn the_speed_limit_holds_on_lines_too() {
        let v = solve(&[at_least((1, 0), 600)], 0, 1000, Wide::new(0, 1000));
        assert_eq!(v, Wide::new(600, 800));
    }

    #[test]
    fn contradictions_are_shared_evenly_and_walls_are_kept() {
        // At least 400 east and at least 200 west: the middle is 100 east.
        let lines = [at_least((1, 0), 400), at_least((-1, 0), 200)];
        assert_eq!(solve(&lines, 0, 1000, Wide::new(0, 50)).x, 100);
        // If the first is a wall, it holds.
        let v = solve(&lines, 1, 1000, Wide::new(0, 50));
        assert!((v.x - 400).abs() <= 3, "{v:?}");
    }
}
