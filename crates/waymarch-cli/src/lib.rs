//! What the `waymarch` program is made of, as a library: pictures of maps and routes.
#![allow(clippy::disallowed_types, clippy::float_arithmetic, reason = "pictures are outside the simulation")]

pub mod picture;
