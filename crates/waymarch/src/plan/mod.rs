//! Is a kept route still valid? Do requests for one destination get a route each or share a flow field?
//!
//! [`PathCache`] keeps routes and gives one out only if a search would find the same route again, bit for bit. It is Derived.
//! [`Grouping`] counts the requests for each destination and decides whether they share a flow field. It is World state: saved
//! (`grouping_bytes.rs`) and hashed.
//!
//! Reads: the cost layer and its change log, the sectors. May change: its own caches and counts.

mod cache;
mod grouping;
mod grouping_bytes;
mod waypoints;
pub(crate) mod work_costs;

pub use cache::{PathCache, PathKey, Scope};
pub use grouping::{Destination, GroupDecision, GroupMode, GroupReason, Grouping, NotCounted, Stage};
