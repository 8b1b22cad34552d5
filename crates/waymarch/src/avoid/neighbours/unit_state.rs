//! One unit as the others see it: the state at the end of the last tick.

use crate::avoid::crowd::{GATE_LEFT, Stance};
use crate::avoid::delay::Delay;
use crate::base::{CollisionLayers, FINE_CELL, Fine, WideVec};

/// A unit can delay another unit if the gap between them is less than half a cell.
pub(in crate::avoid) const CLOSE_IN_FRONT: i64 = FINE_CELL as i64 / 2;

/// Scratch: one unit as the others see it in this tick.
///
/// Flags are `u8` (1 or 0), so that rules combine them without branches.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::avoid) struct UnitState {
    pub(in crate::avoid) pos: Fine,
    pub(in crate::avoid) vel: Fine,
    /// The velocity that the unit would have without neighbours and walls.
    pub(in crate::avoid) preferred: Fine,
    /// The goal of its guide.
    pub(in crate::avoid) goal: Fine,
    pub(in crate::avoid) radius: i32,
    /// The highest speed in the next tick: what its motor and the ground allow, or more while it still brakes.
    pub(in crate::avoid) max_speed: i32,
    pub(in crate::avoid) id: u32,
    pub(in crate::avoid) group: u32,
    /// The remaining cost of its route, see [`Guide::left`](crate::avoid::Guide::left).
    pub(in crate::avoid) left: u32,
    /// Ticks to the goal at full speed. `u16::MAX` if the aim is not the goal.
    pub(in crate::avoid) ticks_to_goal: u16,
    pub(in crate::avoid) deflection: u16,
    pub(in crate::avoid) kind: u16,
    pub(in crate::avoid) team: u8,
    /// [`CollisionLayers::NONE`] if a transport carries it.
    pub(in crate::avoid) layers: CollisionLayers,
    pub(in crate::avoid) stance: Stance,
    pub(in crate::avoid) yield_level: u8,
    /// 1 if the route has a bend before the goal.
    pub(in crate::avoid) has_bend: u8,
    pub(in crate::avoid) resting: u8,
    /// 1 if it travels and has made no progress in a narrow place for a while.
    pub(in crate::avoid) jammed: u8,
    pub(in crate::avoid) weight: u8,
    /// 1 if it has arrived, or has stopped in front of units that have arrived.
    pub(in crate::avoid) arrived: u8,
    /// 1 if it makes way for a travelling unit and is more than 2 cells from its home position.
    pub(in crate::avoid) displaced: u8,
    /// 1 if it faces where it faced before: it stands, makes way or steps back, and is no vehicle.
    pub(in crate::avoid) keeps_facing: u8,
}

impl UnitState {
    /// Whether a transport carries it: it has no body.
    #[inline]
    pub(in crate::avoid) fn is_carried(&self) -> bool {
        self.layers == CollisionLayers::NONE
    }

    #[inline]
    pub(in crate::avoid) const fn travels(&self) -> bool {
        self.stance.travels()
    }

    /// Whether it travels and is not jammed.
    #[inline]
    pub(in crate::avoid) const fn is_free(&self) -> bool {
        self.travels() & (self.jammed == 0)
    }

    /// Whether both units travel in one stream: allied units of one group whose routes have bends ahead. They line up in
    /// narrow places.
    #[inline]
    pub(in crate::avoid) const fn same_stream(&self, other: &Self) -> bool {
        // `&` evaluates all conditions: which of them fails cannot be predicted.
        (self.has_bend & other.has_bend != 0)
            & (self.group == other.group)
            & (self.team == other.team)
            & self.travels()
            & other.travels()
    }

    /// Whether the other unit is an idle ally with the same goal: it stands there, or has stopped in front of the units there. It does
    /// not make way for this unit.
    #[inline]
    pub(in crate::avoid) fn finds_goal_taken_by(&self, other: &Self) -> bool {
        self.goal == other.goal
            && self.team == other.team
            && self.stance == Stance::Moving
            && other.stance == Stance::Idle
    }

    /// Whether a gate is ahead.
    #[inline]
    pub(in crate::avoid) const fn lines_up(&self) -> bool {
        self.has_bend != 0 && self.left >= GATE_LEFT
    }

    /// Whether this unit travels to a place beside a unit of its group that has arrived.
    #[inline]
    pub(in crate::avoid) fn joins(&self, other: &Self) -> bool {
        other.arrived != 0
            && self.group == other.group
            && self.team == other.team
            && self.travels()
            && self.goal != other.goal
    }

    /// Whether the other unit goes first. For two units of one stream. The order is strict: less left first, then the lower id.
    #[inline]
    pub(in crate::avoid) const fn follows(&self, other: &Self) -> bool {
        (other.left < self.left) | ((other.left == self.left) & (other.id < self.id))
    }

    /// Whether this unit pushes along a unit that makes way: that unit moves in this unit's direction at more than half its
    /// speed.
    #[inline]
    pub(in crate::avoid) fn pushes_along(&self, other: &Self) -> bool {
        let preferred = self.preferred.wide();
        other.displaced != 0 && 2 * other.vel.wide().dot(preferred) > preferred.length_squared()
    }

    /// Whether it is jammed and moves backwards.
    #[inline]
    pub(in crate::avoid) const fn retreats(&self) -> bool {
        self.jammed != 0 && self.vel.wide().dot(self.preferred.wide()) < 0
    }

    /// How the other unit delays this unit. Only an ally can: it must be close, mostly in front, and must not hold its position.
    #[inline]
    pub(in crate::avoid) fn delay_by(&self, other: &Self) -> Delay {
        if !self.travels() || self.team != other.team || other.stance == Stance::Holding {
            return Delay::None;
        }
        let radii = self.sum_of_radii(other);
        let (close, beside) = (radii + CLOSE_IN_FRONT, radii + i64::from(FINE_CELL / 8));
        let offset = self.offset_to(other);
        if offset.length_squared() >= close * close {
            return Delay::None;
        }
        // In a narrow place, units that touch it from the side or from behind delay it too.
        if offset.dot(self.preferred.wide()) <= 0 {
            return if offset.length_squared() < beside * beside { Delay::Traffic } else { Delay::None };
        }
        // The order within a stream is strict, so every queue has a first unit.
        if self.same_stream(other) && self.follows(other) {
            return Delay::Queue;
        }
        let arrived = other.arrived != 0 && other.group == self.group && other.stance == Stance::Idle;
        if arrived { Delay::Settled } else { Delay::Traffic }
    }

    #[inline]
    pub(in crate::avoid) const fn offset_to(&self, other: &Self) -> WideVec {
        other.pos.wide().minus(self.pos.wide())
    }

    #[inline]
    pub(in crate::avoid) const fn sum_of_radii(&self, other: &Self) -> i64 {
        self.radius as i64 + other.radius as i64
    }
}
