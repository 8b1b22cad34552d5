//! How far a unit has come with its present order.

use crate::base::{CellPos, persist_choices, persist_fields};
use crate::service::{PathId, PathReason};
use crate::world::events::RouteChange;
use crate::world::units::unit::UnitId;

/// World: what a unit does about its present order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Phase {
    /// It has no order, or has not begun it.
    #[default]
    Idle,
    /// It needs a route.
    Asking,
    /// It follows a route, or waits for one while it follows an interim route.
    Going,
    /// It waits: near enough to the target, or until the next attempt is due.
    Waiting,
}

/// World: how far a unit has come along the waypoints of its route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct WaypointProgress {
    /// The waypoint that the unit heads for; 0 before it has joined the route.
    pub(crate) next: u32,
    /// The fingerprint of the route when the unit joined it. Another number means another route. See `Guides::mark`.
    pub(crate) known: u32,
    /// The length of the route from that waypoint on, in 1024ths of a cell.
    pub(crate) rest: u32,
}

/// World: how far a unit has come with its present order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OrderProgress {
    pub(crate) phase: Phase,
    /// The number of the next patrol stop.
    pub(crate) leg: u16,
    /// The cell where the unit began the order.
    pub(crate) home: CellPos,
    /// The cell of the goal when the unit last requested a route.
    pub(crate) target: CellPos,
    /// The route that the unit follows or waits for.
    pub(crate) path: PathId,
    /// The route that replaces `path` once it is found.
    pub(crate) fresh: PathId,
    /// Why `fresh` was requested.
    pub(crate) why: RouteChange,
    /// How far the unit has come along `path`.
    pub(crate) trace: WaypointProgress,
    /// Why the unit goes only to the nearest reachable place; `None` if it goes to its goal.
    pub(crate) short: Option<PathReason>,
    /// The open cell that a unit on closed ground heads for.
    pub(crate) escape: Option<CellPos>,
    /// Whether the game has halted the unit (`World::engage`).
    pub(crate) halted: bool,
    /// The enemy that the unit saw last on an attack-move.
    pub(crate) sighted: UnitId,
}

impl Default for OrderProgress {
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            leg: 0,
            home: CellPos::default(),
            target: CellPos::default(),
            path: PathId::DEAD,
            fresh: PathId::DEAD,
            why: RouteChange::Ground,
            trace: WaypointProgress::default(),
            short: None,
            escape: None,
            halted: false,
            sighted: UnitId::DEAD,
        }
    }
}

persist_choices! {
    Phase { Idle, Asking, Going, Waiting }
    RouteChange { Ground, Stuck, Target, Opened, Crowd }
}

persist_fields! {
    WaypointProgress { next: u32, known: u32, rest: u32 }
    OrderProgress {
        phase: Phase,
        leg: u16,
        home: CellPos,
        target: CellPos,
        path: PathId,
        fresh: PathId,
        why: RouteChange,
        trace: WaypointProgress,
        short: Option<PathReason>,
        escape: Option<CellPos>,
        halted: bool,
        sighted: UnitId,
    }
}
