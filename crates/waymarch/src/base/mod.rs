//! Rank 0: the integer kit everything else is made of.

mod agent;
mod cell;
mod dir;
mod fixed;
mod id;
mod slots;
mod tick;

pub use agent::{Agent, LocomotorId, MAX_SIZE_CLASS, SizeClass};
pub use cell::{CellId, CellPos, CellRect, GridSize, MAX_SIDE, SizeError, WorldPos, cell};
pub use dir::Dir8;
pub use fixed::{Fixed, ParseFixedError};
pub use id::Id;
pub use slots::Slots;
pub use tick::Tick;
