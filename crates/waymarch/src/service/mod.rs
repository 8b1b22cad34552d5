//! The path service: when does each request for a route get its answer, and what does its unit follow until then?
//!
//! Owns: requests, the queue, the node budget, paused searches, flow groups (World), and the [`Navigator`](crate::nav::Navigator). Reads:
//! the map, through the navigator; where units stand, from its caller ([`Blockers`]). May change: nothing outside of itself.
//!
//! Rules:
//! - The queue goes by priority; every fourth request is taken by age alone.
//! - A tick works in rounds. In each round every lane searches for one request, on any thread. Answers are delivered in the order in
//!   which requests were picked. A search that needs more nodes pauses in its lane and continues in the next tick.
//! - Nodes measure all work of a tick (`plan/work_costs.rs`). Work beyond the budget of a tick is a debt of the next ticks. At
//!   least one tick in three serves requests, whatever the debt is.
//! - The memory of a paused search is not saved. After loading, the search is run again up to where it paused. An edit makes it start
//!   again, with more nodes a tick, so that every search ends. A change of threat does so only if the search heeds threat and has read a
//!   cell there.
//! - A unit whose request waits always has something to follow: an interim route or the straight line.
//!
//! Files. Each imports only files named before it:
//! - `status.rs`, `report.rs`, `request.rs`: one request. `queue.rs`, `request_table.rs`: all requests, and which is next.
//! - `budget.rs`, `edits.rs`: the nodes of a tick, and what edits cost. `blockers.rs`: where units stand.
//! - `search/`: finds the route for one request. `flow/`: groups that follow one flow.
//! - `sharing.rs`: one route for neighbours. `batch.rs`: the requests of a tick.
//! - `path_service.rs`: the state and its methods. `custom_planner.rs`: the game's own planner. `keeper.rs`, `upkeep.rs`: routes that follow edits. `preallocate.rs`: memory. `interim.rs`: routes for requests that wait. `tick.rs`: the tick.
//! - `state.rs`, `validate.rs`, `save.rs`: the service as bytes, and checks of loaded bytes. `pathfinder.rs`: a smaller interface.

mod batch;
mod blockers;
mod budget;
mod custom_planner;
mod edits;
mod flow;
mod interim;
mod keeper;
mod path_service;
mod pathfinder;
mod preallocate;
mod queue;
mod report;
mod request;
mod request_table;
mod save;
mod search;
mod sharing;
mod state;
mod status;
mod tick;
mod upkeep;
mod validate;

pub use blockers::{Blockers, NoBlockers};
pub(crate) use flow::FlowChange;
pub use path_service::PathService;
pub use pathfinder::Pathfinder;
pub use report::{PathReport, ServiceWork};
pub(crate) use request::ROUTE_POINTS;
pub(crate) use state::ServiceState;
pub use status::{Guidance, PathId, PathReason, PathStatus, PathTag};
