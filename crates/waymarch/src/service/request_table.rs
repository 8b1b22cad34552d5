//! All requests, and the queue of the waiting ones.

use alloc::collections::VecDeque;

use super::queue::Queue;
use super::request::Request;
use super::status::{PathId, PathTag};
use crate::base::{Slots, SpareLists, Vec2};

/// World: all requests, and the queue of the waiting ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestTable {
    pub(crate) all: Slots<PathTag, Request>,
    pub(crate) queue: Queue,
    /// Requests that get an interim route if they are not answered in this tick, oldest first.
    pub(crate) unguided: VecDeque<PathId>,
    /// Scratch: lists of points that no request uses. A request without points holds no memory.
    pub(crate) spare: SpareLists<Vec2>,
}

impl RequestTable {
    pub(crate) fn get(&self, id: PathId) -> Option<&Request> {
        self.all.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: PathId) -> Option<&mut Request> {
        self.all.get_mut(id)
    }
}
