//! Sectors: which cells are connected, where are the doors between sectors, and what does a far route cost?
//!
//! Four structures answer these questions. All but [`LiveDoors`] are Derived from the cost layer and updated after edits:
//!
//! - [`Sectors`]: whether one cell can be reached from another, and which reachable cell is the nearest (`snap`).
//! - [`Doors`]: routes from sector to sector, for far searches.
//! - [`Rims`] and [`RimField`]: a lower bound of the remaining cost, for exact searches.
//! - [`LiveDoors`] (World): which doors the routes of units pass now, so that new routes can join them.
//!
//! The room owns these structures and the memory of their searches (Scratch). It reads the cost layer and changes nothing else.
//!
//! How connectivity works: a sector is cut into *zones*, connected cells that are open to the same agents. For each
//! agent, zones that touch form *rooms*. Rooms are joined in blocks of 8 × 8 sectors, these in blocks of 32 × 32
//! blocks, up to one block for the map. A part of a block that no step leads out of is a *domain*.
//!
//! Rules:
//! - After any edits, the result equals a rebuild. Parts are numbered by their first members. An update goes up the
//!   levels only while it changes something.
//! - A link between two blocks is stored in both. A block's parts depend on links alone, so nothing above changes while
//!   links stay the same.
//! - A cached snap is used only while nothing changed in or beside the sectors that the unit's domain covers.
//!
//! | files | idea |
//! |---|---|
//! | `connectivity`, `ids` | the entry, [`Sectors`]; names of rooms and domains |
//! | `zones`, `labels` | zones, and the zone of each cell |
//! | `rooms` | rooms of a sector, for each agent |
//! | `domains`, `level`, `union_find` | joining rooms over the whole map |
//! | `snap`, `snap_cache` | the nearest reachable cell |
//! | `doors/` | doors, costs between them, and routes over them |
//! | `rims/` | lower bounds of the remaining cost |

mod connectivity;
mod domains;
mod doors;
mod ids;
mod labels;
mod level;
mod rims;
mod rooms;
mod snap;
mod snap_cache;
mod union_find;
mod zones;

pub use connectivity::{Sectors, SectorsMemory};
pub use doors::{DoorGoal, DoorQuery, DoorRoute, DoorScratch, Doors, LiveDoors, Merging, NotLive};
pub(crate) use doors::{DoorsInWork, block_count, is_huge};
pub use ids::{DomainId, RoomId};
pub use rims::{RimField, RimScratch, Rims};
pub use snap::{SnapScratch, Snapped};
pub use snap_cache::SnapMemory;
