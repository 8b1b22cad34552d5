//! Units that stand and turn: layer 4 turns those who move only.

use super::crowd::{Crowd, Stance};
use crate::base::{Angle, Fixed};

impl Crowd {
    /// Turns a unit that stands still towards a direction, as far as it can in a tick; others stay as they are.
    pub fn turn(&mut self, place: usize, towards: Angle) {
        let Some(motor) = self.motor(place) else { return };
        let stands =
            matches!(self.stance(place), Stance::Idle | Stance::Holding) && self.vel[place].is_zero();
        if stands && self.mind[place].heading != towards {
            let rate = motor.turn_rate(self.ticks_per_second());
            let mind = &mut self.mind[place];
            mind.heading = mind.heading.turn_towards(towards, rate);
        }
    }

    /// Which part of its speed a unit can have: see [`Crowd::set_pace`]; all of it for no unit.
    #[must_use]
    pub fn pace(&self, place: usize) -> Fixed {
        self.body.get(place).map_or(Fixed::ONE, |body| Fixed::from_raw(i32::from(body.pace)))
    }
}
