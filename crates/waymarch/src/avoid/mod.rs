//! Rank 5, layer 4: how not to bump.
//!
//! A [`Crowd`] is the units: plain lists that can be hashed and saved. [`Avoidance`] moves it, a tick at a time: who is near (
//! [`SpatialIndex`]), which velocity each unit takes (by default reciprocal avoidance with an integer linear program), what it is
//! able to ([`Kinematics`]), and what is left of overlaps after a few passes of pushing. Where units go is not decided here: a
//! [`Guide`] says what to head for.
//!
//! | file | idea |
//! |---|---|
//! | `fine.rs`, `root.rs` | the scale: 65,536 to a cell; directions and lengths |
//! | `spatial.rs`, `neighbours.rs` | who is near |
//! | `crowd.rs`, `spawn.rs`, `crowd_bytes.rs`, `kinematics.rs` | what units are, as bytes, and how they move |
//! | `pair.rs` | the two tables: who avoids whom how much, who pushes whom how much |
//! | `half_plane.rs`, `lines.rs`, `program.rs` | one neighbour as a half-plane of velocities; all of them, made when needed; the best velocity in all |
//! | `walls.rs` | closed ground |
//! | `aside.rs` | how idle units get out of the way |
//! | `steer.rs` | one unit's tick, `models.rs` by the other models |
//! | `contacts.rs`, `tick.rs`, `parts.rs` | overlaps; the phases of a tick; what is shared out |

mod aside;
mod contacts;
mod crowd;
mod crowd_bytes;
mod facing;
mod fine;
mod half_plane;
mod kinematics;
mod lines;
mod models;
mod neighbours;
mod pair;
mod parts;
mod program;
mod seen;
mod settings;
mod spatial;
mod spawn;
mod steer;
mod tick;
mod walls;

pub use crowd::{Crowd, GATE_LEFT, Guide, KindId, Mover, Stance};
pub(crate) use crowd_bytes::Member;
pub use fine::{FINE_BITS, FINE_CELL, Fine};
pub use kinematics::{Kinematics, KinematicsError, Reverse, Turning};
pub use settings::{AvoidSettings, AvoidSettingsError, MAX_NEIGHBOURS, ValidAvoidSettings};
pub use spatial::SpatialIndex;
pub use spawn::{Spawn, SpawnError};
pub use steer::Delay;
pub use tick::Avoidance;
pub use walls::{Grounds, OpenGround, Walls};
