//! Everything put together: a map one can ask for routes and edit ([`Navigator`]), and units that carry out orders on it ([`World`]).

mod aims;
mod byway;
mod carry_out;
mod cohesion;
mod command;
mod command_bytes;
mod configure;
mod congestion;
mod corners;
mod detach;
mod endings;
mod errand;
mod events;
#[cfg(feature = "parallel")]
mod executor;
mod far;
mod follow;
mod ground;
mod group;
mod hindsight;
mod inspect;
mod keepers;
mod landed;
mod let_pass;
mod lineup;
mod lookout;
mod march;
mod motion;
mod muster;
mod navigator;
mod navigator_state;
mod nearby;
mod occupancy;
mod oncoming;
mod order_bytes;
mod orders;
mod pace;
mod reach;
mod record;
mod regroup;
mod repost;
mod reserved;
mod review;
mod save;
mod service;
mod simulation;
mod smoothing;
mod spare_lists;
mod standing;
mod stock;
mod stuck;
mod target;
mod tick;
mod unit_type;
mod units;
mod waiting;
mod weighted;
mod world_state;

pub use crate::avoid::{Mover, Stance};
pub use crate::base::{Executor, Serial};
pub use crate::planners::{PlannerChoice, PlannerReason};
pub use cohesion::Cohesion;
pub use command::{Applied, Command, CommandError};
pub use events::{Event, EventKind, GiveUp, RouteChange};
#[cfg(feature = "parallel")]
pub use executor::{NoThreads, Threads};
pub use group::{GroupId, GroupTag};
pub use navigator::{Navigator, NavigatorError};
pub use orders::{MAX_QUEUED, MAX_SIGHT, MAX_STOPS, Order, OrderError, When};
pub use reach::NearestRoute;
pub use record::{Checks, HashMark, Recorded, Recorder, Recording, Replay, ReplayError, Setup};
pub use service::{
    Blockers, Guidance, NoBlockers, PathId, PathReason, PathReport, PathService, PathStatus, PathTag,
    Pathfinder, ServiceWork,
};
pub use simulation::World;
pub use smoothing::SmoothPathError;
pub use stuck::Rung;
pub use target::{Around, Fire, Target};
pub use tick::TickPhase;
pub use unit_type::{MAX_UNIT_TYPES, UnitType, UnitTypeError, UnitTypeId};
pub use units::{MAX_UNITS, PlayerId, Unit, UnitId, UnitTag};
pub use waiting::Waiting;
