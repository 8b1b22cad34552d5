//! How a kind of unit moves: from infantry, which turns at once, to tanks, which do not.

use super::fine::{FINE_CELL, Wide, divide, fine, round_unit};
use crate::base::{Angle, Fixed, isqrt};

/// How a unit turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Turning {
    /// At once, and it may step sideways: infantry.
    #[default]
    Free,
    /// By so many degrees a second at most, and it moves only the way it faces: vehicles.
    Rate {
        /// 1..=3600.
        degrees: u16,
        /// Beyond this many degrees off its way it stops and turns on the spot, 1..=180.
        in_place: u16,
        /// Whether it may drive backwards.
        reverse: Reverse,
    },
}

/// Whether a vehicle drives backwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reverse {
    /// Never.
    #[default]
    Never,
    /// Where what it heads for lies behind it and so near that turning round takes longer.
    WhenShorter,
}

/// How a kind of unit moves: plain data, in cells and seconds; [`Crowd::add_kind`](super::Crowd::add_kind) checks it.
///
/// ```
/// use waymarch::avoid::{Kinematics, Turning};
/// use waymarch::base::Fixed;
/// let fast = Kinematics { speed: Fixed::from_cells(3), ..Kinematics::INFANTRY };
/// assert_eq!(fast.turning, Turning::Free);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kinematics {
    /// Radius in cells, 1/16..=8.
    pub radius: Fixed,
    /// Cells per second on ground that suits it, 0..=64, or more if that is no more than a cell a tick. What has none stands for ever.
    pub speed: Fixed,
    /// Cells per second gained per second, above 0.
    pub acceleration: Fixed,
    /// Cells per second lost per second when braking, above 0.
    pub braking: Fixed,
    /// How it turns.
    pub turning: Turning,
    /// What it weighs beside others, 1..=255: of two that push each other the lighter one gives way more.
    pub weight: u8,
}

impl Kinematics {
    /// Two cells a second, at full speed after a fifth of a second, turning at once.
    pub const INFANTRY: Self = Self {
        radius: Fixed::from_raw(410),
        speed: Fixed::from_cells(2),
        acceleration: Fixed::from_cells(10),
        braking: Fixed::from_cells(10),
        turning: Turning::Free,
        weight: 16,
    };

    /// Two cells a second, at full speed after half a second, half a turn a second.
    pub const TANK: Self = Self {
        radius: Fixed::from_raw(410),
        speed: Fixed::from_cells(2),
        acceleration: Fixed::from_cells(4),
        braking: Fixed::from_cells(8),
        turning: Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter },
        weight: 16,
    };

    /// Infantry of this size and speed: at full speed after a fifth of a second.
    #[must_use]
    pub fn infantry(radius: Fixed, speed: Fixed) -> Self {
        let gain = Fixed::from_raw(speed.raw().saturating_mul(5));
        Self { radius, speed, acceleration: gain, braking: gain, turning: Turning::Free, weight: 16 }
    }

    /// The same at `ticks` a second.
    ///
    /// # Errors
    /// [`KinematicsError`] naming the number that is out of range.
    pub(super) fn motor(&self, ticks: u16) -> Result<Motor, KinematicsError> {
        let bad = |what, value| Err(KinematicsError { what, value });
        if self.radius < Fixed::from_raw(64) || self.radius > Fixed::from_cells(8) {
            return bad("radius", self.radius);
        }
        if self.speed < Fixed::ZERO || self.speed > Fixed::from_cells(i32::from(ticks).max(64)) {
            return bad("speed", self.speed);
        }
        if self.acceleration <= Fixed::ZERO {
            return bad("acceleration", self.acceleration);
        }
        if self.braking <= Fixed::ZERO {
            return bad("braking", self.braking);
        }
        if self.weight == 0 {
            return bad("weight", Fixed::ZERO);
        }
        let ticks = i64::from(ticks.max(1));
        let per_tick = |rate: Fixed| divide(i64::from(fine(rate)), ticks).max(1);
        let per_tick_twice = |rate: Fixed| divide(i64::from(fine(rate)), ticks * ticks).max(1);
        let turn = match self.turning {
            Turning::Free => None,
            Turning::Rate { degrees, in_place, reverse } => {
                if !(1..=3600).contains(&degrees) {
                    return bad("turn rate", Fixed::from_cells(i32::from(degrees)));
                }
                if !(1..=180).contains(&in_place) {
                    return bad("angle of turning in place", Fixed::from_cells(i32::from(in_place)));
                }
                let rate = i64::from(degrees) * 65_536 / (360 * ticks);
                Some(Steering {
                    rate: rate.clamp(1, 32_767) as u16,
                    in_place: (u32::from(in_place) * 65_536 / 360).min(32_767) as u16,
                    reverse,
                })
            }
        };
        Ok(Motor {
            radius: fine(self.radius),
            speed: if self.speed == Fixed::ZERO { 0 } else { per_tick(self.speed) as i32 },
            gain: per_tick_twice(self.acceleration),
            loss: per_tick_twice(self.braking),
            steering: turn,
            weight: self.weight,
            ease: Ease::new(ticks),
        })
    }
}

/// A kind of unit cannot move like that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a {what} of {value} is out of range")]
pub struct KinematicsError {
    /// What is out of range.
    pub what: &'static str,
    /// What it is.
    pub value: Fixed,
}

/// Derived: [`Kinematics`] in 65,536ths of a cell and ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Motor {
    pub(super) radius: i32,
    pub(super) speed: i32,
    pub(super) gain: i64,
    pub(super) loss: i64,
    pub(super) steering: Option<Steering>,
    pub(super) weight: u8,
    ease: Ease,
}

/// Derived: how quickly units take up what they want, so that it takes about as long at any tick rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ease {
    /// One part of so many is taken up in a tick.
    parts: i64,
    /// The same below a quarter of the speed: in a jam what units want changes most, and matters least.
    slow_parts: i64,
    /// Slower than so many 65,536ths of a cell a tick, units do at once what they want: some four hundredths of a cell a second.
    at_once: i64,
}

/// Who is beside a unit, so close that they may touch in this tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beside {
    Nobody,
    Somebody,
}

/// Beside others a turn is taken up by so much less a tick than a change of speed: half-planes that come and go turn a unit more than they slow
/// it, and turning late is no bumping.
const TURN_PARTS: i64 = 3;

impl Ease {
    fn new(ticks: i64) -> Self {
        let parts = (ticks / 30).clamp(1, 8);
        Self { parts, slow_parts: if parts == 1 { 1 } else { 3 * parts }, at_once: 2560 / ticks }
    }
}

/// Derived: how a vehicle turns, in 65,536ths of a turn and ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Steering {
    rate: u16,
    in_place: u16,
    reverse: Reverse,
}

/// Spec 004's `smooth_velocity`: from one velocity towards another by no more than `change`.
#[inline]
pub(super) fn smooth(from: Wide, to: Wide, change: i64) -> Wide {
    from.plus(to.minus(from).clamp(change))
}

impl Motor {
    /// How fast it goes at a part of its speed on ground that lets it have a part of that, both in 1024ths; no ground carries it further than a
    /// cell a tick unless it is faster by itself.
    #[inline]
    pub(super) fn at_pace(&self, pace: u16, ground: u16) -> i64 {
        let own = (i64::from(self.speed) * i64::from(pace)) >> 10;
        if ground == 1024 {
            return own;
        }
        let there = (own * i64::from(ground)) >> 10;
        there.max(own.min(1)).min(i64::from(self.speed.max(FINE_CELL)))
    }

    /// The fastest it may be in the next tick if it is to go at `pace` and moves at `now`: who comes to heavy ground brakes, as it does before a
    /// goal.
    #[inline]
    pub(super) fn at_most(&self, pace: i64, now: Wide) -> i64 {
        let square = now.square();
        if square <= pace * pace { pace } else { pace.max(isqrt(square.unsigned_abs()) as i64 - self.loss) }
    }

    /// `pace`, or the fastest it may be to stop within `distance` if that is slower.
    #[inline]
    pub(super) fn braked(&self, pace: i64, distance: i64) -> i64 {
        let square = (2 * self.loss).saturating_mul(distance.max(0));
        if square >= pace * pace { pace } else { isqrt(square.unsigned_abs()) as i64 }
    }

    /// How far it turns on the spot in a tick: as its kind does, or by a whole turn in two fifths of a second.
    pub(super) fn turn_rate(&self, ticks_per_second: u16) -> u16 {
        let free = 65_536 * 5 / (2 * u32::from(ticks_per_second.max(1)));
        self.steering.map_or(free.clamp(1, 32_767) as u16, |steering| steering.rate)
    }

    /// What it wants with the small tremor taken out that comes of rounding and of looking around many times a second.
    ///
    /// Rounded to a whole 65,536th of a cell a tick, a velocity at sixty ticks a second is off by up to a degree a second and more. So
    /// one step beside is no change, and at high tick rates a unit takes up a part of what it wants, beside others a smaller one of a turn than of
    /// a change of speed: it needs about as long as at twenty ticks. Slow ones do what they want, so that they come to rest.
    #[inline]
    fn eased(&self, now: Wide, wanted: Wide, beside: Beside) -> Wide {
        let square = now.square();
        if square < self.ease.at_once * self.ease.at_once {
            return wanted;
        }
        let off = wanted.minus(now);
        if off.x.abs() <= 1 && off.y.abs() <= 1 {
            return now;
        }
        let is_slow = 16 * square < i64::from(self.speed) * i64::from(self.speed);
        let parts = if is_slow { self.ease.slow_parts } else { self.ease.parts };
        if parts == 1 {
            return wanted;
        }
        if beside == Beside::Nobody {
            return now.plus(Wide::new(off.x / parts, off.y / parts));
        }
        let turn_parts = TURN_PARTS * parts;
        // At the tick rates that have parts, velocities are below 2^20.
        let forth = off.dot(now);
        let along = Wide::new(now.x * forth / square.max(1), now.y * forth / square.max(1));
        let across = off.minus(along);
        now.plus(Wide::new(along.x / parts + across.x / turn_parts, along.y / parts + across.y / turn_parts))
    }

    /// Its velocity and heading after a tick, if it moves at `now`, faces `heading` and wants `wanted`; `ahead` is how far what it heads
    /// for is.
    pub(super) fn drive(
        &self,
        now: Wide,
        heading: Angle,
        wanted: Wide,
        ahead: i64,
        beside: Beside,
    ) -> (Wide, Angle) {
        let Some(steering) = self.steering else {
            let wanted = self.eased(now, wanted, beside);
            let slower = wanted.square() < now.square();
            let next = smooth(now, wanted, if slower { self.loss.max(self.gain) } else { self.gain });
            return (next, facing(next, heading));
        };
        let Some(want) = wanted.polar() else {
            // Brakes without turning.
            let forth = facing_unit(heading);
            let pace = round_unit(now.dot(forth));
            let slower = pace - pace.clamp(-self.loss, self.loss);
            return (forth.along(slower), heading);
        };
        let to = facing(wanted, heading);
        let off = heading.turn_to(to).unsigned_abs();
        // Turning round takes so many ticks, in which it would be there backwards.
        let turning_ticks = i64::from(off) / i64::from(steering.rate);
        let backwards = steering.reverse == Reverse::WhenShorter
            && off > 0x4000
            && ahead < turning_ticks * i64::from(self.speed);
        let to = if backwards { to + Angle::HALF } else { to };
        let turned = heading.turn_towards(to, steering.rate);
        let left = turned.turn_to(to);
        let forth = facing_unit(turned);
        let target = if left.unsigned_abs() > steering.in_place {
            0
        } else {
            let pace = (want.length() * i64::from(Angle(left as u16).cos_16())) >> 16;
            if backwards { -pace } else { pace }
        };
        let pace = round_unit(now.dot(forth));
        let faster = target.abs() > pace.abs() && (target >= 0) == (pace >= 0);
        let change = if faster { self.gain } else { self.loss };
        (forth.along(pace + (target - pace).clamp(-change, change)), turned)
    }
}

/// The direction of a velocity; `before` for none.
#[inline]
fn facing(velocity: Wide, before: Angle) -> Angle {
    let fine = velocity.fine();
    if fine.is_zero() { before } else { Angle::atan2(fine.y, fine.x) }
}

#[inline]
fn facing_unit(heading: Angle) -> Wide {
    Wide::new(i64::from(heading.cos_16()) << 14, i64::from(heading.sin_16()) << 14)
}
