//! Closed ground: where may a unit be, and how does it stay out of closed cells?
//!
//! - It owns nothing.
//! - Reads: the map, through the traits [`Walls`] and [`Grounds`].
//! - Changes: nothing; all functions return positions or half-planes.
//!
//! *Invariant:* a disc outside of closed ground stays outside, however fast it is and whatever pushes it.
//!
//! | file | content |
//! |---|---|
//! | `ground.rs` | the traits that a map implements, and [`OpenGround`] |
//! | `collision.rs` | moving a disc along walls and out of closed ground |
//! | `half_planes.rs` | the half-planes of velocities that walls allow |

mod collision;
mod ground;
mod half_planes;

pub(super) use collision::{push_out, slide};
pub use ground::{Grounds, OpenGround, Walls};
pub(super) use half_planes::{MAX_WALLS, Reach, wall_half_planes, walls_are_near};
