//! The rules of a game: terrains, locomotors, and what each terrain costs each locomotor.
//!
//! A game fills in [`Rules`] (plain data, World). [`Rules::validate`] checks them and compiles them to [`ValidRules`] (Derived): whole
//! costs and speeds in tables. The room reads nothing but `base`.
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
