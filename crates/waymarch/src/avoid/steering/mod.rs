//! Steering: which velocity does one unit choose for the next tick?
//!
//! - Owns: [`Plan`] (Scratch: what one unit does in this tick).
//! - Reads: the states of the unit and its neighbours at the end of the last tick, closed ground, settings.
//! - Changes: only the plan of the unit.
//!
//! Rules of behaviour of the model `orca`:
//! - A blocked unit slowly turns its preferred velocity clockwise, and so do the units around it. A unit that lines up before a gate does
//!   not. A wall alone is no reason to turn: the route leads round it.
//! - An idle unit leaves the lanes of approaching allies before they arrive, sideways, and all overlapping lanes at once.
//! - Other units see the velocity after contacts, not the chosen one.
//!
//! | file | content |
//! |---|---|
//! | `plan.rs` | the plan of one unit |
//! | `context.rs` | what steering reads, and the steps that all models share |
//! | `orca.rs` | model `orca`, the default |
//! | `make_way.rs` | how an idle unit leaves the lanes of approaching allies |
//! | `orca_lite.rs`, `vo_sampling.rs`, `boids.rs` | the models of these names |
//! | `closest_approach.rs` | when and how closely two units pass each other |

mod boids;
mod closest_approach;
mod context;
mod make_way;
mod orca;
mod orca_lite;
mod plan;
mod vo_sampling;

pub(super) use context::SteeringContext;
pub(super) use plan::Plan;
