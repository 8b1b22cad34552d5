//! Smoothing: from a route of cells to straight lines and curves a unit can follow at any angle.
//!
//! Everything is exact or rounded to the safe side, and depends on neither the direction a line is looked along nor the
//! order of anything but cells.

mod knots;
mod line_of_sight;
mod path;
mod pull;
mod segment;
mod sight;
mod spline;

pub use line_of_sight::{line_of_sight, line_of_sight_between};
pub use path::{SmoothError, SmoothPath};
pub use pull::Smoother;
pub use sight::Sight;
