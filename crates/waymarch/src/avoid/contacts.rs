//! Overlaps worked off: a few passes in which everybody gives way to everybody at once.

use super::crowd::KindId;
use super::fine::{Fine, UNIT_BITS, Wide, round_unit};
use super::seen::Seen;
use super::steer::Plan;
use super::walls::{self, Grounds, Walls};

/// Where a unit is after a pass, given where all were before: a function of the pass before only, so that order does not matter. A push
/// aims at `spare` more than touching.
#[inline]
pub(super) fn pass<G: Grounds>(
    seen: &[Seen],
    plan: &Plan,
    before: &[Fine],
    own: usize,
    grounds: &G,
    spare: i64,
) -> Fine {
    let at = before[own];
    let me = &seen[own];
    let mut push = Wide::ZERO;
    let mut contacts = 0;
    for (slot, share) in plan.near() {
        let other = &seen[slot];
        let radii = i64::from(me.radius) + i64::from(other.radius);
        let away = at.wide().minus(before[slot].wide());
        let square = away.square();
        if square >= radii * radii {
            continue;
        }
        contacts += 1;
        let (unit, distance) = match away.polar() {
            Some(polar) => (polar.unit, polar.length()),
            None => (Wide::new(if me.id > other.id { 1 << UNIT_BITS } else { -1 << UNIT_BITS }, 0), 0),
        };
        push = push.plus(unit.along(share.of(radii - distance + spare)));
    }
    let at = match contacts {
        0 => at,
        1 => at.plus(push.fine()),
        _ => {
            // Several pushes together would overshoot.
            let part = (3_i64 << UNIT_BITS) / (2 + contacts);
            at.plus(Wide::new(round_unit(push.x * part), round_unit(push.y * part)).fine())
        }
    };
    if plan.walls == 0 {
        return at;
    }
    let walls = grounds.of(KindId(me.kind));
    walls::push_out(&walls, at, i64::from(walls.hull(me.radius)))
}
