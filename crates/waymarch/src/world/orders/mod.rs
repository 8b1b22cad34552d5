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
//! - Each tick, every unit gets one state (`units/motion.rs`), and its progress monitor counts the tick as the state says. A unit that waits for its route, before a
//!   passage or for a group with right of way is not stuck. Behind units of its own player and of allies, one tick in 16 counts.
//! - When the count reaches `stuck_threshold` ticks, the unit tries the next remedy (`Rung`): a route around all units, around standing units, to the nearest place.
//! - After the last remedy, the unit starts again if a unit within a cell of it can make way or moves on, or if the unit itself has moved on since the first
//!   remedy. Otherwise, or after 64 attempts, it gives up: one event names its state and the unit before it.
//! - Attempts are forgotten when the unit is up to 8 cells nearer to its goal than ever (slow units less).
//! - A unit that walks 4 times its longest remaining distance and 32 cells, and gets no nearer, walks in a loop, which counts as stuck.
//! - A unit whose order ends on ground that units keep free ([`StandingGround`](crate::passages::StandingGround)) walks to the nearest place to stand first, and its
//!   event comes there. That holds for units that give up, and for lone units in an area. A unit in the cell that it was sent to stays: the order is explicit. It
//!   makes way when another unit needs the passage. A unit with a queued order goes on with that at once.
//!
//! Limit: a unit with an endless order that has given up for now, or stands by, waits where it is, also in a passage.
//!
//! | files | idea |
//! |---|---|
//! | `order`, `order_book`, `target`, `effort` | the orders; what they are about; how much work their routes are worth |
//! | `parts` | the parts of the state that orders read and change |
//! | `goals`, `execute`, `outcomes` | where an order leads; what a unit does for it; how it ends |
//! | `ending` | units that leave a passage before their order ends |
//! | `reroute`, `unstick` | routes after edits; units without progress |
//! | `sighting` | enemies that a unit sees on an attack-move |

pub(crate) mod effort;
pub(crate) mod ending;
pub(crate) mod execute;
pub(crate) mod goals;
pub(crate) mod order;
pub(crate) mod order_book;
pub(crate) mod outcomes;
pub(crate) mod parts;
pub(crate) mod reroute;
pub(crate) mod sighting;
pub(crate) mod target;
pub(crate) mod unstick;
