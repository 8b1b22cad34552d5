//! Everything put together: a map one can ask for routes and edit.

mod choice;
mod navigator;

pub use choice::{PlannerChoice, PlannerReason};
pub use navigator::{Navigator, NavigatorError};
