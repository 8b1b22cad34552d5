//! The model `vo-sampling`: the best of 32 directions that collide with no neighbour.

use super::closest_approach::closest_approach;
use super::context::SteeringContext;
use super::plan::Plan;
use crate::avoid::crowd::Memory;
use crate::avoid::neighbours::Neighbours;
use crate::avoid::walls::Grounds;
use crate::base::{Angle, WideVec};

/// The number of directions that are sampled: one every 11.25 degrees.
const SAMPLES: u16 = 32;

impl<G: Grounds> SteeringContext<'_, G> {
    /// The plan of the unit in slot `own`. It takes the preferred velocity if that collides with no neighbour within the horizon.
    /// Otherwise it takes the nearest of 32 velocities at full speed that does not collide. If all collide, it stands still.
    pub(in crate::avoid) fn vo_sampling(&self, own: usize, neighbours: &Neighbours, memory: Memory) -> Plan {
        let me = &self.states[own];
        let plan = self.plan_with_contacts(own, neighbours, memory);
        let preferred = me.preferred.wide();
        let horizon = i64::from(self.settings.horizon);
        let is_free = |v: WideVec| {
            neighbours.slots().iter().all(|&slot| {
                let other = &self.states[slot as usize];
                closest_approach(me, other, v, 0).is_none_or(|pass| !pass.too_close || pass.ticks > horizon)
            })
        };
        if !me.travels() || is_free(preferred) {
            return self.finish(me, preferred, plan);
        }
        let sample = |number: u16| {
            let angle = Angle(number * (65_536 / u32::from(SAMPLES)) as u16);
            let speed = i64::from(me.max_speed);
            WideVec::new((i64::from(angle.cos_16()) * speed) >> 16, (i64::from(angle.sin_16()) * speed) >> 16)
        };
        // Directions to the right score slightly higher. So two units that meet both go to their own right, and apart. Of equal
        // scores the first wins.
        let score = |v: WideVec| 8 * v.dot(preferred) + preferred.cross(v);
        let best = (0..SAMPLES)
            .map(sample)
            .filter(|&v| is_free(v))
            .reduce(|best, v| if score(v) > score(best) { v } else { best });
        self.finish(me, best.unwrap_or(WideVec::ZERO), plan)
    }
}
