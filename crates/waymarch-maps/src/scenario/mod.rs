//! Scenarios: a map, units, and orders and edits with the ticks at which they happen.
//!
//! The file format is described in `docs/scenarios.md`. [`read_scenario`](crate::yaml::read_scenario) parses it, [`Simulation`] plays it.
//!
//! - `types.rs`: a scenario as data
//! - `load.rs`: scenario files, and the maps that they name; `builtin.rs`: the scenarios in the program
//! - `placement.rs`: the cells that units start on, and random cells
//! - `simulation.rs`: plays a scenario and records it; `carry_out.rs`: actions as commands; `reload.rs`: saves and loads in mid-game
//! - `random_command.rs`: random commands, legal and illegal ones
//! - `metrics.rs`: counts what happened

mod builtin;
mod carry_out;
mod load;
mod metrics;
mod placement;
mod random_command;
mod reload;
mod simulation;
mod types;

pub use builtin::{BUILTIN_SCENARIOS, builtin_scenario};
pub use load::{find_map, load_scenario};
pub use metrics::Metrics;
pub use random_command::random_command;
pub use reload::{ReloadError, ReloadProblem};
pub use simulation::{Simulation, SimulationError};
pub use types::{
    Action, Group, GroupOrder, MAX_SCENARIO_TICKS, MAX_SCENARIO_UNITS, OrderTarget, Placement, Repeat,
    Scenario, ScheduledAction, SourceOwner, Squad, StampPosition,
};

/// Renamed to [`ScheduledAction`].
#[deprecated(since = "0.2.0", note = "renamed to `ScheduledAction`")]
pub type Deed = ScheduledAction;
/// Renamed to [`Action`].
#[deprecated(since = "0.2.0", note = "renamed to `Action`")]
pub type What = Action;
/// Renamed to [`Placement`].
#[deprecated(since = "0.2.0", note = "renamed to `Placement`")]
pub type Muster = Placement;
/// Renamed to [`StampPosition`].
#[deprecated(since = "0.2.0", note = "renamed to `StampPosition`")]
pub type Spot = StampPosition;
/// Renamed to [`OrderTarget`].
#[deprecated(since = "0.2.0", note = "renamed to `OrderTarget`")]
pub type Whom = OrderTarget;
/// Renamed to [`GroupOrder`].
#[deprecated(since = "0.2.0", note = "renamed to `GroupOrder`")]
pub type Plan = GroupOrder;
