//! Taking a store back to an earlier state, or to the state of another machine.

use alloc::vec::Vec;

use super::job::{JumpJob, JumpJobId};
use super::{JumpStore, PendingJob, Share, Standing};
use crate::base::{Agent, ByteReader, ByteWriter, LoadError, Persist, RowColBits, Tick};
use crate::cost::CostLayer;

/// World: which agents wait for jump data, and until when. Everything else follows from the layer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct JumpWaits {
    delay: u32,
    waiting: Vec<(Agent, Tick)>,
}

impl Persist for JumpWaits {
    fn save(&self, writer: &mut ByteWriter) {
        self.delay.save(writer);
        self.waiting.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { delay: u32::load(reader)?, waiting: Vec::load(reader)? })
    }
}

impl JumpWaits {
    /// Whether all ticks lie after `now`, as they do in every store.
    pub(crate) fn are_after(&self, now: Tick) -> bool {
        self.waiting.iter().all(|&(_, due)| due > now)
    }
}

impl JumpStore {
    /// Which agents wait, and until when.
    pub(crate) fn waits(&self) -> JumpWaits {
        let waiting = self.fields.iter().filter_map(|&(agent, standing)| match standing {
            Standing::Building(job) => self.due(job).map(|due| (agent, due)),
            _ => None,
        });
        JumpWaits { delay: self.delay, waiting: waiting.collect() }
    }

    /// Follows `layer`, which was restored to another time. Exactly the agents in `waits` wait afterwards.
    ///
    /// Data that are missing are made now. A running job stays valid for agents that waited until the same tick.
    pub(crate) fn restore(&mut self, layer: &CostLayer, waits: &JumpWaits) {
        self.delay = waits.delay;
        self.note_changes(layer);
        if self.work.has_changes() {
            for place in 0..self.shares.len() {
                // The share follows edits of any size here, because whether data are ready must not depend on the state before the restore.
                self.follow_share(layer, place, u64::MAX);
            }
        }
        self.settle(layer, waits);
    }

    fn settle(&mut self, layer: &CostLayer, waits: &JumpWaits) {
        for index in 0..self.fields.len() {
            let (agent, standing) = self.fields[index];
            let Some(field) = layer.field(agent) else { continue };
            let due = waits.waiting.iter().find(|(waiting, _)| *waiting == agent).map(|&(_, due)| due);
            let suited = self.suits(field);
            self.fields[index].1 = match (suited, due, standing) {
                (Err(why), _, _) => Standing::Unsuited(why),
                (Ok(()), Some(due), Standing::Building(job)) if self.due(job) == Some(due) => standing,
                (Ok(()), Some(due), _) => self.begin_job(field.closed_bits(), due),
                (Ok(()), None, Standing::Ready(_)) => standing,
                (Ok(()), None, _) => self.build_now(field.closed_bits()),
            };
        }
        self.drop_unwanted();
    }

    /// Begins a job for the jump data of `closed`, due at `due`, unless there is one already.
    pub(super) fn begin_job(&mut self, closed: &RowColBits, due: Tick) -> Standing {
        let alike = |entry: &&PendingJob| entry.due == due && entry.job.closed == *closed;
        if let Some(entry) = self.pending.iter().find(alike) {
            return Standing::Building(entry.job.id);
        }
        let id = JumpJobId(self.next_job);
        self.next_job += 1;
        let job = JumpJob { id, detail: self.detail, closed: closed.clone() };
        self.pending.push(PendingJob { job, due, result: None });
        Standing::Building(id)
    }

    fn build_now(&mut self, closed: &RowColBits) -> Standing {
        if let Some(place) = self.share_of(closed) {
            return Standing::Ready(place);
        }
        let job = JumpJob { id: JumpJobId(self.next_job), detail: self.detail, closed: closed.clone() };
        let data = job.build();
        Standing::Ready(self.put(Share { closed: job.closed, data }))
    }
}
