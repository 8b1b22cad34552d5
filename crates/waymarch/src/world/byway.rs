//! The second way of a group: round a crowded gate, for its rear.

use alloc::vec::Vec;

use super::group::{Group, Passage, WIDTHS};
use super::march::is_same_gate;
use super::service::PathId;
use crate::base::{CellRect, GridSize, Tick, persist_choices, persist_fields};
use crate::groups::{Lanes, WayGate};

/// World: which of its group's two ways a unit goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Branch {
    /// The one that all were led by at first.
    #[default]
    Main,
    /// The one round a crowded gate.
    Byway,
}

/// World: a way round a crowded gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Byway {
    /// The gate that it leads round, of the group's first way; `None` if that way has changed and leads there no longer.
    pub(super) gate: Option<u16>,
    /// The cells there that count as closed for those who take it.
    pub(super) closed: CellRect,
    /// Its narrowest gate; who is through it needs to avoid nothing any more.
    pub(super) narrow: u16,
    /// None after an edit on it: each goes by its own route then.
    pub(super) passages: Vec<Passage>,
    pub(super) lanes: Lanes,
    /// When the last of the group would be there if nobody had been sent; `None` once it is known whether those who were gained by it.
    pub(super) beat: Option<Tick>,
    /// How many times in a row they did not.
    pub(super) vain: u8,
}

/// World: what a group thinks about the crowd at its gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patience {
    /// Another way that is looked for.
    pub(super) ask: PathId,
    /// The gate that it is to lead round.
    pub(super) gate: u16,
    /// It thinks about it again then.
    pub(super) next: Tick,
    /// And leaves so many seconds between, more after each time that was in vain.
    pub(super) pause: u16,
}

impl Default for Patience {
    fn default() -> Self {
        Self { ask: PathId::DEAD, gate: 0, next: Tick::ZERO, pause: 0 }
    }
}

impl Group {
    /// The gates of one of its ways.
    pub(super) fn gates(&self, branch: Branch) -> &[Passage] {
        match (branch, &self.byway) {
            (Branch::Main, _) => &self.passages,
            (Branch::Byway, Some(byway)) => &byway.passages,
            (Branch::Byway, None) => &[],
        }
    }

    pub(super) fn gates_mut(&mut self, branch: Branch) -> &mut [Passage] {
        match (branch, &mut self.byway) {
            (Branch::Main, _) => &mut self.passages,
            (Branch::Byway, Some(byway)) => &mut byway.passages,
            (Branch::Byway, None) => &mut [],
        }
    }

    /// The lanes of those who go one of its ways.
    pub(super) fn lanes(&self, branch: Branch) -> Lanes {
        let byway = self.byway.as_ref().filter(|_| branch == Branch::Byway);
        byway.map_or(self.lanes, |byway| byway.lanes)
    }

    /// The group's first way has been found anew, with these gates: which of them its second way leads round.
    pub(super) fn note_new_gates(&mut self, gates: &[WayGate]) {
        let Some(byway) = &mut self.byway else { return };
        let old = byway.gate.and_then(|gate| self.passages.get(usize::from(gate)));
        let same = old.and_then(|old| gates.iter().position(|gate| is_same_gate(&old.way, gate)));
        byway.gate = same.and_then(|gate| u16::try_from(gate).ok());
    }

    /// What those who take its second way keep clear of, as long as they have to: until they are through its narrowest gate.
    pub(super) fn avoids(&self, branch: Branch, gate: u16) -> CellRect {
        let byway = self.byway.as_ref().filter(|byway| branch == Branch::Byway && gate <= byway.narrow);
        byway.map_or(CellRect::default(), |byway| byway.closed)
    }
}

impl Byway {
    /// Whether it could have come about on a map of this size.
    pub(super) fn makes_sense(&self, grid: GridSize, on_map: impl Fn(&WayGate) -> bool) -> bool {
        self.closed.intersect(grid.rect()) == self.closed
            && usize::from(self.narrow) <= self.passages.len()
            && self.passages.len() < usize::from(u16::MAX)
            && WIDTHS.contains(&self.lanes.width)
            && self.passages.iter().all(|gate| on_map(&gate.way))
    }
}

persist_choices! {
    Branch { Main, Byway }
}

persist_fields! {
    Byway {
        gate: Option<u16>,
        closed: CellRect,
        narrow: u16,
        passages: Vec<Passage>,
        lanes: Lanes,
        beat: Option<Tick>,
        vain: u8,
    }
    Patience { ask: PathId, gate: u16, next: Tick, pause: u16 }
}
