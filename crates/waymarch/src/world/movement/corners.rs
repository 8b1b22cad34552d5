//! Corners: where a unit's body fits, and how it gets past a corner that blocks its body but not its line of sight.

use crate::avoid::{FINE_CELL, Fine, Walls};
use crate::base::Angle;
use crate::world::movement::guidance::{Guides, Sight};

impl Guides<'_> {
    /// The point that a unit heads for to get past a corner on the way to `to`; usually `to` itself.
    ///
    /// A slow unit whose body does not fit half a cell ahead would push against the wall for ever, although its centre sees `to`. It heads for the
    /// first point half a cell away where its body fits, at 15, 30, up to 90 degrees to either side.
    pub(crate) fn past_corner(&self, index: usize, sight: &Sight<'_>, to: Fine) -> Fine {
        let place = self.units.place(index);
        let speed = self.units.speed(index, sight.kind).saturating_mul(self.units.body.crowd.pace(place));
        let half = speed.to_fine_i64().unsigned_abs() >> 1;
        let velocity = self.units.body.crowd.velocities()[place];
        if velocity.distance_squared(Fine::ZERO) >= half * half {
            return to;
        }
        let middle = self.units.middle(index);
        let straight = middle.towards(to, FINE_CELL / 2);
        if straight == to || fits(sight, straight) || !fits(sight, middle) {
            return to;
        }
        let mut sides = (1..=6).flat_map(|turn| [turn, -turn]).map(|turn| turned(middle, straight, turn));
        sides.find(|&side| fits(sight, side)).unwrap_or(to)
    }
}

/// The point `at`, turned clockwise around `about` by `twelfths` × 15 degrees (180 / 12).
fn turned(about: Fine, at: Fine, twelfths: i32) -> Fine {
    let angle = Angle((twelfths * (1 << 15) / 12) as u16);
    let (sin, cos) = (i64::from(angle.sin_16()), i64::from(angle.cos_16()));
    let (x, y) = (i64::from(at.x) - i64::from(about.x), i64::from(at.y) - i64::from(about.y));
    let by = |part: i64| (part >> 16) as i32;
    about.plus(Fine::new(by(x * cos - y * sin), by(x * sin + y * cos)))
}

/// Whether a unit's body fits at a point: no closed ground within 0.9 of its hull, in eight directions.
pub(crate) fn fits(sight: &Sight<'_>, at: Fine) -> bool {
    let at = at.minus(sight.shift);
    // `reach` is less than half a cell.
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
