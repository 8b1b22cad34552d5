//! Commands as bytes, for recordings and network messages.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::base::{Angle, ByteReader, ByteWriter, CellPos, CellRect, LoadError, Persist, StampId, Vec2};
use crate::config::Config;
use crate::cost::{GateState, Stamp, TerrainId, ThreatId, ThreatSource};
use crate::groups::Formation;
use crate::world::changes::spawn::SpawnPlace;
use crate::world::command::Command;
use crate::world::orders::effort::OrderEffort;
use crate::world::orders::order::{Order, When};
use crate::world::units::condition::Concealment;
use crate::world::units::teams::TeamId;
use crate::world::units::unit::{MAX_UNITS, PlayerId, UnitId};
use crate::world::units::unit_threats::ThreatOwner;
use crate::world::units::unit_type::{UnitType, UnitTypeId};

/// Loading checks the form of a command only. [`World::apply`](crate::world::World::apply) may still refuse the command.
impl Persist for Command {
    fn save(&self, writer: &mut ByteWriter) {
        self.code().save(writer);
        match self {
            Self::AddType(kind) => kind.save(writer),
            Self::Spawn { kind, owner, at, facing } => {
                kind.save(writer);
                owner.save(writer);
                at.save(writer);
                facing.save(writer);
            }
            Self::Remove(unit) => unit.save(writer),
            Self::Order { units, order, when } => {
                units.save(writer);
                order.save(writer);
                when.save(writer);
            }
            Self::OrderWith { units, order, when, effort } => {
                units.save(writer);
                order.save(writer);
                when.save(writer);
                effort.save(writer);
            }
            Self::Place { stamp, at } => {
                stamp.save(writer);
                at.save(writer);
            }
            Self::RemoveStamp(id) => id.save(writer),
            Self::SetGate { id, gate } => {
                id.save(writer);
                gate.save(writer);
            }
            Self::SetTerrain { area, terrain } => {
                area.save(writer);
                terrain.save(writer);
            }
            Self::SetElevation { area, height } => {
                area.save(writer);
                height.save(writer);
            }
            Self::AddThreat(source) => source.save(writer),
            Self::SetThreat { id, source } => {
                id.save(writer);
                source.save(writer);
            }
            Self::AddThreatOf { source, owner } => {
                source.save(writer);
                owner.save(writer);
            }
            Self::SetThreatOwner { id, owner } => {
                id.save(writer);
                owner.save(writer);
            }
            Self::RemoveThreat(id) => id.save(writer),
            Self::Configure(config) => config.save(writer),
            Self::SetTeam { player, team } => {
                player.save(writer);
                team.save(writer);
            }
            Self::Put { unit, at, velocity } => {
                unit.save(writer);
                at.save(writer);
                velocity.save(writer);
            }
            Self::Join { units, with } => {
                units.save(writer);
                with.save(writer);
            }
            Self::Reform { units, formation, facing } => {
                units.save(writer);
                formation.save(writer);
                facing.save(writer);
            }
            Self::Engage(units) | Self::Resume(units) | Self::Unboard(units) => units.save(writer),
            Self::SpawnAt { kind, owner, place } => {
                kind.save(writer);
                owner.save(writer);
                place.save(writer);
            }
            Self::SetOwner { units, owner } => {
                units.save(writer);
                owner.save(writer);
            }
            Self::SetKind { units, kind } => {
                units.save(writer);
                kind.save(writer);
            }
            Self::SetSpeed { units, percent } => {
                units.save(writer);
                percent.save(writer);
            }
            Self::SetConcealment { units, concealment } => {
                units.save(writer);
                concealment.save(writer);
            }
            Self::Board { units, transport } => {
                units.save(writer);
                transport.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::AddType(UnitType::load(reader)?),
            1 => Self::Spawn {
                kind: UnitTypeId::load(reader)?,
                owner: PlayerId::load(reader)?,
                at: CellPos::load(reader)?,
                facing: Angle::load(reader)?,
            },
            2 => Self::Remove(UnitId::load(reader)?),
            3 => Self::Order {
                units: load_units(reader)?,
                order: Order::load(reader)?,
                when: When::load(reader)?,
            },
            4 => Self::Place { stamp: Stamp::load(reader)?, at: CellPos::load(reader)? },
            5 => Self::RemoveStamp(StampId::load(reader)?),
            6 => Self::SetGate { id: StampId::load(reader)?, gate: GateState::load(reader)? },
            7 => Self::SetTerrain { area: CellRect::load(reader)?, terrain: TerrainId::load(reader)? },
            8 => Self::SetElevation { area: CellRect::load(reader)?, height: i16::load(reader)? },
            9 => Self::AddThreat(ThreatSource::load(reader)?),
            10 => Self::SetThreat { id: ThreatId::load(reader)?, source: ThreatSource::load(reader)? },
            11 => Self::RemoveThreat(ThreatId::load(reader)?),
            12 => Self::Configure(Box::new(Config::load(reader)?)),
            13 => Self::Put {
                unit: UnitId::load(reader)?,
                at: Vec2::load(reader)?,
                velocity: Vec2::load(reader)?,
            },
            14 => Self::Join { units: load_units(reader)?, with: UnitId::load(reader)? },
            15 => Self::Reform {
                units: load_units(reader)?,
                formation: Formation::load(reader)?,
                facing: Option::load(reader)?,
            },
            16 => Self::Engage(load_units(reader)?),
            17 => Self::Resume(load_units(reader)?),
            18 => Self::SetTeam { player: PlayerId::load(reader)?, team: TeamId::load(reader)? },
            19 => {
                Self::AddThreatOf { source: ThreatSource::load(reader)?, owner: ThreatOwner::load(reader)? }
            }
            20 => Self::SetThreatOwner { id: ThreatId::load(reader)?, owner: ThreatOwner::load(reader)? },
            21 => Self::SpawnAt {
                kind: UnitTypeId::load(reader)?,
                owner: PlayerId::load(reader)?,
                place: SpawnPlace::load(reader)?,
            },
            22 => Self::SetOwner { units: load_units(reader)?, owner: PlayerId::load(reader)? },
            23 => Self::SetKind { units: load_units(reader)?, kind: UnitTypeId::load(reader)? },
            24 => Self::SetSpeed { units: load_units(reader)?, percent: u16::load(reader)? },
            25 => {
                Self::SetConcealment { units: load_units(reader)?, concealment: Concealment::load(reader)? }
            }
            26 => Self::Board { units: load_units(reader)?, transport: UnitId::load(reader)? },
            27 => Self::Unboard(load_units(reader)?),
            28 => Self::OrderWith {
                units: load_units(reader)?,
                order: Order::load(reader)?,
                when: When::load(reader)?,
                effort: OrderEffort::load(reader)?,
            },
            _ => return Err(reader.error("an unknown code of a command")),
        })
    }
}

fn load_units(reader: &mut ByteReader<'_>) -> Result<Vec<UnitId>, LoadError> {
    let units = Vec::<UnitId>::load(reader)?;
    if units.len() > MAX_UNITS {
        return Err(reader.error("a command names more units than a World can have"));
    }
    Ok(units)
}

impl Command {
    /// The first byte of the saved command. A new command gets the next number.
    const fn code(&self) -> u8 {
        match self {
            Self::AddType(_) => 0,
            Self::Spawn { .. } => 1,
            Self::Remove(_) => 2,
            Self::Order { .. } => 3,
            Self::Place { .. } => 4,
            Self::RemoveStamp(_) => 5,
            Self::SetGate { .. } => 6,
            Self::SetTerrain { .. } => 7,
            Self::SetElevation { .. } => 8,
            Self::AddThreat(_) => 9,
            Self::SetThreat { .. } => 10,
            Self::RemoveThreat(_) => 11,
            Self::Configure(_) => 12,
            Self::Put { .. } => 13,
            Self::Join { .. } => 14,
            Self::Reform { .. } => 15,
            Self::Engage(_) => 16,
            Self::Resume(_) => 17,
            Self::SetTeam { .. } => 18,
            Self::AddThreatOf { .. } => 19,
            Self::SetThreatOwner { .. } => 20,
            Self::SpawnAt { .. } => 21,
            Self::SetOwner { .. } => 22,
            Self::SetKind { .. } => 23,
            Self::SetSpeed { .. } => 24,
            Self::SetConcealment { .. } => 25,
            Self::Board { .. } => 26,
            Self::Unboard(_) => 27,
            Self::OrderWith { .. } => 28,
        }
    }
}
