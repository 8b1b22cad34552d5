//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod bounds;
mod buckets;
mod jps;
mod jpsw;
mod octile;
mod route;
mod scratch;

pub use astar::astar;
pub use bounds::{Bound, Landmarks, ZoneDistances};
pub use jps::{JumpPlanes, jps, jps_suits};
pub use jpsw::{WeightedPlanes, WeightedSearch, jpsw};
pub use octile::octile;
pub use route::Route;
pub use scratch::SearchScratch;
