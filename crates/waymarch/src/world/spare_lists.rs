//! Lists that are not in use, for whoever needs one.

use crate::base::make_room;
use alloc::vec::Vec;

/// A new list has room for so many things; more when longer ones have been seen.
const LEAST: usize = 32;
/// All lists together get room for about so many things ahead of need: few lists are made long, very many are not.
const AHEAD: usize = 1 << 19;
/// So many wait to be used at least, once there was time to make them, and so many are made at a time.
const FEW: usize = 16;

/// Scratch: lists that are not in use, each with room for as much as the longest so far once there was time to make it.
///
/// *Invariant:* what is done with lists follows from nothing that is in here. Copies begin with none.
#[derive(Debug)]
pub(super) struct SpareLists<T> {
    lists: Vec<Vec<T>>,
    /// How many there are, in use or not.
    made: usize,
    longest: usize,
}

impl<T> Default for SpareLists<T> {
    fn default() -> Self {
        Self { lists: Vec::new(), made: 0, longest: LEAST }
    }
}

/// Memory that was reserved is not copied, so a copy has to make its own.
impl<T> Clone for SpareLists<T> {
    fn clone(&self) -> Self {
        Self { lists: Vec::new(), made: 0, longest: self.longest }
    }
}

impl<T> SpareLists<T> {
    /// None yet; all will have room for so many things.
    pub(super) fn with_room_for(things: usize) -> Self {
        Self { lists: Vec::new(), made: 0, longest: things }
    }

    /// There are other lists than there were; nothing changes but what memory is made.
    pub(super) fn poison(&mut self) {
        self.lists.clear();
        (self.made, self.longest) = (7, 7);
    }

    /// An empty list with room for `len` things, and for more if others had more.
    pub(super) fn take(&mut self, len: usize) -> Vec<T> {
        self.see(len);
        if self.lists.is_empty() {
            // As many again, so that peaks a little above all earlier ones mostly make no memory.
            self.make(if self.room() < self.longest { 1 } else { self.made + 1 });
        }
        let mut list = self.lists.pop().unwrap_or_default();
        list.reserve(len);
        list
    }

    /// Makes lists ahead of need, outside of ticks: from then on a third of all, and [`FEW`] at least, wait to be used.
    pub(super) fn stock_up(&mut self) {
        self.stock_up_for(FEW);
    }

    /// The same where so many may be needed at once.
    pub(super) fn stock_up_for(&mut self, many: usize) {
        let used = self.made.saturating_sub(self.lists.len());
        let wanted = (FEW + used / 2).max(many);
        if self.lists.len() < wanted && self.room() == self.longest {
            // Some at a time: the next order comes soon.
            self.make((wanted - self.lists.len()).min(many.max(FEW)));
        }
        let room = self.room();
        let short = self.lists.iter_mut().rev().filter(|list| list.capacity() < room);
        short.take(FEW).for_each(|list| list.reserve(room));
    }

    fn make(&mut self, more: usize) {
        let room = self.room();
        self.made += more;
        // Room to take all back.
        make_room(&mut self.lists, self.made);
        self.lists.extend((0..more).map(|_| Vec::with_capacity(room)));
    }

    /// Takes a list back.
    pub(super) fn keep(&mut self, mut list: Vec<T>) {
        self.see(list.len());
        if list.capacity() > 0 {
            list.clear();
            self.lists.push(list);
            // Worlds that were loaded or copied brought lists of their own.
            self.made = self.made.max(self.lists.len());
        }
    }

    /// There are lists of this length: all get room for as much, when there is time.
    fn see(&mut self, len: usize) {
        if len > self.longest {
            self.longest = len.next_power_of_two();
        }
    }

    fn room(&self) -> usize {
        self.longest.min(AHEAD / (self.made + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stocks_up_for_many_makes_none_when_they_come_at_once_and_others_a_few() {
        for (many, ahead) in [(100, 100), (3, FEW)] {
            let mut spare = SpareLists::<u32>::default();
            spare.stock_up_for(many);
            let taken: Vec<Vec<u32>> = (0..ahead).map(|_| spare.take(LEAST)).collect();
            assert_eq!((spare.made, spare.lists.len()), (ahead, 0), "for {many}");
            assert!(taken.iter().all(|list| list.capacity() >= LEAST));
        }
    }
}
