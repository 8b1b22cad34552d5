//! What a caller tells a unit: go, stop, hold, turn.

use super::columns::{Crowd, Rest};
use super::unit::{Attributes, Drive, Guide, KindId, MAX_SPEED, MIN_SPEED, Memory, Stance};
use crate::base::{Angle, FINE_BITS, Fine, Fixed};

/// The longest braking distance: 64 cells.
const MAX_BRAKING_DISTANCE: i64 = 64 << FINE_BITS;

impl Crowd {
    /// Sends a unit to a goal, or gives a unit that is already moving its next aim.
    pub fn guide(&mut self, unit: usize, guide: Guide) {
        let (Some(own), Some(attributes)) = (self.guide.get_mut(unit), self.attributes.get_mut(unit)) else {
            return;
        };
        (*own, self.home[unit]) = start_moving(guide, attributes, &mut self.memory[unit]);
    }

    /// Stops a unit. It becomes idle, and the point where it comes to rest becomes its home position.
    pub fn stop(&mut self, unit: usize) {
        self.stand(unit, Stance::Idle);
    }

    /// Stops a unit and marks it as arrived. Units of its group that come later may then stop in front of it; see
    /// [`Delay::Settled`](crate::avoid::Delay::Settled).
    pub fn settle(&mut self, unit: usize) {
        self.stand(unit, Stance::Idle);
        if let Some(memory) = self.memory.get_mut(unit) {
            memory.arrived = 1;
        }
    }

    /// Gives a unit that stands a new home position. It drifts there while no unit asks it to make way.
    pub fn set_home(&mut self, unit: usize, at: Fine) {
        if let Some(home) = self.home.get_mut(unit) {
            *home = at.on_plane();
            self.wake(unit);
        }
    }

    /// Gives a unit that stands a new home position.
    #[deprecated(since = "0.2.0", note = "renamed to `set_home`")]
    pub fn set_spot(&mut self, unit: usize, at: Fine) {
        self.set_home(unit, at);
    }

    /// Gives a unit that stands a new home position. An idle unit walks there at once; a unit that holds stays.
    pub fn send(&mut self, unit: usize, at: Fine) {
        let Some(attributes) = self.attributes.get_mut(unit) else { return };
        if attributes.stance == Stance::Idle {
            attributes.stance = Stance::Returning;
        }
        self.set_home(unit, at);
    }

    /// Makes a unit hold its position: it makes way for no unit.
    pub fn hold(&mut self, unit: usize) {
        self.stand(unit, Stance::Holding);
    }

    fn stand(&mut self, unit: usize, stance: Stance) {
        let Some(attributes) = self.attributes.get_mut(unit) else { return };
        attributes.stance = stance;
        let stop = self.pos[unit].plus(self.braking_offset(unit)).on_plane();
        self.guide[unit] = Guide::to(stop);
        self.memory[unit].arrived = 0;
        self.home[unit] = stop;
        self.wake(unit);
    }

    /// How far a unit still moves when it brakes from now on.
    fn braking_offset(&self, unit: usize) -> Fine {
        let Some(motor) = self.motor(unit) else { return Fine::ZERO };
        let Some(velocity) = self.vel[unit].wide().polar() else { return Fine::ZERO };
        // The unit loses speed in each tick, the first included.
        let ticks = velocity.length() / motor.braking.max(1);
        let distance = (velocity.length() - motor.braking).max(0) * ticks / 2;
        velocity.unit.along(distance.min(MAX_BRAKING_DISTANCE)).fine()
    }

    /// Puts a unit at a position with a velocity per tick: for games that move units themselves, and for teleports.
    /// The velocity is limited to three times the unit's speed.
    pub fn put(&mut self, unit: usize, at: Fine, velocity: Fine) {
        if unit < self.pos.len() {
            self.pos[unit] = at.on_plane();
            let limit = self.motor(unit).map_or(0, |motor| motor.top_speed());
            self.vel[unit] = velocity.on_plane().wide().clamp_length(limit).fine();
            self.wake(unit);
        }
    }

    /// Puts a unit into another team. Call [`Crowd::wake_all`] after the last one: others have to look at it anew.
    pub fn set_team(&mut self, unit: usize, team: u8) {
        if let Some(attributes) = self.attributes.get_mut(unit) {
            attributes.team = team;
            self.wake(unit);
        }
    }

    /// Puts a unit into another group.
    pub fn set_group(&mut self, unit: usize, group: u32) {
        if let Some(attributes) = self.attributes.get_mut(unit) {
            attributes.group = group;
            self.wake(unit);
        }
    }

    /// Limits a unit to a part of its speed, 0..=1, so that it keeps pace with slower units. Terrain slows it
    /// further, see [`Walls::pace`](crate::avoid::Walls::pace).
    pub fn set_pace(&mut self, unit: usize, part: Fixed) {
        if let Some(attributes) = self.attributes.get_mut(unit) {
            attributes.pace = part.raw().clamp(0, 1024) as u16;
            self.wake(unit);
        }
    }

    /// Gives a unit another part of its kind's speed, in per cent, clamped to 10..=300. [`Crowd::set_pace`] and terrain apply to this speed. No unit is
    /// faster than one cell per tick, unless its kind is.
    pub fn set_speed_percent(&mut self, unit: usize, percent: u16) {
        if let Some(attributes) = self.attributes.get_mut(unit) {
            attributes.percent = percent.clamp(MIN_SPEED, MAX_SPEED);
            self.wake(unit);
        }
    }

    /// Gives a unit another kind and mover. It keeps its position and facing, and as much of its velocity as the new kind can have. Call
    /// [`Crowd::wake_all`] after the last one.
    pub(crate) fn set_kind(&mut self, unit: usize, kind: KindId, drive: Drive) {
        if usize::from(kind.0) >= self.kinds.len() || unit >= self.attributes.len() {
            return;
        }
        (self.attributes[unit].kind, self.attributes[unit].drive) = (kind, drive);
        let limit = self.motor(unit).map_or(0, |motor| motor.top_speed());
        self.vel[unit] = self.vel[unit].wide().clamp_length(limit).fine();
        self.chosen_vel[unit] = self.chosen_vel[unit].wide().clamp_length(limit).fine();
        self.wake(unit);
    }

    /// Changes what moves a unit.
    pub(crate) fn set_drive(&mut self, unit: usize, drive: Drive) {
        if let Some(attributes) = self.attributes.get_mut(unit) {
            attributes.drive = drive;
            self.wake(unit);
        }
    }

    /// Takes the body of a unit away: a transport carries it. Call [`Crowd::wake_all`] after the last one, because space has become free.
    pub(crate) fn carry(&mut self, unit: usize) {
        if unit < self.attributes.len() {
            self.vel[unit] = Fine::ZERO;
            self.chosen_vel[unit] = Fine::ZERO;
            self.stand(unit, Stance::Idle);
            self.attributes[unit].drive = Drive::Carried;
        }
    }

    /// Puts a carried unit where its transport is.
    pub(crate) fn carry_to(&mut self, unit: usize, at: Fine) {
        if unit < self.pos.len() {
            let at = at.on_plane();
            (self.pos[unit], self.home[unit], self.guide[unit]) = (at, at, Guide::to(at));
        }
    }

    /// Makes a unit stand at a position, facing a direction.
    pub(crate) fn set_down(&mut self, unit: usize, at: Fine, heading: Angle) {
        if unit < self.pos.len() {
            self.carry_to(unit, at);
            self.vel[unit] = Fine::ZERO;
            self.stand(unit, Stance::Idle);
            self.memory[unit].heading = heading;
        }
    }

    /// Turns a unit that stands still towards a direction, as far as it can turn in one tick. Does nothing to a unit
    /// that moves.
    pub fn turn(&mut self, unit: usize, towards: Angle) {
        let Some(motor) = self.motor(unit) else { return };
        let stands = matches!(self.stance(unit), Stance::Idle | Stance::Holding) && self.vel[unit].is_zero();
        if stands && self.memory[unit].heading != towards {
            let rate = motor.turn_rate(self.ticks_per_second());
            let memory = &mut self.memory[unit];
            memory.heading = memory.heading.turn_towards(towards, rate);
        }
    }

    /// Turns a unit towards an offset, as far as it can turn in one tick, whether it stands or moves.
    pub(crate) fn face(&mut self, unit: usize, towards: Fine) {
        let Some(motor) = self.motor(unit).filter(|_| !towards.is_zero()) else { return };
        let rate = motor.turn_rate(self.ticks_per_second());
        let memory = &mut self.memory[unit];
        memory.heading = memory.heading.turn_towards(Angle::atan2(towards.y, towards.x), rate);
    }

    fn wake(&mut self, unit: usize) {
        if let Some(memory) = self.memory.get_mut(unit) {
            memory.resting = 0;
        }
    }

    /// Wakes all units. Call it after the ground has changed. Cost: constant if no tick has passed since the last call.
    pub fn wake_all(&mut self) {
        if let Rest::Possible = self.rest {
            self.memory.iter_mut().for_each(|memory| memory.resting = 0);
            self.rest = Rest::None;
        }
    }

    /// Notes that units may begin to rest in this tick.
    pub(in crate::avoid) fn may_rest(&mut self) {
        self.rest = Rest::Possible;
    }
}

/// Makes a unit move. Returns its new guide and home position.
#[inline]
pub(in crate::avoid) fn start_moving(
    guide: Guide,
    attributes: &mut Attributes,
    memory: &mut Memory,
) -> (Guide, Fine) {
    let guide = Guide { aim: guide.aim.on_plane(), goal: guide.goal.on_plane(), left: guide.left };
    attributes.stance = Stance::Moving;
    (memory.arrived, memory.resting) = (0, 0);
    (guide, guide.goal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{Avoidance, Kinematics, OpenGround, Spawn};
    use crate::base::cell;

    #[test]
    fn removing_many_units_wakes_all_others_once() {
        let mut crowd = Crowd::new(20);
        let kind = crowd.add_kind(Kinematics::INFANTRY).expect("legal");
        for id in 0..64 {
            let at = Fine::centre(cell(id % 8 * 3, id / 8 * 3));
            crowd.spawn(&Spawn { id: id as u32, kind, at, ..Spawn::default() }).expect("new");
        }
        for _ in 0..20 {
            Avoidance::default().tick(&mut crowd, &OpenGround);
        }
        assert!(crowd.resting() > 40 && matches!(crowd.rest, Rest::Possible), "{}", crowd.resting());
        crowd.remove(7);
        assert!(crowd.resting() == 0 && matches!(crowd.rest, Rest::None));
        while !crowd.is_empty() {
            crowd.remove(0);
            assert!(matches!(crowd.rest, Rest::None), "no later removal visits the other units");
        }
    }

    #[test]
    fn a_loaded_crowd_with_a_resting_unit_can_be_woken() {
        let mut crowd = Crowd::new(20);
        let kind = crowd.add_kind(Kinematics::INFANTRY).expect("legal");
        crowd.spawn(&Spawn { id: 1, kind, at: Fine::centre(cell(3, 3)), ..Spawn::default() }).expect("new");
        for _ in 0..20 {
            Avoidance::default().tick(&mut crowd, &OpenGround);
        }
        assert_eq!(crowd.resting(), 1);
        let mut loaded = Crowd::new(20);
        loaded.add_kind(Kinematics::INFANTRY).expect("legal");
        loaded.wake_all();
        loaded.add_saved(1, &crowd.saved_unit(0).expect("alive")).expect("possible");
        assert_eq!(loaded, crowd);
        loaded.wake_all();
        assert_eq!(loaded.resting(), 0);
    }
}
