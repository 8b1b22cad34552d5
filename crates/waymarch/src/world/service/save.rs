//! Requests as bytes: what of the service is saved, and what is hashed.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::PathService;
use super::lane::Lane;
use super::queue::Queue;
use super::request::{Request, Task};
use super::status::{PathId, PathStatus};
use crate::base::{ByteReader, ByteWriter, LoadError, Persist, Slots, StateHasher, Tick, WorldPos};
use crate::query::PathAsk;

impl Persist for Request {
    fn save(&self, writer: &mut ByteWriter) {
        let Self { ask, status, task, number, asked, end, points, may_share, report: _ } = self;
        ask.save(writer);
        status.save(writer);
        (*task == Task::Rejoin).save(writer);
        number.save(writer);
        asked.save(writer);
        end.save(writer);
        points.save(writer);
        may_share.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            ask: PathAsk::load(reader)?,
            status: PathStatus::load(reader)?,
            task: if bool::load(reader)? { Task::Rejoin } else { Task::Find },
            number: u64::load(reader)?,
            asked: Tick::load(reader)?,
            end: WorldPos::load(reader)?,
            points: Vec::load(reader)?,
            may_share: bool::load(reader)?,
            report: None,
        })
    }
}

/// What of a service is World data, apart from its navigator.
#[derive(Debug)]
pub(crate) struct ServiceState {
    requests: Slots<super::PathTag, Request>,
    queue: Queue,
    numbers: u64,
    debt: u32,
    lanes: Vec<Lane>,
    unguided: VecDeque<PathId>,
    /// Whether the map has changed since the last tick.
    map_changed: bool,
}

impl ServiceState {
    /// Reads what [`PathService::save_requests`] wrote.
    pub(crate) fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            requests: Slots::load(reader)?,
            queue: Queue::load(reader)?,
            numbers: u64::load(reader)?,
            debt: u32::load(reader)?,
            lanes: Vec::load(reader)?,
            unguided: Vec::<PathId>::load(reader)?.into(),
            map_changed: bool::load(reader)?,
        })
    }
}

impl PathService {
    /// Writes down all that is World data, apart from the navigator.
    pub(crate) fn save_requests(&self, writer: &mut ByteWriter) {
        self.requests.save(writer);
        self.save_queue(writer);
    }

    fn save_queue(&self, writer: &mut ByteWriter) {
        self.queue.save(writer);
        self.numbers.save(writer);
        self.debt.save(writer);
        self.lanes.save(writer);
        writer.count(self.unguided.len());
        self.unguided.iter().for_each(|id| id.save(writer));
        self.map_has_changed().save(writer);
    }

    /// Takes over what was saved, on the navigator that was saved with it.
    pub(crate) fn restore_requests(
        &mut self,
        state: ServiceState,
        reader: &ByteReader<'_>,
    ) -> Result<(), LoadError> {
        if state.lanes.len() != self.lanes.len() {
            return Err(reader.error("another number of lanes than `path_lanes`"));
        }
        let ServiceState { requests, queue, numbers, debt, lanes, unguided, map_changed } = state;
        (self.requests, self.queue, self.numbers, self.debt) = (requests, queue, numbers, debt);
        (self.lanes, self.unguided) = (lanes, unguided);
        self.known = self.nav.layer().changes().mark_now();
        self.edited = map_changed;
        Ok(())
    }

    /// Hashes the requests and what was found for them.
    pub(crate) fn hash_routes(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.requests.save(&mut writer);
        hasher.write_bytes(writer.bytes());
    }

    /// Hashes who waits, and for what.
    pub(crate) fn hash_queue(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.save_queue(&mut writer);
        hasher.write_bytes(writer.bytes());
    }
}
