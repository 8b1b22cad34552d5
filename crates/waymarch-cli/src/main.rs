//! The `waymarch` program.
fn main() {}
