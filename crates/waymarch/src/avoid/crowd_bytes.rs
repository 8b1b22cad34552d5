//! A crowd as bytes, for saved games and for hashes.

use super::crowd::{Body, Crowd, Guide, KindId, Mind, Mover, Stance};
use super::fine::Fine;
use super::kinematics::{Kinematics, Reverse, Turning};
use super::steer::TURN_RESET;
use crate::base::{
    Angle, ByteReader, ByteWriter, Fixed, HashState, LoadError, Persist, StateHasher, persist_choices,
    persist_fields,
};

persist_choices! {
    Stance { Idle, Moving, Returning, Holding }
    Mover { Engine, Game }
    Reverse { Never, WhenShorter }
}

persist_fields! {
    Fine { x: i32, y: i32 }
    Guide { aim: Fine, goal: Fine, left: u32 }
    Body { kind: KindId, team: u8, stance: Stance, group: u32, pace: u16, mover: Mover }
    Mind {
        turn: u16,
        level: u8,
        calm: u8,
        heading: Angle,
        side: i8,
        commitment: u8,
        jam: u8,
        rests: u8,
        there: u8,
    }
    Kinematics {
        radius: Fixed,
        speed: Fixed,
        acceleration: Fixed,
        braking: Fixed,
        turning: Turning,
        weight: u8,
    }
}

impl Persist for KindId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u16::load(reader).map(Self)
    }
}

impl Persist for Turning {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Free => 0_u8.save(writer),
            Self::Rate { degrees, in_place, reverse } => {
                1_u8.save(writer);
                degrees.save(writer);
                in_place.save(writer);
                reverse.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Free,
            1 => Self::Rate {
                degrees: u16::load(reader)?,
                in_place: u16::load(reader)?,
                reverse: Reverse::load(reader)?,
            },
            _ => return Err(reader.error("an unknown way to turn")),
        })
    }
}

/// World: all of one unit but its id, as it is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    pos: Fine,
    vel: Fine,
    wanted: Fine,
    guide: Guide,
    spot: Fine,
    body: Body,
    mind: Mind,
}

persist_fields! {
    Member { pos: Fine, vel: Fine, wanted: Fine, guide: Guide, spot: Fine, body: Body, mind: Mind }
}

impl Member {
    /// The kind it is of.
    pub(crate) fn kind(&self) -> KindId {
        self.body.kind
    }

    /// Whose it is.
    pub(crate) fn team(&self) -> u8 {
        self.body.team
    }

    /// Whether a crowd could have come to it by itself, as far as one unit tells.
    fn is_sane(&self, crowd: &Crowd) -> bool {
        let Some(motor) = crowd.kinds.get(usize::from(self.body.kind.0)) else { return false };
        let Ok(motor) = motor.motor(crowd.ticks_per_second()) else { return false };
        let places = [self.pos, self.guide.aim, self.guide.goal, self.spot];
        // What a game may say of a unit that it moves itself, and one for roundings.
        let fastest = 2 * u64::from(motor.speed.unsigned_abs()) + 2;
        let fast = |vel: Fine| vel.distance_squared(Fine::ZERO) > fastest * fastest;
        places.iter().all(|at| at.on_plane() == *at)
            && !fast(self.vel)
            && !fast(self.wanted)
            && self.body.pace <= 1024
            && self.mind.turn <= TURN_RESET
            && (-1..=1).contains(&self.mind.side)
            && self.mind.there <= 1
            && self.mind.rests <= u8::from(!self.body.stance.travels())
    }
}

impl Crowd {
    /// All of the unit at a place.
    pub(crate) fn member(&self, place: usize) -> Option<Member> {
        Some(Member {
            pos: *self.pos.get(place)?,
            vel: self.vel[place],
            wanted: self.wanted[place],
            guide: self.guide[place],
            spot: self.spot[place],
            body: self.body[place],
            mind: self.mind[place],
        })
    }

    /// Takes up a unit as it was saved, under an id that is not taken; gives its place. `None` if it is not one of this crowd.
    pub(crate) fn take_in(&mut self, id: u32, member: &Member) -> Option<usize> {
        if !member.is_sane(self) || self.id.len() >= 1 << 26 {
            return None;
        }
        self.id.push(id);
        self.pos.push(member.pos);
        self.vel.push(member.vel);
        self.wanted.push(member.wanted);
        self.guide.push(member.guide);
        self.spot.push(member.spot);
        self.body.push(member.body);
        self.mind.push(member.mind);
        Some(self.id.len() - 1)
    }
}

impl HashState for Crowd {
    /// What would be saved, so that the two cannot differ.
    fn hash_state(&self, h: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.ticks_per_second().save(&mut writer);
        writer.count(self.kinds.len());
        self.kinds.iter().for_each(|kind| kind.save(&mut writer));
        h.write_u32s(&self.id);
        (0..self.len()).filter_map(|place| self.member(place)).for_each(|member| member.save(&mut writer));
        h.write_bytes(writer.bytes());
    }
}
