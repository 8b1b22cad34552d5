//! Rank 0: the integer kit everything else is made of.

mod agent;
mod bit_lines;
mod cell;
mod dir;
mod fixed;
mod hash;
mod id;
mod open_list;
mod row_col_bits;
mod slots;
mod tick;

pub use agent::{Agent, LocomotorId, MAX_SIZE_CLASS, SizeClass};
pub use bit_lines::BitLines;
pub use cell::{CellId, CellPos, CellRect, GridSize, MAX_SIDE, SizeError, WorldPos, cell};
pub use dir::Dir8;
pub use fixed::{Fixed, ParseFixedError};
pub use hash::{HashState, StateHash, StateHasher};
pub use id::Id;
pub use open_list::{OpenEntry, OpenList};
pub use row_col_bits::RowColBits;
pub use slots::Slots;
pub use tick::Tick;
