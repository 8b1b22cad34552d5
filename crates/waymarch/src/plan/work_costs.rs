//! What each kind of work costs, in nodes: the one table of work costs.
//!
//! A node is one expanded cell of a grid search. The path service limits the work of a tick by a number of nodes
//! (`max_path_nodes_per_tick`). All other work is converted to nodes here, by how long it takes. The numbers are part of the
//! rules: another number changes the ticks in which requests are answered.

use crate::sectors::DoorRoute;

/// 4 nodes for each door that a search over doors expands, because it reads all other doors of a sector.
const DOOR: u32 = 4;

/// 400 nodes for the two ends of a door route: finding the costs from the start and the goal to the doors of their sectors.
const DOOR_ROUTE_ENDS: u32 = 400;

/// 32 nodes for the search for the nearest reachable cell of a goal. Counted in full even if the answer is remembered, so that caches
/// change no budget.
pub(crate) const SNAP: u32 = 32;

/// 64 cells of a goal shape are tested in the time of one node.
pub(crate) const SHAPE_CELLS_PER_NODE: u64 = 64;

/// 12 nodes for each turn of a route that is smoothed.
pub(crate) const SMOOTHED_TURN: u32 = 12;

/// 1536 nodes for each edited place: routes are checked; doors, jump planes and flows are updated.
pub(crate) const EDIT: u32 = 1536;

/// 96 nodes to update one flow after an edit, with the tiles that units stand on.
pub(crate) const FLOW_UPDATE: u32 = 96;

/// 2048 nodes are set aside to start a search for a far goal, because it cannot pause before it has its door route.
pub(crate) const FAR_SEARCH_START: i64 = 2048;

/// 8 requests that cannot join a flow are checked in the time of one node.
pub(crate) const JOIN_CHECKS_PER_NODE: u32 = 8;

/// 1024 nodes to find the gates of a group's route.
pub(crate) const ROUTE_GATES: u32 = 1024;

/// The cost of a search for a door route, in nodes.
pub(crate) fn door_route(route: &DoorRoute) -> u32 {
    route.expanded.saturating_mul(DOOR).saturating_add(DOOR_ROUTE_ENDS)
}

/// The cost of a search for a door route that prefers doors of other routes, in nodes. It is 1.5 times the cost of [`door_route`], because
/// the search reads more edges for each door.
pub(crate) fn merging_door_route(route: &DoorRoute) -> u32 {
    door_route(route).saturating_mul(3) / 2
}
