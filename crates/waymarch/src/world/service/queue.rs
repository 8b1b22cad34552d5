//! Who waits, and who is next.

use alloc::collections::VecDeque;

use super::status::PathId;
use crate::base::{ByteReader, ByteWriter, LoadError, Persist};
use crate::query::Priority;

/// One in so many is taken by age alone, whatever its priority.
const BY_AGE: u32 = 4;

/// A place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Waiting {
    /// The order in which requests came; unique.
    pub(super) number: u64,
    pub(super) id: PathId,
}

/// World: requests that wait, by priority and then by age.
///
/// *Invariant:* the first that is taken in a tick is the oldest of all, and so is every fourth after it. So however many requests of higher
/// priority come, one that has `n` older ones before it is taken after `n` ticks at the latest in which anything is taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Queue {
    /// Each with the oldest first.
    by_priority: [VecDeque<Waiting>; 3],
}

impl Queue {
    fn of(&mut self, priority: Priority) -> &mut VecDeque<Waiting> {
        &mut self.by_priority[Priority::ALL.iter().position(|&other| other == priority).unwrap_or(0)]
    }

    /// Makes memory ahead of need, for so many requests beyond those that wait.
    pub(super) fn stock_up(&mut self, more: usize) {
        self.by_priority.iter_mut().for_each(|queue| queue.reserve(more));
    }

    /// Adds the youngest.
    pub(super) fn push(&mut self, priority: Priority, waiting: Waiting) {
        self.of(priority).push_back(waiting);
    }

    /// Puts back one that was taken, at its old place. Those put back in a tick are put back youngest first.
    pub(super) fn put_back(&mut self, priority: Priority, waiting: Waiting) {
        let queue = self.of(priority);
        let at = queue.partition_point(|other| other.number < waiting.number);
        queue.insert(at, waiting);
    }

    /// Takes the `turn`th of a tick.
    pub(super) fn take(&mut self, turn: u32) -> Option<Waiting> {
        let fronts = self.by_priority.iter().enumerate();
        let fronts = fronts.filter_map(|(at, queue)| queue.front().map(|first| (first.number, at)));
        let at = if turn % BY_AGE == 0 {
            fronts.min().map(|(_, at)| at)?
        } else {
            fronts.map(|(_, at)| at).min()?
        };
        self.by_priority[at].pop_front()
    }

    /// All that wait, first by priority and then by age.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.by_priority.iter().flatten()
    }

    /// Those that came at most `apart` requests before or after the one of a number, first by priority and then by age.
    pub(super) fn around(&self, number: u64, apart: u64) -> impl Iterator<Item = &Waiting> {
        let (first, last) = (number.saturating_sub(apart), number.saturating_add(apart));
        self.by_priority.iter().flat_map(move |queue| {
            let start = queue.partition_point(|waiting| waiting.number < first);
            queue.range(start..).take_while(move |waiting| waiting.number <= last)
        })
    }

    pub(super) fn len(&self) -> usize {
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
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut all = Self::default();
        for queue in &mut all.by_priority {
            let mut last = None;
            for _ in 0..reader.count(16)? {
                let waiting = Waiting::load(reader)?;
                if last.is_some_and(|last| last >= waiting.number) {
                    return Err(reader.error("a queue that is not in the order of its numbers"));
                }
                last = Some(waiting.number);
                queue.push_back(waiting);
            }
        }
        Ok(all)
    }
}
