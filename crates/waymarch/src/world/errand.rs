//! How far a unit has come with its present order.

use crate::base::{CellPos, persist_choices, persist_fields};

use super::events::RouteChange;
use super::service::{PathId, PathReason};

/// What a unit does about its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// It has none, or has not begun.
    #[default]
    Idle,
    /// It needs a route.
    Asking,
    /// It is under way.
    Going,
    /// It waits: near enough to whom it follows, or for better times.
    Waiting,
}

/// World: how far a unit has come with its present order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Errand {
    pub(super) phase: Phase,
    /// Which stop of a patrol is next.
    pub(super) leg: u16,
    /// Where the order began.
    pub(super) home: CellPos,
    /// The middle of where it is to go, as it was when it asked.
    pub(super) target: CellPos,
    /// The route it follows, or waits for.
    pub(super) path: PathId,
    /// The route that will take its place once it is there, and why.
    pub(super) fresh: PathId,
    pub(super) why: RouteChange,
    /// The waypoint it heads for; 0 before it has joined its route.
    pub(super) next: u32,
    /// What the route was known by when it joined it: another number is another route. See `Leader::mark`.
    pub(super) known: u32,
    /// Why it goes only as near as can be.
    pub(super) short: Option<PathReason>,
    /// The open cell it makes for from ground that was closed under it.
    pub(super) escape: Option<CellPos>,
}

impl Default for Errand {
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            leg: 0,
            home: CellPos::default(),
            target: CellPos::default(),
            path: PathId::DEAD,
            fresh: PathId::DEAD,
            why: RouteChange::Ground,
            next: 0,
            known: 0,
            short: None,
            escape: None,
        }
    }
}

impl Errand {
    /// It has another route to join.
    pub(super) fn rejoin(&mut self) {
        (self.next, self.known) = (0, 0);
    }
}

persist_choices! {
    Phase { Idle, Asking, Going, Waiting }
    RouteChange { Ground, Stuck, Target, Opened }
}

persist_fields! {
    Errand {
        phase: Phase,
        leg: u16,
        home: CellPos,
        target: CellPos,
        path: PathId,
        fresh: PathId,
        why: RouteChange,
        next: u32,
        known: u32,
        short: Option<PathReason>,
        escape: Option<CellPos>,
    }
}
