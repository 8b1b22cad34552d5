//! The linear program: the velocity inside all half-planes that is nearest to the preferred velocity.

use super::constraints::{Constraints, MAX_HALF_PLANES};
use crate::avoid::half_plane::HalfPlane;
use crate::base::{UNIT_BITS, WideVec, div_round, root, round_unit};

/// A violation of up to 3/65,536 of a cell per tick counts as none, because of rounding. Violations are stored times 2^30.
const TOLERANCE: i64 = 3 << UNIT_BITS;

/// Directions whose sine of the angle between them is at most 2^13/2^30 count as parallel.
const PARALLEL: i64 = 1 << 13;

/// The intersection of two almost parallel lines is at most 2^28 (4,096 cells per tick) from the point of the first.
const MAX_INTERSECTION: i64 = 1 << 28;

/// What is optimised along the boundary of a half-plane.
#[derive(Clone, Copy)]
enum Objective {
    /// The smallest distance to this velocity.
    Nearest(WideVec),
    /// The furthest along this direction of length 2^30.
    Furthest(WideVec),
}

/// The velocity of at most length `limit` that is inside all half-planes and nearest to `preferred`. If there is none, walls are kept
/// and the worst violation of the others is as small as possible.
///
/// Cost: usually linear in the number of half-planes, quadratic at worst. Points of half-planes lie within 2^24 of zero.
pub(in crate::avoid) fn solve(constraints: &mut Constraints<'_>, limit: i64, preferred: WideVec) -> WideVec {
    let mut found = preferred.clamp_length(limit);
    let mut start = 0;
    while let Some(at) = constraints.first_violated(start, found, TOLERANCE) {
        let (half_plane, previous) = constraints.with_previous(at);
        match best_on_boundary(half_plane, previous, limit, Objective::Nearest(preferred)) {
            Some(better) => found = better,
            None => {
                let walls = constraints.wall_count();
                let failed = Failure { at, walls, limit };
                return least_violation(constraints.built(constraints.len()), failed, found);
            }
        }
        start = at + 1;
    }
    found
}

/// The best velocity inside all half-planes, starting with the candidate `from`; `None` if there is none.
fn best(half_planes: &[HalfPlane], limit: i64, objective: Objective, from: WideVec) -> Option<WideVec> {
    let mut found = from;
    for (at, half_plane) in half_planes.iter().enumerate() {
        if half_plane.violation(found) > TOLERANCE {
            found = best_on_boundary(half_plane, &half_planes[..at], limit, objective)?;
        }
    }
    Some(found)
}

/// The best velocity on the boundary of a half-plane that is inside all previous ones.
fn best_on_boundary(
    half_plane: &HalfPlane,
    previous: &[HalfPlane],
    limit: i64,
    objective: Objective,
) -> Option<WideVec> {
    let (point, dir) = (half_plane.point(), half_plane.dir());
    // The part of the line within the circle of radius `limit`.
    let middle = round_unit(point.dot(dir));
    let reach = middle * middle + limit * limit - point.length_squared();
    if reach < 0 {
        return None;
    }
    let reach = root(reach);
    let (mut low, mut high) = (-middle - reach, -middle + reach);
    for other in previous {
        let across = dir.cross(other.dir()) >> UNIT_BITS;
        let ahead = other.dir().cross(point.minus(other.point()));
        if across.abs() <= PARALLEL {
            if ahead < -TOLERANCE {
                return None;
            }
            continue;
        }
        let cut = div_round(if across < 0 { -ahead } else { ahead }, across.abs());
        if across > 0 {
            high = high.min(cut);
        } else {
            low = low.max(cut);
        }
        if low > high + 3 {
            return None;
        }
    }
    let along = match objective {
        Objective::Nearest(preferred) => round_unit(dir.dot(preferred.minus(point))).max(low).min(high),
        Objective::Furthest(far) if far.dot(dir) > 0 => high,
        Objective::Furthest(_) => low,
    };
    Some(point.plus(dir.along(along)))
}

/// Where the linear program failed.
#[derive(Clone, Copy)]
struct Failure {
    /// The half-plane that cannot be kept.
    at: usize,
    /// The number of walls, which come first.
    walls: usize,
    /// The speed limit.
    limit: i64,
}

/// The velocity with the smallest worst violation, given the velocity `from` that keeps all half-planes before the failed one.
fn least_violation(half_planes: &[HalfPlane], failed: Failure, from: WideVec) -> WideVec {
    let mut found = from;
    let mut worst = 0;
    let mut bisectors = [HalfPlane::NONE; MAX_HALF_PLANES];
    for (at, half_plane) in half_planes.iter().enumerate().skip(failed.at) {
        if half_plane.violation(found) <= worst + TOLERANCE {
            continue;
        }
        let mut count = failed.walls.min(at);
        bisectors[..count].copy_from_slice(&half_planes[..count]);
        for other in half_planes[..at].iter().skip(failed.walls) {
            if let Some(middle) = bisector(half_plane, other) {
                bisectors[count] = middle;
                count += 1;
            }
        }
        // As far inside the half-plane as possible.
        let inwards = WideVec::new(-half_plane.dir().y, half_plane.dir().x);
        let objective = Objective::Furthest(inwards);
        // This fails only because of rounding. The velocity found so far is then good enough.
        if let Some(better) = best(&bisectors[..count], failed.limit, objective, inwards.along(failed.limit))
        {
            found = better;
        }
        worst = half_plane.violation(found).max(worst);
    }
    found
}

/// The half-plane of velocities that violate `other` no more than `half_plane`. `None` if all velocities do.
fn bisector(half_plane: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let (own_point, own_dir) = (half_plane.point(), half_plane.dir());
    let across = own_dir.cross(other.dir()) >> UNIT_BITS;
    let point = if across.abs() <= PARALLEL {
        if own_dir.dot(other.dir()) > 0 {
            return None;
        }
        own_point.plus(other.point()).div_round(2)
    } else {
        let ahead = other.dir().cross(own_point.minus(other.point()));
        let along = div_round(if across < 0 { -ahead } else { ahead }, across.abs())
            .clamp(-MAX_INTERSECTION, MAX_INTERSECTION);
        own_point.plus(own_dir.along(along))
    };
    let dir = other.dir().minus(own_dir).polar()?.unit;
    Some(HalfPlane::new(point, dir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::neighbours::UnitState;

    const ONE: i64 = 1 << UNIT_BITS;

    /// The first `walls` half-planes are walls.
    fn solve(half_planes: &[HalfPlane], walls: usize, limit: i64, preferred: WideVec) -> WideVec {
        let me = UnitState::default();
        let mut all = Constraints::new(&me, &[], preferred, 1);
        all.push_walls(&half_planes[..walls]);
        half_planes[walls..].iter().for_each(|&half_plane| all.push(half_plane));
        super::solve(&mut all, limit, preferred)
    }

    /// Allows velocities whose component along `(x, y)`, of length one, is at least `least`.
    fn at_least((x, y): (i64, i64), least: i64) -> HalfPlane {
        HalfPlane::new(WideVec::new(x * least, y * least), WideVec::new(y * ONE, -x * ONE))
    }

    #[test]
    fn a_preferred_velocity_that_is_allowed_is_chosen() {
        let half_planes = [at_least((1, 0), -500), at_least((0, 1), -500)];
        assert_eq!(solve(&half_planes, 0, 1000, WideVec::new(300, 400)), WideVec::new(300, 400));
    }

    #[test]
    fn a_preferred_velocity_outside_is_moved_to_the_nearest_allowed_velocity() {
        let half_planes = [at_least((1, 0), 200)];
        assert_eq!(solve(&half_planes, 0, 1000, WideVec::new(-300, 400)), WideVec::new(200, 400));
        let half_planes = [at_least((1, 0), 200), at_least((0, -1), 100)];
        assert_eq!(solve(&half_planes, 0, 1000, WideVec::new(-300, 400)), WideVec::new(200, -100));
    }

    #[test]
    fn the_speed_limit_holds_on_boundaries_too() {
        let v = solve(&[at_least((1, 0), 600)], 0, 1000, WideVec::new(0, 1000));
        assert_eq!(v, WideVec::new(600, 800));
    }

    #[test]
    fn contradictions_are_shared_evenly_and_walls_are_kept() {
        // At least 400 east and at least 200 west: the middle is 100 east.
        let half_planes = [at_least((1, 0), 400), at_least((-1, 0), 200)];
        assert_eq!(solve(&half_planes, 0, 1000, WideVec::new(0, 50)).x, 100);
        // If the first half-plane is a wall, it holds.
        let v = solve(&half_planes, 1, 1000, WideVec::new(0, 50));
        assert!((v.x - 400).abs() <= 3, "{v:?}");
    }
}
