//! What units see of each other: last tick's state, in order of place.

use super::crowd::{Crowd, GATE_LEFT, KindId, Stance};
use super::fine::{FINE_CELL, Fine, Wide};
use super::kinematics::Motor;
use super::settings::Tempo;
use super::steer::Delay;
use super::walls::{Grounds, Walls};

/// Who makes way and is further from its spot is being carried off.
const ASTRAY: u64 = FINE_CELL as u64 * 2;

/// Nobody keeps another who is further off, beyond both radii.
pub(super) const KEPT_WITHIN: i64 = FINE_CELL as i64 / 2;

/// Scratch: one unit as the others see it this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) pos: Fine,
    pub(super) vel: Fine,
    /// The velocity it would like.
    pub(super) wish: Fine,
    /// Where it was ordered.
    pub(super) goal: Fine,
    pub(super) radius: i32,
    /// The fastest it can be now: as fast as its motor and the ground let it be, or what it has left of more while it brakes.
    pub(super) speed: i32,
    pub(super) id: u32,
    pub(super) group: u32,
    pub(super) left: u32,
    /// Ticks to its goal at full speed if it heads for it, a lot if not.
    pub(super) to_goal: u16,
    pub(super) turn: u16,
    pub(super) kind: u16,
    pub(super) team: u8,
    pub(super) stance: Stance,
    pub(super) level: u8,
    /// 1 if its way bends before the goal.
    pub(super) passing: u8,
    pub(super) rests: u8,
    /// 1 if it has not got on in a narrow place for a while.
    pub(super) jammed: u8,
    pub(super) weight: u8,
    /// 1 if it has come to rest where it was ordered, or before those who have.
    pub(super) there: u8,
    /// 1 if it makes way for travellers and is far from its spot by now.
    pub(super) astray: u8,
}

impl Seen {
    #[inline]
    pub(super) const fn travels(&self) -> bool {
        self.stance.travels()
    }

    /// Whether it goes somewhere and is not jammed.
    #[inline]
    pub(super) const fn is_free(&self) -> bool {
        self.travels() & (self.jammed == 0)
    }

    /// Whether both line up at the same narrow places.
    #[inline]
    pub(super) const fn same_stream(&self, other: &Self) -> bool {
        // All looked at, since nobody can foresee which fails.
        (self.passing & other.passing != 0)
            & (self.group == other.group)
            & (self.team == other.team)
            & self.travels()
            & other.travels()
    }

    /// Whether the other is where I was ordered too, or stopped before it: it does not make way for me.
    #[inline]
    pub(super) fn has_my_place(&self, other: &Self) -> bool {
        self.goal == other.goal
            && self.team == other.team
            && self.stance == Stance::Moving
            && other.stance == Stance::Idle
    }

    /// Whether it has a gate before it.
    #[inline]
    pub(super) const fn lines_up(&self) -> bool {
        self.passing != 0 && self.left >= GATE_LEFT
    }

    /// Whether I come to stand beside the other, who is there already.
    #[inline]
    pub(super) fn joins(&self, other: &Self) -> bool {
        other.there != 0
            && self.group == other.group
            && self.team == other.team
            && self.travels()
            && self.goal != other.goal
    }

    /// Whether `other` goes first, of two units of one stream.
    #[inline]
    pub(super) const fn follows(&self, other: &Self) -> bool {
        (other.left < self.left) | ((other.left == self.left) & (other.id < self.id))
    }

    /// Whether I carry the other along, who wants to get out of my way: at half my speed at least.
    #[inline]
    pub(super) fn carries(&self, other: &Self) -> bool {
        let wish = self.wish.wide();
        other.astray != 0 && 2 * other.vel.wide().dot(wish) > wish.square()
    }

    /// Whether it goes back instead of forth.
    #[inline]
    pub(super) const fn retreats(&self) -> bool {
        self.jammed != 0 && self.vel.wide().dot(self.wish.wide()) < 0
    }

    /// Whether the other keeps me from getting on: a friend close before me who could go, on my way.
    #[inline]
    pub(super) fn kept_by(&self, other: &Self) -> Delay {
        if !self.travels() || self.team != other.team || other.stance == Stance::Holding {
            return Delay::None;
        }
        let radii = i64::from(self.radius) + i64::from(other.radius);
        let (close, beside) = (radii + KEPT_WITHIN, radii + i64::from(FINE_CELL / 8));
        let offset = self.offset_to(other);
        if offset.square() >= close * close {
            return Delay::None;
        }
        // At a narrow place those beside it keep it too.
        if offset.dot(self.wish.wide()) <= 0 {
            return if offset.square() < beside * beside { Delay::Traffic } else { Delay::None };
        }
        // An order of both is strict, so that in a queue somebody is first.
        if self.same_stream(other) && self.follows(other) {
            return Delay::Queue;
        }
        let there = other.there != 0 && other.group == self.group && other.stance == Stance::Idle;
        if there { Delay::Settled } else { Delay::Traffic }
    }

    #[inline]
    pub(super) const fn offset_to(&self, other: &Self) -> Wide {
        other.pos.wide().minus(self.pos.wide())
    }
}

/// What is seen of the unit in a place of the crowd.
pub(super) fn seen<G: Grounds>(
    crowd: &Crowd,
    grounds: &G,
    motors: &[Motor],
    tempo: &Tempo,
    place: usize,
) -> Seen {
    let (body, mind, guide) = (&crowd.body[place], &crowd.mind[place], &crowd.guide[place]);
    let motor = &motors[usize::from(body.kind.0)];
    let (pos, vel) = (crowd.pos[place], crowd.vel[place]);
    let ground = grounds.of(KindId(body.kind.0)).pace(pos);
    let pace = motor.at_pace(body.pace, ground);
    let speed = motor.at_most(pace, vel.wide());
    let (aim, last) = match body.stance {
        Stance::Moving => (guide.aim, guide.aim == guide.goal),
        Stance::Idle | Stance::Returning | Stance::Holding => (crowd.spot[place], true),
    };
    let off = pos.distance_squared(crowd.spot[place]);
    let way = aim.wide().minus(pos.wide());
    let (wish, to_goal) = if body.stance == Stance::Holding {
        (Wide::ZERO, 0)
    } else {
        wish(motor, Speeds { pace, most: speed }, way, last.then_some(tempo.arrive))
    };
    Seen {
        pos,
        vel,
        wish: wish.fine(),
        goal: guide.goal,
        radius: motor.radius,
        speed: speed as i32,
        id: crowd.id[place],
        group: body.group,
        left: guide.left,
        to_goal,
        turn: mind.turn,
        kind: body.kind.0,
        team: body.team,
        stance: body.stance,
        level: if body.stance.travels() { 0 } else { mind.level },
        passing: u8::from(!last),
        rests: mind.rests,
        jammed: u8::from(mind.jam >= tempo.jam && body.stance.travels()),
        weight: motor.weight,
        there: mind.there,
        astray: u8::from(body.stance == Stance::Idle && mind.level <= 1 && off > ASTRAY * ASTRAY),
    }
}

/// How fast a unit would go, and how fast it may be.
#[derive(Clone, Copy)]
struct Speeds {
    pace: i64,
    most: i64,
}

/// The velocity towards a point, and the ticks it takes; `arrive` says to stop there, the last stretch in about so many ticks.
fn wish(motor: &Motor, speeds: Speeds, way: Wide, arrive: Option<i64>) -> (Wide, u16) {
    // Far-away points are all the same; the square fits 64 bits.
    let Some(polar) = way.polar() else { return (Wide::ZERO, 0) };
    let Some(ticks) = arrive else { return (polar.unit.along(speeds.pace), u16::MAX) };
    let distance = polar.length();
    let pace = motor.braked(speeds.pace.min(distance / ticks), distance);
    let to_goal = (distance / speeds.most.max(1)).min(i64::from(u16::MAX)) as u16;
    (polar.unit.along(pace), to_goal)
}
