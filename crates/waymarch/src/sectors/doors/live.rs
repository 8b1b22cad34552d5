//! Live doors: the doors on the routes that units follow now.

use alloc::vec::Vec;

use super::route::DoorRoute;
use crate::base::{Agent, CellPos, Dir8, HashState, StateHasher};
use crate::query::Threat;

/// A step through a door in one direction, by one kind of unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LiveStep {
    agent: Agent,
    threat: Threat,
    /// The cell it leaves: row, then column.
    from: (i32, i32),
    dir: Dir8,
}

/// No live route of this kind passes the door.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no live route of this locomotor, size and threat goes from {from} to {to}")]
pub struct NotLive {
    /// The cell it leaves.
    pub from: CellPos,
    /// The cell it enters.
    pub to: CellPos,
}

/// World: how many live routes pass each door, by agent, threat and direction.
///
/// A route is live from the moment units follow it until they have arrived, failed or got another route. It is World
/// data, not a cache, so a [`Merging`](super::Merging) search gives the same answer on every machine. The order in
/// which routes were added does not matter.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{MergeBias, Threat};
/// use waymarch::sectors::{DoorQuery, DoorRoute, DoorScratch, Doors, LiveDoors, Merging};
///
/// let map = Map::flat("field", GridSize::new(300, 200)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let foot = LocomotorId(0).into();
/// let doors = Doors::new(&layer, foot, StepRule::default(), Threat::Ignore)?;
/// let (mut scratch, mut first, mut second) = Default::default();
/// let mut live = LiveDoors::new();
/// assert!(doors.route(&layer, cell(5, 5), cell(290, 100), &mut scratch, &mut first));
/// live.add(foot, Threat::Ignore, &first);
///
/// let merging = Merging { live: &live, bias: MergeBias::default() };
/// assert!(doors.route_merging(&layer, DoorQuery { from: cell(5, 30), to: cell(290, 100) }, &merging, &mut scratch, &mut second));
/// let (shared, all) = live.shared(foot, Threat::Ignore, &second);
/// assert!(2 * shared > all, "both routes share most of their doors");
/// live.remove(foot, Threat::Ignore, &first)?;
/// assert!(live.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveDoors {
    /// Sorted, each with the number of routes that pass it, at least 1.
    steps: Vec<(LiveStep, u32)>,
}

/// The steps of a route through doors: from-cell and to-cell.
fn steps(route: &DoorRoute) -> impl Iterator<Item = (CellPos, CellPos)> {
    let between = route.cells.get(1..route.cells.len().saturating_sub(1)).unwrap_or(&[]);
    between.chunks_exact(2).map(|door| (door[0], door[1]))
}

impl LiveStep {
    /// `None` if the cells are not neighbours.
    fn new(agent: Agent, threat: Threat, (from, to): (CellPos, CellPos)) -> Option<Self> {
        let dir = Dir8::from_delta(to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y))?;
        Some(Self { agent, threat, from: (from.y, from.x), dir })
    }
}

impl LiveDoors {
    /// No live routes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reserves memory for `more` steps.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.steps.reserve(more);
    }

    fn find(&self, step: LiveStep) -> Result<usize, usize> {
        self.steps.binary_search_by_key(&step, |&(step, _)| step)
    }

    /// Adds a route of `agent`. A route may be added several times.
    pub fn add(&mut self, agent: Agent, threat: Threat, route: &DoorRoute) {
        for step in steps(route).filter_map(|step| LiveStep::new(agent, threat, step)) {
            match self.find(step) {
                Ok(at) => self.steps[at].1 = self.steps[at].1.saturating_add(1),
                Err(at) => self.steps.insert(at, (step, 1)),
            }
        }
    }

    /// Removes a route that was added.
    ///
    /// # Errors
    /// [`NotLive`] naming a door of the route that too few live routes pass; nothing is changed then.
    pub fn remove(&mut self, agent: Agent, threat: Threat, route: &DoorRoute) -> Result<(), NotLive> {
        let each = || steps(route).filter_map(|ends| Some((ends, LiveStep::new(agent, threat, ends)?)));
        for (taken, ((from, to), step)) in each().enumerate() {
            // A route may pass a door twice; then it counts twice.
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

    /// How many doors of a route are already passed by live routes, and how many doors the route has.
    #[must_use]
    pub fn shared(&self, agent: Agent, threat: Threat, route: &DoorRoute) -> (u32, u32) {
        steps(route).fold((0, 0), |(shared, all), (from, to)| {
            (shared + u32::from(self.users(agent, threat, from, to) > 0), all + 1)
        })
    }

    /// Whether there are no live routes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The doors that live routes of one agent and threat pass.
    pub(super) fn of(&self, agent: Agent, threat: Threat) -> LiveSteps<'_> {
        let kind = |step: &LiveStep| (step.agent, step.threat);
        let first = self.steps.partition_point(|(step, _)| kind(step) < (agent, threat));
        let rest = &self.steps[first..];
        LiveSteps(&rest[..rest.partition_point(|(step, _)| kind(step) == (agent, threat))])
    }
}

/// The doors that live routes of one agent and threat pass.
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
            threat.hash_state(hasher);
            hasher.write_i32(from.0);
            hasher.write_i32(from.1);
            hasher.write_u8(dir.index());
            hasher.write_u32(*users);
        }
    }
}
