//! Requests as bytes: what of the service is saved, and what is hashed.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::PathService;
use super::flowing_bytes::FlowingState;
use super::lane::Lane;
use super::pace::Pace;
use super::queue::{Queue, Waiting};
use super::request::{Request, Task};
use super::status::{PathId, PathStatus};
use crate::base::{
    Agent, ByteReader, ByteWriter, GridSize, LoadError, Persist, Slots, StateHasher, Tick, WorldPos,
};
use crate::cost::SectorGrid;
use crate::query::PathAsk;

impl Persist for Request {
    fn save(&self, writer: &mut ByteWriter) {
        let Self { ask, status, task, number, asked, end, points, flow, counted, may_share, report: _ } =
            self;
        ask.save(writer);
        status.save(writer);
        (*task == Task::Rejoin).save(writer);
        number.save(writer);
        asked.save(writer);
        end.save(writer);
        points.save(writer);
        flow.save(writer);
        counted.map(|(to, _)| to).save(writer);
        counted.map(|(_, stage)| stage).save(writer);
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
            flow: Option::load(reader)?,
            counted: {
                let (to, stage) = (Option::load(reader)?, Option::load(reader)?);
                if to.is_some() != stage.is_some() {
                    return Err(reader.error("a request that is half counted"));
                }
                to.zip(stage)
            },
            may_share: bool::load(reader)?,
            report: None,
        })
    }
}

/// As many lanes as `path_lanes` can ask for.
const MAX_LANES: usize = 64;

/// What saved requests have to fit: a map that may not be there yet.
pub(crate) struct MapFacts<'a> {
    pub(crate) grid: GridSize,
    pub(crate) sectors: SectorGrid,
    pub(crate) has_costs: &'a dyn Fn(Agent) -> bool,
}

/// What of a service is World data, apart from its navigator.
#[derive(Debug)]
pub(crate) struct ServiceState {
    pub(super) requests: Slots<super::PathTag, Request>,
    pub(super) queue: Queue,
    numbers: u64,
    debt: u32,
    pace: Pace,
    pub(super) lanes: Vec<Lane>,
    unguided: VecDeque<PathId>,
    pub(super) flowing: FlowingState,
    /// How many places have been edited since the last tick.
    edited: u32,
}

impl ServiceState {
    /// Reads what [`PathService::save_parts`] wrote.
    pub(crate) fn load(reader: &mut ByteReader<'_>, map: &MapFacts<'_>) -> Result<Self, LoadError> {
        let state = Self {
            requests: Slots::load(reader)?,
            queue: Queue::load(reader)?,
            numbers: u64::load(reader)?,
            debt: u32::load(reader)?,
            pace: Pace::load(reader)?,
            lanes: Vec::load(reader)?,
            unguided: Vec::<PathId>::load(reader)?.into(),
            flowing: FlowingState::load(reader, map)?,
            edited: u32::load(reader)?,
        };
        if state.lanes.len() > MAX_LANES {
            return Err(reader.error("more lanes than there can be"));
        }
        let unled = |request: &Request| request.flow.is_some_and(|flow| !state.flowing.has(flow));
        if state.requests.values().any(unled) {
            return Err(reader.error("a request that follows no flow there is"));
        }
        if state.numbers > u64::MAX / 2 {
            return Err(reader.error("more requests than there can have been"));
        }
        if state.loses_somebody() {
            return Err(reader.error("a request that waits, but neither in the queue nor in a lane"));
        }
        if let Some(nonsense) = state.nonsense(map) {
            return Err(reader.error(nonsense));
        }
        Ok(state)
    }

    /// Whether a request is still to be answered that nobody would take up.
    fn loses_somebody(&self) -> bool {
        let queued = self.queue.iter().map(|waiting| (waiting.id, waiting.number));
        let held = self.lanes.iter().filter_map(|lane| lane.held.map(|held| held.id));
        let held = held.filter_map(|id| self.requests.get(id).map(|request| (id, request.number)));
        let mut taken_up: Vec<(PathId, u64)> = queued.chain(held).collect();
        taken_up.sort_unstable();
        let waits = |request: &Request| !request.status.is_settled();
        self.requests.iter().any(|(id, request)| {
            request.number >= self.numbers
                || waits(request) && taken_up.binary_search(&(id, request.number)).is_err()
        })
    }
}

impl PathService {
    /// Writes down all that is World data, apart from the navigator.
    pub(crate) fn save_parts(&self, writer: &mut ByteWriter) {
        self.requests.save(writer);
        self.save_queue(writer);
    }

    fn save_queue(&self, writer: &mut ByteWriter) {
        self.queue.save(writer);
        self.numbers.save(writer);
        self.debt.save(writer);
        self.pace.save(writer);
        self.lanes.save(writer);
        writer.count(self.unguided.len());
        self.unguided.iter().for_each(|id| id.save(writer));
        self.flowing.save(writer, self.nav.layer());
        self.edits().save(writer);
    }

    /// Takes over what was saved, on the navigator that was saved with it.
    pub(crate) fn apply_parts(&mut self, state: ServiceState) {
        let ServiceState { requests, queue, numbers, debt, pace, lanes, unguided, flowing, edited } = state;
        (self.requests, self.queue, self.numbers, self.debt) = (requests, queue, numbers, debt);
        (self.lanes, self.unguided, self.pace) = (lanes, unguided, pace);
        self.known = self.nav.layer().changes().mark_now();
        self.edited = edited;
        self.flowing.apply(flowing, &self.nav, &self.requests);
        self.unused_lanes();
    }

    /// As many lanes as the settings say: whoever was held by one that is gone waits again.
    pub(super) fn unused_lanes(&mut self) {
        let wanted = self.nav.config().get().path_lanes as usize;
        for lane in self.lanes.iter().skip(wanted) {
            let Some(id) = lane.held.map(|held| held.id) else { continue };
            let Some(request) = self.requests.get(id) else { continue };
            self.queue.put_back(request.ask.priority, Waiting { number: request.number, id });
        }
        self.lanes.resize_with(wanted, Lane::default);
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
