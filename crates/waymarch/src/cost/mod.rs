//! Layer 1: what does it cost *this* locomotor and size to stand here?

mod changes;
mod clearance;
mod compile;
mod edit;
mod field;
mod field_rows;
mod ground;
mod layer;
mod locomotor;
mod map;
mod memory;
mod rules;
mod stamp;
mod stamps;
mod step;
mod surface;
mod terrain;
mod threat;
mod without;

pub use crate::base::{StampId, StampTag};
pub use changes::{ChangeLog, ChangeMark, SectorChange, SectorGrid, SectorId};
pub use clearance::Clearance;
pub use edit::{EditError, MAX_THREAT_SOURCES};
pub use field::{CostField, PadId, Padding};
pub use layer::{CostLayer, CostSettings};
pub use locomotor::{CrushMask, LocomotorDef, MAX_LOCOMOTORS, Mobility};
pub use map::{ELEVATION_UNIT, Map, MapError, PlacedStamp, ValidMap};
pub use memory::CostMemory;
pub use rules::{IMPASSABLE, MAX_CELL_COST, Rules, RulesError, ValidRules};
pub use stamp::{FootCell, MAX_STAMP_SIDE, Stamp, StampError};
pub use stamps::{GateState, Standing};
pub use step::{CornerRule, DIAGONAL, Neighbours, STRAIGHT, StepRule, step_length};
pub use surface::{Surface, SurfaceMask};
pub use terrain::{TerrainDef, TerrainId, TerrainModifier};
pub use threat::{Falloff, MAX_THREAT_RADIUS, ThreatId, ThreatMap, ThreatSource, ThreatTag, with_threat};
