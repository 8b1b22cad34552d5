//! Everything put together: a map one can ask for routes and edit.

mod choice;
mod navigator;
mod reach;
mod smoothing;
mod weighted;

pub use choice::{PlannerChoice, PlannerReason};
pub use navigator::{Navigator, NavigatorError};
pub use smoothing::SmoothPathError;
