//! Waymarch: deterministic, integer-only pathfinding and group movement for real-time strategy games.
//!
//! The modules are the data flow; each imports only modules of a smaller rank:
//!
//! | rank | module | the question it answers |
//! |---|---|---|
//! | 0 | [`base`] | fixed point, cells, ids, random numbers, state hash, ordered containers |
//! | 1 | [`cost`] | layer 1: what does it cost *this* locomotor and size to stand here? |
//! | 2 | [`config`] | every setting, with its range |
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(clippy::disallowed_types, clippy::disallowed_methods, clippy::float_arithmetic)]

extern crate alloc;

pub mod base;
pub mod config;
pub mod cost;
