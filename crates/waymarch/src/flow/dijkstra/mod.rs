//! What does the rest of the route cost from each cell? The Dijkstra search that whole-map fields and flow tiles are made with.
//!
//! It owns only Scratch: a bucket queue. The caller passes padded costs and labels. The search reads the costs and may change the labels. A label holds a cell's remaining cost and the direction
//! of its first step in one number. The search runs from the goal outwards, in buckets no wider than the cheapest step.
//!
//! - `label`: remaining cost and direction in one number.
//! - `bucket_queue`: the open list.
//! - `spread`: the search.
//! - `flow_byte`: the byte that units read.

mod bucket_queue;
mod flow_byte;
mod label;
mod spread;

pub(super) use bucket_queue::{BucketQueue, bucket_shift};
pub use flow_byte::{Flow, FlowByte};
pub(super) use label::{Label, Labels, TooDear};
pub(super) use spread::{Making, Repairing, Seed, Spread};
