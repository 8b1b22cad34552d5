//! What planners have in common.

mod cache;
mod waypoints;

pub use cache::{PathCache, PathKey, Scope};
