//! The planners of layer 3: which algorithm answers a query?
//!
//! A planner is one path-finding algorithm behind the contract of [`Planner`]. [`PlannerList::builtin`] has all of them by name; the program's
//! `--planner` takes its planners from there. [`Hybrid`] is the default, and what `Navigator` asks.
//!
//! Owns: the tables of each planner, which are Derived from the costs; [`PlanScratch`], the Scratch of one thread. The only World state
//! is the tick at which jump planes are published.
//! Reads: the cost layer, the sectors and the settings, through [`PlanView`].
//! May change: its own tables, in [`Planner::map_changed`] and [`Planner::prepare`]. [`Planner::plan`] changes scratch only.
//!
//! A new planner is a file here with a struct that implements [`Planner`], and a line in `list.rs`; `tests/search/conformance.rs` then
//! tests it.
//!
//! | file | what it has |
//! |---|---|
//! | `planner.rs` | the contract: [`Planner`], [`PlanView`], [`PlanScratch`], [`Promise`] |
//! | `list.rs` | [`PlannerList`] |
//! | `agent_store.rs` | tables for each agent that has asked, and how they follow the map |
//! | `astar.rs`, `jps.rs`, `jps_graph.rs`, `jpsw.rs` | planners of one search each |
//! | `hpa/`, `hpa_planner.rs` | routes to far goals, over doors; the planner of that name |
//! | `context/` | one kept search per goal |
//! | `hybrid/` | the default |

mod agent_store;
mod astar;
mod context;
mod hpa;
mod hpa_planner;
mod hybrid;
mod jps;
mod jps_graph;
mod jpsw;
mod list;
mod planner;

pub use context::{ContextWork, Contexts};
pub(crate) use hpa::FarDemand;
#[allow(deprecated, reason = "exported until 0.3.0")]
pub use hpa::hpa_with;
pub use hpa::{ExactSearch, FarScratch, FarSearch, hpa};
pub(crate) use hybrid::{AheadWork, TableWaits};
pub use hybrid::{Hybrid, PlannerChoice, PlannerReason};
pub use list::{NameTaken, PlannerList};
pub(crate) use planner::PlanRun;
pub use planner::{PlanScratch, PlanView, Planner, Promise};

/// An exact search that walks the legs of a far route.
#[deprecated(since = "0.2.0", note = "renamed to `ExactSearch`")]
pub type LegSearch<'a> = ExactSearch<'a>;
