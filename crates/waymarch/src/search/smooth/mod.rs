//! How does a unit follow a route at any angle? Smoothing turns a route of cells into straight lines and curves.
//!
//! All computations are exact or rounded to the safe side. A line gives the same result in both directions.
//!
//! This room owns only Scratch ([`Smoother`]). It reads one cost field. It changes only the path of the caller.
//!
//! - `pull.rs`, `knots.rs`: string pulling; `spline.rs`: rounded turns; `path.rs`, `error.rs`: the result.
//! - `line_of_sight.rs`, `sight.rs`, `segment.rs`: which lines are clear, and what they cost.

mod error;
mod knots;
mod line_of_sight;
mod path;
mod pull;
mod segment;
mod sight;
mod spline;

pub use error::SmoothError;
pub use line_of_sight::{line_of_sight, line_of_sight_between};
pub use path::SmoothPath;
pub use pull::Smoother;
pub use sight::Sight;
