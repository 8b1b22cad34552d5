//! Groups: where does each member of a group stand, and where does it cross a gate?
//!
//! - Owns: only Scratch. A world stores the results (slots, lanes, gates) as its own World data.
//! - Reads: the ground, through [`Footing`] and closures.
//! - Changes: nothing.
//!
//! All functions are pure and use integers only. Lengths are in 65,536ths of a cell, as in [`avoid`](crate::avoid).
//!
//! Rules:
//! - The centres of slots are never nearer to each other than 1.06 times the sum of the radii, plus the gap ([`room_between`]).
//! - Every slot lies where its member can stop and get to. A slot that the ground refuses moves to the nearest free place.
//! - Slots and assignments do not depend on the order of members.
//! - An exchange of slots lowers the sum of squared distances, and no unit is in two exchanges at once. So exchanges end.
//! - No slot is outside of a goal that has room for it.
//!
//! | file | idea |
//! |---|---|
//! | `geometry.rs`, `member.rs`, `footing.rs` | offsets and rotations; members and the room they need; where members may stop |
//! | `formation.rs`, `shapes.rs` | formations, and where members stand on open ground |
//! | `slot_condition.rs`, `occupied_slots.rs`, `cell_sets.rs`, `placement.rs` | on real ground: a refused slot moves to the nearest free place |
//! | `arrange.rs` | from a formation and its members to slots |
//! | `assign.rs` | which member takes which slot: the best assignment for few members, a nearly best one for many |
//! | `points.rs`, `transport_map.rs`, `exact_assignment.rs`, `block_assignment.rs`, `uncross.rs` | the steps of an assignment |
//! | `swap.rs` | neighbours that exchange slots on the way |
//! | `gate.rs`, `gates.rs`, `lanes.rs` | gates on a group's route; where in a gate each member crosses it |
//! | `split.rs` | how many members should take another crossing instead of the crowded one |
//! | `stations.rs` | slots around targets, buildings and docks |
//! | `goal_slots.rs`, `disperse.rs` | slots inside a goal area; slots away from each other |
//! | `metrics.rs` | how well a group keeps together and in formation |

mod arrange;
mod assign;
mod block_assignment;
mod cell_sets;
mod disperse;
mod exact_assignment;
mod footing;
mod formation;
mod gate;
mod gates;
mod geometry;
mod goal_slots;
mod lanes;
mod layout;
mod member;
mod metrics;
mod occupied_slots;
mod placement;
mod points;
mod shapes;
mod slot_condition;
mod split;
mod stations;
mod swap;
mod transport_map;
mod uncross;

pub use arrange::{Formations, facing_towards, middle_of};
pub use assign::{Approach, Assignment, EXACT_UP_TO};
pub use footing::{ClearLine, Footing, LineOfFire, MapFooting, OpenFooting};
pub use formation::{Fit, Formation, FormationError, FormationRequest, Shape, Slot};
pub use gate::{Gate, RouteGate};
pub use gates::GateFinder;
pub(crate) use gates::WIDEST_GATE;
pub use goal_slots::{GoalArea, MOST_SHAPES, has_slots};
pub(crate) use lanes::LaneCrossing;
pub use lanes::{LanePlace, Lanes, Traffic, lanes_in};
pub use layout::{
    FormationLayout, FormationLayoutError, FormationProfile, LEAST_WEDGE, MAX_FRONT, MOST_WEDGE,
};
pub use member::{MAX_GAP, MAX_MEMBERS, MAX_RADIUS, Member, Role, room_between};
pub use metrics::{ArrivalSpread, Cohesion, arrival_spread, cohesion, crossings, formation_error};
pub use split::{Crosser, Crossing, Ends, Splitter, Standing};
pub use stations::{Station, StationRequest};
pub use swap::{SWAP_MARGIN, Swapper, Walker, swap_gain};

/// Where and how a group is to stand.
#[deprecated(since = "0.2.0", note = "renamed to `FormationRequest`")]
pub type Muster<'a> = FormationRequest<'a>;

/// A gate on a group's route.
#[deprecated(since = "0.2.0", note = "renamed to `RouteGate`")]
pub type WayGate = RouteGate;
