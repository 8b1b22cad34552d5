//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod buckets;
mod jps;
mod octile;
mod route;
mod scratch;
mod smooth;

pub use astar::astar;
pub use jps::{JumpPlanes, jps, jps_suits};
pub use octile::octile;
pub use route::{NotAStep, Route};
pub use scratch::SearchScratch;
pub use smooth::{Sight, SmoothError, SmoothPath, Smoother, line_of_sight, line_of_sight_between};
