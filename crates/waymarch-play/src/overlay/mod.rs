//! Overlays: what the engine knows, drawn over the map. This folder answers: which overlays exist, and which bytes does a page get for one?
//!
//! It reads the World and changes nothing in it. To add an overlay: a row in [`OVERLAYS`] (`list.rs`) and an arm in [`draw()`] (`draw.rs`).
//!
//! *Invariant:* an overlay message has a bounded size, whatever the size of the map: see [`OverlayGrid`].
//!
//! - `list.rs`: all overlays with name, title and text, and what makes each one out of date
//! - `grid.rs`: which part of the map is sent at which resolution, and the bytes of the five forms
//! - `draw.rs`: the message of an overlay for the world as it is
//! - `units.rs`: overlays about units and groups: velocities, neighbours, density, formation slots
//! - `orders.rs`: destinations of the selected units' orders
//! - `whole_map.rs`: overlays that read the whole map; on huge maps a thread draws them from a copy of the ground
//! - `subscription.rs`: an overlay that a page has switched on

mod draw;
mod grid;
mod list;
mod orders;
mod subscription;
mod units;
mod whole_map;

pub(crate) use draw::{OverlayQuery, draw, route_ends, whole_map_overlay};
pub(crate) use grid::{Form, Line, MAX_LINES, OverlayGrid};
pub(crate) use list::{DependsOn, OVERLAYS, depends_on, whole_map_kind};
pub(crate) use subscription::OverlaySubscription;
pub(crate) use whole_map::{BackgroundDrawer, WholeMapKind, WholeMapOverlay};
