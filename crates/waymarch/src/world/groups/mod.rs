//! Groups: which groups exist, which gates lie on their routes, and what else have their members in common?
//!
//! The room owns the [`Groups`](group::Groups) (World): gates, lanes, alternate routes, right of way, slots for units that begin an order. It also owns the
//! index of groups by order (Derived). The membership of each unit is a column of `units/`. The room reads memberships and order queues. It may change its own
//! groups, and the route progress of members whose gates change.
//!
//! It decides nothing about orders. `formation/` makes groups and slots. `orders/`, `traffic/` and `congestion/` read and change groups too, so the data
//! lie below all of them.
//!
//! | file | what it holds |
//! |---|---|
//! | `group` | one group, its gates, and the list of all groups |
//! | `pending` | the memberships that units take when they begin the order |
//! | `alternate_route`, `right_of_way` | the second route of a group; its rank at crossings |
//! | `gate_match`, `meetings` | gates of two groups at one place; gates of head-on meetings |
//! | `march` | the moving frame of a formation |
//! | `leaving` | a unit that leaves its group |

pub(crate) mod alternate_route;
pub(crate) mod gate_match;
pub(crate) mod group;
pub(crate) mod leaving;
pub(crate) mod march;
pub(crate) mod meetings;
pub(crate) mod pending;
pub(crate) mod right_of_way;
