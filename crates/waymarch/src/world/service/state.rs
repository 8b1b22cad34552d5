//! What waits and what was found, as bytes, and back.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::{PathId, PathService, PathStatus, PathTag, Request};
use crate::base::{ByteReader, ByteWriter, LoadError, Persist, Slots, WorldPos, persist_fields};
use crate::query::PathAsk;

persist_fields! {
    Request { ask: PathAsk, status: PathStatus, end: WorldPos, points: Vec<WorldPos> }
}

/// World: the requests of a path service as they were saved, checked. The navigator is saved beside it.
#[derive(Clone, Debug)]
pub(crate) struct ServiceState {
    requests: Slots<PathTag, Request>,
    waiting: [VecDeque<PathId>; 3],
}

impl ServiceState {
    /// Reads what [`PathService::save_parts`] wrote.
    pub(crate) fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let requests = Slots::load(reader)?;
        let mut waiting: [VecDeque<PathId>; 3] = Default::default();
        for queue in &mut waiting {
            *queue = Vec::load(reader)?.into();
        }
        Ok(Self { requests, waiting })
    }
}

impl PathService {
    /// Writes down all that is World of it but the navigator.
    pub(crate) fn save_parts(&self, writer: &mut ByteWriter) {
        self.requests.save(writer);
        for queue in &self.waiting {
            writer.count(queue.len());
            queue.iter().for_each(|id| id.save(writer));
        }
    }

    /// Takes over what was saved; the navigator has been taken back already.
    pub(crate) fn apply_parts(&mut self, state: ServiceState) {
        self.requests = state.requests;
        self.waiting = state.waiting;
    }
}
