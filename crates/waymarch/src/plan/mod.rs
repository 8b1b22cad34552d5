//! What planners have in common.

mod cache;

pub use cache::{PathCache, PathKey, Scope};
