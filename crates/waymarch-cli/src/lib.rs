//! The part of the `waymarch` program that other programs can use: pictures of maps and routes.
#![allow(clippy::disallowed_types, clippy::float_arithmetic, reason = "pictures are outside the simulation")]

pub mod picture;
