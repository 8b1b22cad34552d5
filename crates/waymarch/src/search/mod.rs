//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod buckets;
mod hierarchy;
mod jps;
mod octile;
mod probe;
mod recorder;
mod route;
mod scratch;

pub use astar::{astar, astar_with};
pub use hierarchy::{Hierarchy, hierarchical};
pub use jps::{JumpPlanes, jps, jps_suits, jps_with};
pub use octile::octile;
pub use probe::{NoProbe, Probe, Reach, Visit};
pub use recorder::{Recorder, SearchEvent};
pub use route::Route;
pub use scratch::SearchScratch;
