//! The requests that a tick works on.

use alloc::vec::Vec;

use super::queue::Waiting;
use super::status::PathId;
use crate::base::{Scratch, poison_list};
use crate::query::PathQuery;

/// Memory is preallocated for at most 64 requests per tick.
const MOST_RESERVED: usize = 64;

/// A request that this tick works on or has answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) id: PathId,
    /// The index of its lane. `None` if it got a neighbour's route.
    pub(crate) lane: Option<usize>,
}

/// Scratch: the requests of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) picked: Vec<Picked>,
    pub(crate) queries: Vec<PathQuery>,
    /// Requests of this round that wait for a neighbour's route, which a lane is searching for.
    pub(crate) aside: Vec<Waiting>,
    /// Requests that may share the route that was just found.
    pub(crate) sharing: Vec<Waiting>,
    /// How many requests lanes have taken from the queue.
    pub(crate) turn: u32,
}

impl Batch {
    /// Empties the batch for a new tick that answers at most `most` requests.
    pub(crate) fn begin(&mut self, most: usize) {
        self.picked.clear();
        self.aside.clear();
        self.reserve(most);
        self.turn = 0;
    }
}

impl Scratch for Batch {
    /// Requests that a tick may answer.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish = Waiting { number: 7, id: PathId::DEAD };
        poison_list(&mut self.picked, Picked { id: PathId::DEAD, lane: Some(7) });
        poison_list(&mut self.aside, rubbish);
        poison_list(&mut self.sharing, rubbish);
        self.turn = 7;
    }

    fn reserve(&mut self, most: usize) {
        self.picked.reserve(most.min(MOST_RESERVED));
        self.aside.reserve(most.min(MOST_RESERVED));
    }
}
