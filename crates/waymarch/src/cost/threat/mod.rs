//! Threat: how much threat do the sources of danger add to each cell?
//!
//! The room owns the threat sources and the sides of observers (World), and the threat per cell (Derived). It reads the array layout from `padding` and the highest cost
//! from `rules`. It changes only its own data and the change log, to which it adds the cells that changed. Changes of sources take effect at
//! the next refresh, every `threat_every` ticks, so that all peers see them in the same tick.
//!
//! - `source`: one source.
//! - `map`: the threat of all cells.
//! - `stencil`: the strengths of one source on the cells around it.
//! - `shown_cells`: the cells that a refresh of many sources has brought up to date.
//! - `sides`: which observers are on one side, and the sources of each side.
//! - `own_sums`: the sums of one side's sources.
//! - `view`: the threat as one observer sees it.
//! - `state`: saving and loading.

mod map;
mod own_sums;
mod shown_cells;
mod sides;
mod source;
mod state;
mod stencil;
mod view;

pub use map::ThreatMap;
pub(super) use map::refresh_due;
pub use source::{
    Falloff, MAX_THREAT_RADIUS, MAX_THREAT_SOURCES, ThreatId, ThreatSource, ThreatTag, with_threat,
};
pub(super) use state::ThreatState;
pub use view::ThreatView;
