//! The navigator: which route leads from here to there on this map?
//!
//! Start with [`Navigator`]: it answers queries, takes edits, and can be saved and loaded.
//!
//! Owns: the map with its costs, the settings and the tick (World); sectors, doors, jump data and remembered routes (Derived); the scratch
//! of searches (Scratch). Reads: only what it owns. May change: World data by edits, ticks and loading; Derived
//! data and Scratch by queries.
//!
//! Rules:
//! - The search that answers a query depends on map, settings and tick only. [`Navigator::planner_for`] names it and the reason.
//! - Jump planes on ground of one cost are published at fixed ticks. A\* answers until then. Queries that heed threat are answered by `jpsw`.
//! - Planes for weighted ground are a cache. An agent's first query makes them, or [`Navigator::make_ready`].
//! - Loading reads and checks everything before anything changes.

mod far;
mod levels;
mod map_facts;
mod memory;
mod navigator;
mod queries;
mod reachability;
mod reconfigure;
mod smoothing;
mod snapshot;
mod warm_up;

pub use levels::{
    Crossing, LevelEditError, LevelNavigator, LevelNavigatorError, LevelPath, LevelPlanError, LevelPlanner,
    LevelRoute, NoLevelPlanner,
};
pub(crate) use map_facts::MapFacts;
pub use navigator::{Navigator, NavigatorError};
pub use queries::NavQueries;
pub use reachability::NearestRoute;
pub(crate) use reconfigure::Built;
pub use smoothing::SmoothPathError;
pub(crate) use snapshot::NavigatorState;
