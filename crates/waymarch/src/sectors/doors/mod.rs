//! Doors: by which steps does a far route go from sector to sector, and what does it cost?
//!
//! Two sectors touch along openings: cells that are open on both sides. A few steps of each opening are *doors*: its
//! ends, one every 16 cells in between, and the cheapest. The costs from door to door within a sector are exact. They
//! are computed when they are first needed. So a route over doors is a real route. It can cost more than the cheapest route
//! for one reason: it changes sectors at doors only.
//!
//! The room owns the doors and the costs between them (Derived), the doors of live routes (World), and Scratch. It reads the cost layer and
//! changes nothing else.
//!
//! Rules:
//! - A route over doors is the cheapest that changes sectors at doors only. If there is any route at all, there is one over doors.
//! - Cost tables are filled through a shared reference, so that threads can share them. Every thread writes the same numbers.
//! - A merged route costs at most `MergeBias::most` of the cheapest route over doors: 11 % more by default.
//! - On huge maps, a route goes from block to block (256 cells per side) except near its ends, over one main door per opening.
//! - A search skips a door if it reached the door's cell from inside the sector or block at no greater cost.
//!
//! | files | idea |
//! |---|---|
//! | `door`, `place`, `sector`, `graph` | one door; where doors are; all doors |
//! | `in_work` | doors that are placed a few sectors at a time |
//! | `distances`, `table`, `prepare` | costs within a sector, and keeping them |
//! | `blocks`, `block_search` | blocks of sectors on huge maps |
//! | `search`, `frontier`, `node`, `estimate`, `bias`, `goal` | the A\* search over doors |
//! | `rough` | routes with estimated costs, before costs are known |
//! | `merge`, `live` | routes that join the routes of other units |
//! | `route`, `scratch` | the result of a search, and its scratch |

mod bias;
mod block_search;
mod blocks;
pub(super) mod distances;
mod door;
mod estimate;
mod frontier;
mod goal;
mod graph;
mod in_work;
mod live;
mod merge;
mod node;
mod place;
mod prepare;
mod rough;
mod route;
mod scratch;
mod search;
mod sector;
pub(super) mod table;

pub(crate) use blocks::{block_count, is_huge};
pub use goal::DoorGoal;
pub use graph::Doors;
pub(crate) use in_work::DoorsInWork;
pub use live::{LiveDoors, NotLive};
pub use merge::Merging;
pub use route::{DoorQuery, DoorRoute};
pub use scratch::DoorScratch;
