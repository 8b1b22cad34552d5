//! The half-plane of velocities that reciprocal avoidance allows with regard to one neighbour.

use super::fine::{UNIT_BITS, Wide, divide, round_unit};
use super::program::Line;
use crate::base::root;

/// How much of a correction is mine, in sixteenths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Share(pub(super) u8);

impl Share {
    pub(super) const NONE: Self = Self(0);
    pub(super) const EIGHTH: Self = Self(2);
    pub(super) const QUARTER: Self = Self(4);
    pub(super) const HALF: Self = Self(8);
    pub(super) const MOST: Self = Self(12);
    pub(super) const NEARLY_ALL: Self = Self(14);
    pub(super) const ALL: Self = Self(16);

    /// So much of a length.
    #[inline]
    pub(super) const fn of(self, length: i64) -> i64 {
        (length * self.0 as i64 + 8) >> 4
    }
}

/// Two units about to meet, seen from one of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From me to the other.
    pub(super) offset: Wide,
    /// My velocity less the other's.
    pub(super) approach: Wide,
    /// Both radii.
    pub(super) radii: i64,
    /// Ticks to look ahead, at least one.
    pub(super) horizon: i64,
    /// Ticks in which units that overlap part, at least one.
    pub(super) touch: i64,
    /// Which way to part if both stand on the same spot: the unit with the greater id goes east.
    pub(super) apart: Wide,
}

impl Meeting {
    /// The half-plane I keep to if I do `share` of what is needed. `own` is my velocity.
    ///
    /// Velocities that lead to contact within the horizon form a cone with a round tip; the line touches it where the present
    /// velocity is nearest to its rim. Units that touch already part within `touch` ticks.
    #[inline]
    pub(super) fn half_plane(&self, own: Wide, share: Share) -> Line {
        let (square, radii) = (self.offset.square(), self.radii * self.radii);
        if square <= radii {
            return self.off_tip(self.approach.times(self.touch).minus(self.offset), self.touch, own, share);
        }
        // From the middle of the tip, times the horizon.
        let from_tip = self.approach.times(self.horizon).minus(self.offset);
        let ahead = from_tip.dot(self.offset);
        // Both sides squared; products of 64 bits each.
        let before_tip = ahead < 0
            && i128::from(ahead) * i128::from(ahead) > i128::from(radii) * i128::from(from_tip.square());
        if before_tip {
            self.off_tip(from_tip, self.horizon, own, share)
        } else {
            self.off_side(from_tip, own, share)
        }
    }

    /// Whether all velocities that differ from mine by at most `off` are surely inside that half-plane. Without a division or a root,
    /// since that is what most neighbours are.
    ///
    /// The half-plane is as far from my velocity as my share of what it is away from the cone. So the cone has to be further off than `off`
    /// over my share, `wide`: at any time `t` within the horizon I am further from the other than both radii and `wide · t`.
    /// Squared, that is a parabola in `t` that must not fall below zero.
    #[inline]
    pub(super) fn is_clear(&self, off: i64, share: Share) -> bool {
        let wide = match share {
            Share::NONE => return false,
            Share::HALF => 2 * off,
            Share::ALL => off,
            Share(part) => 16 * off / i64::from(part) + 1,
        };
        self.is_clear_by(wide, self.offset.square() - self.radii * self.radii)
    }

    /// Whether the cone is further than `wide` from my approach; `start` is the square of the distance less that of the radii.
    #[inline(always)]
    pub(super) fn is_clear_by(&self, wide: i64, start: i64) -> bool {
        let fall = self.offset.dot(self.approach) + self.radii * wide;
        let bend = self.approach.square() - wide * wide;
        let end = bend * self.horizon;
        // It never falls; it falls up to the horizon, or bends down; it is lowest in between. All looked at, since nobody can foresee which.
        let rises = (fall <= 0) & (fall <= end);
        let ends_above = (end - 2 * fall) * self.horizon + start >= 0;
        let stays_above = i128::from(fall) * i128::from(fall) <= i128::from(bend) * i128::from(start);
        (start > 0) & (rises | ((fall >= end) & ends_above) | ((fall < end) & stays_above))
    }

    /// Where the tip is nearest; `from_tip` is times `horizon`.
    fn off_tip(&self, from_tip: Wide, horizon: i64, own: Wide, share: Share) -> Line {
        let (unit, length) = match from_tip.polar() {
            Some(polar) => (polar.unit, polar.length()),
            None => (self.offset.polar().map_or(self.apart, |polar| polar.unit.negative()), 0),
        };
        let point = own.plus(unit.along(divide(share.of(self.radii - length), horizon)));
        Line::new(point, Wide::new(unit.y, -unit.x))
    }

    fn off_side(&self, from_tip: Wide, own: Wide, share: Share) -> Line {
        let Some(polar) = self.offset.polar() else {
            return self.off_tip(from_tip, self.horizon, own, share);
        };
        let sin = polar.share(self.radii).min(1 << UNIT_BITS);
        let cos = root((1_i64 << (2 * UNIT_BITS)) - sin * sin);
        let n = polar.unit;
        let side = |x: i64, y: i64| Wide::new(round_unit(x), round_unit(y));
        let dir = if self.offset.cross(from_tip) > 0 {
            side(n.x * cos - n.y * sin, n.x * sin + n.y * cos)
        } else {
            side(-n.x * cos - n.y * sin, n.x * sin - n.y * cos)
        };
        let onto = dir.along(round_unit(self.approach.dot(dir)));
        let correction = onto.minus(self.approach);
        Line::new(own.plus(Wide::new(share.of(correction.x), share.of(correction.y))), dir)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::lines::{Lines, SURELY};
    use crate::avoid::program;
    use crate::avoid::seen::Seen;

    fn solve(lines: &[Line], limit: i64, wish: Wide) -> Wide {
        let me = Seen::default();
        let mut all = Lines::new(&me, &[], wish, 1);
        lines.iter().for_each(|&line| all.push(line));
        program::solve(&mut all, limit, wish)
    }

    fn meeting(offset: (i64, i64), approach: (i64, i64)) -> Meeting {
        Meeting {
            offset: Wide::new(offset.0, offset.1),
            approach: Wide::new(approach.0, approach.1),
            radii: 52_429,
            horizon: 30,
            touch: 1,
            apart: Wide::new(1 << UNIT_BITS, 0),
        }
    }

    /// Whether the two come closer than their radii within the horizon if they approach at `v`.
    fn collides(meeting: &Meeting, v: Wide) -> bool {
        (1..=meeting.horizon * 16).any(|t| {
            let at = meeting.offset.times(16).minus(v.times(t));
            at.square() < (meeting.radii - 40) * (meeting.radii - 40) * 256
        })
    }

    #[test]
    fn who_takes_all_of_the_correction_on_every_side_does_not_collide() {
        for offset in [(90_000, 10_000), (-60_000, 70_000), (0, -150_000), (54_000, 0), (200_000, 30)] {
            for approach in [(6_000, 100), (-6_000, 4_000), (0, 0), (100, -6_500), (3_000, 3_000)] {
                let meeting = meeting(offset, approach);
                let own = meeting.approach;
                let line = meeting.half_plane(own, Share::ALL);
                let v = solve(&[line], 60_000, own);
                assert!(!collides(&meeting, v), "{offset:?} {approach:?} -> {v:?}");
                // What did not collide before is not changed.
                if !collides(&meeting, own) && line.outside(own) <= 0 {
                    assert_eq!(v, own);
                }
            }
        }
    }

    #[test]
    fn what_is_said_to_be_clear_is_inside_and_much_is_said_to_be() {
        let mut random = crate::base::Rng::keyed(8, crate::base::Tick::ZERO, 0, crate::base::Purpose(8));
        let mut said = [0; 2];
        for _ in 0..60_000 {
            let mut part = |most: i32| i64::from(random.below(2 * most as u32 + 1) as i32 - most);
            let own = Wide::new(part(7_000), part(7_000));
            let other = Wide::new(part(7_000), part(7_000));
            let approach = own.minus(other);
            let mut meeting = meeting((part(160_000), part(160_000)), (approach.x, approach.y));
            let found = own.plus(Wide::new(part(3_000), part(3_000)).over(1 + part(20).abs()));
            let share =
                [Share::QUARTER, Share::HALF, Share::MOST, Share::ALL][part(100).unsigned_abs() as usize % 4];
            meeting.horizon = 1 + part(35).abs();
            let off = (found.minus(own).square() as u64).isqrt() as i64 + 4;
            let clear = meeting.is_clear(off, share);
            said[usize::from(clear)] += 1;
            let outside = meeting.half_plane(own, share).outside(found);
            assert!(!clear || outside <= 3 << UNIT_BITS, "{meeting:?} {own:?} {found:?} {share:?} {outside}");
        }
        assert!(said[1] > 20_000 && said[0] > 5_000, "{said:?}");
    }

    /// Those who go first are left out then, and a unit is slowed down by a line as soon as it is outside by anything.
    #[test]
    fn what_is_surely_clear_is_inside_to_the_last_bit() {
        let mut random = crate::base::Rng::keyed(9, crate::base::Tick::ZERO, 0, crate::base::Purpose(8));
        let (mut clear, mut close) = (0, 0);
        for _ in 0..200_000 {
            let mut part = |most: i32| i64::from(random.below(2 * most as u32 + 1) as i32 - most);
            let own = Wide::new(part(7_000), part(7_000));
            let approach = own.minus(Wide::new(part(7_000), part(7_000)));
            let mut meeting = meeting((part(120_000), part(120_000)), (approach.x, approach.y));
            meeting.horizon = 1 + part(35).abs();
            let line = meeting.half_plane(own, Share::ALL);
            // Towards the line, up to a few units before or beyond it.
            let far = round_unit(-line.outside(own)) + part(40);
            let found = own.plus(Wide::new(line.dir().y, -line.dir().x).along(far));
            let outside = line.outside(found);
            if meeting.is_clear(root(found.minus(own).square()) + SURELY, Share::ALL) {
                assert!(outside <= 0, "{meeting:?} {own:?} {found:?} {outside}");
                clear += 1;
                close += i32::from(outside > -(12 << UNIT_BITS));
            }
        }
        assert!(clear > 20_000 && close > 1_000, "{clear} {close}");
    }

    #[test]
    fn halves_of_two_units_make_a_whole() {
        let mine = meeting((100_000, 300), (9_000, 0));
        let theirs = Meeting { offset: mine.offset.negative(), approach: mine.approach.negative(), ..mine };
        let (my_v, their_v) = (Wide::new(4_500, 0), Wide::new(-4_500, 0));
        let v = solve(&[mine.half_plane(my_v, Share::HALF)], 60_000, my_v);
        let w = solve(&[theirs.half_plane(their_v, Share::HALF)], 60_000, their_v);
        assert!(!collides(&mine, v.minus(w)), "{v:?} {w:?}");
        assert!(v.y.signum() == -w.y.signum() && v.y != 0, "they part to opposite sides: {v:?} {w:?}");
    }

    #[test]
    fn units_on_one_spot_part() {
        let line = meeting((0, 0), (0, 0)).half_plane(Wide::ZERO, Share::HALF);
        let v = solve(&[line], 60_000, Wide::ZERO);
        assert!(v.x > 20_000, "{v:?}");
    }
}
