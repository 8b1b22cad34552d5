//! The half-planes of velocities that walls allow.

use super::collision::{cells_within, for_each_wall};
use super::ground::Walls;
use crate::avoid::half_plane::HalfPlane;
use crate::base::{Fine, WideVec, div_round};

/// The largest number of walls that a unit avoids: the 4 nearest.
pub(in crate::avoid) const MAX_WALLS: usize = 4;

/// Where a unit looks for walls, and how far.
#[derive(Clone, Copy, Debug)]
pub(in crate::avoid) struct Reach {
    /// The unit's position.
    pub(in crate::avoid) at: Fine,
    /// The radius of the disc that stays out of closed ground.
    pub(in crate::avoid) hull: i64,
    /// How far beyond the rim of the disc walls count.
    pub(in crate::avoid) distance: i64,
    /// Ticks in which the unit may close the gap to a wall.
    pub(in crate::avoid) horizon: i64,
}

/// Whether any cell within the reach along both axes is closed.
#[inline]
pub(in crate::avoid) fn walls_are_near<W: Walls>(walls: &W, reach: &Reach) -> bool {
    let (low, high) = cells_within(walls, reach.at, reach.hull + reach.distance);
    !walls.is_all_open(low, high)
}

/// Writes the half-planes of the nearest walls to `out` and returns their number. With a velocity inside all of them the unit touches none
/// of these walls within the horizon.
pub(in crate::avoid) fn wall_half_planes<W: Walls>(
    walls: &W,
    reach: &Reach,
    out: &mut [HalfPlane; MAX_WALLS],
) -> usize {
    let mut found = [(i64::MAX, WideVec::ZERO); MAX_WALLS];
    let mut count = 0;
    let far = reach.hull + reach.distance;
    for_each_wall(walls, reach.at, far, |offset| {
        let square = offset.length_squared();
        if square > far * far || square == 0 {
            return;
        }
        // Nearest first. Equally near walls stay in the order of the visit, from north-west to south-east.
        let mut place = count.min(MAX_WALLS);
        while place > 0 && found[place - 1].0 > square {
            if place < MAX_WALLS {
                found[place] = found[place - 1];
            }
            place -= 1;
        }
        if place < MAX_WALLS {
            found[place] = (square, offset);
            count = (count + 1).min(MAX_WALLS);
        }
    });
    for (half_plane, (_, offset)) in out.iter_mut().zip(&found[..count]) {
        let Some(polar) = offset.polar() else { continue };
        let gap = polar.length() - reach.hull;
        let speed = if gap < 0 { gap } else { div_round(gap, reach.horizon) };
        *half_plane = HalfPlane::new(polar.unit.along(-speed), WideVec::new(polar.unit.y, -polar.unit.x));
    }
    count
}
