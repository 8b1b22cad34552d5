//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod buckets;
mod goal_distance;
mod goal_search;
mod jps;
mod octile;
mod route;
mod scratch;
mod task;

pub use astar::astar;
pub use goal_distance::goal_distance;
pub use goal_search::goal_search;
pub use jps::{JumpPlanes, jps, jps_suits};
pub use octile::octile;
pub use route::Route;
pub use scratch::SearchScratch;
