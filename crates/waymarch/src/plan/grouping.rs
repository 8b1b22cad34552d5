//! Whether the units with one destination get a route each or share a flow field.
//!
//! *The rule.* Requests are counted by destination: agent, threat, and room (the connected part of a sector). A destination with at least
//! `flowfield_group_threshold` requests, pending and live together, gets a flow field. It keeps the flow field until the number of requests
//! is less than half of that threshold. Between these two limits nothing changes, so a group that gains or loses a few units does not
//! switch back and forth.
//!
//! *When.* [`Grouping::settle`] decides once per tick, after the requests of the tick have come in and before any is planned. So all units of a
//! group are treated alike, and the order of requests does not matter.

use alloc::vec::Vec;
use core::fmt;

use crate::base::{Agent, CellPos, HashState, StateHasher};
use crate::query::Threat;
use crate::sectors::{RoomId, Sectors};

/// What requests that can share a flow field have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Destination {
    /// The locomotor and size of the units.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// The connected part of a sector that the goal lies in.
    pub room: RoomId,
}

impl Destination {
    /// The destination of a request for `goal`; `None` where the agent cannot stand.
    ///
    /// Rooms get new numbers when the map changes there. A request stays counted under its first destination, so keep the destination with the
    /// request. To count it under another, call [`Grouping::leave`] and [`Grouping::join`].
    #[must_use]
    pub fn of(sectors: &Sectors, agent: Agent, threat: Threat, goal: CellPos) -> Option<Self> {
        Some(Self { agent, threat, room: sectors.room(goal, agent)? })
    }
}

/// The stage of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Waiting for an answer.
    Pending,
    /// Answered: a unit follows the route or flow field.
    Live,
}

/// How the requests for a destination are answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GroupMode {
    /// Each request by a route of its own.
    #[default]
    Routes,
    /// All requests by one flow field.
    FlowField,
}

/// Why a destination has the mode it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupReason {
    /// There are fewer requests than the threshold.
    TooFew,
    /// There are at least as many requests as the threshold.
    Enough,
    /// The threshold was reached before, and at least half as many requests are left.
    StillHalf,
    /// The number of requests has changed since the last decision.
    NotSettled,
}

/// What was decided for a destination, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupDecision {
    /// How its requests are answered.
    pub mode: GroupMode,
    /// The reason.
    pub reason: GroupReason,
    /// Requests that wait for an answer.
    pub pending: u32,
    /// Requests whose units are on their route.
    pub live: u32,
    /// The number of requests from which a destination gets a flow field.
    pub threshold: u32,
}

impl fmt::Display for GroupDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, reason, pending, live, threshold } = self;
        let mode = match mode {
            GroupMode::Routes => "routes",
            GroupMode::FlowField => "flow field",
        };
        write!(f, "{mode}: {pending} pending and {live} live requests ")?;
        match reason {
            GroupReason::TooFew => write!(f, "are fewer than {threshold}"),
            GroupReason::Enough => write!(f, "are at least {threshold}"),
            GroupReason::StillHalf => write!(f, "are at least half of {threshold}, so the flow field stays"),
            GroupReason::NotSettled => write!(f, "have changed since the last decision"),
        }
    }
}

/// No request of this destination is counted at this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no {stage:?} request for sector {}, part {} is counted for locomotor number {} at size {}",
    .to.room.sector.0, .to.room.part, .to.agent.locomotor.0, .to.agent.size
)]
pub struct NotCounted {
    /// The destination of the request.
    pub to: Destination,
    /// The stage of the request.
    pub stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) to: Destination,
    pub(super) pending: u32,
    pub(super) live: u32,
    pub(super) mode: GroupMode,
}

impl Group {
    fn count(&mut self, stage: Stage) -> &mut u32 {
        match stage {
            Stage::Pending => &mut self.pending,
            Stage::Live => &mut self.live,
        }
    }

    fn all(&self) -> u64 {
        u64::from(self.pending) + u64::from(self.live)
    }

    /// The mode that the group should have, and why.
    fn judge(&self, threshold: u32) -> (GroupMode, GroupReason) {
        let (all, threshold) = (self.all(), u64::from(threshold));
        if all >= threshold {
            (GroupMode::FlowField, GroupReason::Enough)
        } else if self.mode == GroupMode::FlowField && 2 * all >= threshold {
            (GroupMode::FlowField, GroupReason::StillHalf)
        } else {
            (GroupMode::Routes, GroupReason::TooFew)
        }
    }
}

/// World: how many requests go to each destination, and which destinations have a flow field.
///
/// Each request costs a binary search among destinations, and each tick visits every destination once. Memory grows only when there are
/// more destinations than ever before.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::plan::{Destination, GroupMode, Grouping, Stage};
/// use waymarch::query::Threat;
/// use waymarch::sectors::Sectors;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let sectors = Sectors::new(&layer, StepRule::default());
/// let base = Destination::of(&sectors, LocomotorId(0).into(), Threat::Ignore, cell(40, 40)).unwrap();
///
/// let mut grouping = Grouping::new(8);
/// (0..8).for_each(|_| grouping.join(base, Stage::Pending));
/// grouping.settle();
/// assert_eq!(grouping.decision(base).mode, GroupMode::FlowField);
/// assert_eq!(grouping.decision(base).to_string(), "flow field: 8 pending and 0 live requests are at least 8");
///
/// for _ in 0..4 {
///     grouping.answered(base)?;
///     grouping.leave(base, Stage::Live)?; // arrived
/// }
/// grouping.settle();
/// assert_eq!(grouping.decision(base).mode, GroupMode::FlowField, "half of the requests are still live");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grouping {
    pub(super) threshold: u32,
    /// The groups, sorted by destination.
    pub(super) groups: Vec<Group>,
}

impl Grouping {
    /// Counts no requests yet. `threshold` is the setting `flowfield_group_threshold`; 0 counts as 1.
    #[must_use]
    pub fn new(threshold: u32) -> Self {
        Self { threshold: threshold.max(1), groups: Vec::new() }
    }

    /// Changes the threshold. Groups that have a flow field keep it while at least half as many requests are left.
    pub fn set_threshold(&mut self, threshold: u32) {
        self.threshold = threshold.max(1);
    }

    fn find(&self, to: Destination) -> Result<usize, usize> {
        self.groups.binary_search_by_key(&to, |group| group.to)
    }

    /// Counts a request at this stage: a new one, or one that had another destination before.
    pub fn join(&mut self, to: Destination, stage: Stage) {
        let at = self.find(to).unwrap_or_else(|at| {
            self.groups.insert(at, Group { to, pending: 0, live: 0, mode: GroupMode::Routes });
            at
        });
        let count = self.groups[at].count(stage);
        *count = count.saturating_add(1);
    }

    /// A request ends: its unit arrived or gave up, or another request replaced it.
    ///
    /// # Errors
    /// [`NotCounted`] if no such request is counted at this stage. Then nothing changes.
    pub fn leave(&mut self, to: Destination, stage: Stage) -> Result<(), NotCounted> {
        let missing = NotCounted { to, stage };
        let at = self.find(to).map_err(|_| missing)?;
        let count = self.groups[at].count(stage);
        *count = count.checked_sub(1).ok_or(missing)?;
        Ok(())
    }

    /// A pending request was answered and is live now.
    ///
    /// # Errors
    /// [`NotCounted`] if no such request is pending. Then nothing changes.
    pub fn answered(&mut self, to: Destination) -> Result<(), NotCounted> {
        self.leave(to, Stage::Pending)?;
        self.join(to, Stage::Live);
        Ok(())
    }

    /// Decides the mode of every destination by its present requests, and returns how many modes changed. Call it once per tick, before
    /// requests are answered. Destinations without requests are forgotten.
    pub fn settle(&mut self) -> u32 {
        let (mut changed, threshold) = (0, self.threshold);
        self.groups.retain_mut(|group| {
            let (mode, _) = group.judge(threshold);
            changed += u32::from(mode != group.mode);
            group.mode = mode;
            group.all() > 0
        });
        changed
    }

    /// The last decision for a destination, with its reason. A destination without requests has the mode `Routes`.
    #[must_use]
    pub fn decision(&self, to: Destination) -> GroupDecision {
        let empty = Group { to, pending: 0, live: 0, mode: GroupMode::Routes };
        self.decided(&self.find(to).map_or(empty, |at| self.groups[at]))
    }

    /// The last decision for every destination with requests, in order.
    pub fn decisions(&self) -> impl Iterator<Item = (Destination, GroupDecision)> {
        self.groups.iter().map(|group| (group.to, self.decided(group)))
    }

    fn decided(&self, group: &Group) -> GroupDecision {
        let (now, reason) = group.judge(self.threshold);
        let reason = if now == group.mode { reason } else { GroupReason::NotSettled };
        let Group { pending, live, mode, .. } = *group;
        GroupDecision { mode, reason, pending, live, threshold: self.threshold }
    }

    /// The number of requests from which a destination gets a flow field.
    #[must_use]
    pub fn threshold(&self) -> u32 {
        self.threshold
    }
}

impl HashState for Grouping {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u32(self.threshold);
        hasher.write_len(self.groups.len());
        for Group { to, pending, live, mode } in &self.groups {
            hasher.write_u8(to.agent.locomotor.0);
            hasher.write_u8(to.agent.size.side());
            to.threat.hash_state(hasher);
            hasher.write_u32(to.room.sector.0);
            hasher.write_u16(to.room.part);
            hasher.write_u32(*pending);
            hasher.write_u32(*live);
            hasher.write_u8(*mode as u8);
        }
    }
}
