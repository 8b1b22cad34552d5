//! Two units that approach each other, and the half-plane of velocities that avoids a collision.

use super::share::Share;
use crate::avoid::half_plane::HalfPlane;
use crate::avoid::neighbours::UnitState;
use crate::base::{UNIT_BITS, WideVec, div_round, root, round_unit};

/// Two units that may collide, from the point of view of one of them, called "the unit" below.
#[derive(Clone, Copy, Debug)]
pub(in crate::avoid) struct Encounter {
    /// From the unit to the other unit.
    pub(in crate::avoid) offset: WideVec,
    /// The unit's velocity minus the other unit's.
    pub(in crate::avoid) approach: WideVec,
    /// The sum of both radii.
    pub(in crate::avoid) radii: i64,
    /// The time horizon in ticks, at least 1.
    pub(in crate::avoid) horizon: i64,
    /// Ticks in which units that overlap separate, at least 1.
    pub(in crate::avoid) separation: i64,
    /// The direction in which the unit leaves if both are at the same point. The unit with the higher id goes east.
    pub(in crate::avoid) tie_direction: WideVec,
}

impl Encounter {
    /// The encounter from the point of view of `me`, with a separation time of one tick.
    #[inline(always)]
    pub(in crate::avoid) fn between(me: &UnitState, other: &UnitState, horizon: i64) -> Self {
        let east = if me.id > other.id { 1 } else { -1 };
        Self {
            offset: me.offset_to(other),
            approach: me.vel.wide().minus(other.vel.wide()),
            radii: me.sum_of_radii(other),
            horizon,
            separation: 1,
            tie_direction: WideVec::new(east << UNIT_BITS, 0),
        }
    }

    /// The half-plane of velocities for the unit if it makes `share` of the correction. `own` is the unit's velocity.
    ///
    /// Relative velocities that lead to a collision within the horizon form a cone with a round tip: the velocity obstacle. The
    /// half-plane touches the obstacle where its boundary is nearest to the present relative velocity. Units that overlap already
    /// separate within `separation` ticks.
    #[inline]
    pub(in crate::avoid) fn half_plane(&self, own: WideVec, share: Share) -> HalfPlane {
        let (square, radii) = (self.offset.length_squared(), self.radii * self.radii);
        if square <= radii {
            let from_tip = self.approach.times(self.separation).minus(self.offset);
            return self.off_tip(from_tip, self.separation, own, share);
        }
        // The relative velocity seen from the centre of the tip, times the horizon.
        let from_tip = self.approach.times(self.horizon).minus(self.offset);
        let ahead = from_tip.dot(self.offset);
        // Both sides are squared, so the products have up to 128 bits.
        let before_tip = ahead < 0
            && i128::from(ahead) * i128::from(ahead)
                > i128::from(radii) * i128::from(from_tip.length_squared());
        if before_tip {
            self.off_tip(from_tip, self.horizon, own, share)
        } else {
            self.off_side(from_tip, own, share)
        }
    }

    /// Whether all velocities that differ from the unit's by at most `off` are certainly inside the half-plane. True for most
    /// neighbours, so it uses no division and no root for the common shares.
    ///
    /// The unit's velocity is `share` times as far from the half-plane as from the obstacle. So the obstacle has to be further away than
    /// `off` divided by `share`, called `margin` below. Equivalently: at every time `t` within the horizon, the
    /// distance of the two units exceeds the sum of radii plus `margin · t`. Squared, this is a parabola in `t` that must not fall
    /// below zero.
    #[inline]
    pub(in crate::avoid) fn is_clear(&self, off: i64, share: Share) -> bool {
        let margin = match share {
            Share::NONE => return false,
            Share::HALF => 2 * off,
            Share::ALL => off,
            Share(part) => 16 * off / i64::from(part) + 1,
        };
        self.is_clear_by(margin, self.offset.length_squared() - self.radii * self.radii)
    }

    /// Whether the obstacle is further than `margin` from the relative velocity. `start` is the squared distance minus the squared
    /// sum of radii.
    #[inline(always)]
    pub(in crate::avoid) fn is_clear_by(&self, margin: i64, start: i64) -> bool {
        // The parabola is `start - 2 * fall * t + bend * t * t`.
        let fall = self.offset.dot(self.approach) + self.radii * margin;
        let bend = self.approach.length_squared() - margin * margin;
        let end = bend * self.horizon;
        // Three cases: it never falls; it falls up to the horizon or bends down; its minimum lies in between. All are evaluated,
        // because the case is unpredictable.
        let rises = (fall <= 0) & (fall <= end);
        let ends_above = (end - 2 * fall) * self.horizon + start >= 0;
        let stays_above = i128::from(fall) * i128::from(fall) <= i128::from(bend) * i128::from(start);
        (start > 0) & (rises | ((fall >= end) & ends_above) | ((fall < end) & stays_above))
    }

    /// The half-plane that touches the round tip. `from_tip` is multiplied by `horizon`.
    fn off_tip(&self, from_tip: WideVec, horizon: i64, own: WideVec, share: Share) -> HalfPlane {
        let (unit, length) = match from_tip.polar() {
            Some(polar) => (polar.unit, polar.length()),
            None => (self.offset.polar().map_or(self.tie_direction, |polar| polar.unit.negative()), 0),
        };
        let point = own.plus(unit.along(div_round(share.of(self.radii - length), horizon)));
        HalfPlane::new(point, WideVec::new(unit.y, -unit.x))
    }

    /// The half-plane that touches the nearer side of the cone.
    fn off_side(&self, from_tip: WideVec, own: WideVec, share: Share) -> HalfPlane {
        let Some(polar) = self.offset.polar() else {
            return self.off_tip(from_tip, self.horizon, own, share);
        };
        let sin = polar.share(self.radii).min(1 << UNIT_BITS);
        let cos = root((1_i64 << (2 * UNIT_BITS)) - sin * sin);
        let n = polar.unit;
        let side = |x: i64, y: i64| WideVec::new(round_unit(x), round_unit(y));
        let dir = if self.offset.cross(from_tip) > 0 {
            side(n.x * cos - n.y * sin, n.x * sin + n.y * cos)
        } else {
            side(-n.x * cos - n.y * sin, n.x * sin - n.y * cos)
        };
        let onto = dir.along(round_unit(self.approach.dot(dir)));
        let correction = onto.minus(self.approach);
        HalfPlane::new(own.plus(WideVec::new(share.of(correction.x), share.of(correction.y))), dir)
    }
}
