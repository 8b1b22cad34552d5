//! What is the remaining cost to the goal, and the first step towards it, from each cell? The Dijkstra search that makes whole-map fields
//! and flow tiles.
//!
//! Owns: only Scratch, a bucket queue. Reads: the padded costs that the caller passes. May change: the labels that the caller passes and,
//! in a repair, the flow bytes. The search runs from the goal outwards, in buckets no wider than the cheapest step.
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
