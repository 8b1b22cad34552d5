//! Layer 3a: which cells does a route take? Exact searches over the grid, and the smoothing of routes.
//!
//! Every search has the form `search(layer, query, tables, scratch, out)`. It writes a [`Route`] and counts the nodes it expands.
//! Its answer is a function of map, query and tables: ties are broken by a total order on integers. A form with the suffix
//! `_with` takes a [`Probe`] that sees every step.
//!
//! Owns: jump planes, jump graphs, weighted planes, landmarks and zone distances, which are Derived from the costs; [`SearchScratch`],
//! which is Scratch. The only World state is the tick at which a [`JumpStore`] publishes its tables.
//! Reads: the cost layer, and rims of sectors as lower bounds. May change: its own tables and the caller's scratch.
//!
//! | module | what it has |
//! |---|---|
//! | `astar`, `task` | A\*; the loop that it shares with `goal_search` |
//! | `goal_search`, `goal_distance`, `paused_goal` | A\* into goals of any shape, within limits, with turn costs |
//! | `jps` | jump point search over planes of bits, for ground of one cost |
//! | `jump_graph`, `hierarchy` | the same over an explicit graph, and over a hierarchy of corners |
//! | `jpsw`, `bounds` | jump point search for weighted ground, and lower bounds that make it faster |
//! | `jump_store`, `followed` | jump tables for all fields of a layer, kept up to date with edits |
//! | `linked` | A\* and the weighted search over several levels |
//! | `smooth` | string pulling, rounded turns, lines of sight |
//! | `route`, `scratch`, `run`, `probe`, `recorder`, `buckets`, `octile` | what searches have in common |

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
mod linked;
mod octile;
mod paused_goal;
mod probe;
mod recorder;
mod route;
mod run;
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
pub(crate) use jpsw::PlanesInWork;
pub use jpsw::{WeightedPlanes, WeightedSearch, jpsw, jpsw_towards, jpsw_towards_with, jpsw_with};
pub use jump_graph::{JumpGraph, Successor, jps_graph, jps_graph_with};
pub(crate) use jump_store::JumpWaits;
pub use jump_store::{JumpData, JumpDetail, JumpJob, JumpJobId, JumpState, JumpStore};
pub(crate) use linked::{Linked, linked_astar, linked_jpsw};
pub use octile::octile;
pub use probe::{NoProbe, Probe, Reach, Visit};
pub use recorder::{Recorder, SearchEvent};
pub(crate) use route::LegDirection;
pub use route::{NotAStep, Route};
pub use run::SearchRun;
pub use scratch::SearchScratch;
pub use smooth::{Sight, SmoothError, SmoothPath, Smoother, line_of_sight, line_of_sight_between};
