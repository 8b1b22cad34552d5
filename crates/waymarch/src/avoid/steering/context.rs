//! What steering reads, and the steps that all avoidance models share.

use super::plan::Plan;
use crate::avoid::crowd::{CALM, Closeness, DriveState, Facing, KindId, Memory, Motor, Stance};
use crate::avoid::delay::Delay;
use crate::avoid::half_plane::HalfPlane;
use crate::avoid::neighbours::{CLOSE_IN_FRONT, Neighbours, UnitState};
use crate::avoid::orca::{Constraints, push_share, solve};
use crate::avoid::settings::AvoidSettings;
use crate::avoid::timing::Timing;
use crate::avoid::walls::{Grounds, MAX_WALLS, Reach, Walls, wall_half_planes, walls_are_near};
use crate::base::{FINE_CELL, WideVec};

/// What steering reads. Units are named by their slots in the spatial index.
pub(in crate::avoid) struct SteeringContext<'a, G> {
    pub(in crate::avoid) settings: &'a AvoidSettings,
    pub(in crate::avoid) timing: &'a Timing,
    /// By kind.
    pub(in crate::avoid) motors: &'a [Motor],
    /// By slot.
    pub(in crate::avoid) states: &'a [UnitState],
    pub(in crate::avoid) grounds: &'a G,
    /// The largest radius of all units.
    pub(in crate::avoid) max_radius: i32,
    /// The highest speed of all units.
    pub(in crate::avoid) max_speed: i32,
}

impl<G: Grounds> SteeringContext<'_, G> {
    /// The plan of a unit that goes straight ahead and ignores all others: the model `none`.
    pub(in crate::avoid) fn ignore_neighbours(&self, own: usize, memory: Memory) -> Plan {
        let me = &self.states[own];
        self.finish(me, me.preferred.wide(), Plan::new(memory))
    }

    /// The plan of a unit that steps from cell to cell: straight to its aim, without regard to other units, which are kept off its way. Contacts still push it.
    pub(in crate::avoid) fn step(&self, own: usize, neighbours: &Neighbours, memory: Memory) -> Plan {
        let me = &self.states[own];
        self.finish(me, me.preferred.wide(), self.plan_with_contacts(own, neighbours, memory))
    }

    /// A plan that names the units that the unit may touch, and what delays it. The rest is still empty.
    pub(super) fn plan_with_contacts(&self, own: usize, neighbours: &Neighbours, memory: Memory) -> Plan {
        let mut plan = Plan::default();
        self.start_plan(own, neighbours, memory, &mut plan);
        plan
    }

    /// [`SteeringContext::plan_with_contacts`] in place.
    pub(super) fn start_plan(&self, own: usize, neighbours: &Neighbours, memory: Memory, plan: &mut Plan) {
        let me = &self.states[own];
        *plan = Plan::new(memory);
        for slot in neighbours.below(self.contact_key(me)) {
            self.note_contact(me, &self.states[slot as usize], slot, plan);
        }
    }

    /// Neighbours with this key or more are too far away to touch or delay a unit. A key is the squared distance minus the squared
    /// sum of radii.
    #[inline]
    pub(super) fn contact_key(&self, me: &UnitState) -> i64 {
        let gap = (i64::from(me.max_speed) + i64::from(self.max_speed) + i64::from(FINE_CELL / 16))
            .max(CLOSE_IN_FRONT);
        gap * (gap + 2 * (i64::from(me.radius) + i64::from(self.max_radius)))
    }

    /// Notes a neighbour that the unit may touch in this tick or that delays it. Returns whether it is close enough for either.
    #[inline]
    pub(super) fn note_contact(&self, me: &UnitState, other: &UnitState, slot: u32, plan: &mut Plan) -> bool {
        let radii = me.sum_of_radii(other);
        let close = radii + i64::from(me.max_speed) + i64::from(other.max_speed) + i64::from(FINE_CELL / 16);
        let square = me.offset_to(other).length_squared();
        let either = close.max(radii + CLOSE_IN_FRONT);
        if square >= either * either {
            return false;
        }
        if square < close * close {
            plan.add_contact(slot, push_share(self.settings.push, me, other));
        }
        plan.delay = plan.delay.max(me.delay_by(other));
        true
    }

    /// Adds the half-planes of the nearest walls.
    #[inline]
    pub(super) fn add_walls(&self, me: &UnitState, constraints: &mut Constraints<'_>) {
        let horizon = self.timing.wall_horizon;
        let distance = i64::from(me.max_speed) * horizon + i64::from(FINE_CELL / 16);
        let walls = self.grounds.of_team(KindId(me.kind), me.team);
        let reach = Reach { at: me.pos, hull: i64::from(walls.hull(me.radius)), distance, horizon };
        if walls_are_near(&walls, &reach) {
            let mut near = [HalfPlane::NONE; MAX_WALLS];
            let count = wall_half_planes(&walls, &reach, &mut near);
            constraints.push_walls(&near[..count]);
        }
    }

    /// Whether the preferred velocity of an idle unit is so small that it counts as being at its home position: 1/32 of a cell
    /// away. Neighbours that touch it may keep it from getting nearer.
    pub(super) fn is_at_home(&self, preferred: WideVec) -> bool {
        let near = i64::from(FINE_CELL / 32) / self.timing.arrival;
        preferred.length_squared() < near * near
    }

    /// Limits a chosen velocity by walls only, and completes the plan. For models that do not use half-planes for neighbours.
    pub(super) fn finish(&self, me: &UnitState, chosen: WideVec, mut plan: Plan) -> Plan {
        plan.memory.yield_level = CALM;
        plan.memory.deflection = 0;
        if me.stance == Stance::Holding {
            plan.hold();
            return plan;
        }
        let at_home = !me.travels() && self.is_at_home(chosen);
        let chosen = if at_home { WideVec::ZERO } else { chosen.clamp_length(i64::from(me.max_speed)) };
        self.drive_along_walls(me, chosen, &mut plan);
        plan
    }

    /// Completes a plan with a velocity that only walls limit.
    pub(super) fn drive_along_walls(&self, me: &UnitState, chosen: WideVec, plan: &mut Plan) {
        let limit = i64::from(me.max_speed);
        let mut constraints =
            Constraints::new(me, self.states, chosen.clamp_length(limit), self.timing.separation);
        self.add_walls(me, &mut constraints);
        plan.near_wall = constraints.has_walls();
        let found = solve(&mut constraints, limit, chosen);
        self.drive(me, found, plan);
    }

    /// Completes a plan with the velocity and heading that the unit's motor can reach.
    pub(super) fn drive(&self, me: &UnitState, chosen: WideVec, plan: &mut Plan) {
        let motor = &self.motors[usize::from(me.kind)];
        let distance =
            if me.has_bend != 0 { i64::MAX } else { i64::from(me.ticks_to_goal) * i64::from(me.max_speed) };
        let state = DriveState {
            velocity: me.vel.wide(),
            heading: plan.memory.heading,
            closeness: if plan.has_contacts() { Closeness::Close } else { Closeness::Clear },
            facing: if me.keeps_facing != 0 { Facing::Kept } else { Facing::Ahead },
        };
        let (vel, heading) = motor.drive(state, chosen, distance);
        plan.vel = vel.clamp_length(i64::from(me.max_speed)).fine();
        let turns = motor.turning.is_some() && heading != plan.memory.heading;
        if turns && me.travels() && plan.delay == Delay::None {
            plan.delay = Delay::Traffic;
        }
        plan.memory.heading = heading;
    }
}
