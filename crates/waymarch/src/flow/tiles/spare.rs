//! Memory of flows that have ended, for those that begin.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::corridor::Corridor;
use super::state::{DoorStep, Exit, FlowState};

/// Scratch: memory of flows that have ended. As much as flows ever held at one time, at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    parts: Vec<PartMemory>,
    /// Without parts.
    corridors: Vec<Corridor>,
    /// How many parts and corridors there are, in use or not.
    all_parts: usize,
    all_corridors: usize,
}

/// Scratch: the lists of a part, all empty.
#[derive(Clone, Debug, Default)]
pub(super) struct PartMemory {
    pub(super) exits: Vec<Exit>,
    pub(super) doors: Vec<DoorStep>,
    pub(super) rim: Vec<u64>,
}

impl Spare {
    /// Memory for a part. The room to take it back is made now: flows that end make no memory.
    pub(super) fn part(&mut self) -> PartMemory {
        self.parts.pop().unwrap_or_else(|| {
            self.all_parts += 1;
            self.parts.reserve(self.all_parts);
            PartMemory::default()
        })
    }

    /// A corridor without parts.
    pub(super) fn corridor(&mut self, aim: TileAim) -> Corridor {
        let Some(old) = self.corridors.pop() else {
            self.all_corridors += 1;
            self.corridors.reserve(self.all_corridors);
            return Corridor::new(aim);
        };
        let parts = old.state.parts;
        let mut corridor = Corridor::of(FlowState { aim, goal_open: false, era: 0, parts });
        (corridor.made, corridor.seen) = (old.made, old.seen);
        corridor
    }

    /// Keeps the memory of a corridor that is no longer needed.
    pub(super) fn keep(&mut self, mut corridor: Corridor) {
        for (part, made) in corridor.state.parts.drain(..).zip(corridor.made.drain(..)) {
            let mut memory = PartMemory { exits: part.exits, doors: part.doors, rim: made.rim.into_memory() };
            memory.exits.clear();
            memory.doors.clear();
            memory.rim.clear();
            self.parts.push(memory);
        }
        self.corridors.push(corridor);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_part = |part: &PartMemory| {
            part.exits.capacity() * size_of::<Exit>()
                + part.doors.capacity() * size_of::<DoorStep>()
                + part.rim.capacity() * 8
        };
        self.parts.iter().map(of_part).sum::<usize>()
            + self.parts.capacity() * size_of::<PartMemory>()
            + self.corridors.iter().map(Corridor::memory_bytes).sum::<usize>()
    }
}
