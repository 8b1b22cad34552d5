//! The queue: which requests wait, and which is next.

use alloc::collections::VecDeque;

use super::request::Request;
use super::status::PathId;
use crate::base::{ByteReader, ByteWriter, LoadError, Persist, Tick};
use crate::query::Priority;

/// Every 4th request is taken by age alone, whatever its priority.
const BY_AGE_EVERY: u32 = 4;

/// An entry of the queue. It is out of date if the request was cancelled or answered, or has a new number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    /// The request's number when it was queued.
    pub(crate) number: u64,
    pub(crate) id: PathId,
}

/// World: requests that wait, by priority and then by age.
///
/// *Invariant:* the first request taken in a tick is the oldest of all, and so is every fourth after it. So a request with `n` older
/// ones before it is taken after at most `n` ticks in which any request is taken, whatever priority others have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Queue {
    /// One list for each priority, oldest first.
    by_priority: [VecDeque<Waiting>; 3],
    /// The number of the next request, which is also the count of numbers given out.
    next_number: u64,
}

impl Queue {
    fn list(&mut self, priority: Priority) -> &mut VecDeque<Waiting> {
        &mut self.by_priority[Priority::ALL.iter().position(|&other| other == priority).unwrap_or(0)]
    }

    /// Reserves capacity for `more` requests besides the waiting ones.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.by_priority.iter_mut().for_each(|queue| queue.reserve(more));
    }

    /// Removes all entries. The numbering continues, so no number is given out twice.
    pub(crate) fn clear(&mut self) {
        self.by_priority.iter_mut().for_each(VecDeque::clear);
    }

    /// The number for a request that has just come.
    pub(crate) fn new_number(&mut self) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    /// How many numbers have been given out. Every number given out is lower than this.
    pub(crate) fn numbers_given(&self) -> u64 {
        self.next_number
    }

    /// Adds a request with the highest number so far at the end.
    pub(crate) fn push(&mut self, priority: Priority, waiting: Waiting) {
        self.list(priority).push_back(waiting);
    }

    /// Gives `request`, which is `id`, a new number and adds it at the end. An older entry of it becomes out of date.
    pub(crate) fn push_again(&mut self, id: PathId, request: &mut Request, now: Tick) {
        (request.number, request.asked) = (self.new_number(), now);
        self.push(request.ask.priority, Waiting { number: request.number, id });
    }

    /// Puts an entry that was taken back into its old position.
    pub(crate) fn put_back(&mut self, priority: Priority, waiting: Waiting) {
        let queue = self.list(priority);
        let at = queue.partition_point(|other| other.number < waiting.number);
        queue.insert(at, waiting);
    }

    /// Takes the next request, the `turn`th of this tick. By age if `turn` is a multiple of 4, else by priority.
    pub(crate) fn take(&mut self, turn: u32) -> Option<Waiting> {
        let fronts = self.by_priority.iter().enumerate();
        let fronts = fronts.filter_map(|(at, queue)| queue.front().map(|first| (first.number, at)));
        let at = if turn % BY_AGE_EVERY == 0 {
            fronts.min().map(|(_, at)| at)?
        } else {
            fronts.map(|(_, at)| at).min()?
        };
        self.by_priority[at].pop_front()
    }

    /// All entries, by priority and then by age.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.by_priority.iter().flatten()
    }

    /// Entries whose numbers differ from `number` by at most `apart`, by priority and then by age.
    pub(crate) fn near(&self, number: u64, apart: u64) -> impl Iterator<Item = &Waiting> {
        let (first, last) = (number.saturating_sub(apart), number.saturating_add(apart));
        self.by_priority.iter().flat_map(move |queue| {
            let start = queue.partition_point(|waiting| waiting.number < first);
            queue.range(start..).take_while(move |waiting| waiting.number <= last)
        })
    }

    /// Whether the numbers ascend within each priority.
    pub(crate) fn is_ordered(&self) -> bool {
        let ascends = |queue: &VecDeque<Waiting>| {
            queue.iter().zip(queue.iter().skip(1)).all(|(one, next)| one.number < next.number)
        };
        self.by_priority.iter().all(ascends)
    }

    pub(crate) fn len(&self) -> usize {
        self.by_priority.iter().map(VecDeque::len).sum()
    }
}

impl Persist for Waiting {
    fn save(&self, writer: &mut ByteWriter) {
        self.number.save(writer);
        self.id.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { number: u64::load(reader)?, id: PathId::load(reader)? })
    }
}

impl Persist for Queue {
    fn save(&self, writer: &mut ByteWriter) {
        for queue in &self.by_priority {
            writer.count(queue.len());
            queue.iter().for_each(|waiting| waiting.save(writer));
        }
        self.next_number.save(writer);
    }

    /// The caller checks [`Queue::is_ordered`].
    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut all = Self::default();
        for queue in &mut all.by_priority {
            for _ in 0..reader.count(16)? {
                queue.push_back(Waiting::load(reader)?);
            }
        }
        all.next_number = u64::load(reader)?;
        Ok(all)
    }
}
