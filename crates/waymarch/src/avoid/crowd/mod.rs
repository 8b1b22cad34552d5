//! The units of layer 4: what is a unit, what does it remember, and what can it do in a tick?
//!
//! - Owns: [`Crowd`] (World: one list per property, one entry per unit).
//! - Reads: `base/`, and the greatest terrain speed from `cost/`.
//! - Changes: only the crowd itself. `tick/` is the other writer.
//!
//! | file | content |
//! |---|---|
//! | `unit.rs` | the types of a unit's properties: [`Stance`], [`Guide`], [`Mover`], attributes, memory |
//! | `columns.rs` | [`Crowd`]: adding, removing and reading units |
//! | `commands.rs` | what a caller tells a unit: go, stop, hold, turn |
//! | `spawn.rs` | the description of a new unit and the errors of adding it |
//! | `kinematics.rs` | how a kind of unit moves, in cells and seconds |
//! | `motor.rs` | the same in 65,536ths of a cell and ticks: braking, turning, smoothing |
//! | `bytes.rs` | units as bytes, for saved games and hashes |

mod bytes;
mod columns;
mod commands;
mod kinematics;
mod motor;
mod spawn;
mod unit;

pub(crate) use bytes::SavedUnit;
pub use columns::Crowd;
pub(super) use commands::start_moving;
pub use kinematics::{Kinematics, KinematicsError, Reverse, Turning};
pub(super) use motor::{Closeness, DriveState, Facing, Motor};
pub use spawn::{Spawn, SpawnError};
pub(super) use unit::{Attributes, CALM, MAX_DEFLECTION, Memory};
pub(crate) use unit::{Drive, MAX_SPEED, MIN_SPEED, STEPPING, USUAL_SPEED};
pub use unit::{GATE_LEFT, Guide, KindId, Mover, Stance};
