//! Corners: where a unit's body fits, and how it gets past what its middle sees past.

use super::follow::{Leader, Sight};
use super::units::less;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine, Walls};
use crate::base::{Angle, Fixed, isqrt};

impl Leader<'_> {
    /// Where a slow unit heads for that a wall keeps from where it is to be, though its middle sees it: to the side that is nearest to its way.
    /// It would press against the wall for ever. What is within half a cell it gets to by itself.
    pub(super) fn past_corner(&self, slot: usize, sight: &Sight<'_>, to: Fine) -> Fine {
        let place = self.units.place(slot);
        let speed = sight.kind.speed.saturating_mul(self.units.crowd.pace(place));
        let half = u64::from(speed.raw().unsigned_abs()) << (FINE_BITS - Fixed::BITS) >> 1;
        let velocity = self.units.crowd.velocities()[place];
        if velocity.distance_squared(Fine::ZERO) >= half * half {
            return to;
        }
        let middle = self.units.middle(slot);
        let straight = step(middle, to);
        if straight == to || fits(sight, straight) || !fits(sight, middle) {
            return to;
        }
        let mut sides = (1..=6).flat_map(|turn| [turn, -turn]).map(|turn| turned(middle, straight, turn));
        sides.find(|&side| fits(sight, side)).unwrap_or(to)
    }
}

/// A point turned about another by so many twelfths of half a turn, clockwise.
fn turned(about: Fine, at: Fine, twelfths: i32) -> Fine {
    let angle = Angle((twelfths * (1 << 15) / 12) as u16);
    let (sin, cos) = (i64::from(angle.sin_16()), i64::from(angle.cos_16()));
    let (x, y) = (i64::from(at.x) - i64::from(about.x), i64::from(at.y) - i64::from(about.y));
    let by = |part: i64| (part >> 16) as i32;
    about.plus(Fine::new(by(x * cos - y * sin), by(x * sin + y * cos)))
}

/// Half a cell from a point towards another, or that if it is nearer.
pub(super) fn step(from: Fine, to: Fine) -> Fine {
    let far = isqrt(from.distance_squared(to)) as i64;
    let half = i64::from(FINE_CELL / 2);
    if far <= half {
        return to;
    }
    let part = |from: i32, to: i32| {
        // Towards a point on the plane, by less than half of the way there.
        (i64::from(from) + (i64::from(to) - i64::from(from)) * half / far) as i32
    };
    Fine::new(part(from.x, to.x), part(from.y, to.y))
}

/// Whether a unit's middle can be at a point: no closed ground within nine tenths of what has to keep clear of it, in eight directions.
pub(super) fn fits(sight: &Sight<'_>, at: Fine) -> bool {
    let at = less(at, sight.shift);
    // At most half a cell.
    let reach = sight.hull * 9 / 10;
    let by = |x: i32, y: i32| Fine::new(at.x.saturating_add(x), at.y.saturating_add(y)).cell();
    if sight.field.is_all_open(by(-reach, -reach), by(reach, reach)) {
        return true;
    }
    let open = |x: i32, y: i32| sight.field.is_passable(by(x, y));
    let aslant = reach * 724 / 1024;
    let sides = [(-reach, 0), (reach, 0), (0, -reach), (0, reach)];
    let corners = [(-aslant, -aslant), (aslant, -aslant), (-aslant, aslant), (aslant, aslant)];
    sides.into_iter().chain(corners).all(|(x, y)| open(x, y))
}
