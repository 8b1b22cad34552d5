//! One unit's velocity for the next tick: a function of what was seen at the end of the last one.

use super::crowd::{CALM, KindId, Mind, Stance};
use super::fine::{FINE_CELL, Fine, UNIT_BITS, Wide};
use super::half_plane::{Meeting, Share};
use super::kinematics::{Beside, Motor};
use super::lines::{Lines, meet};
use super::neighbours::Neighbours;
use super::pair::{Treat, ahead, goes_by_stream, push_share, treat};
use super::program::{self, Line};
use super::seen::{KEPT_WITHIN, Seen};
use super::settings::{AvoidSettings, MAX_NEIGHBOURS, Tempo};
use super::walls::{self, Grounds, MAX_WALLS, Walls};
use crate::base::Angle;

/// Turned further aside than this, a unit starts anew: it went the wrong way round.
pub(super) const TURN_RESET: u16 = 16_000;
/// Neighbours that turned aside by more than this make me turn too.
const TURN_SEEN: u16 = 2_048;
/// Nobody makes way for units at this level or above.
const MAX_LEVEL: u8 = 20;

/// Scratch: what a unit does this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    /// Where it would go.
    pub(super) vel: Fine,
    pub(super) mind: Mind,
    /// Whom it may touch this tick: slots, shifted by five, and my share of a push in sixteenths.
    near: [u32; MAX_NEIGHBOURS],
    near_count: u8,
    /// 1 if a wall is near.
    pub(super) walls: u8,
    /// 1 if others at its goal are in its way.
    pub(super) crowded: u8,
    /// 1 if nothing around it moves, nor it.
    pub(super) asleep: u8,
    /// What keeps it from getting on.
    pub(super) delay: Delay,
    /// How far to look for neighbours next time.
    pub(super) hint: i64,
}

/// Why a unit that is under way does not get on, if it is not the ground: for those who look for units that are stuck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Delay {
    /// Nobody keeps it.
    #[default]
    None,
    /// Friends are close before it, or it turns on the spot: that will pass, as a rule.
    Traffic,
    /// It is behind one of its stream who goes first. Of a stream somebody is first, who is not kept by this.
    Queue,
    /// Friends of its group who have come to rest at the goal, or before it, are close before it.
    Settled,
}

impl Plan {
    /// Standing still, touching nobody.
    pub(super) fn new(mind: Mind) -> Self {
        Self { mind, ..Self::default() }
    }

    /// For a unit that stays: others may still push it, perhaps towards a wall.
    pub(super) fn hold(&mut self) {
        self.mind.turn = 0;
        self.walls = 1;
    }

    /// For a unit that sleeps.
    pub(super) fn asleep(mind: Mind) -> Self {
        Self { mind, asleep: 1, ..Self::default() }
    }

    /// Whether nobody is near enough to push it, nor a wall.
    #[inline]
    pub(super) const fn is_untouched(&self) -> bool {
        self.near_count | self.walls == 0
    }

    #[inline]
    pub(super) fn near(&self) -> impl Iterator<Item = (usize, Share)> + '_ {
        self.near[..usize::from(self.near_count)]
            .iter()
            .map(|&packed| ((packed >> 5) as usize, Share((packed & 31) as u8)))
    }
}

/// What steering looks at.
pub(super) struct View<'a, G> {
    pub(super) settings: &'a AvoidSettings,
    pub(super) tempo: &'a Tempo,
    pub(super) motors: &'a [Motor],
    pub(super) seen: &'a [Seen],
    pub(super) grounds: &'a G,
    /// The greatest radius and speed of all.
    pub(super) widest: i32,
    pub(super) fastest: i32,
}

impl<G: Grounds> View<'_, G> {
    /// The plan of the unit in a slot, by reciprocal avoidance. `aside` is how it would get out of the way of others, if it has to.
    pub(super) fn orca(
        &self,
        own: usize,
        neighbours: &Neighbours,
        mind: Mind,
        aside: Option<Wide>,
        plan: &mut Plan,
    ) {
        let me = &self.seen[own];
        let limit = i64::from(me.speed);
        if me.travels() {
            *plan = Plan::new(mind);
            for slot in neighbours.below(self.touchable(me)) {
                let other = &self.seen[slot as usize];
                if self.touch(me, other, slot, plan) {
                    plan.crowded |= self.crowded(me, other);
                }
            }
        } else {
            self.prepare(own, neighbours, mind, plan);
            if me.stance == Stance::Holding {
                plan.hold();
                return;
            }
            if me.stance == Stance::Idle && aside.is_none() && self.all_calm(neighbours) {
                self.settle(me, plan);
                return;
            }
        }
        let wish = aside.unwrap_or_else(|| turned(me.wish.wide(), me.turn));
        let mut lines = Lines::new(me, self.seen, wish.clamp(limit), self.tempo.touch);
        self.add_walls(me, &mut lines);
        plan.walls = lines.any_wall();
        let mut level = if aside.is_some() { 1 } else { CALM };
        let (free, ahead) = (me.is_free() && me.passing == 0, ahead(self.tempo, me));
        let stream = self.follows_within(me);
        let all_free = free && neighbours.slots().iter().all(|&slot| self.seen[slot as usize].is_free());
        if all_free {
            // What the table says of most.
            lines.push_halves(neighbours.keyed(), ahead);
        } else {
            for (slot, key) in neighbours.keyed() {
                let other = &self.seen[slot as usize];
                if free && other.is_free() {
                    lines.push_half(slot, other, key, ahead);
                } else if goes_by_stream(me, other) {
                    lines.push_followed(slot, stream, usize::from(me.follows(other)));
                } else {
                    level = level.min(self.regard(me, slot, &mut lines));
                }
            }
        }
        lines.make_needed();
        plan.mind.level = if me.travels() { CALM } else { level };
        let found = program::solve(&mut lines, limit, wish);
        let narrow = lines.any_wall() | plan.crowded;
        // A wall alone is no reason to turn: it is the way that leads round it, except out of closed ground.
        let alone = narrow != 0 && plan.near_count == 0;
        let hindered = if alone && !self.is_buried(me) { 0 } else { narrow };
        plan.mind.turn = self.turn(me, neighbours, hindered, wish, found);
        plan.mind.jam = self.jam(me, mind.jam, narrow);
        lines.make_leaders(found);
        let behind = limit_speed(found, lines.leaders());
        if 4 * behind.square() < found.square() {
            plan.delay = plan.delay.max(Delay::Queue);
        }
        self.drive(me, behind, plan);
    }

    /// Makes the plan say whom the unit may touch, and nothing else yet.
    pub(super) fn prepare(&self, own: usize, neighbours: &Neighbours, mind: Mind, plan: &mut Plan) {
        let me = &self.seen[own];
        *plan = Plan::new(mind);
        for slot in neighbours.below(self.touchable(me)) {
            self.touch(me, &self.seen[slot as usize], slot, plan);
        }
    }

    /// Neighbours whose keys are no less are too far off to be touched: squares of distances less those of radii.
    #[inline]
    fn touchable(&self, me: &Seen) -> i64 {
        let further =
            (i64::from(me.speed) + i64::from(self.fastest) + i64::from(FINE_CELL / 16)).max(KEPT_WITHIN);
        further * (further + 2 * (i64::from(me.radius) + i64::from(self.widest)))
    }

    /// Notes a neighbour that the unit may touch this tick or that keeps it; says whether it is close.
    #[inline]
    fn touch(&self, me: &Seen, other: &Seen, slot: u32, plan: &mut Plan) -> bool {
        let radii = i64::from(me.radius) + i64::from(other.radius);
        let close = radii + i64::from(me.speed) + i64::from(other.speed) + i64::from(FINE_CELL / 16);
        let square = me.offset_to(other).square();
        let either = close.max(radii + KEPT_WITHIN);
        if square >= either * either {
            return false;
        }
        if square < close * close {
            let share = push_share(self.settings.push, me, other);
            plan.near[usize::from(plan.near_count)] = (slot << 5) | u32::from(share.0);
            plan.near_count += 1;
        }
        plan.delay = plan.delay.max(me.kept_by(other));
        true
    }

    /// Adds the half-plane of a neighbour, as the table says. Gives the level that an idle unit takes if it has to make way for it.
    fn regard(&self, me: &Seen, slot: u32, lines: &mut Lines<'_>) -> u8 {
        let (other, vel) = (&self.seen[slot as usize], me.vel.wide());
        let mut meeting = Meeting { touch: self.tempo.touch, ..meet(me, other, 1) };
        match treat(self.tempo, me, other) {
            Treat::Ignore => {}
            Treat::IgnoreUnlessTouching => {
                if meeting.offset.square() < meeting.radii * meeting.radii {
                    lines.push(meeting.half_plane(vel, Share::NONE));
                }
            }
            Treat::Follow => lines.push_followed(slot, self.follows_within(me), 1),
            Treat::LetOut => {
                meeting.horizon = self.tempo.stream;
                meeting.approach = vel.minus(other.vel.wide().over(2));
                lines.push_leader(meeting.half_plane(vel, Share::ALL));
            }
            Treat::GiveWay => {
                meeting.horizon = self.tempo.idle;
                meeting.approach = vel.minus(other.wish.wide());
                lines.push(meeting.half_plane(vel, Share::ALL));
            }
            Treat::Avoid(horizon, share) => {
                // Who comes to stand beside me needs no room but its own.
                if me.travels() || other.joins(me) || other.level >= me.level.min(MAX_LEVEL) {
                    lines.push_meeting(slot, other, horizon, share);
                    return CALM;
                }
                meeting.horizon = horizon;
                let line = meeting.half_plane(vel, share);
                lines.push(line);
                if line.outside(me.wish.wide()) > self.tempo.level_band << UNIT_BITS {
                    return other.level + 1;
                }
            }
        }
        CALM
    }

    /// How far ahead it looks at those who go before it.
    #[inline]
    fn follows_within(&self, me: &Seen) -> i64 {
        if me.lines_up() { self.tempo.gate } else { self.tempo.stream }
    }

    /// Turns a wanted velocity into one that the unit is able to.
    pub(super) fn drive(&self, me: &Seen, wanted: Wide, plan: &mut Plan) {
        let motor = &self.motors[usize::from(me.kind)];
        let ahead = if me.passing != 0 { i64::MAX } else { i64::from(me.to_goal) * i64::from(me.speed) };
        let beside = if plan.near_count == 0 { Beside::Nobody } else { Beside::Somebody };
        let (vel, heading) = motor.drive(me.vel.wide(), plan.mind.heading, wanted, ahead, beside);
        plan.vel = vel.clamp(i64::from(me.speed)).fine();
        let turns = motor.steering.is_some() && heading != plan.mind.heading;
        if turns && me.travels() && plan.delay == Delay::None {
            plan.delay = Delay::Traffic;
        }
        plan.mind.heading = heading;
    }

    fn all_calm(&self, neighbours: &Neighbours) -> bool {
        neighbours.slots().iter().all(|&slot| {
            let other = &self.seen[slot as usize];
            !other.travels() && other.level == CALM
        })
    }

    /// Whether an idle unit that wants to move like that is as near to its spot as matters: touching neighbours keep some from getting nearer.
    pub(super) fn is_there(&self, wish: Wide) -> bool {
        let near = i64::from(FINE_CELL / 32) / self.tempo.arrive;
        wish.square() < near * near
    }

    /// An idle unit that nobody disturbs drifts to its spot.
    fn settle(&self, me: &Seen, plan: &mut Plan) {
        let wish = me.wish.wide();
        let wanted = if self.is_there(wish) { Wide::ZERO } else { wish.over(2) };
        plan.mind.level = CALM;
        plan.mind.turn = 0;
        let limit = i64::from(me.speed);
        let mut lines = Lines::new(me, self.seen, wanted.clamp(limit), self.tempo.touch);
        self.add_walls(me, &mut lines);
        plan.walls = lines.any_wall();
        let wanted = program::solve(&mut lines, limit, wanted);
        self.drive(me, wanted, plan);
    }

    /// Whether its middle is in closed ground.
    fn is_buried(&self, me: &Seen) -> bool {
        let walls = self.grounds.of(KindId(me.kind));
        !walls.is_open(me.pos.wide().minus(walls.shift().wide()).fine().cell())
    }

    /// The half-planes of walls.
    #[inline]
    pub(super) fn add_walls(&self, me: &Seen, lines: &mut Lines<'_>) {
        let reach = i64::from(me.speed) * self.tempo.wall + i64::from(FINE_CELL / 16);
        let walls = self.grounds.of(KindId(me.kind));
        let hull = i64::from(walls.hull(me.radius));
        if walls::are_near(&walls, me.pos, hull + reach) {
            let mut near = [Line::NONE; MAX_WALLS];
            let count = walls::lines(&walls, me.pos, hull, reach, self.tempo.wall, &mut near);
            lines.push_walls(&near[..count]);
        }
    }

    /// 1 if it touches the other, who has its place and is nearer to it.
    fn crowded(&self, me: &Seen, other: &Seen) -> u8 {
        let far = |unit: &Seen| unit.pos.distance_squared(me.goal);
        let close = i64::from(me.radius) + i64::from(other.radius) + i64::from(FINE_CELL / 4);
        let taken = me.passing == 0 && me.has_my_place(other);
        u8::from(taken && far(other) <= far(me) && me.offset_to(other).square() < close * close)
    }

    /// How long it has not got on in a narrow or crowded place.
    fn jam(&self, me: &Seen, before: u8, narrow: u8) -> u8 {
        let wish = me.wish.wide();
        let stands = 4 * me.vel.wide().dot(wish) < wish.square();
        if me.travels() && stands && (narrow != 0 || before >= self.tempo.jam) {
            before.saturating_add(1).min(self.tempo.longest_jam)
        } else {
            before.saturating_sub(1)
        }
    }

    /// How far to turn the wish aside from now on: further while blocked by others beside walls or by traffic that goes elsewhere.
    fn turn(&self, me: &Seen, neighbours: &Neighbours, hindered: u8, wish: Wide, found: Wide) -> u16 {
        let far =
            me.passing != 0 || i64::from(me.to_goal) * i64::from(me.speed) > 3 * i64::from(FINE_CELL) / 2;
        let blocked = || 2 * found.dot(wish) < wish.square();
        let square = me.wish.wide().square();
        let crossed = || {
            neighbours.slots().iter().any(|&slot| {
                let other = &self.seen[slot as usize];
                other.travels()
                    && !me.same_stream(other)
                    && (2 * me.wish.wide().dot(other.wish.wide()) < square || other.turn > TURN_SEEN)
            })
        };
        // Who waits its turn in a stream does not look for a way round it: turned aside it would press others against the wall.
        let led = || {
            neighbours.slots().iter().any(|&slot| {
                let other = &self.seen[slot as usize];
                me.same_stream(other) && me.follows(other)
            })
        };
        if me.travels() && far && blocked() && !(me.lines_up() && led()) && (hindered != 0 || crossed()) {
            let turn = me.turn + self.tempo.turn_up;
            if turn > TURN_RESET { 0 } else { turn }
        } else {
            me.turn.saturating_sub(self.tempo.turn_down)
        }
    }
}

/// Turned clockwise.
#[inline]
fn turned(wish: Wide, turn: u16) -> Wide {
    if turn == 0 {
        return wish;
    }
    let (sin, cos) = (i64::from(Angle(turn).sin_16()), i64::from(Angle(turn).cos_16()));
    let round = |value: i64| (value + (1 << 15)) >> 16;
    Wide::new(round(wish.x * cos - wish.y * sin), round(wish.x * sin + wish.y * cos))
}

/// Slowed down until it is inside all lines, its direction kept.
fn limit_speed(v: Wide, lines: &[Line]) -> Wide {
    // The allowed part of the velocity, in 2^-30.
    let mut part = 1_i64 << UNIT_BITS;
    for line in lines {
        let (own, limit) = (line.dir().cross(v), line.dir().cross(line.point()));
        // Slowing down helps only if standing is allowed, or at least better.
        if own < 0 && own < limit {
            let allowed = if limit >= 0 { 0 } else { (i128::from(limit) << UNIT_BITS) / i128::from(own) };
            // Less than all, as `own` is further out than the limit.
            part = part.min(allowed as i64);
        }
    }
    if part == 1 << UNIT_BITS { v } else { v.along(part) }
}
