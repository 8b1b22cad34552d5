//! The model `orca`: reciprocal avoidance with half-planes.

use super::context::SteeringContext;
use super::plan::Plan;
use crate::avoid::crowd::{CALM, KindId, MAX_DEFLECTION, Memory, Stance};
use crate::avoid::delay::Delay;
use crate::avoid::half_plane::HalfPlane;
use crate::avoid::neighbours::{Neighbours, UnitState};
use crate::avoid::orca::{
    Constraints, Encounter, Response, Share, ordered_by_stream, respond, solve, time_horizon,
};
use crate::avoid::walls::{Grounds, Walls};
use crate::base::{Angle, FINE_CELL, UNIT_BITS, WideVec};

/// A blocked unit also turns aside if the deflection of a neighbour exceeds 2,048/65,536 of a turn (11 degrees).
const DEFLECTION_SEEN: u16 = 2_048;
/// An idle unit makes way only for units with a yield level below 20 and below its own.
const MAX_YIELD_LEVEL: u8 = 20;

impl<G: Grounds> SteeringContext<'_, G> {
    /// Makes the plan of the unit in slot `own`. `make_way` is the velocity with which an idle unit leaves the lanes of others, if
    /// it has to.
    pub(in crate::avoid) fn orca(
        &self,
        own: usize,
        neighbours: &Neighbours,
        memory: Memory,
        make_way: Option<WideVec>,
        plan: &mut Plan,
    ) {
        let me = &self.states[own];
        let limit = i64::from(me.max_speed);
        if me.travels() {
            *plan = Plan::new(memory);
            for slot in neighbours.below(self.contact_key(me)) {
                let other = &self.states[slot as usize];
                if self.note_contact(me, other, slot, plan) {
                    plan.goal_crowded |= goal_crowded_by(me, other);
                }
            }
        } else {
            self.start_plan(own, neighbours, memory, plan);
            if me.stance == Stance::Holding {
                plan.hold();
                return;
            }
            if me.stance == Stance::Idle && make_way.is_none() && self.all_calm(neighbours) {
                self.drift_home(me, plan);
                return;
            }
        }
        let preferred = make_way.unwrap_or_else(|| rotated(me.preferred.wide(), me.deflection));
        let mut constraints =
            Constraints::new(me, self.states, preferred.clamp_length(limit), self.timing.separation);
        self.add_walls(me, &mut constraints);
        plan.near_wall = constraints.has_walls();
        let mut yield_level = if make_way.is_some() { 1 } else { CALM };
        let (free, horizon) = (me.is_free() && me.has_bend == 0, time_horizon(self.timing, me));
        let stream_horizon = self.stream_horizon(me);
        let all_free = free && neighbours.slots().iter().all(|&slot| self.states[slot as usize].is_free());
        if all_free {
            // The most common case: the table's response to all neighbours is the same.
            constraints.push_halves(neighbours.keyed(), horizon);
        } else {
            for (slot, key) in neighbours.keyed() {
                let other = &self.states[slot as usize];
                if free && other.is_free() {
                    constraints.push_half(slot, other, key, horizon);
                } else if ordered_by_stream(me, other) {
                    constraints.push_pending_leader(slot, stream_horizon, usize::from(me.follows(other)));
                } else {
                    yield_level = yield_level.min(self.add_neighbour(me, slot, &mut constraints));
                }
            }
        }
        constraints.build_needed();
        plan.memory.yield_level = if me.travels() { CALM } else { yield_level };
        let found = solve(&mut constraints, limit, preferred);
        let narrow = constraints.has_walls() | plan.goal_crowded;
        // A wall alone is no reason to turn aside, because the route leads round it. A unit inside closed ground turns aside.
        let wall_only = narrow != 0 && !plan.has_contacts();
        let hindered = if wall_only && !self.is_buried(me) { 0 } else { narrow };
        let blocked = Blocked { hindered, preferred, found };
        plan.memory.deflection = self.next_deflection(me, neighbours, blocked);
        plan.memory.jam_ticks = self.next_jam_ticks(me, memory.jam_ticks, narrow);
        constraints.build_leaders(found);
        let behind = limit_speed(found, constraints.leaders());
        if 4 * behind.length_squared() < found.length_squared() {
            plan.delay = plan.delay.max(Delay::Queue);
        }
        self.drive(me, behind, plan);
    }

    /// Adds the half-plane of a neighbour, according to the table of avoidance. Returns the yield level of an idle unit that has to
    /// make way for the neighbour, or [`CALM`].
    fn add_neighbour(&self, me: &UnitState, slot: u32, constraints: &mut Constraints<'_>) -> u8 {
        let (other, vel) = (&self.states[slot as usize], me.vel.wide());
        let mut encounter =
            Encounter { separation: self.timing.separation, ..Encounter::between(me, other, 1) };
        match respond(self.timing, self.settings.push, me, other) {
            Response::Ignore => {}
            Response::IgnoreUnlessTouching => {
                if encounter.offset.length_squared() < encounter.radii * encounter.radii {
                    constraints.push(encounter.half_plane(vel, Share::NONE));
                }
            }
            Response::Follow => constraints.push_pending_leader(slot, self.stream_horizon(me), 1),
            Response::SlowDown => {
                encounter.horizon = self.timing.stream_horizon;
                encounter.approach = vel.minus(other.vel.wide().div_round(2));
                constraints.push_leader(encounter.half_plane(vel, Share::ALL));
            }
            Response::GiveWay => {
                encounter.horizon = self.timing.idle_horizon;
                encounter.approach = vel.minus(other.preferred.wide());
                constraints.push(encounter.half_plane(vel, Share::ALL));
            }
            Response::Avoid { horizon, share } => {
                // A unit that comes to stand beside this unit needs only its own place.
                if me.travels() || other.joins(me) || other.yield_level >= me.yield_level.min(MAX_YIELD_LEVEL)
                {
                    constraints.push_neighbour(slot, other, horizon, share);
                    return CALM;
                }
                encounter.horizon = horizon;
                let half_plane = encounter.half_plane(vel, share);
                constraints.push(half_plane);
                if half_plane.violation(me.preferred.wide()) > self.timing.yield_threshold << UNIT_BITS {
                    return other.yield_level + 1;
                }
            }
        }
        CALM
    }

    /// The time horizon behind units of the same stream that go first.
    #[inline]
    fn stream_horizon(&self, me: &UnitState) -> i64 {
        if me.lines_up() { self.timing.gate_horizon } else { self.timing.stream_horizon }
    }

    fn all_calm(&self, neighbours: &Neighbours) -> bool {
        neighbours.slots().iter().all(|&slot| {
            let other = &self.states[slot as usize];
            !other.travels() && other.yield_level == CALM
        })
    }

    /// Moves an idle unit that no unit disturbs to its home position, at half the preferred speed.
    fn drift_home(&self, me: &UnitState, plan: &mut Plan) {
        let preferred = me.preferred.wide();
        plan.memory.yield_level = CALM;
        plan.memory.deflection = 0;
        let chosen = if self.is_at_home(preferred) { WideVec::ZERO } else { preferred.div_round(2) };
        self.drive_along_walls(me, chosen, plan);
    }

    /// Whether the unit's centre is in closed ground.
    fn is_buried(&self, me: &UnitState) -> bool {
        let walls = self.grounds.of_team(KindId(me.kind), me.team);
        !walls.is_open(me.pos.wide().minus(walls.shift().wide()).fine().cell())
    }

    /// Ticks without progress in a narrow or crowded place.
    fn next_jam_ticks(&self, me: &UnitState, before: u8, narrow: u8) -> u8 {
        let preferred = me.preferred.wide();
        let no_progress = 4 * me.vel.wide().dot(preferred) < preferred.length_squared();
        if me.travels() && no_progress && (narrow != 0 || before >= self.timing.jam) {
            before.saturating_add(1).min(self.timing.max_jam)
        } else {
            before.saturating_sub(1)
        }
    }

    /// The deflection from now on: how far the unit turns its preferred velocity aside. The angle grows while other units block the unit
    /// beside walls, or while traffic in other directions blocks it. Otherwise the angle declines.
    fn next_deflection(&self, me: &UnitState, neighbours: &Neighbours, blocked: Blocked) -> u16 {
        let Blocked { hindered, preferred, found } = blocked;
        let distance = i64::from(me.ticks_to_goal) * i64::from(me.max_speed);
        let far = me.has_bend != 0 || distance > 3 * i64::from(FINE_CELL) / 2;
        let is_blocked = || 2 * found.dot(preferred) < preferred.length_squared();
        let square = me.preferred.wide().length_squared();
        let is_crossed = || {
            neighbours.slots().iter().any(|&slot| {
                let other = &self.states[slot as usize];
                other.travels()
                    && !me.same_stream(other)
                    && (2 * me.preferred.wide().dot(other.preferred.wide()) < square
                        || other.deflection > DEFLECTION_SEEN)
            })
        };
        // A unit that waits in a queue does not turn aside: it would push others against the wall.
        let has_leader = || {
            neighbours.slots().iter().any(|&slot| {
                let other = &self.states[slot as usize];
                me.same_stream(other) && me.follows(other)
            })
        };
        if me.travels()
            && far
            && is_blocked()
            && !(me.lines_up() && has_leader())
            && (hindered != 0 || is_crossed())
        {
            let deflection = me.deflection + self.timing.deflection_growth;
            if deflection > MAX_DEFLECTION { 0 } else { deflection }
        } else {
            me.deflection.saturating_sub(self.timing.deflection_decline)
        }
    }
}

/// How far a unit's velocity is from its preferred one, and why.
#[derive(Clone, Copy)]
struct Blocked {
    /// 1 if other units block it in a narrow or crowded place.
    hindered: u8,
    /// The preferred velocity, turned aside.
    preferred: WideVec,
    /// The velocity that neighbours and walls allow.
    found: WideVec,
}

/// 1 if `other` stands at the goal of `me` and blocks it there, else 0. The gap between them must be below a quarter of a cell, and `other`
/// must be no further from the goal than `me`.
fn goal_crowded_by(me: &UnitState, other: &UnitState) -> u8 {
    let distance = |unit: &UnitState| unit.pos.distance_squared(me.goal);
    let close = me.sum_of_radii(other) + i64::from(FINE_CELL / 4);
    let taken = me.has_bend == 0 && me.finds_goal_taken_by(other);
    u8::from(taken && distance(other) <= distance(me) && me.offset_to(other).length_squared() < close * close)
}

/// A velocity rotated clockwise.
#[inline]
fn rotated(velocity: WideVec, by: u16) -> WideVec {
    if by == 0 {
        return velocity;
    }
    let (sin, cos) = (i64::from(Angle(by).sin_16()), i64::from(Angle(by).cos_16()));
    let round = |value: i64| (value + (1 << 15)) >> 16;
    WideVec::new(round(velocity.x * cos - velocity.y * sin), round(velocity.x * sin + velocity.y * cos))
}

/// Reduces the speed until the velocity is inside all half-planes. Keeps the direction.
fn limit_speed(v: WideVec, half_planes: &[HalfPlane]) -> WideVec {
    // The allowed part of the speed, in 2^-30.
    let mut part = 1_i64 << UNIT_BITS;
    for half_plane in half_planes {
        let (own, limit) = (half_plane.dir().cross(v), half_plane.dir().cross(half_plane.point()));
        // Slowing down helps only if standing still is allowed or violates the half-plane less.
        if own < 0 && own < limit {
            let allowed = if limit >= 0 { 0 } else { (i128::from(limit) << UNIT_BITS) / i128::from(own) };
            // `own` is below `limit`, so the quotient is less than 1.
            part = part.min(allowed as i64);
        }
    }
    if part == 1 << UNIT_BITS { v } else { v.along(part) }
}
