//! Layer 3b: which way from every cell? Fields that whole groups follow, made once for a goal.

pub mod whole;
