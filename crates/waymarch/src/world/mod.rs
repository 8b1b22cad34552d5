//! Everything put together: a map one can ask for routes and edit.

mod choice;
mod far;
mod navigator;
mod reach;
mod smoothing;
mod weighted;

pub use choice::{PlannerChoice, PlannerReason};
pub use navigator::{Navigator, NavigatorError};
pub use reach::NearestRoute;
pub use smoothing::SmoothPathError;
