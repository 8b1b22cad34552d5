//! Layer 3a: which cells? Exact searches on the grid.

mod astar;
mod bounds;
mod buckets;
mod followed;
mod goal_distance;
mod goal_search;
mod hierarchy;
mod jps;
mod jpsw;
mod jump_graph;
mod jump_store;
mod octile;
mod probe;
mod recorder;
mod route;
mod scratch;
mod smooth;
mod task;

pub(crate) use astar::open_ends;
pub use astar::{astar, astar_towards, astar_with};
pub use bounds::{Bound, Landmarks, ZoneDistances};
pub use goal_distance::goal_distance;
pub use goal_search::goal_search;
pub use hierarchy::{Hierarchy, hierarchical};
pub use jps::{JumpPlanes, jps, jps_suits, jps_with};
pub use jpsw::{WeightedPlanes, WeightedSearch, jpsw, jpsw_towards, jpsw_towards_with, jpsw_with};
pub use jump_graph::{JumpGraph, Successor, jps_graph, jps_graph_with};
pub(crate) use jump_store::JumpWaits;
pub use jump_store::{JumpData, JumpDetail, JumpJob, JumpJobId, JumpState, JumpStore};
pub use octile::octile;
pub use probe::{NoProbe, Probe, Reach, Visit};
pub use recorder::{Recorder, SearchEvent};
pub(crate) use route::Way;
pub use route::{NotAStep, Route};
pub use scratch::SearchScratch;
pub use smooth::{Sight, SmoothError, SmoothPath, Smoother, line_of_sight, line_of_sight_between};
