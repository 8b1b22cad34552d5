//! Which doors are passed by routes that units are following now.

use alloc::vec::Vec;

use super::DoorRoute;
use crate::base::{Agent, CellPos, Dir8, HashState, StateHasher};
use crate::query::Threat;

/// A step through a door, in one direction, as one kind of unit makes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LiveStep {
    agent: Agent,
    threat: Threat,
    /// The cell it leaves, by row, then column.
    from: (i32, i32),
    dir: Dir8,
}

/// A door that no live route of this kind passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no live route of this locomotor, size and threat goes from {from} to {to}")]
pub struct NotLive {
    /// The cell it leaves.
    pub from: CellPos,
    /// The cell it leads to.
    pub to: CellPos,
}

/// World: how many live routes pass each door, by agent, threat and direction.
///
/// A route is live from when units follow it until they have arrived, failed or got another one. What counts is who goes where, never what a
/// cache happens to hold: so a [`Merging`](super::Merging) search answers the same on every machine. The order in which routes came does not show.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{MergeBias, Threat};
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors, LiveDoors, Merging};
///
/// let map = Map::flat("field", GridSize::new(300, 200)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let foot = LocomotorId(0).into();
/// let doors = Doors::new(&layer, foot, StepRule::default(), Threat::Ignore)?;
/// let (mut scratch, mut first, mut second) = Default::default();
/// let mut live = LiveDoors::new();
/// assert!(doors.route(&layer, cell(5, 5), cell(290, 100), &mut scratch, &mut first));
/// live.add(foot, Threat::Ignore, &first);
///
/// let merging = Merging { live: &live, bias: MergeBias::default() };
/// assert!(doors.route_merging(&layer, cell(5, 30), cell(290, 100), &merging, &mut scratch, &mut second));
/// let (shared, all) = live.shared(foot, Threat::Ignore, &second);
/// assert!(2 * shared > all, "most of the way they go together");
/// live.remove(foot, Threat::Ignore, &first)?;
/// assert!(live.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveDoors {
    /// In order, each with how many routes pass, at least one.
    steps: Vec<(LiveStep, u32)>,
}

/// The steps of a route through doors: cells from and to.
fn steps(route: &DoorRoute) -> impl Iterator<Item = (CellPos, CellPos)> {
    let between = route.cells.get(1..route.cells.len().saturating_sub(1)).unwrap_or(&[]);
    between.chunks_exact(2).map(|door| (door[0], door[1]))
}

impl LiveStep {
    /// None for cells that are not neighbours.
    fn new(agent: Agent, threat: Threat, (from, to): (CellPos, CellPos)) -> Option<Self> {
        let dir = Dir8::from_delta(to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y))?;
        Some(Self { agent, threat, from: (from.y, from.x), dir })
    }
}

impl LiveDoors {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes memory ahead of need, for so many steps beyond those that are followed.
    pub(crate) fn make_room(&mut self, more: usize) {
        self.steps.reserve(more);
    }

    fn find(&self, step: LiveStep) -> Result<usize, usize> {
        self.steps.binary_search_by_key(&step, |&(step, _)| step)
    }

    /// A route of `agent` is followed from now on. A route may be added several times.
    pub fn add(&mut self, agent: Agent, threat: Threat, route: &DoorRoute) {
        for step in steps(route).filter_map(|step| LiveStep::new(agent, threat, step)) {
            match self.find(step) {
                Ok(at) => self.steps[at].1 = self.steps[at].1.saturating_add(1),
                Err(at) => self.steps.insert(at, (step, 1)),
            }
        }
    }

    /// A route that was added is not followed any more.
    ///
    /// # Errors
    /// [`NotLive`] naming a door of it that no live route passes, or not as often; nothing is changed then.
    pub fn remove(&mut self, agent: Agent, threat: Threat, route: &DoorRoute) -> Result<(), NotLive> {
        let each = || steps(route).filter_map(|ends| Some((ends, LiveStep::new(agent, threat, ends)?)));
        for (taken, ((from, to), step)) in each().enumerate() {
            // A way over doors may pass one of them again; then it is in there twice.
            let before = each().take(taken).filter(|&(_, other)| other == step).count();
            let there = self.find(step).map_or(0, |at| self.steps[at].1 as usize);
            if before >= there {
                return Err(NotLive { from, to });
            }
        }
        for (_, step) in each() {
            if let Ok(at) = self.find(step) {
                self.steps[at].1 -= 1;
                if self.steps[at].1 == 0 {
                    self.steps.remove(at);
                }
            }
        }
        Ok(())
    }

    /// How many live routes of `agent` step from one cell of a door to the other.
    #[must_use]
    pub fn users(&self, agent: Agent, threat: Threat, from: CellPos, to: CellPos) -> u32 {
        let step = LiveStep::new(agent, threat, (from, to)).and_then(|step| self.find(step).ok());
        step.map_or(0, |at| self.steps[at].1)
    }

    /// Of the doors a route passes, how many are passed by live routes already, and how many there are.
    #[must_use]
    pub fn shared(&self, agent: Agent, threat: Threat, route: &DoorRoute) -> (u32, u32) {
        steps(route).fold((0, 0), |(shared, all), (from, to)| {
            (shared + u32::from(self.users(agent, threat, from, to) > 0), all + 1)
        })
    }

    /// Whether no door is passed by any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The doors that routes of one kind pass.
    pub(super) fn of(&self, agent: Agent, threat: Threat) -> LiveSteps<'_> {
        let kind = |step: &LiveStep| (step.agent, step.threat);
        let first = self.steps.partition_point(|(step, _)| kind(step) < (agent, threat));
        let rest = &self.steps[first..];
        LiveSteps(&rest[..rest.partition_point(|(step, _)| kind(step) == (agent, threat))])
    }
}

/// The doors that live routes of one agent pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveSteps<'a>(&'a [(LiveStep, u32)]);

impl LiveSteps<'_> {
    #[inline]
    pub(super) fn contains(self, from: CellPos, dir: Dir8) -> bool {
        self.0.binary_search_by_key(&((from.y, from.x), dir), |(step, _)| (step.from, step.dir)).is_ok()
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl HashState for LiveDoors {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_len(self.steps.len());
        for (LiveStep { agent, threat, from, dir }, users) in &self.steps {
            hasher.write_u8(agent.locomotor.0);
            hasher.write_u8(agent.size.side());
            hasher.write_u8(*threat as u8);
            hasher.write_i32(from.0);
            hasher.write_i32(from.1);
            hasher.write_u8(dir.index());
            hasher.write_u32(*users);
        }
    }
}
