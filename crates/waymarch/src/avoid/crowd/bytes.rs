//! Units as bytes, for saved games and for hashes.

use super::columns::{Crowd, Rest};
use super::kinematics::{Kinematics, Reverse, Turning};
use super::motor::Motor;
use super::spawn::MAX_UNITS;
use super::unit::{
    Attributes, Drive, Guide, KindId, MAX_DEFLECTION, MAX_SPEED, MIN_SPEED, Memory, Mover, Stance,
    USUAL_SPEED,
};
use crate::base::{
    Angle, ByteReader, ByteWriter, CollisionLayers, Fine, Fixed, HashState, LoadError, Persist, StateHasher,
    persist_choices, persist_fields,
};

persist_choices! {
    Stance { Idle, Moving, Returning, Holding }
    Mover { Engine, Game }
    Reverse { Never, WhenShorter }
}

persist_fields! {
    Guide { aim: Fine, goal: Fine, left: u32 }
    Memory {
        deflection: u16,
        yield_level: u8,
        calm_ticks: u8,
        heading: Angle,
        side: i8,
        commitment: u8,
        jam_ticks: u8,
        resting: u8,
        arrived: u8,
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

/// Added to the byte of [`Drive`] if a speed follows. A unit at its usual speed has the bytes that it had before units had speeds of their own.
const HAS_SPEED: u8 = 16;

impl Persist for Attributes {
    fn save(&self, writer: &mut ByteWriter) {
        let Self { kind, team, stance, group, pace, drive, percent } = *self;
        kind.save(writer);
        team.save(writer);
        stance.save(writer);
        group.save(writer);
        pace.save(writer);
        let code: u8 = match drive {
            Drive::Engine => 0,
            Drive::Game => 1,
            Drive::Carried => 2,
        };
        if percent == USUAL_SPEED {
            code.save(writer);
        } else {
            (code | HAS_SPEED).save(writer);
            percent.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (kind, team, stance) = (KindId::load(reader)?, u8::load(reader)?, Stance::load(reader)?);
        let (group, pace, code) = (u32::load(reader)?, u16::load(reader)?, u8::load(reader)?);
        let drive = match code & !HAS_SPEED {
            0 => Drive::Engine,
            1 => Drive::Game,
            2 => Drive::Carried,
            _ => return Err(reader.error("an unknown code of what moves a unit")),
        };
        let mut percent = USUAL_SPEED;
        if code & HAS_SPEED != 0 {
            percent = u16::load(reader)?;
            if percent == USUAL_SPEED {
                return Err(reader.error("the speed of a unit is written although it is the usual one"));
            }
        }
        Ok(Self { kind, team, stance, group, pace, drive, percent })
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
            _ => return Err(reader.error("unknown kind of turning (expected 0 or 1)")),
        })
    }
}

/// World: all properties of one unit except its id, as they are saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SavedUnit {
    pos: Fine,
    vel: Fine,
    chosen_vel: Fine,
    guide: Guide,
    home: Fine,
    attributes: Attributes,
    memory: Memory,
}

persist_fields! {
    SavedUnit {
        pos: Fine,
        vel: Fine,
        chosen_vel: Fine,
        guide: Guide,
        home: Fine,
        attributes: Attributes,
        memory: Memory,
    }
}

impl SavedUnit {
    /// The unit's kind.
    pub(crate) fn kind(&self) -> KindId {
        self.attributes.kind
    }

    /// What moves the unit.
    pub(crate) fn drive(&self) -> Drive {
        self.attributes.drive
    }

    /// The unit's team.
    pub(crate) fn team(&self) -> u8 {
        self.attributes.team
    }

    /// Whether a tick of `crowd` could have produced these values. Checks each value by itself.
    fn is_valid(&self, crowd: &Crowd) -> bool {
        let Some(kind) = crowd.kinds.get(usize::from(self.attributes.kind.0)) else { return false };
        let Ok(motor) = Motor::new(kind, crowd.ticks_per_second()) else { return false };
        let points = [self.pos, self.guide.aim, self.guide.goal, self.home];
        points.iter().all(|at| at.on_plane() == *at)
            && motor.can_have(self.vel)
            && motor.can_have(self.chosen_vel)
            && self.attributes.pace <= 1024
            && (MIN_SPEED..=MAX_SPEED).contains(&self.attributes.percent)
            && (self.attributes.drive != Drive::Carried || self.vel.is_zero())
            && self.memory.deflection <= MAX_DEFLECTION
            && (-1..=1).contains(&self.memory.side)
            && self.memory.arrived <= 1
            && self.memory.resting <= u8::from(!self.attributes.stance.travels())
    }
}

impl Crowd {
    /// The properties of a unit, to be saved.
    pub(crate) fn saved_unit(&self, unit: usize) -> Option<SavedUnit> {
        Some(SavedUnit {
            pos: *self.pos.get(unit)?,
            vel: self.vel[unit],
            chosen_vel: self.chosen_vel[unit],
            guide: self.guide[unit],
            home: self.home[unit],
            attributes: self.attributes[unit],
            memory: self.memory[unit],
        })
    }

    /// Whether the properties of a unit are possible: the same check that loading makes.
    pub(crate) fn is_valid(&self, unit: usize) -> bool {
        self.saved_unit(unit).is_some_and(|saved| saved.is_valid(self))
    }

    /// Adds a unit as it was saved, under an id that no unit has, and returns its index. `None` if the values are not possible in
    /// this crowd or the crowd is full.
    pub(crate) fn add_saved(&mut self, id: u32, saved: &SavedUnit) -> Option<usize> {
        if !saved.is_valid(self) || self.id.len() >= MAX_UNITS {
            return None;
        }
        self.id.push(id);
        self.pos.push(saved.pos);
        self.vel.push(saved.vel);
        self.chosen_vel.push(saved.chosen_vel);
        self.guide.push(saved.guide);
        self.home.push(saved.home);
        self.attributes.push(saved.attributes);
        self.memory.push(saved.memory);
        if saved.memory.resting != 0 {
            self.rest = Rest::Possible;
        }
        Some(self.id.len() - 1)
    }
}

impl HashState for Crowd {
    /// Hashes the bytes that are saved, so that hash and save cannot differ.
    fn hash_state(&self, h: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.ticks_per_second().save(&mut writer);
        writer.count(self.kinds.len());
        self.kinds.iter().for_each(|kind| kind.save(&mut writer));
        // A crowd on the ground keeps the hash that it had before layers existed.
        for number in (0..self.kinds.len()).map(|kind| KindId(kind as u16)) {
            if self.layers_of(number) != CollisionLayers::default() {
                number.save(&mut writer);
                self.layers_of(number).save(&mut writer);
            }
        }
        h.write_u32s(&self.id);
        (0..self.len()).filter_map(|unit| self.saved_unit(unit)).for_each(|saved| saved.save(&mut writer));
        h.write_bytes(writer.bytes());
    }
}
