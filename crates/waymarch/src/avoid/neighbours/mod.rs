//! The neighbours of a unit: which units are near, and what do they do?
//!
//! - Owns: [`SpatialIndex`] (Derived), the state of each unit that others see (Scratch), the nearest neighbours of one unit
//!   (Scratch).
//! - Reads: the [`Crowd`](super::Crowd), and the terrain speed under each unit.
//! - Changes: only its own memory.
//!
//! *Invariant:* the neighbours that a unit finds depend on distances and ids only. The cell size of the index and the hint from the
//! last tick never change them.
//!
//! | file | content |
//! |---|---|
//! | `spatial_index.rs` | a uniform grid over all units, rebuilt each tick |
//! | `unit_state.rs` | one unit as the others see it, and questions about two units |
//! | `observe.rs` | the state of a unit from the crowd and the ground |
//! | `nearest.rs` | the nearest neighbours that matter to a unit |

mod nearest;
mod observe;
mod spatial_index;
mod unit_state;

pub(super) use nearest::{NeighbourSearch, Neighbours};
pub(super) use observe::Observer;
pub use spatial_index::SpatialIndex;
pub(super) use unit_state::{CLOSE_IN_FRONT, UnitState};
