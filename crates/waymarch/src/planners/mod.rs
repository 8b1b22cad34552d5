//! Ways of finding ways that put several layers together, and the contract they keep.

mod builtin;
mod context;
mod contract;
mod hpa;
mod hybrid;

pub use context::{ContextWork, Contexts};
pub use contract::{NameTaken, PlanScratch, PlanView, Planner, PlannerList, Promise};
pub use hpa::{FarScratch, FarSearch, LegSearch, hpa, hpa_with};
pub use hybrid::{Hybrid, PlannerChoice, PlannerReason};

pub(crate) use hpa::door_nodes;
pub(crate) use hybrid::{choose, heeds_threat};
