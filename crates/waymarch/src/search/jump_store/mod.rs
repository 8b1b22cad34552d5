//! Jump data for every field of a layer: shared, kept up to date, and published at ticks that all peers agree on.

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
    /// They are valid now.
    Ready(&'a JumpData),
    /// They are being made, and are published at this tick, however fast the machine is; until then ask another search.
    Building(Tick),
    /// There are none, for this reason.
    Unsuited(&'static str),
}

/// What is known of one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Served by the share at this place.
    Ready(usize),
    /// Waits for this job.
    Building(JumpJobId),
    Unsuited(&'static str),
    /// Suited, and nothing done about it yet; never seen from outside.
    Missing,
}

/// Jump data that several fields may use, and the closed cells they are for.
#[derive(Clone, Debug)]
struct Share {
    closed: RowColBits,
    data: JumpData,
}

/// A job asked for, with the result once it is handed in.
#[derive(Clone, Debug)]
struct Order {
    job: JumpJob,
    due: Tick,
    result: Option<JumpData>,
}

/// Derived from a layer's fields: jump data for each that a jump point search can work on.
///
/// Fields that are closed at the same cells share one set of data; when an edit makes them differ, they part. Small edits
/// are followed at once, at the cost of the edit. What has to be made from scratch (a map just loaded, a field
/// that has come to be of one cost, an edit of a great part of the map) is a [`JumpJob`]: asked for at tick T it is published at
/// T plus a fixed delay (ERRATA 14), and waited for then if nobody has handed it in. Nothing stale is ever given out.
///
/// The engine starts no threads. A host that has some takes [`JumpStore::jobs`], runs [`JumpJob::build`] where it likes,
/// and hands the results to [`JumpStore::install`], in any order; one that has none does nothing.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::search::{JumpDetail, JumpState, JumpStore};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
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
    /// Empty places are used again.
    shares: Vec<Option<Share>>,
    orders: Vec<Order>,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    work: follow::Workplace,
}

impl JumpStore {
    /// For the fields of `layer`, under `rule`; the data are asked for at tick 0 and published `delay` ticks later.
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
            orders: Vec::new(),
            known: layer.changes().mark_now(),
            work: follow::Workplace::default(),
        };
        store.order_missing(layer, Tick::ZERO);
        store.publish(layer, Tick::ZERO);
        store
    }

    /// After how many ticks jobs are published.
    #[must_use]
    pub fn delay(&self) -> u32 {
        self.delay
    }

    /// Jobs asked for from now on are published `delay` ticks later.
    pub fn set_delay(&mut self, delay: u32) {
        self.delay = delay;
    }

    /// What there is for `agent`.
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
        self.orders.iter().find(|order| order.job.id == job).map(|order| order.due)
    }

    /// The work that is asked for and not handed in yet, in the order it was asked for.
    pub fn jobs(&self) -> impl Iterator<Item = &JumpJob> {
        self.orders.iter().filter(|order| order.result.is_none()).map(|order| &order.job)
    }

    /// Hands in the result of a job. It changes nothing that can be seen before the job's tick; results of jobs that
    /// nobody needs any more are dropped, and so are those for a map of another size.
    pub fn install(&mut self, job: JumpJobId, result: JumpData) {
        if let Some(order) = self.orders.iter_mut().find(|order| order.job.id == job) {
            order.result = Some(result).filter(|result| result.grid() == order.job.closed.grid());
        }
    }

    /// How many sets of data there are; fields that share one count once.
    #[must_use]
    pub fn shares(&self) -> usize {
        self.shares.iter().flatten().count()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let shares = self.shares.iter().flatten();
        let shares: usize = shares.map(|share| share.closed.memory_bytes() + share.data.memory_bytes()).sum();
        let orders = self.orders.iter();
        let orders: usize = orders
            .map(|order| {
                order.job.closed.memory_bytes() + order.result.as_ref().map_or(0, JumpData::memory_bytes)
            })
            .sum();
        shares + orders
    }

    /// Whether a field is worth having data for.
    fn suits(&self, field: &CostField) -> Result<(), &'static str> {
        if field.cheapest() > field.dearest() {
            return Err("every cell is closed");
        }
        jps_suits(field, self.rule)
    }
}

impl HashState for JumpStore {
    /// Which fields wait until which tick: all else follows from the layer.
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
