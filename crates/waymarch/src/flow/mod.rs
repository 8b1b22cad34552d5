//! Layer 3b: which way from every cell? Fields of directions that many units share.

pub mod lazy;
pub mod tiles;
pub mod whole;
