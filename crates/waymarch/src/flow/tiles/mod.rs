//! Flow tiles: directions for groups, sector by sector, along the sectors their routes pass.
//!
//! [`TileFlows`] is the entry: open a flow to a goal, add the routes of its units, let it work a little every tick, and ask for
//! headings, by as many threads as there are. `state.rs` is how far flows have come, which is World data; all else follows from it
//! and from the ground. `corridor.rs` finds what is left to pay on the rims of sectors (`rim.rs`), anew after edits (`restart.rs`), `integrate.rs` one sector's inside, `sight.rs`
//! from where the goal is seen; `key.rs` is what a tile follows from, `cache.rs` keeps tiles, `sample.rs` reads headings off them.

mod aim;
mod cache;
mod corridor;
mod flows;
mod follow;
mod frame;
mod ground;
mod heading;
mod integrate;
mod key;
mod offers;
mod reader;
mod restart;
mod rim;
mod sample;
mod sight;
mod spare;
mod state;
mod state_bytes;
mod stock;

pub use aim::{Breadth, TileAim, TileSettings};
pub use flows::{FlowId, FlowTag, TileFlows, TileWork};
pub use heading::{Guide, Heading, NoHeading};
pub use reader::TileReader;
pub use state::{TileFlowsState, TileStateFault};
