//! Flow tiles: which direction leads a group to its goal? Tiles have directions for the sectors that the group's routes pass.
//!
//! [`TileFlows`] is the entry: open a flow to a goal, add the routes of its units, call `prepare` once per tick, and read headings.
//! Any number of threads can read headings, each with its own [`TileReader`].
//!
//! The room owns the flow state (World: how far each search has come), tiles, rims and visible cells (Derived), and Scratch. It reads the
//! cost layer and routes over doors. It changes only its own data.
//!
//! How it works: each flow has a corridor of sectors. A Dijkstra over these sectors integrates each one from the remaining costs just
//! outside of it, and keeps only the labels on its rim. A tile depends on its sector's ground, and on its exits relative to the cheapest
//! exit. These exits are its key, so goals behind the same bottleneck share tiles.
//!
//! Rules:
//! - Following tiles from any cell of a corridor costs as much as the cheapest route within the corridor. The remaining cost sinks
//!   with every step, also during the search.
//! - After an edit, units follow the last labels over the present ground until the search reaches their sector again. Only in the
//!   edited sectors can that be a detour, and it never leads into closed cells.
//! - A heading is a function of World data alone. Caches, threads and saving change no heading. So the budget counts a sector that
//!   units enter whether or not its tile was cached.
//! - A unit that follows a heading for up to one cell enters open cells only, by legal steps, and stays in the corridor.
//!
//! | files | idea |
//! |---|---|
//! | `flows`, `target`, `settings` | the entry, and what it is asked for |
//! | `state`, `state_bytes`, `snapshot` | World data: hashing, saving, loading |
//! | `corridor`, `corridor_rims`, `borders`, `restart` | the search over sectors |
//! | `frame`, `ground`, `integrate`, `rim` | one sector: its cells, costs, labels and rim |
//! | `key`, `cache` | what a tile depends on, and the tiles in memory |
//! | `edit_tracker`, `follow` | following edits of the map |
//! | `visible_cells` | the cells from which the goal is visible |
//! | `reader`, `sample`, `heading` | reading headings off tiles |
//! | `pool`, `corridor_pool`, `preallocate` | memory that is used again |

mod borders;
mod cache;
mod corridor;
mod corridor_pool;
mod corridor_rims;
mod edit_tracker;
mod flows;
mod follow;
mod frame;
mod ground;
mod heading;
mod integrate;
mod key;
mod pool;
mod preallocate;
mod reader;
mod restart;
mod rim;
mod sample;
mod settings;
mod snapshot;
mod state;
mod state_bytes;
mod target;
mod visible_cells;

pub use flows::{TileFlows, TileWork};
pub use heading::{Guide, Heading, NoHeading};
pub use reader::TileReader;
pub use settings::{Breadth, TileSettings};
pub use state::{FlowId, FlowTag, TileFlowsState, TileStateFault};
pub use target::FlowTarget;

/// See [`FlowTarget`].
#[deprecated(since = "0.2.0", note = "renamed to `FlowTarget`")]
pub type TileAim = FlowTarget;
