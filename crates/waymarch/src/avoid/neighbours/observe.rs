//! The state of a unit that others see, made from the crowd and the ground.

use super::unit_state::UnitState;
use crate::avoid::crowd::{Crowd, Drive, KindId, Motor, Stance};
use crate::avoid::timing::Timing;
use crate::avoid::walls::{Grounds, Walls};
use crate::base::{CollisionLayers, FINE_CELL, WideVec};

/// A unit that makes way and is further than 2 cells from its home position is displaced.
const DISPLACED: u64 = FINE_CELL as u64 * 2;

/// What the states of units are made from.
pub(in crate::avoid) struct Observer<'a, G> {
    pub(in crate::avoid) crowd: &'a Crowd,
    pub(in crate::avoid) grounds: &'a G,
    /// By kind.
    pub(in crate::avoid) motors: &'a [Motor],
    pub(in crate::avoid) timing: &'a Timing,
}

impl<G: Grounds> Observer<'_, G> {
    /// The state of one unit.
    pub(in crate::avoid) fn state(&self, unit: usize) -> UnitState {
        let Self { crowd, grounds, motors, timing } = *self;
        let (attributes, memory, guide) = (&crowd.attributes[unit], &crowd.memory[unit], &crowd.guide[unit]);
        let motor = &motors[usize::from(attributes.kind.0)];
        let (pos, vel) = (crowd.pos[unit], crowd.vel[unit]);
        let ground = grounds.of(KindId(attributes.kind.0)).pace(pos);
        let target_speed = motor.target_speed(attributes.pace, ground, attributes.percent);
        let max_speed = motor.speed_limit(target_speed, vel.wide());
        let (aim, is_last) = match attributes.stance {
            Stance::Moving => (guide.aim, guide.aim == guide.goal),
            Stance::Idle | Stance::Returning | Stance::Holding => (crowd.home[unit], true),
        };
        let from_home = pos.distance_squared(crowd.home[unit]);
        let (preferred, ticks_to_goal) = if attributes.stance == Stance::Holding {
            (WideVec::ZERO, 0)
        } else {
            let speeds = Speeds { target: target_speed, max: max_speed };
            preferred_velocity(motor, speeds, aim.wide().minus(pos.wide()), is_last.then_some(timing.arrival))
        };
        let travels = attributes.stance.travels();
        let carried = attributes.drive == Drive::Carried;
        UnitState {
            pos,
            vel,
            preferred: preferred.fine(),
            goal: guide.goal,
            radius: motor.radius,
            max_speed: max_speed as i32,
            id: crowd.id[unit],
            group: attributes.group,
            left: guide.left,
            ticks_to_goal,
            deflection: memory.deflection,
            kind: attributes.kind.0,
            team: attributes.team,
            layers: if carried { CollisionLayers::NONE } else { crowd.layers_of(attributes.kind) },
            stance: attributes.stance,
            yield_level: if travels { 0 } else { memory.yield_level },
            has_bend: u8::from(!is_last),
            resting: if carried { 1 } else { memory.resting },
            jammed: u8::from(memory.jam_ticks >= timing.jam && travels),
            weight: motor.weight,
            arrived: memory.arrived,
            displaced: u8::from(
                attributes.stance == Stance::Idle
                    && memory.yield_level <= 1
                    && from_home > DISPLACED * DISPLACED,
            ),
            keeps_facing: u8::from(motor.turning.is_none() && attributes.stance != Stance::Moving),
        }
    }
}

/// The speed that a unit aims at, and the highest speed that it can have in the next tick.
#[derive(Clone, Copy)]
struct Speeds {
    target: i64,
    max: i64,
}

/// The velocity towards a point at `offset`, and the ticks to it at full speed. With `arrival` the unit stops there: its speed is
/// at most the distance over that many ticks.
fn preferred_velocity(
    motor: &Motor,
    speeds: Speeds,
    offset: WideVec,
    arrival: Option<i64>,
) -> (WideVec, u16) {
    let Some(polar) = offset.polar() else { return (WideVec::ZERO, 0) };
    let Some(arrival) = arrival else { return (polar.unit.along(speeds.target), u16::MAX) };
    let distance = polar.length();
    let speed = motor.braked(speeds.target.min(distance / arrival), distance);
    let ticks_to_goal = (distance / speeds.max.max(1)).min(i64::from(u16::MAX)) as u16;
    (polar.unit.along(speed), ticks_to_goal)
}
