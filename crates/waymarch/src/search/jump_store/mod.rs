//! Which fields of a layer have valid jump data in this tick? Jump data are shared between equal fields, kept up to date, and published at
//! ticks that all peers agree on.
//!
//! Owns: [`JumpStore`], Derived from the layer, except for the ticks at which jobs are published. These ticks are World state
//! ([`JumpWaits`]). Reads: the cost fields and the change log of the layer. May change: only its own data.
//!
//! - `job.rs`: the jump data, and the job that makes them, which may run on another thread.
//! - `follow.rs`, `differences.rs`: following edits; publishing jobs.
//! - `restore.rs`: going back to an earlier state.

mod differences;
mod follow;
mod job;
mod restore;

use alloc::vec::Vec;

pub use job::{JumpData, JumpDetail, JumpJob, JumpJobId};
pub(crate) use restore::JumpWaits;

use super::jps::jps_suits;
use crate::base::{Agent, GridSize, HashState, RowColBits, StateHasher, Tick};
use crate::cost::{ChangeMark, CostField, CostLayer, StepRule};

/// Whether the jump data of a field can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JumpState<'a> {
    /// The data are valid now.
    Ready(&'a JumpData),
    /// The data are published at this tick, however fast the machine is. Until then, use another search.
    Building(Tick),
    /// There are no data, for this reason.
    Unsuited(&'static str),
}

/// The state of one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// The share at this index serves it.
    Ready(usize),
    /// It waits for this job.
    Building(JumpJobId),
    Unsuited(&'static str),
    /// Suited, and no job exists yet. Callers never see this state.
    Missing,
}

/// Jump data that several fields may use, and the closed cells that they were made from.
#[derive(Clone, Debug)]
struct Share {
    closed: RowColBits,
    data: JumpData,
}

/// A job with the tick at which it is due, and its result once it is installed.
#[derive(Clone, Debug)]
struct PendingJob {
    job: JumpJob,
    due: Tick,
    result: Option<JumpData>,
}

/// Derived from the fields of a layer: jump data for each field that suits jump point search.
///
/// Fields with the same closed cells share one set of data. When an edit makes them differ, each gets its own. Small edits are followed at
/// once, at the cost of the edit.
///
/// In three cases all data of a field are made again: after a map is loaded, after a field gets ground of one cost, and after an edit of
/// more than an eighth of the map. That work is a [`JumpJob`]. A job that begins at tick T is published at T plus a fixed delay. If no
/// result is installed by then, the store does the work itself. The store never gives out stale data.
///
/// The engine starts no threads. A host with threads takes [`JumpStore::jobs`], runs [`JumpJob::build`] on any thread, and passes the
/// results to [`JumpStore::install`] in any order. A host without threads does nothing.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::search::{JumpDetail, JumpState, JumpStore};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let mut store = JumpStore::new(&layer, StepRule::default(), JumpDetail::Planes, 5);
/// let foot = LocomotorId(0);
/// assert_eq!(store.state(foot.into()), JumpState::Building(Tick(5)));
/// store.advance(&layer, Tick(5));
/// assert!(matches!(store.state(foot.into()), JumpState::Ready(_)));
/// layer.place(&Stamp::solid(3, 3), cell(20, 20), Tick(5))?;
/// store.follow(&layer, Tick(5)); // after every edit
/// assert!(matches!(store.state(foot.into()), JumpState::Ready(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JumpStore {
    rule: StepRule,
    detail: JumpDetail,
    delay: u32,
    next_job: u64,
    grid: GridSize,
    fields: Vec<(Agent, Standing)>,
    /// The shares, by index. Empty entries are used again.
    shares: Vec<Option<Share>>,
    pending: Vec<PendingJob>,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    work: follow::FollowScratch,
}

impl JumpStore {
    /// Makes a store for the fields of `layer` under `rule`. The jobs begin at tick 0 and are published `delay` ticks
    /// later.
    #[must_use]
    pub fn new(layer: &CostLayer, rule: StepRule, detail: JumpDetail, delay: u32) -> Self {
        let mut store = Self {
            rule,
            detail,
            delay,
            next_job: 0,
            grid: layer.grid(),
            fields: layer.agents().map(|agent| (agent, Standing::Missing)).collect(),
            shares: Vec::new(),
            pending: Vec::new(),
            known: layer.changes().mark_now(),
            work: follow::FollowScratch::default(),
        };
        store.begin_missing_jobs(layer, Tick::ZERO);
        store.publish(layer, Tick::ZERO);
        store
    }

    /// Whether the store was made with this step rule and these tables.
    pub(crate) fn is_made_for(&self, rule: StepRule, detail: JumpDetail) -> bool {
        self.rule == rule && self.detail == detail
    }

    /// The ticks after which a job is published.
    #[must_use]
    pub fn delay(&self) -> u32 {
        self.delay
    }

    /// Jobs that begin from now on are published `delay` ticks later.
    pub fn set_delay(&mut self, delay: u32) {
        self.delay = delay;
    }

    /// The state of the jump data of `agent`.
    #[must_use]
    pub fn state(&self, agent: Agent) -> JumpState<'_> {
        const NONE: JumpState<'_> = JumpState::Unsuited("no costs are kept for this locomotor and size");
        let Some((_, standing)) = self.fields.iter().find(|(of, _)| *of == agent) else { return NONE };
        match *standing {
            Standing::Unsuited(why) => JumpState::Unsuited(why),
            Standing::Building(job) => self.due(job).map_or(NONE, JumpState::Building),
            Standing::Ready(place) => {
                self.shares[place].as_ref().map_or(NONE, |share| JumpState::Ready(&share.data))
            }
            Standing::Missing => NONE,
        }
    }

    fn due(&self, job: JumpJobId) -> Option<Tick> {
        self.pending.iter().find(|entry| entry.job.id == job).map(|entry| entry.due)
    }

    /// The jobs without a result, in the order they began.
    pub fn jobs(&self) -> impl Iterator<Item = &JumpJob> {
        self.pending.iter().filter(|entry| entry.result.is_none()).map(|entry| &entry.job)
    }

    /// Installs the result of a job. No answer changes before the tick of the job. Results that are no longer needed are dropped, and so are
    /// results for a map of another size.
    pub fn install(&mut self, job: JumpJobId, result: JumpData) {
        if let Some(entry) = self.pending.iter_mut().find(|entry| entry.job.id == job) {
            entry.result = Some(result).filter(|result| result.grid() == entry.job.closed.grid());
        }
    }

    /// The number of sets of data. Fields that share one count once.
    #[must_use]
    pub fn shares(&self) -> usize {
        self.shares.iter().flatten().count()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let shares = self.shares.iter().flatten();
        let shares: usize = shares.map(|share| share.closed.memory_bytes() + share.data.memory_bytes()).sum();
        let pending = self.pending.iter();
        let pending: usize = pending
            .map(|entry| {
                entry.job.closed.memory_bytes() + entry.result.as_ref().map_or(0, JumpData::memory_bytes)
            })
            .sum();
        shares + pending
    }

    /// Whether a field can use jump data; if not, why.
    fn suits(&self, field: &CostField) -> Result<(), &'static str> {
        if field.cheapest() > field.dearest() {
            return Err("every cell is closed");
        }
        jps_suits(field, self.rule)
    }
}

impl HashState for JumpStore {
    /// Hashes which fields wait until which tick. Everything else follows from the layer.
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u32(self.delay);
        for (agent, standing) in &self.fields {
            if let Standing::Building(job) = *standing {
                hasher.write_u8(agent.locomotor.0);
                hasher.write_u8(agent.size.side());
                hasher.write_u64(self.due(job).map_or(0, |due| due.0));
            }
        }
    }
}
