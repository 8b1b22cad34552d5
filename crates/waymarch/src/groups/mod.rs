//! Rank 6, layer 5: who stands where, who waits.
//!
//! Pure functions of integers, on the scale of [`avoid`](crate::avoid): 65,536 to a cell. Nothing here is state: what a
//! World remembers of a group (its slots, its lanes) is what these functions gave.
//!
//! | file | idea |
//! |---|---|
//! | `member.rs`, `footing.rs` | who belongs to a group; the questions asked of the ground |
//! | `formation.rs`, `shapes.rs` | formations, and where they have their places on a plain |
//! | `place.rs`, `taken.rs`, `arrange.rs` | on real ground: slots that are refused move to the nearest free place |
//! | `assign.rs`, `likeness.rs`, `exact.rs`, `blocks.rs`, `uncross.rs` | who takes which slot: exactly for few, nearly so for many |
//! | `swap.rs` | neighbours who exchange slots on the way |
//! | `gates.rs`, `lanes.rs` | the gates on a group's way; where in a gate each member crosses it |
//! | `split.rs` | how many had better take another way than the crowded one |
//! | `around.rs` | slots around targets, buildings and docks |
//! | `within.rs`, `disperse.rs` | slots in goals that are more than a point; slots away from each other |
//! | `metrics.rs` | how well a group keeps together and in form |

mod around;
mod arrange;
mod assign;
mod blocks;
mod disperse;
mod exact;
mod footing;
mod formation;
mod gates;
mod lanes;
mod likeness;
mod member;
mod metrics;
mod place;
mod shapes;
mod split;
mod swap;
mod taken;
mod uncross;
mod within;

pub use around::Station;
pub use arrange::{Formations, facing_towards, middle_of};
pub use assign::{Approach, Assignment, EXACT_UP_TO};
pub use footing::{ClearLine, Footing, LineOfFire, MapFooting, OpenFooting};
pub use formation::{Fit, Formation, FormationError, Muster, Shape, Slot};
pub(crate) use gates::WIDEST_GATE;
pub use gates::{GateFinder, WayGate};
pub use lanes::{Gate, LanePlace, Lanes, Traffic, lanes_in};
pub use member::{MAX_GAP, MAX_MEMBERS, MAX_RADIUS, Member, Role, room_between};
pub use metrics::{ArrivalSpread, Cohesion, arrival_spread, cohesion, crossings, formation_error};
pub use split::{Crosser, Crossing, Ends, Splitter, Standing};
pub use swap::{SWAP_MARGIN, Swapper, Walker, swap_gain};
pub use within::{MOST_SHAPES, has_slots};
