//! Whether the units on their way to a place get a route each or a flow field together.
//!
//! *The rule.* Requests are counted by destination: agent, threat, and room, which is a sector and what is connected within it. A destination with at
//! least `flowfield_group_threshold` requests, pending and live together, gets a flow field; it keeps it until fewer than half as many are left. In between
//! nothing changes, so a group that loses or gains a few units does not flip between modes, and neither does one whose units arrive one by one.
//!
//! *When.* Once a tick, by [`Grouping::settle`], after the tick's requests have come in and before any is planned. So the first units of a group are
//! treated as the last, and the order in which requests come does not matter.

use alloc::vec::Vec;
use core::fmt;

use crate::base::{Agent, CellPos, HashState, StateHasher};
use crate::query::Threat;
use crate::sectors::{RoomId, Sectors};

/// Where requests of one kind go to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Destination {
    /// Who goes.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// The goal's sector, and the part of it that is connected.
    pub room: RoomId,
}

impl Destination {
    /// That of a request for `goal`; none where the agent cannot stand.
    ///
    /// Rooms get other numbers when the map changes there. A request stays counted where it was counted first, so keep its
    /// destination with it; [`Grouping::redirect`] counts it elsewhere.
    #[must_use]
    pub fn of(sectors: &Sectors, agent: Agent, threat: Threat, goal: CellPos) -> Option<Self> {
        Some(Self { agent, threat, room: sectors.room(goal, agent)? })
    }
}

/// How far a request has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Waiting for an answer.
    Pending,
    /// Answered: a unit is on its way.
    Live,
}

/// How the requests for a destination are answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GroupMode {
    /// Each by a route of its own.
    #[default]
    Routes,
    /// All by one flow field.
    FlowField,
}

/// Why a destination has the mode it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupReason {
    /// There are not as many requests as it takes.
    TooFew,
    /// There are as many requests as it takes.
    Enough,
    /// There were once as many as it takes, and at least half as many are left.
    StillHalf,
    /// There were as many as it takes or are so now, but nothing has been decided since.
    NotSettled,
}

/// What was decided for a destination, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupDecision {
    /// How its requests are answered.
    pub mode: GroupMode,
    /// Why.
    pub reason: GroupReason,
    /// How many requests wait for an answer.
    pub pending: u32,
    /// How many units are on their way.
    pub live: u32,
    /// How many requests it takes.
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
            GroupReason::StillHalf => write!(f, "are at least half of {threshold}, which there were"),
            GroupReason::NotSettled => write!(f, "have not been looked at since they changed"),
        }
    }
}

/// A request that was not counted at this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no {stage:?} request for sector {}, part {} is counted for locomotor number {} at size {}",
    .to.room.sector.0, .to.room.part, .to.agent.locomotor.0, .to.agent.size
)]
pub struct NotCounted {
    /// Its destination.
    pub to: Destination,
    /// Its stage.
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

    /// The mode it should have.
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
/// Costs a binary search among destinations for each request, and a look at every destination a tick. Allocates only for more
/// destinations than there ever were.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::plan::{Destination, GroupMode, Grouping, Stage};
/// use waymarch::query::Threat;
/// use waymarch::sectors::Sectors;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
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
/// assert_eq!(grouping.decision(base).mode, GroupMode::FlowField, "half of them are still on their way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grouping {
    pub(super) threshold: u32,
    /// By destination.
    pub(super) groups: Vec<Group>,
}

impl Grouping {
    /// With the setting `flowfield_group_threshold`, at least 1.
    #[must_use]
    pub fn new(threshold: u32) -> Self {
        Self { threshold: threshold.max(1), groups: Vec::new() }
    }

    /// Another setting, from now on: groups that have a flow keep it as long as half as many as it says are left.
    pub fn set_threshold(&mut self, threshold: u32) {
        self.threshold = threshold.max(1);
    }

    fn find(&self, to: Destination) -> Result<usize, usize> {
        self.groups.binary_search_by_key(&to, |group| group.to)
    }

    /// A request has come, or is taken over from elsewhere at this stage.
    pub fn join(&mut self, to: Destination, stage: Stage) {
        let at = self.find(to).unwrap_or_else(|at| {
            self.groups.insert(at, Group { to, pending: 0, live: 0, mode: GroupMode::Routes });
            at
        });
        let count = self.groups[at].count(stage);
        *count = count.saturating_add(1);
    }

    /// A request is done with: arrived, given up, or replaced by another.
    ///
    /// # Errors
    /// [`NotCounted`] if there is none at this stage; nothing is changed then.
    pub fn leave(&mut self, to: Destination, stage: Stage) -> Result<(), NotCounted> {
        let missing = NotCounted { to, stage };
        let at = self.find(to).map_err(|_| missing)?;
        let count = self.groups[at].count(stage);
        *count = count.checked_sub(1).ok_or(missing)?;
        Ok(())
    }

    /// A pending request has been answered and is live now.
    ///
    /// # Errors
    /// [`NotCounted`] if none is pending; nothing is changed then.
    pub fn answered(&mut self, to: Destination) -> Result<(), NotCounted> {
        self.leave(to, Stage::Pending)?;
        self.join(to, Stage::Live);
        Ok(())
    }

    /// A request goes elsewhere now, or its room has another number.
    ///
    /// # Errors
    /// [`NotCounted`] if there is none at this stage; nothing is changed then.
    pub fn redirect(&mut self, from: Destination, to: Destination, stage: Stage) -> Result<(), NotCounted> {
        self.leave(from, stage)?;
        self.join(to, stage);
        Ok(())
    }

    /// Decides for every destination, by the requests there are now; how many got another mode. Call it once a tick, before requests are
    /// answered. Destinations that nobody goes to any more are forgotten.
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

    /// What was last decided for a destination, and why; for one that nobody goes to, routes.
    #[must_use]
    pub fn decision(&self, to: Destination) -> GroupDecision {
        let nobody = Group { to, pending: 0, live: 0, mode: GroupMode::Routes };
        self.decided(&self.find(to).map_or(nobody, |at| self.groups[at]))
    }

    /// What was last decided for every destination that requests go to, in order.
    pub fn decisions(&self) -> impl Iterator<Item = (Destination, GroupDecision)> {
        self.groups.iter().map(|group| (group.to, self.decided(group)))
    }

    fn decided(&self, group: &Group) -> GroupDecision {
        let (now, reason) = group.judge(self.threshold);
        let reason = if now == group.mode { reason } else { GroupReason::NotSettled };
        let Group { pending, live, mode, .. } = *group;
        GroupDecision { mode, reason, pending, live, threshold: self.threshold }
    }

    /// How many requests it takes for a flow field.
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
            hasher.write_u8(to.threat as u8);
            hasher.write_u32(to.room.sector.0);
            hasher.write_u16(to.room.part);
            hasher.write_u32(*pending);
            hasher.write_u32(*live);
            hasher.write_u8(*mode as u8);
        }
    }
}
