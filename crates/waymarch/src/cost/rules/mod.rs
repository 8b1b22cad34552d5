//! The rules of a game: which terrains and locomotors are there, and what does each terrain cost each locomotor?
//!
//! A game fills in [`Rules`] (plain data, World). [`Rules::validate`] checks them and compiles them to [`ValidRules`] (Derived): tables of
//! costs and speeds as integers. The room owns these types, reads nothing but `base`, and changes nothing else.
//!
//! - `definition`: the rules as written; `compiled`: the checked form.
//! - `speeds`: the table of speeds.
//! - `terrain`, `surface`, `locomotor`: what rules are made of.

mod compiled;
mod definition;
mod locomotor;
mod speeds;
mod surface;
mod terrain;

pub use compiled::ValidRules;
pub(super) use compiled::{SLOPE_BANDS, slope_band};
pub use definition::{IMPASSABLE, MAX_CELL_COST, Rules, RulesError};
pub use locomotor::{CrushMask, LocomotorDef, MAX_LOCOMOTORS, Mobility};
pub use speeds::{MAX_TERRAIN_SPEED, NORMAL_SPEED};
pub use surface::{Surface, SurfaceMask};
pub use terrain::{TerrainDef, TerrainId, TerrainModifier};
