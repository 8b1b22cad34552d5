//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod buckets;
mod jps;
mod jump_graph;
mod jump_store;
mod octile;
mod route;
mod scratch;

pub use astar::astar;
pub use jps::{JumpPlanes, jps, jps_suits};
pub use jump_graph::{JumpGraph, Successor, jps_graph};
pub use jump_store::{JumpData, JumpDetail, JumpJob, JumpJobId, JumpState, JumpStore};
pub use octile::octile;
pub use route::Route;
pub use scratch::SearchScratch;
