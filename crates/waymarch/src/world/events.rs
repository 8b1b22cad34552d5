//! What happened in a tick, for games to read.

use alloc::vec::Vec;

use super::group::GroupId;
use super::service::PathReason;
use super::units::UnitId;

/// Something that happened to a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// To whom.
    pub unit: UnitId,
    /// What.
    pub what: EventKind,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// It began with the next order of its queue.
    OrderStarted,
    /// It follows another route than before, for this reason.
    RouteChanged(RouteChange),
    /// No way leads where it should go, for this reason. It goes as near as can be, or waits.
    Blocked(PathReason),
    /// It is where its order led it.
    Arrived,
    /// It has reached a stop of its patrol, the first being 0.
    ReachedStop(u16),
    /// It stands where its order wants it for now: around a unit that may move on, or in the line before a dock. The order goes on.
    InPlace,
    /// Its group, of which it is the first, was together and no longer is: others came between, or some are kept. The order goes on.
    GroupBroke,
    /// Its group, of which it is the first, is together again.
    GroupTogether,
    /// Its group, of which it is the first, waits until this one has passed, or some of its members do ([`World::waiting_of`](super::World::waiting_of)).
    GroupWaits(GroupId),
    /// Nobody of its group, of which it is the first, waits for others any more. Not told if those who waited have left the group.
    GroupGoesOn,
    /// On an attack-move it sees a unit of another player, the nearest; told again when that is another one.
    Sighted(UnitId),
    /// It has given up its order, or waits for better times if the order does not end, for this reason.
    GaveUp(GiveUp),
}

/// Why a unit follows another route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RouteChange {
    /// The map changed on its way.
    Ground,
    /// It was stuck.
    Stuck,
    /// Whom it follows went elsewhere.
    Target,
    /// A way opened where there was none.
    Opened,
    /// Too many of its group have to pass the same gate, and there is another way.
    Crowd,
}

/// Why a unit gave up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum GiveUp {
    /// It is as near as can be: no way leads further.
    #[error("as near as can be: {0}")]
    Nearest(PathReason),
    /// No way leads there, nor any nearer.
    #[error("{0}")]
    NoWay(PathReason),
    /// It was stuck and tried everything.
    #[error("stuck, and everything was tried")]
    Stuck,
    /// Whom it followed is gone.
    #[error("the unit it followed is gone")]
    TargetGone,
}

/// Scratch: the events of the last tick, by slot of the unit; those of one unit in the order they happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    /// The slot and the order of happening of each, sorted along with it.
    keys: Vec<(u32, u32, Event)>,
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.keys.clear();
    }

    pub(super) fn add(&mut self, unit: UnitId, what: EventKind) {
        // More than 2^32 events in a tick do not fit any memory.
        let place = self.keys.len() as u32;
        self.keys.push((unit.index(), place, Event { unit, what }));
    }

    /// Puts them in order: all phases of a tick go by slot, this joins the phases.
    pub(super) fn settle(&mut self) {
        self.keys.sort_unstable_by_key(|&(slot, place, _)| (slot, place));
        self.list.extend(self.keys.drain(..).map(|(_, _, event)| event));
    }

    pub(super) fn list(&self) -> &[Event] {
        &self.list
    }
}
