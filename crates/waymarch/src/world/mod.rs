//! Everything put together: a map one can ask for routes and edit.

mod executor;
mod far;
mod navigator;
mod reach;
mod service;
mod smoothing;
mod weighted;

pub use crate::planners::{PlannerChoice, PlannerReason};
pub use executor::{Executor, Serial};
#[cfg(feature = "parallel")]
pub use executor::{NoThreads, Threads};
pub use navigator::{Navigator, NavigatorError};
pub use reach::NearestRoute;
pub use service::{
    Blockers, Guidance, NoBlockers, PathId, PathReason, PathReport, PathService, PathStatus, PathTag,
    Pathfinder, ServiceWork,
};
pub use smoothing::SmoothPathError;
