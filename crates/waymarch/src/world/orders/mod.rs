//! Orders: what is a unit ordered to do, which routes does it request for that, and how does the order end?
//!
//! The room owns the orders, and the list of map edits since routes were last reviewed (World). It also owns the Scratch of sighting. The progress of
//! each unit is a column of `units/`. The room reads targets, routes and edits of the map. It may request, repair and cancel routes, change the progress
//! of units, end orders, and send events.
//!
//! Rules:
//! - An order is stored once, however many units have it.
//! - When an order of a unit ends, the unit gets one event that says how it ended, and no route of the order is left. `Stop`, `Hold` and orders that
//!   another order replaces end without such an event. Some orders last as long as their target. A patrol has no end.
//! - After an edit, the routes that pass a changed sector are checked. A route that is cut is repaired or requested again.
//! - A unit without progress tries one remedy after the other (`Rung`), and gives up in the end. A unit that waits for its route, or that
//!   grants right of way, is not stuck.
//! - A unit that is slow for 120 seconds without coming nearer gives up. If a unit within a cell of it can make way or moves on, it starts again instead, at most 16 times. In a queue, or behind units of its group that have arrived, one tick in four counts.
//! - A unit that walks in a loop requests another route each time it returns. It gives up after the 4th time (the 16th among other units).
//!
//! Limit: a unit that gives up in a corridor one cell wide stands there and blocks it.
//!
//! | files | idea |
//! |---|---|
//! | `order`, `target` | the orders; what they are about |
//! | `parts` | the parts of the state that orders read and change |
//! | `goals`, `execute`, `outcomes` | where an order leads; what a unit does for it; how it ends |
//! | `reroute`, `unstick` | routes after edits; units without progress |
//! | `sighting` | enemies that a unit sees on an attack-move |

pub(crate) mod execute;
pub(crate) mod goals;
pub(crate) mod order;
pub(crate) mod outcomes;
pub(crate) mod parts;
pub(crate) mod reroute;
pub(crate) mod sighting;
pub(crate) mod target;
pub(crate) mod unstick;
