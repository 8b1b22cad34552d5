//! The model `orca-lite`: a sidestep for each neighbour that a unit would pass too closely.

use super::closest_approach::closest_approach;
use super::context::SteeringContext;
use super::plan::Plan;
use crate::avoid::crowd::Memory;
use crate::avoid::neighbours::Neighbours;
use crate::avoid::walls::Grounds;
use crate::base::{WideVec, div_round};

impl<G: Grounds> SteeringContext<'_, G> {
    /// The plan of the unit in slot `own`. The sooner the closest approach, the stronger the sidestep.
    ///
    /// Both units of a pair step to the same side, each seen from itself, so they move apart. The side is the one on which they would pass
    /// anyway; ids break ties. A unit keeps its side for some ticks.
    pub(in crate::avoid) fn orca_lite(&self, own: usize, neighbours: &Neighbours, memory: Memory) -> Plan {
        let me = &self.states[own];
        let mut plan = self.plan_with_contacts(own, neighbours, memory);
        let mut sidestep = WideVec::ZERO;
        let mut soonest = i64::MAX;
        let horizon = i64::from(self.settings.horizon);
        let margin = i64::from(self.settings.margin.to_fine());
        for &slot in neighbours.slots().iter().filter(|_| me.travels()) {
            let other = &self.states[slot as usize];
            let Some(pass) = closest_approach(me, other, me.vel.wide(), margin) else { continue };
            if !pass.too_close || pass.ticks > horizon {
                continue;
            }
            let side = match (plan.memory.commitment, plan.memory.side) {
                (1.., side @ (1 | -1)) => side,
                _ => pass.side,
            };
            let Some(polar) = me.offset_to(other).polar() else { continue };
            let strength = div_round(i64::from(self.settings.strength.to_fine()), pass.ticks.max(1));
            // The unit's right is clockwise of the direction to the other unit.
            let right = WideVec::new(-polar.unit.y, polar.unit.x);
            sidestep = sidestep.plus(right.along(strength * i64::from(side)));
            if pass.ticks < soonest {
                soonest = pass.ticks;
                plan.memory.side = side;
            }
        }
        if soonest < i64::MAX {
            let undecided = memory.commitment == 0 || memory.side == 0;
            plan.memory.commitment =
                if undecided { self.settings.commitment as u8 } else { memory.commitment - 1 };
        } else {
            plan.memory.commitment = memory.commitment.saturating_sub(1);
            if plan.memory.commitment == 0 {
                plan.memory.side = 0;
            }
        }
        self.finish(me, me.preferred.wide().plus(sidestep), plan)
    }
}
