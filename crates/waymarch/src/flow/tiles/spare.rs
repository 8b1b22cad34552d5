//! Memory of flows that have ended, for those that begin.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::corridor::Corridor;
use super::state::{Exit, FlowState};
use crate::base::{Agent, CellPos, GridSize, LocomotorId, make_room};

/// Corridors have room for so many sectors from the beginning, or for all there are.
const SECTORS: usize = 256;
/// So many corridors wait to be used at least, once there was time to make them.
const CORRIDORS: usize = 4;
/// So many lists of parts are made at a time then.
const LISTS: usize = 32;

/// How many are made when all are in use: one while there are few, which keeps small games small; as many again where there are many.
pub(super) fn more_ahead(all: usize) -> usize {
    const MANY: usize = 256;
    if all < MANY { 1 } else { all }
}

/// Scratch: lists of one kind that are not in use. As many as ever were in use at one time, at most.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    spare: Vec<Vec<T>>,
    /// How many were made.
    all: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { spare: Vec::new(), all: 0 }
    }
}

impl<T> Pool<T> {
    /// Gives a list room for `len` things in all. Room to take it back is made with it: flows that end make no memory.
    #[inline]
    pub(super) fn make_room(&mut self, list: &mut Vec<T>, len: usize) {
        if list.capacity() == 0 {
            if self.spare.is_empty() {
                self.make(len);
            }
            *list = self.spare.pop().unwrap_or_default();
        }
        list.reserve_exact(len.saturating_sub(list.len()));
    }

    /// Makes lists with room for `len` things: ahead of need where there are many, so that a few more than ever before
    /// mostly need no memory.
    #[cold]
    fn make(&mut self, len: usize) {
        let more = more_ahead(self.all);
        self.all += more;
        self.spare.reserve(self.all);
        self.spare.extend((0..more).map(|_| Vec::with_capacity(len)));
    }

    /// Makes lists with room for `len` things ahead of need if few wait to be used. None as long as nobody has wanted one.
    pub(super) fn stock_up(&mut self, len: usize) {
        let used = self.all.saturating_sub(self.spare.len());
        if used > 0 && self.spare.len() < LISTS + used / 4 {
            self.all += LISTS;
            make_room(&mut self.spare, self.all);
            self.spare.extend((0..LISTS).map(|_| Vec::with_capacity(len)));
        }
    }

    /// Takes a list back.
    fn keep(&mut self, mut list: Vec<T>) {
        if list.capacity() > 0 {
            list.clear();
            self.spare.push(list);
            // Flows that were loaded brought lists of their own.
            self.all = self.all.max(self.spare.len());
        }
    }

    fn memory_bytes(&self) -> usize {
        let lists = self.spare.iter().map(|list| list.capacity() * size_of::<T>());
        lists.sum::<usize>() + self.spare.capacity() * size_of::<Vec<T>>()
    }
}

/// Scratch: the lists of parts, by kind: parts get them when they need them, and whichever is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) exits: Pool<Exit>,
    pub(super) rims: Pool<u64>,
}

/// Scratch: corridors that have ended, without parts. As many as there ever were at one time, at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    corridors: Vec<Corridor>,
    /// How many there are, in use or not.
    all_corridors: usize,
    /// At least as many parts as a corridor has had.
    longest: usize,
}

impl Spare {
    /// None yet, for a map of so many sectors.
    pub(super) fn new(sectors: usize) -> Self {
        Self { longest: sectors.min(SECTORS), ..Self::default() }
    }

    /// A corridor without parts.
    pub(super) fn corridor(&mut self, aim: TileAim) -> Corridor {
        let old = self.corridors.pop().unwrap_or_else(|| self.make(aim));
        let mut parts = old.state.parts;
        // As long as the longest so far: corridors take turns at it.
        parts.reserve(self.longest);
        let mut corridor = Corridor::of(FlowState { aim, goal_open: false, era: 0, parts });
        (corridor.made, corridor.seen) = (old.made, old.seen);
        corridor.made.reserve(self.longest);
        corridor
    }

    /// A corridor more than there are. Room to take it back is made with it.
    fn make(&mut self, aim: TileAim) -> Corridor {
        self.all_corridors += 1;
        make_room(&mut self.corridors, self.all_corridors);
        Corridor::new(aim)
    }

    /// Makes a corridor ahead of need if few wait to be used, with room for what is seen from a goal as far as `sight` cells away. None
    /// as long as there are no flows: then nobody may ever want one.
    pub(super) fn stock_up(&mut self, sight: u32, map: GridSize) {
        let used = self.all_corridors.saturating_sub(self.corridors.len());
        if used > 0 && self.corridors.len() < CORRIDORS + used / 4 {
            let mut corridor = self.make(TileAim::new(Agent::from(LocomotorId(0)), CellPos::new(0, 0)));
            corridor.state.parts.reserve(self.longest);
            corridor.made.reserve(self.longest);
            corridor.seen.make_room(sight, map);
            self.corridors.push(corridor);
        }
    }

    /// Keeps the memory of a corridor that is no longer needed.
    pub(super) fn keep(&mut self, mut corridor: Corridor, lists: &mut Lists) {
        self.longest = self.longest.max(corridor.state.parts.len().next_power_of_two());
        for (part, made) in corridor.state.parts.drain(..).zip(corridor.made.drain(..)) {
            lists.exits.keep(part.exits);
            lists.rims.keep(made.rim.into_memory());
        }
        self.corridors.push(corridor);
        self.all_corridors = self.all_corridors.max(self.corridors.len());
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.corridors.iter().map(Corridor::memory_bytes).sum()
    }
}

impl Lists {
    /// Makes some ahead of need, for sectors of so many cells a side.
    pub(super) fn stock_up(&mut self, side: usize) {
        self.exits.stock_up(4 * side);
        self.rims.stock_up(4 * side);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.exits.memory_bytes() + self.rims.memory_bytes()
    }
}
