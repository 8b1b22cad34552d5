//! Everything put together: a map one can ask for routes and edit.

mod navigator;
mod smoothing;

pub use navigator::{Navigator, NavigatorError};
pub use smoothing::SmoothPathError;
