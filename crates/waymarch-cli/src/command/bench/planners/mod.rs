//! `waymarch bench scen` and `bench weighted`: how fast are planners on queries from cell to cell, and are their routes right?
//!
//! Every route is replayed by a search that shares no code with the engine (`reference.rs`). A case is one map with its queries.
//!
//! - `scen.rs`, `weighted.rs`: the two commands; they differ in where queries come from
//! - `case.rs`: a map and its queries, from MovingAI files or random
//! - `run.rs`: all planners on all cases, and the report
//! - `measure.rs`: one planner on one case: times, and a check of every route
//! - `throughput.rs`: the same queries on several threads
//! - `reference.rs`: the independent search and replay
//! - `table.rs`: totals and the table for people

pub(in crate::command) mod case;
pub(in crate::command) mod measure;
mod reference;
pub(in crate::command) mod run;
pub(super) mod scen;
mod table;
mod throughput;
pub(super) mod weighted;
