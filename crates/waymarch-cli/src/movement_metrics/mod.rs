//! How well did units and groups move? Measures that `sim`, `bench crowd` and `bench movement` share.
//!
//! The trackers look at a `World` after each tick, add up what they see and report once at the end. They change nothing, so
//! measuring does not change a game. Positions are in cells, times in ticks.
//!
//! - `steps.rs`: turning and standing still, from one position to the next
//! - `idle.rs`: turning and moving of units without an order
//! - `overlap.rs`: how far units overlap
//! - `units.rs`: the units of a `World`: arrivals, steps, overlap
//! - `groups.rs`: the groups of a `World`: cohesion, formation error, spread of arrivals

mod distance;
mod groups;
mod idle;
mod overlap;
mod steps;
mod units;

pub(crate) use distance::distance;
pub(crate) use groups::{GroupReport, GroupTracker};
pub(crate) use overlap::{Disc, OverlapMetrics};
pub(crate) use steps::{StepHistory, StepMetrics};
pub(crate) use units::{DeepestOverlap, UnitReport, UnitTracker};
