//! Flow tiles: directions for groups, sector by sector, along the sectors their routes pass.
//!
//! [`TileFlows`] is the entry: open a flow to a goal, add the routes of its units, let it work a little every tick, and ask for
//! headings. `corridor.rs` finds what is left to pay on the rims of sectors, `integrate.rs` one sector's inside, `sight.rs`
//! from where the goal is seen, `cache.rs` keeps tiles, `sample.rs` reads headings off them.

mod aim;
mod cache;
mod corridor;
mod flows;
mod frame;
mod ground;
mod heading;
mod integrate;
mod reader;
mod sample;
mod sight;

pub use aim::{Breadth, TileAim, TileSettings};
pub use flows::{FlowId, FlowTag, TileFlows, TileWork};
pub use heading::{Guide, Heading, NoHeading};
