//! Events: what happened in a tick, for games to read.

use alloc::vec::Vec;

use crate::base::CellPos;
use crate::service::PathReason;
use crate::world::units::membership::GroupId;
use crate::world::units::motion::UnitMotion;
use crate::world::units::unit::{PlayerId, UnitId};
use crate::world::units::unit_type::UnitTypeId;

/// Something that happened to a unit in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// The unit.
    pub unit: UnitId,
    /// What happened to it.
    pub what: EventKind,
}

/// What happened to a unit.
///
/// Each order ends with at most one event, for each of its units:
///
/// | order | ends with | meanwhile |
/// |---|---|---|
/// | move, form, attack-move, scatter | [`Arrived`](Self::Arrived), or [`GaveUp`](Self::GaveUp) for any reason | [`Sighted`](Self::Sighted) on an attack-move |
/// | dock; range, surround, park at a stamp | [`Arrived`](Self::Arrived), or [`GaveUp`](Self::GaveUp) for any reason | [`InPlace`](Self::InPlace) in the queue of a dock |
/// | follow, follow group, guard; range, surround, park at a unit | [`GaveUp`](Self::GaveUp) with [`GiveUp::TargetGone`] | [`InPlace`](Self::InPlace); [`GaveUp`](Self::GaveUp) for other reasons: the unit tries again later |
/// | patrol | never | [`ReachedStop`](Self::ReachedStop); [`GaveUp`](Self::GaveUp): the unit goes on to the next stop later |
/// | stop, hold | no event | |
/// | any, when its unit changes hands or dies | [`OwnerChanged`](Self::OwnerChanged), [`Died`](Self::Died): one event for all orders of the unit | |
/// | any, replaced by a new order, or its unit removed | no event | |
///
/// Events about a group are sent to its first member only: of the members on the main route, the one with the smallest unit index.
///
/// A game needs an arm for kinds of events that later versions add.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum EventKind {
    /// The unit began the next order of its queue.
    OrderStarted,
    /// The unit follows another route, for this reason.
    RouteChanged(RouteChange),
    /// No route leads to the unit's goal, for this reason. The unit goes as near as possible, or waits.
    Blocked(PathReason),
    /// The unit has reached its goal. The order ends.
    Arrived,
    /// The unit has reached this stop of its patrol; the first stop is 0. The order continues.
    ReachedStop(u16),
    /// The unit stands in its place around a unit, in the queue before a dock, or near enough to the target that it follows or guards. The order continues. Sent
    /// again when the unit has set out and stands again.
    InPlace,
    /// The unit's group is no longer together: other units came between, or some members are held up. The order continues. Sent to the first
    /// member only.
    GroupBroke,
    /// The unit's group is together again. Sent to the first member only.
    GroupTogether,
    /// Members of the unit's group wait until this group has passed ([`World::waiting_of`](crate::world::World::waiting_of)). Sent to the first
    /// member only.
    GroupWaits(GroupId),
    /// No member of the unit's group waits for another group any more. Sent to the first member only. Not sent if the waiting members have left
    /// the group.
    GroupGoesOn,
    /// The unit is on an attack-move and sees this unit of an enemy; of several, the nearest. Sent again when another unit is the nearest.
    Sighted(UnitId),
    /// The unit has given up its order, for this reason. A patrol, or an order that lasts as long as its target, is tried again later.
    GaveUp(GiveUp),
    /// The unit has another owner; this player owned it before. All its orders have ended, and it has left its group. See [`World::set_owner`](crate::world::World::set_owner).
    OwnerChanged(PlayerId),
    /// The unit has another type; this was its type before. Its orders continue. See [`World::set_kind`](crate::world::World::set_kind).
    KindChanged(UnitTypeId),
    /// The unit is in this transport. Its orders wait. See [`World::board`](crate::world::World::board).
    Boarded(UnitId),
    /// The unit has left this transport, and its orders continue. See [`World::unboard`](crate::world::World::unboard).
    Unboarded(UnitId),
    /// An edit has closed the ground under the unit. The setting `eviction` decides what happens then.
    Displaced(Displaced),
    /// The unit does not exist any more: a rule of the World has removed it. Not sent after [`World::remove`](crate::world::World::remove).
    Died(Death),
}

/// What happens to a unit when an edit has closed the ground under it: a new building, or a bridge that is gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Displaced {
    /// The unit stays where it is: `eviction` is `stay`, or there is no open cell within 64 cells. With an order it heads for open ground by itself.
    Stays,
    /// The unit walks straight to this open cell, through the building, and its orders wait until then.
    Walks(CellPos),
    /// The unit was put in the middle of this cell.
    Put(CellPos),
}

/// Why a rule of the World has removed a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Death {
    /// The transport that carried the unit was removed. See [`UnitType::on_loss`](crate::world::UnitType::on_loss).
    WithTransport(UnitId),
    /// An edit closed the ground under the unit, and the setting `eviction` is `die`.
    OnClosedGround,
}

/// Why a unit follows another route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RouteChange {
    /// An edit has cut the route.
    Ground,
    /// The unit was stuck.
    Stuck,
    /// The target of the order has moved.
    Target,
    /// An edit may have opened a route, or a shorter route.
    Opened,
    /// Too many members of the unit's group queue at one gate, and the unit takes a detour.
    Crowd,
}

/// Why a unit gave up its order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GiveUp {
    /// The unit stands as near to its goal as possible, and no route leads to the goal.
    #[error("as near as possible: {0}")]
    Nearest(PathReason),
    /// No route leads to the goal, and the unit comes no nearer.
    #[error("{0}")]
    NoRoute(PathReason),
    /// The unit was stuck, and no other route helped.
    #[error("stuck ({}): no other route helped", .state.name())]
    Stuck {
        /// The state of the unit before it gave up.
        state: UnitMotion,
        /// The unit before it, if there is one.
        by: Option<UnitId>,
    },
    /// The target of the order does not exist any more.
    #[error("the target of the order does not exist any more")]
    TargetGone,
    /// The unit has another type, which cannot move. All its orders but `Stop` and `Hold` have ended.
    #[error("the unit's new type cannot move")]
    Immobile,
}

impl GiveUp {
    /// Renamed to [`GiveUp::NoRoute`].
    #[deprecated(since = "0.2.0", note = "renamed to `NoRoute`")]
    #[allow(non_snake_case, reason = "it has the name of the variant it replaces")]
    #[must_use]
    pub const fn NoWay(reason: PathReason) -> Self {
        Self::NoRoute(reason)
    }
}

/// Scratch: the events of the last tick, by unit index. Events of one unit are in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    list: Vec<Event>,
    /// Events not yet sorted, each with its unit index and its number in the tick.
    keys: Vec<(u32, u32, Event)>,
}

impl Events {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.keys.clear();
    }

    pub(crate) fn add(&mut self, unit: UnitId, what: EventKind) {
        // Memory has no room for 2^32 events.
        let number = self.keys.len() as u32;
        self.keys.push((unit.index(), number, Event { unit, what }));
    }

    /// Sorts the events of all phases of the tick by unit index.
    pub(crate) fn sort(&mut self) {
        self.keys.sort_unstable_by_key(|&(index, number, _)| (index, number));
        self.list.extend(self.keys.drain(..).map(|(_, _, event)| event));
    }

    pub(crate) fn list(&self) -> &[Event] {
        &self.list
    }
}
