//! Rank 5, layer 4: local avoidance. How do units move without colliding?
//!
//! - Owns: [`Crowd`] (World: positions, velocities, guides and memory of all units) and [`Avoidance`] (Scratch: the memory of a tick).
//! - Reads: closed ground and terrain speeds, through [`Grounds`] and [`Walls`]; where a unit goes, through its [`Guide`].
//! - Changes: only the crowd. It knows nothing of routes, orders and formations.
//!
//! Lengths are in 65,536ths of a cell ([`Fine`]). Steps of 1/1024 of a cell would be too coarse: at 60 ticks per second
//! the directions of slow units would jump. Spans of time are defined in seconds and computed in ticks (`timing.rs`).
//!
//! Kinds of units are on collision layers. Units without a common layer are no neighbours: they do not see each other in any phase.
//!
//! *Invariants:* threads and the order of units change no bit of a result. A unit outside of closed ground stays outside.
//!
//! | folder or file | the question it answers |
//! |---|---|
//! | `crowd/` | what is a unit, what does it remember, what can it do in a tick? |
//! | `walls/` | where may a unit be, and how does it stay out of closed cells? |
//! | `neighbours/` | which units are near, and what do they do? |
//! | `orca/` | which velocities does a neighbour allow, and which allowed velocity is best? |
//! | `steering/` | which velocity does one unit choose? One file per avoidance model |
//! | `tick/` | the phases of a tick over all units |
//! | `settings.rs`, `timing.rs` | settings; spans of time at the crowd's tick rate |
//! | `half_plane.rs`, `delay.rs` | a half-plane of velocities; why a unit makes no progress |

mod crowd;
mod delay;
mod half_plane;
mod neighbours;
mod orca;
mod settings;
mod steering;
mod tick;
mod timing;
mod walls;

pub use crate::base::{FINE_BITS, FINE_CELL, Fine};
pub use crowd::{
    Crowd, GATE_LEFT, Guide, KindId, Kinematics, KinematicsError, Mover, Reverse, Spawn, SpawnError, Stance,
    Turning,
};
pub(crate) use crowd::{Drive, MAX_SPEED, MIN_SPEED, STEPPING, SavedUnit, USUAL_SPEED};
pub use delay::Delay;
pub use neighbours::SpatialIndex;
pub use settings::{AvoidSettings, AvoidSettingsError, MAX_NEIGHBOURS, ValidAvoidSettings};
pub use tick::Avoidance;
pub use walls::{Grounds, OpenGround, Walls};
