//! Which numbers, positions, ids and containers do all other modules share? (Rank 0.)
//!
//! - It owns nothing. Its types are values and containers: World data or Scratch of the modules that use them.
//! - It reads nothing: it imports no other module of the engine.
//! - It changes nothing but the values that callers pass in.
//!
//! Everything is integer arithmetic with a defined result for every input, so all machines agree.
//!
//! | files | content |
//! |---|---|
//! | `fixed`, `fine`, `trig`, `trig_tables`, `root` | numbers in 1024ths and 65,536ths of a cell, angles, square roots |
//! | `floats` | conversions to floats for renderers, with the feature `render` |
//! | `vec2`, `wide_vec` | vectors in 1024ths of a cell; vectors with 64-bit components for intermediate results |
//! | `cell`, `segment`, `dir`, `agent` | cells, rectangles and map sizes; segments; the eight directions; locomotor and size of a unit, and whether it heeds threat |
//! | `tick`, `rng`, `executor` | simulation time, random numbers, which threads do the work |
//! | `id`, `slots` | ids with generations, and the store that hands them out |
//! | `bytes`, `frame`, `hash`, `hash_impls` | saving and loading, frames with a checksum, the state hash |
//! | `open_list`, `bucket_queue` | priority queues of searches |
//! | `stamped`, `bit_lines`, `row_col_bits` | tables cleared in constant time; bits scanned 64 at a time |
//! | `scratch`, `spare_lists` | the trait of scratch memory; lists kept for reuse |

mod agent;
mod asker;
mod bit_lines;
mod bucket_queue;
mod bytes;
mod cell;
mod collision_layers;
mod dir;
mod executor;
mod fine;
mod fixed;
#[cfg(feature = "render")]
mod floats;
mod frame;
mod hash;
mod hash_impls;
mod id;
mod level;
mod open_list;
mod rng;
mod root;
mod row_col_bits;
mod scratch;
mod segment;
mod slots;
mod spare_lists;
mod stamped;
mod tick;
mod trig;
mod trig_tables;
mod vec2;
mod wide_vec;

pub use agent::{Agent, LocomotorId, MAX_SIZE_CLASS, OBSERVERS, Observer, SizeClass, Threat};
pub use asker::Asker;
pub use bit_lines::BitLines;
pub use bucket_queue::BucketQueue;
pub use bytes::{ByteReader, ByteWriter, LoadError, Persist};
pub(crate) use bytes::{RoutePoint, persist_choices, persist_fields};
#[allow(deprecated, reason = "it works until 0.3.0")]
pub use cell::WorldPos;
pub use cell::{CellId, CellPos, CellRect, GridSize, MAX_SIDE, SizeError, cell};
pub use collision_layers::CollisionLayers;
pub use dir::Dir8;
pub use executor::{Executor, Serial};
pub use fine::{FINE_BITS, FINE_CELL, Fine};
pub use fixed::{Fixed, ParseFixedError};
pub use frame::{FORMAT, FrameKind, OLDEST_FORMAT};
pub use hash::{HashState, StateHash, StateHashBuilder, StateHasher};
pub use id::{Id, StampId, StampTag, UnitId, UnitTag};
pub use level::{LevelCell, LevelId};
pub use open_list::{OpenEntry, OpenList};
pub use rng::{Purpose, Rng};
pub(crate) use root::{isqrt, root};
pub use row_col_bits::RowColBits;
pub(crate) use scratch::{Scratch, poison_list, reserve_total};
pub(crate) use segment::segment_touches;
pub use slots::Slots;
pub(crate) use spare_lists::SpareLists;
pub use stamped::{StampedMap, StampedSet};
pub use tick::Tick;
pub use trig::Angle;
pub use vec2::Vec2;
pub(crate) use wide_vec::{UNIT_BITS, WideVec, div_round, round_unit};
