//! Formation: which units form a group, where do its members stand, and how do they walk together?
//!
//! The room owns the Scratch of forming, slot exchange, oncoming traffic and pace. The groups (World) are data of `groups/`, and the membership of each
//! unit is a column of `units/`. The room reads orders, positions and answers of the path service. It may make, change and dismiss groups, request a route for a
//! group, request another route for a member whose slot has moved, and set the slot, gate and pace of members.
//!
//! Rules:
//! - Units with one order form a group when the first of them begins it. The group requests one route for its centre.
//! - Groups of up to 512 members are formed in a tick. Units of further groups stand until theirs is formed, some ticks later.
//! - The route becomes gates: at bends, and where it is narrower than the group. A gate lies where a narrow place begins, across its narrowest
//!   line. There is no gate where a route ends in a corridor.
//! - Members take lanes in a gate by rank and merge before it. Where another group uses the leg before or behind the gate in the
//!   opposite direction, members keep right. That is a choice of lanes. Where there is room for one lane only, sides take turns (`reservation/`).
//! - Neighbours exchange slots if that lowers the sum of squared distances. Units in place exchange slots with arriving units too.
//! - A group gets new slots when a member dies, leaves or joins, or when the formation changes. It also gets them when its target moves on, or when the
//!   place at a dock becomes free. Units in place keep their slots. Slots of other groups are not taken.
//! - No slot lies in a bottleneck (a passage between two open places, for an agent of the group), or within 1 cell of one: a unit there would close it. The queue
//!   of a dock, units that keep their relative positions, and a unit that is sent there alone are not moved.
//! - At a dock one unit has the place. The other units keep their order and queue.
//! - An edit near the route of a group makes the group request it again.
//! - With `formation_march: wait` or `close`, orders with a formation hold it on the way. A frame moves along the group's route and carries the slots (`march`). It turns no faster than the
//!   outermost member can walk, and waits for members that lag (`formation_march: wait`), but never stands. Before a narrow place members leave the frame
//!   and cross the gates lane by lane. When the first of them comes out, the frame continues behind the exit.
//! - A group breaks when fewer than 12/16 of its members are near its centre. It is together again when at least 14/16 are.
//! - With `group_speed: slowest`, members more than `group_cohesion` cells ahead of the average walk at half the group's speed.
//! - Units that the game halts, for example for a fight, keep their orders and slots.
//! - A group stays for 10 seconds after its order has ended, so that members can exchange slots.
//!
//! | files | idea |
//! |---|---|
//! | `parts` | the parts of the state that making a group may change |
//! | `begun` | which orders units begin, and which groups are formed in this tick |
//! | `forming`, `placement`, `reserved` | making a group; where its units stand; places that are taken |
//! | `reslot`, `nearest_member`, `slot_exchange` | new slots for a group that exists; at which gate a unit joins; neighbours that exchange slots |
//! | `group_commands` | join, reform, engage, resume |
//! | `oncoming` | gates that groups cross in opposite directions |
//! | `march` | the frame that carries the formation along the route |
//! | `pace`, `cohesion`, `reroute` | common speed; whether a group is together; routes that an edit touches |

mod begun;
pub(crate) mod cohesion;
pub(crate) mod forming;
pub(crate) mod group_commands;
pub(crate) mod march;
pub(crate) mod nearest_member;
pub(crate) mod oncoming;
pub(crate) mod pace;
pub(crate) mod parts;
pub(crate) mod placement;
pub(crate) mod reroute;
pub(crate) mod reserved;
pub(crate) mod reslot;
pub(crate) mod slot_exchange;
