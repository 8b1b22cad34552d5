//! Cost fields: what does each cell cost one locomotor at one unit size?
//!
//! The room owns the fields (Derived from the ground). It reads the ground and the rules. It changes only the fields and the change log,
//! to which it adds the cells that changed.
//!
//! - `field`: one field, with costs and passability bits.
//! - `compile` builds all fields of a map; `rows` fills one field row by row.
//! - `by_size` updates the fields of bigger sizes after an edit.
//! - `clearance` reads free squares off the passability bits.

mod by_size;
mod clearance;
mod compile;
mod field;
mod rows;

pub(super) use by_size::LocomotorFields;
pub use clearance::Clearance;
pub(super) use compile::{add_side, compile};
pub use field::CostField;
