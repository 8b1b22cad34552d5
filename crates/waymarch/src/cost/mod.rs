//! Layer 1: what does it cost *this* locomotor and size to stand here?

mod locomotor;
mod map;
mod rules;
mod stamp;
mod step;
mod surface;
mod terrain;

pub use locomotor::{CrushMask, LocomotorDef, MAX_LOCOMOTORS, Mobility};
pub use map::{ELEVATION_UNIT, Map, MapError, PlacedStamp, ValidMap};
pub use rules::{IMPASSABLE, MAX_CELL_COST, Rules, RulesError, ValidRules};
pub use stamp::{FootCell, MAX_STAMP_SIDE, Stamp, StampError};
pub use step::{CornerRule, DIAGONAL, Neighbours, STRAIGHT, StepRule, step_length};
pub use surface::{Surface, SurfaceMask};
pub use terrain::{TerrainDef, TerrainId, TerrainModifier};
