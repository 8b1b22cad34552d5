//! Stamps: which footprints of buildings, gates, walls and bridges stand on a map, and what do they do to a cell?
//!
//! The room owns the standing stamps (World) and a list of stamps per cell (Derived). It reads terrain numbers from `rules` and changes
//! nothing else. Only the cost layer's edits and loading change its data.
//!
//! - `stamp`: one footprint.
//! - `store`: the standing stamps, by id and by cell.
//! - `sparse_grid`: finds the list of a cell.
//! - `state`: saving and loading.

mod sparse_grid;
mod stamp;
mod state;
mod store;

pub use stamp::{FootCell, MAX_STAMP_SIDE, Stamp, StampError};
pub(super) use state::StampsState;
pub(super) use store::{CellEffect, StampStore};
pub use store::{GateState, SideMask, Standing};
