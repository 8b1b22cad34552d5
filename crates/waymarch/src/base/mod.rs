//! Rank 0: the integer kit everything else is made of.

mod agent;
mod bit_lines;
mod bucket_queue;
mod bytes;
mod cell;
mod dir;
mod fixed;
mod hash;
mod id;
mod open_list;
mod rng;
mod row_col_bits;
mod slots;
mod stamped;
mod tick;
mod trig;
mod vec2;

pub use agent::{Agent, LocomotorId, MAX_SIZE_CLASS, SizeClass};
pub use bit_lines::BitLines;
pub use bucket_queue::BucketQueue;
pub use bytes::{ByteReader, ByteWriter, LoadError, Persist};
pub(crate) use bytes::{persist_choices, persist_fields};
pub use cell::{CellId, CellPos, CellRect, GridSize, MAX_SIDE, SizeError, WorldPos, cell};
pub use dir::Dir8;
pub use fixed::{Fixed, ParseFixedError};
pub use hash::{HashState, StateHash, StateHashBuilder, StateHasher};
pub use id::{Id, StampId, StampTag};
pub use open_list::{OpenEntry, OpenList};
pub use rng::{Purpose, Rng};
pub use row_col_bits::RowColBits;
pub use slots::Slots;
pub use stamped::{StampedMap, StampedSet};
pub use tick::Tick;
pub use trig::Angle;
pub use vec2::Vec2;
