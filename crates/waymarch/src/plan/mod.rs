//! What planners have in common.

mod cache;
mod grouping;
mod grouping_bytes;
mod waypoints;

pub use cache::{PathCache, PathKey, Scope};
pub use grouping::{Destination, GroupDecision, GroupMode, GroupReason, Grouping, NotCounted, Stage};
