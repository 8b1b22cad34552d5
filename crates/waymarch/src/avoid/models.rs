//! The other models: spec 000's ORCA-lite, spec 004's sampled velocity obstacles and flocking, and none.

use super::crowd::{CALM, Mind, Stance};
use super::fine::{Wide, divide, fine, round_unit};
use super::lines::{Lines, meet};
use super::neighbours::Neighbours;
use super::program;
use super::seen::Seen;
use super::steer::{Plan, View};
use super::walls::Grounds;
use crate::base::Angle;

/// Directions that are sampled.
const SAMPLES: u16 = 32;

/// Spec 004's weights of flocking, in halves: separation 1.5, alignment 1, cohesion 1.
const SEPARATION: i64 = 3;
const ALIGNMENT: i64 = 2;
const COHESION: i64 = 2;
/// Spec 004's radii of flocking, in cells.
const PERSONAL: i64 = 2;
const PERCEPTION: i64 = 10;

impl<G: Grounds> View<'_, G> {
    /// Spec 000's ORCA-lite: a sidestep for everybody I would pass too closely, the stronger the sooner that is. Both of a pair pass on
    /// the same own side (ERRATA 7); it follows from where they would pass anyhow, ties from ids, and is kept for a while.
    pub(super) fn lite(&self, own: usize, neighbours: &Neighbours, mind: Mind) -> Plan {
        let me = &self.seen[own];
        let mut plan = self.prepared(own, neighbours, mind);
        let mut aside = Wide::ZERO;
        let mut soonest = i64::MAX;
        let horizon = i64::from(self.settings.horizon);
        for &slot in neighbours.slots().iter().filter(|_| me.travels()) {
            let other = &self.seen[slot as usize];
            let Some(pass) = passing(me, other, me.vel.wide(), i64::from(fine(self.settings.margin))) else {
                continue;
            };
            if !pass.touches || pass.ticks > horizon {
                continue;
            }
            let side = match (plan.mind.commitment, plan.mind.side) {
                (1.., side @ (1 | -1)) => side,
                _ => pass.side,
            };
            let Some(polar) = me.offset_to(other).polar() else { continue };
            let strength = divide(i64::from(fine(self.settings.strength)), pass.ticks.max(1));
            // Clockwise of the way to the other is my right.
            let right = Wide::new(-polar.unit.y, polar.unit.x);
            aside = aside.plus(right.along(strength * i64::from(side)));
            if pass.ticks < soonest {
                soonest = pass.ticks;
                plan.mind.side = side;
            }
        }
        if soonest < i64::MAX {
            let fresh = mind.commitment == 0 || mind.side == 0;
            let left = if fresh { self.settings.commitment as u8 } else { mind.commitment - 1 };
            plan.mind.commitment = left;
        } else {
            plan.mind.commitment = mind.commitment.saturating_sub(1);
            if plan.mind.commitment == 0 {
                plan.mind.side = 0;
            }
        }
        self.go(me, me.wish.wide().plus(aside), plan)
    }

    /// Spec 004's sampled velocity obstacles: of 32 directions at full speed, and the wish itself, the one nearest to the wish that touches
    /// nobody within the horizon; none of them: stand.
    pub(super) fn sampled(&self, own: usize, neighbours: &Neighbours, mind: Mind) -> Plan {
        let me = &self.seen[own];
        let plan = self.prepared(own, neighbours, mind);
        let wish = me.wish.wide();
        let horizon = i64::from(self.settings.horizon);
        let free = |v: Wide| {
            neighbours.slots().iter().all(|&slot| {
                let other = &self.seen[slot as usize];
                passing(me, other, v, 0).is_none_or(|pass| !pass.touches || pass.ticks > horizon)
            })
        };
        if !me.travels() || free(wish) {
            return self.go(me, wish, plan);
        }
        let sample = |number: u16| {
            let angle = Angle(number * (65_536 / u32::from(SAMPLES)) as u16);
            let speed = i64::from(me.speed);
            Wide::new((i64::from(angle.cos_16()) * speed) >> 16, (i64::from(angle.sin_16()) * speed) >> 16)
        };
        // A little more for those to the right of the wish: two that meet both go to their own right, and so apart. Of equally good ones
        // the first.
        let score = |v: Wide| 8 * v.dot(wish) + wish.cross(v);
        let best = (0..SAMPLES)
            .map(sample)
            .filter(|&v| free(v))
            .reduce(|best, v| if score(v) > score(best) { v } else { best });
        self.go(me, best.unwrap_or(Wide::ZERO), plan)
    }

    /// Spec 004's flocking on top of the wish: keep apart, go where the others of my group go, stay with them.
    pub(super) fn boids(&self, own: usize, neighbours: &Neighbours, mind: Mind) -> Plan {
        let me = &self.seen[own];
        let plan = self.prepared(own, neighbours, mind);
        if !me.travels() {
            return self.go(me, me.wish.wide(), plan);
        }
        let speed = i64::from(me.speed);
        let (mut apart, mut together, mut middle, mut count) = (Wide::ZERO, Wide::ZERO, Wide::ZERO, 0);
        for &slot in neighbours.slots() {
            let other = &self.seen[slot as usize];
            let offset = me.offset_to(other);
            let Some(polar) = offset.polar() else { continue };
            let distance = polar.length();
            if distance < PERSONAL << 16 {
                // Turned to the left of straight away: two that meet pass each other on their right instead of standing.
                let away =
                    Wide::new(-2 * polar.unit.x + polar.unit.y, -2 * polar.unit.y - polar.unit.x).over(2);
                apart = apart.plus(away.along(divide(speed << 16, distance.max(1 << 14))));
            }
            if other.travels() && other.group == me.group && distance < PERCEPTION << 16 {
                together = together.plus(other.vel.wide());
                middle = middle.plus(offset);
                count += 1;
            }
        }
        let mut force = apart.times(SEPARATION);
        if count > 0 {
            force = force.plus(together.over(count).minus(me.vel.wide()).times(ALIGNMENT));
            let pull = middle.over(count);
            let pull = Wide::new(round_16(pull.x * speed), round_16(pull.y * speed)).over(PERCEPTION);
            force = force.plus(pull.times(COHESION));
        }
        // A quarter of the way each tick: forces alone would make units tremble.
        let (wanted, vel) = (me.wish.wide().plus(force.over(2)), me.vel.wide());
        self.go(me, vel.plus(wanted.minus(vel).over(4)), plan)
    }

    /// Straight ahead, whoever is there.
    pub(super) fn unheeding(&self, own: usize, mind: Mind) -> Plan {
        let me = &self.seen[own];
        self.go(me, me.wish.wide(), Plan::new(mind))
    }

    /// A plan that says whom the unit may touch, and nothing else yet.
    fn prepared(&self, own: usize, neighbours: &Neighbours, mind: Mind) -> Plan {
        let mut plan = Plan::default();
        self.prepare(own, neighbours, mind, &mut plan);
        plan
    }

    /// As wanted, as far as walls and the unit's own abilities allow.
    fn go(&self, me: &Seen, wanted: Wide, mut plan: Plan) -> Plan {
        plan.mind.level = CALM;
        plan.mind.turn = 0;
        if me.stance == Stance::Holding {
            plan.hold();
            return plan;
        }
        let limit = i64::from(me.speed);
        let there = !me.travels() && self.is_there(wanted);
        let wanted = if there { Wide::ZERO } else { wanted.clamp(limit) };
        let mut lines = Lines::new(me, self.seen, wanted, self.tempo.touch);
        self.add_walls(me, &mut lines);
        plan.walls = lines.any_wall();
        let found = program::solve(&mut lines, limit, wanted);
        self.drive(me, found, &mut plan);
        plan
    }
}

/// How two units pass each other if both go on.
struct Passing {
    /// In how many ticks they are nearest, at least 0.
    ticks: i64,
    /// Whether they then touch, or would like more room.
    touches: bool,
    /// On which side of me I pass it: 1 if I go to my right.
    side: i8,
}

/// How I pass another if I go at `v`; `None` if we do not come nearer.
fn passing(me: &Seen, other: &Seen, v: Wide, margin: i64) -> Option<Passing> {
    let meeting = meet(me, other, 1);
    let approach = v.minus(other.vel.wide());
    let (along, square) = (meeting.offset.dot(approach), approach.square());
    if along <= 0 || square == 0 {
        return None;
    }
    // In 256ths of a tick; offsets are below 2^23 and velocities below 2^20.
    let ticks = (along << 8) / square;
    let ticks = ticks.min(1 << 20);
    let nearest = meeting.offset.times(256).minus(approach.times(ticks)).over(256);
    let room = meeting.radii + margin;
    let turn = approach.cross(nearest);
    let lower = me.id.min(other.id);
    // The other passes clockwise of my way: I go the other way.
    let side = match turn {
        1.. => -1,
        0 => 1 - 2 * (lower & 1) as i8,
        _ => 1,
    };
    Some(Passing { ticks: ticks >> 8, touches: nearest.square() < room * room, side })
}

#[inline]
fn round_16(value: i64) -> i64 {
    round_unit(value << 14)
}
