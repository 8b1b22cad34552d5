//! The search for one request: which route, if any, answers it?
//!
//! A [`Lane`] holds one request at a time and works on it, on any thread. What a lane finds is a function of the map, the
//! request and the nodes it may expand.
//!
//! Owns: the paused search of each lane (World), remembered nearest cells (Derived), the job and the memory of each lane (Scratch). Reads:
//! the map and the planners, through [`SearchContext`]; one request; where units stand, through `Blockers`. May change: only the lane.
//!
//! - `lane.rs` (World: the paused search; else Scratch): one request at a time, with pauses between ticks.
//! - `job.rs` (Scratch): the request as a lane sees it, and its answer.
//! - `context.rs`: what all lanes read in a tick, and the scratch of one lane.
//! - `ends.rs`: the cells where a route starts and ends.
//! - `explored.rs`: the area that a paused search has read.
//! - `detour.rs`: around units that stand on a route.
//! - `route.rs`: finds a new route and smooths it. `rejoin.rs`: repairs a route that an edit has cut.
//! - `answer.rs`: answers a job with the files above.

mod answer;
mod context;
mod detour;
mod ends;
mod explored;
mod job;
mod lane;
mod rejoin;
mod route;

pub(crate) use context::SearchContext;
pub(crate) use job::{Answer, needs_goal_search};
pub(crate) use lane::Lane;
