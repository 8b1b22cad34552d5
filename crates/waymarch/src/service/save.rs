//! The service as bytes: what is saved and hashed.

use alloc::vec::Vec;

use super::budget::Budget;
use super::edits::EditCount;
use super::flow::FlowGroupsState;
use super::path_service::PathService;
use super::queue::Queue;
use super::request::{Request, Task};
use super::state::ServiceState;
use super::status::{PathId, PathStatus};
use crate::base::{Asker, ByteReader, ByteWriter, LoadError, Persist, RoutePoint, Slots, StateHasher, Tick};
use crate::nav::NavigatorState;
use crate::query::PathAsk;

impl Persist for Request {
    fn save(&self, writer: &mut ByteWriter) {
        let Self {
            ask,
            status,
            task,
            number,
            asked,
            end,
            points,
            flow,
            counted,
            may_share,
            exact,
            report: _,
        } = self;
        ask.save(writer);
        status.save(writer);
        (*task == Task::Rejoin).save(writer);
        number.save(writer);
        asked.save(writer);
        RoutePoint(*end).save(writer);
        writer.count(points.len());
        points.iter().for_each(|&point| RoutePoint(point).save(writer));
        flow.save(writer);
        counted.map(|(to, _)| to).save(writer);
        counted.map(|(_, stage)| stage).save(writer);
        // One byte, as before requests could have an exact end or an asker.
        let asker = Some(ask.asker).filter(|asker| *asker != Asker::NOBODY);
        let bits = [*may_share, exact.is_some(), asker.is_some()].map(u8::from);
        (bits[0] | bits[1] << 1 | bits[2] << 2).save(writer);
        if let Some(exact) = exact {
            RoutePoint(*exact).save(writer);
        }
        if let Some(asker) = asker {
            asker.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut request = Self {
            ask: PathAsk::load(reader)?,
            status: PathStatus::load(reader)?,
            task: if bool::load(reader)? { Task::Rejoin } else { Task::Find },
            number: u64::load(reader)?,
            asked: Tick::load(reader)?,
            end: RoutePoint::load(reader)?.0,
            points: Vec::<RoutePoint>::load(reader)?.into_iter().map(|point| point.0).collect(),
            flow: Option::load(reader)?,
            counted: {
                let (to, stage) = (Option::load(reader)?, Option::load(reader)?);
                if to.is_some() != stage.is_some() {
                    return Err(
                        reader.error("a request with a flow destination but no stage, or the reverse")
                    );
                }
                to.zip(stage)
            },
            may_share: false,
            exact: None,
            report: None,
        };
        let bits = u8::load(reader)?;
        if bits > 7 {
            return Err(reader.error("unknown bits of a request"));
        }
        request.may_share = bits & 1 != 0;
        if bits & 2 != 0 {
            request.exact = Some(RoutePoint::load(reader)?.0);
        }
        if bits & 4 != 0 {
            request.ask.asker = Asker::load(reader)?;
            if request.ask.asker == Asker::NOBODY {
                return Err(reader.error("a request that names nobody as its asker"));
            }
        }
        Ok(request)
    }
}

impl ServiceState {
    /// Reads what [`PathService::save_parts`] wrote, and checks it against the map of `nav`.
    ///
    /// # Errors
    /// [`LoadError`] for bytes that no service could have written.
    pub(crate) fn load(reader: &mut ByteReader<'_>, nav: &NavigatorState<'_>) -> Result<Self, LoadError> {
        let state = Self {
            requests: Slots::load(reader)?,
            queue: Queue::load(reader)?,
            budget: Budget::load(reader)?,
            lanes: Vec::load(reader)?,
            unguided: Vec::<PathId>::load(reader)?.into(),
            flow: FlowGroupsState::load(reader, nav)?,
            edits: u32::load(reader)?,
        };
        match state.fault(nav) {
            Some(fault) => Err(reader.error(fault)),
            None => Ok(state),
        }
    }
}

impl PathService {
    /// Saves all World data, apart from the navigator.
    pub(crate) fn save_parts(&self, writer: &mut ByteWriter) {
        self.requests.all.save(writer);
        self.save_queue(writer);
    }

    fn save_queue(&self, writer: &mut ByteWriter) {
        self.requests.queue.save(writer);
        self.budget.save(writer);
        self.lanes.save(writer);
        writer.count(self.requests.unguided.len());
        self.requests.unguided.iter().for_each(|id| id.save(writer));
        self.flow.save(writer, self.nav.layer());
        self.edits_since_tick().save(writer);
    }

    /// Takes over a saved state. The navigator must have been restored before.
    pub(crate) fn apply_parts(&mut self, state: ServiceState) {
        let ServiceState { requests, queue, budget, lanes, unguided, flow, edits } = state;
        (self.requests.all, self.requests.queue, self.requests.unguided) = (requests, queue, unguided);
        (self.lanes, self.budget) = (lanes, budget);
        self.edits = EditCount::new(edits, self.nav.layer().changes());
        self.flow.apply(flow, &self.nav, &self.requests.all);
        self.resize_lanes();
    }

    /// Hashes the requests and their routes.
    pub(crate) fn hash_routes(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.requests.all.save(&mut writer);
        hasher.write_bytes(writer.bytes());
    }

    /// Hashes everything besides requests: the queue, the budget, paused searches and flow groups.
    pub(crate) fn hash_queue(&self, hasher: &mut StateHasher) {
        let mut writer = ByteWriter::new();
        self.save_queue(&mut writer);
        hasher.write_bytes(writer.bytes());
    }
}
