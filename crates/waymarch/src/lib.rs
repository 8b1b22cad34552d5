//! Waymarch: deterministic, integer-only pathfinding and group movement for real-time strategy games.
//!
//! The modules are the data flow; each imports only modules of a smaller rank:
//!
//! | rank | module | the question it answers |
//! |---|---|---|
//! | 0 | [`base`] | fixed point, cells, ids, random numbers, state hash, ordered containers |
//! | 1 | [`query`] | the vocabulary of a question: who, from where, to where, and how it can end |
//! | 1 | [`cost`] | layer 1: what does it cost *this* locomotor and size to stand here? |
//! | 2 | [`config`] | every setting, with its range |
//! | 2 | [`sectors`] | layer 2: which rooms, which doors, is it reachable at all? |
//! | 3 | [`search`] | layer 3a: which cells? exact searches |
//! | 3 | [`flow`] | layer 3b: which way from every cell? |
//! | 4 | [`plan`] | what planners have in common: routes found before |
//! | 5 | [`planners`] | ways of finding ways that put several layers together |
//! | 5 | [`avoid`] | layer 4: how not to bump |
//! | 6 | [`groups`] | layer 5: who stands where, who waits |
//! | 7 | [`world`] | everything put together: ask for routes, edit the map, order units about |
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(clippy::disallowed_types, clippy::disallowed_methods, clippy::float_arithmetic)]

extern crate alloc;

pub mod avoid;
pub mod base;
pub mod config;
pub mod cost;
pub mod flow;
pub mod groups;
pub mod plan;
pub mod planners;
pub mod query;
pub mod search;
pub mod sectors;
pub mod world;
