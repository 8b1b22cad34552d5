//! The model `simple-boids`: flocking on top of the preferred velocity.

use super::context::SteeringContext;
use super::plan::Plan;
use crate::avoid::crowd::Memory;
use crate::avoid::neighbours::Neighbours;
use crate::avoid::walls::Grounds;
use crate::base::{WideVec, div_round, round_unit};

/// Weight of separation from other units, in halves: 1.5.
const SEPARATION: i64 = 3;
/// Weight of the group's mean velocity, in halves: 1.
const ALIGNMENT: i64 = 2;
/// Weight of the group's centre, in halves: 1.
const COHESION: i64 = 2;
/// Units within 2 cells repel each other.
const SEPARATION_RADIUS: i64 = 2;
/// Neighbours of the group within 10 cells count for alignment and cohesion. The settings `range` and `neighbours` limit them further.
const PERCEPTION_RADIUS: i64 = 10;

impl<G: Grounds> SteeringContext<'_, G> {
    /// The plan of the unit in slot `own`: keep apart from others, follow the group's velocity, stay near the group's centre.
    pub(in crate::avoid) fn boids(&self, own: usize, neighbours: &Neighbours, memory: Memory) -> Plan {
        let me = &self.states[own];
        let plan = self.plan_with_contacts(own, neighbours, memory);
        if !me.travels() {
            return self.finish(me, me.preferred.wide(), plan);
        }
        let speed = i64::from(me.max_speed);
        let (mut separation, mut velocities, mut offsets, mut count) =
            (WideVec::ZERO, WideVec::ZERO, WideVec::ZERO, 0);
        for &slot in neighbours.slots() {
            let other = &self.states[slot as usize];
            let offset = me.offset_to(other);
            let Some(polar) = offset.polar() else { continue };
            let distance = polar.length();
            if distance < SEPARATION_RADIUS << 16 {
                // The push does not point straight away from the other unit, but also to the left. So two units that meet head-on
                // pass each other instead of stopping: each has the other on its right.
                let away = WideVec::new(-2 * polar.unit.x + polar.unit.y, -2 * polar.unit.y - polar.unit.x)
                    .div_round(2);
                separation = separation.plus(away.along(div_round(speed << 16, distance.max(1 << 14))));
            }
            if other.travels() && other.group == me.group && distance < PERCEPTION_RADIUS << 16 {
                velocities = velocities.plus(other.vel.wide());
                offsets = offsets.plus(offset);
                count += 1;
            }
        }
        let mut force = separation.times(SEPARATION);
        if count > 0 {
            force = force.plus(velocities.div_round(count).minus(me.vel.wide()).times(ALIGNMENT));
            let centre = offsets.div_round(count);
            let pull =
                WideVec::new(cells(centre.x * speed), cells(centre.y * speed)).div_round(PERCEPTION_RADIUS);
            force = force.plus(pull.times(COHESION));
        }
        // A quarter of the change per tick, because the whole change would make units tremble.
        let (chosen, vel) = (me.preferred.wide().plus(force.div_round(2)), me.vel.wide());
        self.finish(me, vel.plus(chosen.minus(vel).div_round(4)), plan)
    }
}

/// A number of 65,536ths as a whole number, rounded to the nearest.
#[inline]
fn cells(value: i64) -> i64 {
    round_unit(value << 14)
}
