//! What a unit can do in one tick: accelerate, brake, turn.

use super::kinematics::{Kinematics, KinematicsError, Reverse, Turning};
use super::unit::{MAX_SPEED, USUAL_SPEED};
use crate::base::{Angle, FINE_CELL, Fine, Fixed, WideVec, div_round, isqrt, round_unit};
use crate::cost::MAX_TERRAIN_SPEED;

/// A unit is never faster than 3 times its own speed. Fast terrain alone gives up to 2.5 times. [`Crowd::put`](super::Crowd::put)
/// limits velocities to this speed, and saved units are checked against it.
const MAX_SPEED_FACTOR: i64 = 3;

const _: () = assert!(MAX_TERRAIN_SPEED as i64 <= 100 * MAX_SPEED_FACTOR);
const _: () = assert!(MAX_SPEED as i64 <= 100 * MAX_SPEED_FACTOR);

/// The rounding error of a limited velocity: it may exceed its limit by at most 2/65,536 of a cell per tick.
const ROUNDING: i64 = 2;

/// Derived: [`Kinematics`] in 65,536ths of a cell and ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::avoid) struct Motor {
    pub(in crate::avoid) radius: i32,
    pub(in crate::avoid) speed: i32,
    pub(in crate::avoid) acceleration: i64,
    pub(in crate::avoid) braking: i64,
    /// `None` for a unit that turns at once.
    pub(in crate::avoid) turning: Option<TurnLimits>,
    pub(in crate::avoid) weight: u8,
    smoothing: Smoothing,
}

/// Derived: how a vehicle turns, in 65,536ths of a turn and ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::avoid) struct TurnLimits {
    rate: u16,
    in_place: u16,
    reverse: Reverse,
}

/// Derived: how much of a change of velocity a unit applies in one tick, so that the change takes about as long at any
/// tick rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Smoothing {
    /// A unit applies 1/`parts` of the change per tick.
    parts: i64,
    /// The same for a unit below a quarter of its speed. The chosen velocities change most in a jam, where they
    /// matter least.
    slow_parts: i64,
    /// A unit below this speed applies the whole change at once. The speed is 2,560/65,536 (0.04) cells per second, stored per tick.
    immediate_speed: i64,
}

impl Smoothing {
    fn new(ticks: i64) -> Self {
        let parts = (ticks / 30).clamp(1, 8);
        Self { parts, slow_parts: if parts == 1 { 1 } else { 3 * parts }, immediate_speed: 2560 / ticks }
    }
}

/// A unit close to others applies a turn 3 times as slowly as a change of speed. Half-planes that appear and disappear turn a unit
/// more than they slow it, and a late turn causes no collision.
const TURN_PARTS: i64 = 3;

/// Whether another unit is so close that the two may touch in this tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::avoid) enum Closeness {
    /// No other unit is so close.
    Clear,
    /// At least one unit is so close.
    Close,
}

impl Motor {
    /// The motor of a kind at `ticks` per second.
    ///
    /// # Errors
    /// [`KinematicsError`] with the first value that is out of range.
    pub(in crate::avoid) fn new(kind: &Kinematics, ticks: u16) -> Result<Self, KinematicsError> {
        let bad = |what, value| Err(KinematicsError { what, value });
        if kind.radius < Fixed::from_raw(64) || kind.radius > Fixed::from_cells(8) {
            return bad("radius", kind.radius);
        }
        if kind.speed < Fixed::ZERO || kind.speed > Fixed::from_cells(i32::from(ticks).max(64)) {
            return bad("speed", kind.speed);
        }
        if kind.acceleration <= Fixed::ZERO {
            return bad("acceleration", kind.acceleration);
        }
        if kind.braking <= Fixed::ZERO {
            return bad("braking", kind.braking);
        }
        if kind.weight == 0 {
            return bad("weight", Fixed::ZERO);
        }
        let ticks = i64::from(ticks.max(1));
        let per_tick = |rate: Fixed| div_round(i64::from(rate.to_fine()), ticks).max(1);
        let per_tick_twice = |rate: Fixed| div_round(i64::from(rate.to_fine()), ticks * ticks).max(1);
        let turning = match kind.turning {
            Turning::Free => None,
            Turning::Rate { degrees, in_place, reverse } => {
                if !(1..=3600).contains(&degrees) {
                    return bad("turn rate", Fixed::from_cells(i32::from(degrees)));
                }
                if !(1..=180).contains(&in_place) {
                    return bad("angle of turning in place", Fixed::from_cells(i32::from(in_place)));
                }
                let rate = i64::from(degrees) * 65_536 / (360 * ticks);
                Some(TurnLimits {
                    rate: rate.clamp(1, 32_767) as u16,
                    in_place: (u32::from(in_place) * 65_536 / 360).min(32_767) as u16,
                    reverse,
                })
            }
        };
        Ok(Self {
            radius: kind.radius.to_fine(),
            speed: if kind.speed == Fixed::ZERO { 0 } else { per_tick(kind.speed) as i32 },
            acceleration: per_tick_twice(kind.acceleration),
            braking: per_tick_twice(kind.braking),
            turning,
            weight: kind.weight,
            smoothing: Smoothing::new(ticks),
        })
    }

    /// The speed of a unit that uses a part `pace` of its speed on ground with the speed factor `ground`, both in 1024ths. Its own speed is `percent` of
    /// its kind's.
    ///
    /// Haste and fast ground raise the speed to one cell per tick at most, unless the kind is faster by itself, and together to 3 times the kind's speed.
    #[inline]
    pub(in crate::avoid) fn target_speed(&self, pace: u16, ground: u16, percent: u16) -> i64 {
        let most = i64::from(self.speed.max(FINE_CELL));
        let full = match percent {
            USUAL_SPEED => i64::from(self.speed),
            _ => (i64::from(self.speed) * i64::from(percent) / 100).min(most),
        };
        let own = (full * i64::from(pace)) >> 10;
        if ground == 1024 {
            return own;
        }
        let there = (own * i64::from(ground)) >> 10;
        there.max(own.min(1)).min(most).min(self.top_speed())
    }

    /// The greatest speed that a unit can have, in 65,536ths of a cell per tick.
    pub(super) fn top_speed(&self) -> i64 {
        MAX_SPEED_FACTOR * i64::from(self.speed)
    }

    /// Whether a unit can have this velocity. Running units and saved units are checked with the same rule.
    pub(super) fn can_have(&self, velocity: Fine) -> bool {
        let limit = (self.top_speed() + ROUNDING).unsigned_abs();
        velocity.distance_squared(Fine::ZERO) <= limit * limit
    }

    /// The highest speed that a unit with velocity `now` can have in the next tick if its target speed is `target`. A unit that
    /// is too fast, for example on entering slow ground, brakes as it does before a goal.
    #[inline]
    pub(in crate::avoid) fn speed_limit(&self, target: i64, now: WideVec) -> i64 {
        let square = now.length_squared();
        if square <= target * target {
            target
        } else {
            target.max(isqrt(square.unsigned_abs()) as i64 - self.braking)
        }
    }

    /// The lower of `target` and the highest speed from which the unit can stop within `distance`.
    #[inline]
    pub(in crate::avoid) fn braked(&self, target: i64, distance: i64) -> i64 {
        let square = (2 * self.braking).saturating_mul(distance.max(0));
        if square >= target * target { target } else { isqrt(square.unsigned_abs()) as i64 }
    }

    /// How far the unit turns on the spot in one tick, in 65,536ths of a turn. A unit that turns freely needs 0.4 seconds for
    /// a whole turn.
    pub(super) fn turn_rate(&self, ticks_per_second: u16) -> u16 {
        let free = 65_536 * 5 / (2 * u32::from(ticks_per_second.max(1)));
        self.turning.map_or(free.clamp(1, 32_767) as u16, |limits| limits.rate)
    }

    /// The part of the change from `now` to `chosen` that a unit applies in this tick. This removes the tremor that
    /// comes from rounding and from frequent small changes of the neighbours.
    ///
    /// A velocity is rounded to 1/65,536 of a cell per tick. At 60 ticks per second that turns a slow unit by a degree or
    /// more, so a change of one step counts as none. At high tick rates a unit applies only a part of the change. Close to
    /// others the part of a turn is smaller than the part of a change of speed. Very slow units apply the whole change, so
    /// that they come to rest.
    #[inline]
    fn smoothed(&self, now: WideVec, chosen: WideVec, closeness: Closeness) -> WideVec {
        let square = now.length_squared();
        if square < self.smoothing.immediate_speed * self.smoothing.immediate_speed {
            return chosen;
        }
        let change = chosen.minus(now);
        if change.x.abs() <= 1 && change.y.abs() <= 1 {
            return now;
        }
        let is_slow = 16 * square < i64::from(self.speed) * i64::from(self.speed);
        let parts = if is_slow { self.smoothing.slow_parts } else { self.smoothing.parts };
        if parts == 1 {
            return chosen;
        }
        if closeness == Closeness::Clear {
            return now.plus(WideVec::new(change.x / parts, change.y / parts));
        }
        let turn_parts = TURN_PARTS * parts;
        // `parts` is above 1 only at 60 ticks per second or more. Velocities are below 2^20 there, so the products fit.
        let forwards = change.dot(now);
        let along = WideVec::new(now.x * forwards / square.max(1), now.y * forwards / square.max(1));
        let across = change.minus(along);
        now.plus(WideVec::new(
            along.x / parts + across.x / turn_parts,
            along.y / parts + across.y / turn_parts,
        ))
    }

    /// The velocity and heading of a unit after a tick in which it tries to reach the velocity `chosen`. `distance` is how far
    /// its goal is.
    pub(in crate::avoid) fn drive(
        &self,
        state: DriveState,
        chosen: WideVec,
        distance: i64,
    ) -> (WideVec, Angle) {
        let DriveState { velocity: now, heading, closeness, facing } = state;
        let Some(limits) = self.turning else {
            let chosen = self.smoothed(now, chosen, closeness);
            let slower = chosen.length_squared() < now.length_squared();
            let change = if slower { self.braking.max(self.acceleration) } else { self.acceleration };
            let next = approach(now, chosen, change);
            let faces = match facing {
                Facing::Ahead => direction_or(next, heading),
                Facing::Kept => heading,
            };
            return (next, faces);
        };
        let Some(chosen_polar) = chosen.polar() else {
            // Brakes without turning.
            let forwards = unit_vector(heading);
            let speed = round_unit(now.dot(forwards));
            let slower = speed - speed.clamp(-self.braking, self.braking);
            return (forwards.along(slower), heading);
        };
        let to = direction_or(chosen, heading);
        let off = heading.turn_to(to).unsigned_abs();
        // Driving backwards is shorter if the unit arrives before it could have turned round.
        let turning_ticks = i64::from(off) / i64::from(limits.rate);
        let backwards = limits.reverse == Reverse::WhenShorter
            && off > 0x4000
            && distance < turning_ticks * i64::from(self.speed);
        let to = if backwards { to + Angle::HALF } else { to };
        let turned = heading.turn_towards(to, limits.rate);
        let remaining_turn = turned.turn_to(to);
        let forwards = unit_vector(turned);
        let target = if remaining_turn.unsigned_abs() > limits.in_place {
            0
        } else {
            let speed = (chosen_polar.length() * i64::from(Angle(remaining_turn as u16).cos_16())) >> 16;
            if backwards { -speed } else { speed }
        };
        let speed = round_unit(now.dot(forwards));
        let faster = target.abs() > speed.abs() && (target >= 0) == (speed >= 0);
        let change = if faster { self.acceleration } else { self.braking };
        (forwards.along(speed + (target - speed).clamp(-change, change)), turned)
    }
}

/// Where a unit faces while it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::avoid) enum Facing {
    /// Where it goes.
    Ahead,
    /// Where it faced before: it steps aside or back. A vehicle cannot.
    Kept,
}

/// How a unit moves at the start of a tick.
#[derive(Clone, Copy, Debug)]
pub(in crate::avoid) struct DriveState {
    pub(in crate::avoid) velocity: WideVec,
    pub(in crate::avoid) heading: Angle,
    pub(in crate::avoid) closeness: Closeness,
    pub(in crate::avoid) facing: Facing,
}

/// The velocity `from`, moved towards `to` by at most `change`.
#[inline]
fn approach(from: WideVec, to: WideVec, change: i64) -> WideVec {
    from.plus(to.minus(from).clamp_length(change))
}

/// The direction of a velocity; `otherwise` if it is zero.
#[inline]
fn direction_or(velocity: WideVec, otherwise: Angle) -> Angle {
    let fine = velocity.fine();
    if fine.is_zero() { otherwise } else { Angle::atan2(fine.y, fine.x) }
}

/// The vector of length 2^30 in a direction.
#[inline]
fn unit_vector(heading: Angle) -> WideVec {
    WideVec::new(i64::from(heading.cos_16()) << 14, i64::from(heading.sin_16()) << 14)
}
