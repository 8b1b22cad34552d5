//! Everything put together: a map one can ask for routes and edit.

mod navigator;

pub use navigator::{Navigator, NavigatorError};
