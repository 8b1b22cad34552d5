//! The World: what do units do in this tick?
//!
//! [`World`] is the entry. It owns `state.rs` (World: hashed and saved) and `pipeline.rs` (Scratch of each phase, and the Derived occupancy). It reads
//! commands. It may change all of its state, including the map and the routes in the path service.
//!
//! `tick.rs` is one tick from top to bottom. A phase is a function that takes the parts of the state it may change and its own scratch.
//!
//! Rules:
//! - A World changes by ticks and by [`Command`]s only. A command is carried out whole, or refused with an error that names what is wrong.
//! - Work that runs in parallel reads only the state before it, and each unit changes only its own data. All other work goes through the units by
//!   index. So the number of threads changes no result.
//! - Events are in the order of unit indices.
//! - Settings can change in the middle of a game. A peer that loads a save made right after the change plays the same game.
//!
//! | folder | the question it answers |
//! |---|---|
//! | `units/` | which units exist, where are they, and do they make progress? |
//! | `groups/` | which groups exist, and which gates lie on their routes? |
//! | `orders/` | what is a unit ordered to do, and how does the order end? |
//! | `changes/` | how does a unit become another one: owner, type, speed, in a transport, off closed ground? |
//! | `movement/` | what guides a unit in this tick? |
//! | `formation/` | which units form a group, and where do its members stand? |
//! | `traffic/` | which group goes first where groups cross or meet? |
//! | `congestion/` | when does the rear of a group take a detour? |
//! | `questions/` | which units are here, where do they go, how long will they need? For games and computer players |
//! | `view/` | what does a renderer draw between two ticks? |
//! | `save/` | how does a World become bytes, and bytes a World? |
//! | `record/` | how is a game recorded and replayed? |

mod ahead;
mod changes;
mod check;
mod command;
mod command_error;
mod congestion;
mod deadlock;
mod edits;
mod events;
mod formation;
mod give_orders;
mod groups;
mod inspect;
mod movement;
mod notices;
mod orders;
mod pipeline;
mod players;
mod questions;
mod reconfigure;
mod record;
mod reservation;
mod save;
mod state;
#[cfg(feature = "parallel")]
mod threads;
mod threat;
mod tick;
mod traffic;
mod units;
mod view;
#[allow(clippy::module_inception, reason = "the type World has a file of its own")]
mod world;

pub use crate::avoid::{Mover, Stance};
pub use crate::base::{Executor, Serial};
pub use crate::nav::{NavQueries, Navigator, NavigatorError, NearestRoute, SmoothPathError};
pub use crate::planners::{PlannerChoice, PlannerReason};
pub use crate::service::{
    Blockers, Guidance, NoBlockers, PathId, PathReason, PathReport, PathService, PathStatus, PathTag,
    Pathfinder, ServiceWork,
};
pub use changes::site::Site;
pub use changes::spawn::{SpawnPlace, WhenTaken};
pub use command::{Applied, Command, CommandError};
pub use events::{Death, Displaced, Event, EventKind, GiveUp, RouteChange};
pub use groups::group::Cohesion;
pub use orders::effort::OrderEffort;
pub use orders::order::{MAX_QUEUED, MAX_SIGHT, MAX_STOPS, Order, OrderError, When};
pub use orders::target::{Around, Fire, Target};
pub use questions::area::UnitArea;
pub use questions::distances::{Distance, DistanceField, Explored};
pub use questions::error::QuestionError;
pub use questions::filter::UnitFilter;
pub use questions::route_points::{RoutePoints, RouteSource};
pub use questions::time_left::TicksLeft;
pub use questions::unit_index::UnitIndex;
pub use record::{Checks, HashMark, Recorded, Recorder, Recording, Replay, ReplayError, Setup};
#[cfg(feature = "parallel")]
pub use threads::{NoThreads, Threads};
pub use tick::TickPhase;
pub use traffic::wait_events::Waiting;
pub use units::condition::Concealment;
pub use units::membership::{GroupId, GroupTag};
pub use units::motion::UnitMotion;
pub use units::progress_monitor::Rung;
pub use units::teams::{Relation, TeamId};
pub use units::unit::{MAX_UNITS, PlayerId, Unit, UnitId, UnitTag};
pub use units::unit_threats::ThreatOwner;
pub use units::unit_type::{MAX_UNIT_TYPES, OnLoss, UnitType, UnitTypeError, UnitTypeId};
pub use view::frame::Frame;
pub use view::interpolation::{Interpolation, Pose, Presence};
pub use world::World;
