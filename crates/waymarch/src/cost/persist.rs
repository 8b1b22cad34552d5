//! The types of the cost layer as bytes: rules, footprints, threat sources and maps.

use alloc::string::String;
use alloc::vec::Vec;

use super::map::{Map, PlacedStamp};
use super::rules::{
    CrushMask, LocomotorDef, Mobility, Rules, Surface, SurfaceMask, TerrainDef, TerrainId, TerrainModifier,
};
use super::stamps::{FootCell, GateState, SideMask, Stamp};
use super::step::{CornerRule, Neighbours};
use super::threat::{Falloff, ThreatSource};
use crate::base::{
    ByteReader, ByteWriter, CellPos, Fixed, GridSize, LoadError, Persist, persist_choices, persist_fields,
};

impl Persist for GateState {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Closed => 0_u8.save(writer),
            Self::Open => 1_u8.save(writer),
            Self::OpenTo(sides) => {
                2_u8.save(writer);
                sides.0.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Closed,
            1 => Self::Open,
            2 => Self::OpenTo(SideMask(u32::load(reader)?)),
            _ => return Err(reader.error("unknown value of GateState")),
        })
    }
}

persist_choices! {
    Neighbours { Eight, Four }
    CornerRule { Forbid, AllowOne, Allow }
    Mobility { Terrestrial, Climber, Flying }
    Surface { Ground, Water, Cliff, Air, Rubble }
    Falloff { Flat, Linear, Quadratic }
}

persist_fields! {
    Rules {
        normal: u8,
        terrains: Vec<TerrainDef>,
        locomotors: Vec<LocomotorDef>,
        costs: Vec<Vec<Option<u8>>>,
        speeds: Vec<Vec<Option<u8>>>,
    }
    TerrainDef { name: String, surface: Surface, modifier: TerrainModifier, colour: Option<[u8; 3]> }
    LocomotorDef {
        name: String,
        surfaces: SurfaceMask,
        mobility: Mobility,
        can_swim: bool,
        crushes: CrushMask,
        movement_modifier: Fixed,
    }
    Stamp { name: String, width: u32, height: u32, cells: Vec<FootCell>, lifetime: Option<u32> }
    PlacedStamp { at: CellPos, stamp: Stamp }
    ThreatSource { at: CellPos, radius: u16, strength: u8, falloff: Falloff }
    Map {
        name: String,
        size: GridSize,
        rules: Rules,
        terrain: Vec<TerrainId>,
        elevation: Vec<i16>,
        stamps: Vec<PlacedStamp>,
        starts: Vec<CellPos>,
    }
}

impl Persist for TerrainId {
    #[inline]
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    #[inline]
    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u8::load(reader).map(Self)
    }
}

impl Persist for CrushMask {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u32::load(reader).map(Self)
    }
}

impl Persist for SurfaceMask {
    fn save(&self, writer: &mut ByteWriter) {
        self.bits().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let bits = u8::load(reader)?;
        let mask: Self = Surface::ALL.into_iter().filter(|&surface| bits & 1 << surface as u8 != 0).collect();
        if mask.bits() == bits { Ok(mask) } else { Err(reader.error("a locomotor has an unknown surface")) }
    }
}

impl Persist for TerrainModifier {
    fn save(&self, writer: &mut ByteWriter) {
        let (kind, value) = match *self {
            Self::Normal => (0_u8, Fixed::ZERO),
            Self::Difficult(factor) => (1, factor),
            Self::Impassable => (2, Fixed::ZERO),
            Self::Water { swim_cost } => (3, swim_cost),
            Self::Slope { gradient } => (4, gradient),
        };
        kind.save(writer);
        value.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (kind, value) = (u8::load(reader)?, Fixed::load(reader)?);
        match kind {
            0 => Ok(Self::Normal),
            1 => Ok(Self::Difficult(value)),
            2 => Ok(Self::Impassable),
            3 => Ok(Self::Water { swim_cost: value }),
            4 => Ok(Self::Slope { gradient: value }),
            _ => Err(reader.error("a terrain has an unknown modifier")),
        }
    }
}

impl Persist for FootCell {
    fn save(&self, writer: &mut ByteWriter) {
        let (kind, value) = match *self {
            Self::Open => (0_u8, 0_u8),
            Self::Blocked => (1, 0),
            Self::NoStop => (2, 0),
            Self::Gate => (3, 0),
            Self::Wall(class) => (4, class),
            Self::Terrain(terrain) => (5, terrain.0),
        };
        kind.save(writer);
        value.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (kind, value) = (u8::load(reader)?, u8::load(reader)?);
        match kind {
            0 => Ok(Self::Open),
            1 => Ok(Self::Blocked),
            2 => Ok(Self::NoStop),
            3 => Ok(Self::Gate),
            4 => Ok(Self::Wall(value)),
            5 => Ok(Self::Terrain(TerrainId(value))),
            _ => Err(reader.error("a footprint has an unknown kind of cell")),
        }
    }
}
